// bench --predict: what the model says of the ladder, beside what was recorded on the same card.
// Needs no GPU.
#include "engine_predict.h"

#include <fmt/format.h>

#include "base/files.h"
#include "engine_options.h"
#include "engine_where.h"
#include "lab/devices.h"
#include "lab/json.h"
#include "lab/prediction.h"
#include "lab/recording.h"

namespace lanewise {
namespace {

// Zeros where this setting was never recorded on the card that the model is for.
Measurement recorded_at(const Job& job, const std::vector<Recording>& recordings) {
    for (const Recording& recording : recordings) {
        if (recording.card != device_in_use().name || job.batch != 1) continue;
        if (const Measurement* found =
                recording.find(job.stage.id, job.knobs, job.type, job.rows, job.cols))
            return *found;
    }
    Measurement none;
    none.stage = job.stage.id;
    none.title = job.stage.title;
    none.knobs = job.knobs;
    none.type = job.type;
    none.rows = job.rows;
    none.cols = job.cols;
    return none;
}

void print_predictions(const std::vector<Measurement>& rows,
                       const std::vector<std::string>& limits) {
    fmt::print("{:<28} {:<20} {:>9} {:>9} {:>8}   {}\n", "stage", "matrix", "predicted", "recorded",
               "error", "limited by");
    for (size_t i = 0; i < rows.size(); ++i) {
        const Measurement& m = rows[i];
        bool known = m.gb_per_s > 0;
        fmt::print("{:<28} {:<20} {:>9.0f} {:>9} {:>8}   {}{}\n", m.stage,
                   fmt::format("{} x {} {}", m.rows, m.cols, m.type), m.predicted_gb_per_s,
                   known ? fmt::format("{:.0f}", m.gb_per_s) : "-",
                   known ? fmt::format("{:+.1f} %", 100 * model_error(m)) : "-", limits[i],
                   known && !m.beyond_l2 ? ", partly in cache" : "");
    }
    fmt::print("\nGB/s, modelled for {}.", device_in_use().name);
    ModelErrors errors = model_errors(rows);
    if (errors.compared > 0)
        fmt::print(" Beyond the cache: mean error {:.1f} %, worst {:.1f} % ({}).",
                   100 * errors.mean, 100 * errors.worst, errors.worst_at);
    fmt::print("\n");
}

}  // namespace

void predict_ladder(const std::vector<Job>& jobs, bool json) {
    std::vector<std::string> problems;  // doctor names them
    std::vector<Recording> recordings =
        read_recordings(content_folder() / "assets" / "recordings", problems);
    TerminalProgress progress;
    std::vector<Measurement> rows;
    std::vector<std::string> limits;
    for (Job job : jobs) {
        validate(job);  // with it come the knobs' defaults
        progress.listener()(static_cast<double>(rows.size()) / static_cast<double>(jobs.size()),
                            job.stage.id);
        if (progress.cancelled()) throw Cancelled{};
        BandwidthPrediction prediction = predict(job);
        rows.push_back(recorded_at(job, recordings));
        rows.back().predicted_gb_per_s = prediction.gb_per_s;
        limits.push_back(prediction.limited_by);
    }
    progress.clear();
    if (json)
        print_json(rows);
    else
        print_predictions(rows, limits);
}

}  // namespace lanewise
