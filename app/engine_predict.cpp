// bench --predict: what the model says of the ladder, beside what was recorded on the same card.
// Needs no GPU.
#include "engine_predict.h"

#include <fmt/format.h>

#include <cmath>

#include "base/files.h"
#include "engine_options.h"
#include "engine_where.h"
#include "lab/devices.h"
#include "lab/json.h"
#include "lab/prediction.h"
#include "lab/product.h"
#include "lab/recording.h"
#include "lab/setting.h"

namespace lanewise {
namespace {

// Zeros where this setting was never recorded on the card that the model is for.
Measurement recorded_at(const Job& job, const std::vector<Recording>& recordings) {
    int64_t inner = is_product(job.stage) ? job.inner : kNoInner;
    for (const Recording& recording : recordings) {
        if (recording.card != device_in_use().name) continue;
        if (const Measurement* found = recording.find(job.stage.id, job.knobs, job.type, job.rows,
                                                      job.cols, job.batch, inner))
            return *found;
    }
    Measurement none;
    take_setting(none, job);
    none.title = job.stage.title;
    none.inner = inner;
    return none;
}

bool is_product(const Measurement& m) { return m.inner != kNoInner; }

std::string matrix_of(const Measurement& m) {
    std::string matrix = is_product(m)
                             ? fmt::format("{} x {} x {} {}", m.rows, m.cols, m.inner, m.type)
                             : fmt::format("{} x {} {}", m.rows, m.cols, m.type);
    return m.batch == 1 ? matrix : fmt::format("{} of {}", m.batch, matrix);
}

// What moves that many of a shape's bytes, each once, in a second: of products in GFLOP/s.
double speed(const Measurement& m, double gb_per_s) {
    if (!is_product(m)) return gb_per_s;
    return gb_per_s * flops_of(m.rows, m.cols, m.inner) /
           bytes_once(m.rows, m.cols, m.inner, element_bytes(m.type));
}

// Of every product that is recorded and not bound by its launch.
void print_errors_of_products(const std::vector<Measurement>& rows,
                              const std::vector<BandwidthPrediction>& predictions) {
    for (bool tensor_cores : {false, true}) {
        double sum = 0, worst = 0;
        std::string worst_at;
        int count = 0;
        for (size_t i = 0; i < rows.size(); ++i) {
            const Measurement& m = rows[i];
            bool counts = is_product(m) && m.gb_per_s > 0 && !is_launch_bound(m) &&
                          (predictions[i].unit != "FP32") == tensor_cores;
            if (!counts) continue;
            double error = std::fabs(model_error(m));
            sum += error;
            ++count;
            if (error <= worst) continue;
            worst = error;
            worst_at = m.stage + " " + matrix_of(m);
        }
        if (count > 0)
            fmt::print(" Products {} tensor cores: mean error {:.0f} % of {}, worst {:.0f} % ({}).",
                       tensor_cores ? "with" : "without", 100 * sum / count, count, 100 * worst,
                       worst_at);
    }
}

void print_predictions(const std::vector<Measurement>& rows,
                       const std::vector<BandwidthPrediction>& predictions) {
    fmt::print("{:<28} {:<24} {:>9} {:>9} {:>8}   {}\n", "stage", "matrix", "predicted", "recorded",
               "error", "limited by");
    std::vector<Measurement> moved;  // what is no product
    for (size_t i = 0; i < rows.size(); ++i) {
        const Measurement& m = rows[i];
        bool known = m.gb_per_s > 0, cached = known && !m.beyond_l2 && !is_product(m);
        fmt::print("{:<28} {:<24} {:>9.0f} {:>9} {:>8}   {}{}\n", m.stage, matrix_of(m),
                   speed(m, m.predicted_gb_per_s),
                   known ? fmt::format("{:.0f}", speed(m, m.gb_per_s)) : "-",
                   known ? fmt::format("{:+.1f} %", 100 * model_error(m)) : "-",
                   predictions[i].limited_by, cached ? ", partly in cache" : "");
        if (!is_product(m)) moved.push_back(m);
    }
    fmt::print("\n{}, modelled for {}.",
               moved.empty()                 ? "GFLOP/s"
               : moved.size() == rows.size() ? "GB/s"
                                             : "GB/s, of products GFLOP/s",
               device_in_use().name);
    ModelErrors errors = model_errors(moved);
    if (errors.compared > 0)
        fmt::print(" Beyond the cache: mean error {:.1f} %, worst {:.1f} % ({}).",
                   100 * errors.mean, 100 * errors.worst, errors.worst_at);
    print_errors_of_products(rows, predictions);
    fmt::print("\n");
}

}  // namespace

void predict_ladder(const std::vector<Job>& jobs, bool json) {
    std::vector<std::string> problems;  // doctor names them
    std::vector<Recording> recordings =
        read_recordings(content_folder() / "assets" / "recordings", problems);
    TerminalProgress progress;
    std::vector<Measurement> rows;
    std::vector<BandwidthPrediction> predictions;
    for (Job job : jobs) {
        validate(job);  // with it come the knobs' defaults
        progress.listener()(static_cast<double>(rows.size()) / static_cast<double>(jobs.size()),
                            job.stage.id);
        if (progress.cancelled()) throw Cancelled{};
        predictions.push_back(predict(job));
        rows.push_back(recorded_at(job, recordings));
        rows.back().predicted_gb_per_s = predictions.back().gb_per_s;
    }
    progress.clear();
    if (json)
        print_json(rows);
    else
        print_predictions(rows, predictions);
}

}  // namespace lanewise
