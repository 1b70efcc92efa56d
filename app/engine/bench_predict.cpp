// bench --predict: what the model says of the ladder, beside what was recorded on the same card.
// Needs no GPU.
#include "engine/bench_predict.h"

#include <fmt/format.h>

#include <cmath>

#include "base/files.h"
#include "engine/options.h"
#include "engine/where.h"
#include "lab/analysis/prediction.h"
#include "lab/analysis/rate.h"
#include "lab/job/devices.h"
#include "lab/job/job.h"
#include "lab/json/json.h"
#include "lab/record/recording.h"

namespace lanewise {
namespace {

// Zeros where this setting was never recorded on the card that the model is for.
Measurement recorded_at(const Job& job, const std::vector<Recording>& recordings) {
    int64_t inner = inner_for(job.stage, job.inner);
    for (const Recording& recording : recordings) {
        if (recording.card != device_in_use().name) continue;
        if (const Measurement* found = recording.find(job.stage.id, job.knobs, job.type, job.rows,
                                                      job.cols, job.batch, inner))
            return *found;
    }
    Measurement none;
    take_setting(none, job);
    none.title = job.stage.title;
    return none;
}

bool computes(const Measurement& m) { return operation_of(m).rate == Operation::Rate::operations; }

std::string matrix_of(const Measurement& m) {
    std::string inner = m.inner == kNoInner ? "" : fmt::format(" x {}", m.inner);
    std::string matrix = fmt::format("{} x {}{} {}", m.rows, m.cols, inner, m.type);
    return m.batch == 1 ? matrix : fmt::format("{} of {}", m.batch, matrix);
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
            bool counts = computes(m) && m.gb_per_s > 0 && !is_launch_bound(m) &&
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
    std::vector<Measurement> moved;  // not computed with
    for (size_t i = 0; i < rows.size(); ++i) {
        const Measurement& m = rows[i];
        bool known = m.gb_per_s > 0, cached = known && !m.beyond_l2 && !computes(m);
        fmt::print("{:<28} {:<24} {:>9.0f} {:>9} {:>8}   {}{}\n", m.stage, matrix_of(m),
                   rate_at(m, m.predicted_gb_per_s),
                   known ? fmt::format("{:.0f}", rate_at(m, m.gb_per_s)) : "-",
                   known ? fmt::format("{:+.1f} %", 100 * model_error(m)) : "-",
                   predictions[i].limited_by, cached ? ", partly in cache" : "");
        if (!computes(m)) moved.push_back(m);
    }
    fmt::print("\n{}, by the bandwidth model for {}.",
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
