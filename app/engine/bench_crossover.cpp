// bench STAGE --crossover: from how many zeros on the sparse product is faster than the dense one,
// by halving the interval that holds the place.
#include "engine/bench_crossover.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "figure/chart/plot_figure.h"
#include "figure/drawing/svg.h"
#include "lab/json/json.h"

namespace lanewise {

namespace {

constexpr double kFewest = 0, kMost = 99.9;  // percent of zeros
constexpr double kPrecise = 0.25;            // so narrow an interval is a place

struct Step {
    double zeros = 0;  // percent
    Measurement measurement;
    bool sparse_wins() const { return measurement.yardstick.ratio.median > 1; }
};

Step measure_at(const WhereOptions& where, Job job, double zeros) {
    job.knobs.clear();
    job.input = fmt::format("zeros:{:g}", zeros);
    Json result = run_job(where, "measure", {{"job", job}});
    Step step{zeros, result.get<Measurement>()};
    if (step.measurement.yardstick.samples_us.empty())
        throw Error(Status::bad_input,
                    "there is no cuBLAS here, so that nothing dense can be "
                    "compared with: " +
                        step.measurement.note);
    return step;
}

// From the widest interval to one that is narrow enough; the ends first.
std::vector<Step> bisect(const WhereOptions& where, const Job& job) {
    std::vector<Step> steps = {measure_at(where, job, kFewest), measure_at(where, job, kMost)};
    if (steps[0].sparse_wins() || !steps[1].sparse_wins()) return steps;
    double low = kFewest, high = kMost;
    while (high - low > kPrecise) {
        steps.push_back(measure_at(where, job, (low + high) / 2));
        (steps.back().sparse_wins() ? high : low) = steps.back().zeros;
    }
    std::sort(steps.begin(), steps.end(),
              [](const Step& a, const Step& b) { return a.zeros < b.zeros; });
    return steps;
}

// "cuSPARSE is the faster one from 93.6 % zeros on."
std::string verdict_on(const std::vector<Step>& steps) {
    auto first = std::find_if(steps.begin(), steps.end(),
                              [](const Step& step) { return step.sparse_wins(); });
    if (first == steps.end())
        return fmt::format("cuBLAS is the faster one even with {} % zeros.", kMost);
    if (first == steps.begin()) return "cuSPARSE is the faster one even without a zero.";
    return fmt::format(
        "cuSPARSE is the faster one from {:.1f} % zeros on (between {:.2f} and "
        "{:.2f} %).",
        (first->zeros + (first - 1)->zeros) / 2, (first - 1)->zeros, first->zeros);
}

std::string sizes_text(const Measurement& m) {
    return fmt::format("{} x {} x {}", m.rows, m.cols, m.inner);
}

std::string drawing_of(const std::vector<Step>& steps) {
    const Measurement& m = steps.front().measurement;
    std::string source = fmt::format("{}, {}", m.provenance.card, m.provenance.date.substr(0, 10));
    PlotFigureInput plot;
    plot.caption = fmt::format("{} on {}. {}", sizes_text(m), source, verdict_on(steps));
    plot.x = {"zeros in A, %", "zeros_percent", false, 0, 100, {}};
    plot.y = {"µs, logarithmic", "us", true, 0, 0, {}};
    PlotSeries sparse, dense;
    sparse.name = "cuSPARSE";
    sparse.ink = Ink::live;
    dense.name = "cuBLAS";
    dense.ink = Ink::copy;
    sparse.strong = true;
    dense.mark = PlotMark::square;
    for (const Step& step : steps) {
        auto point = [&](const char* name, const Spread& time) {
            return PlotPoint{
                step.zeros,
                time.median,
                time.p05,
                time.p95,
                fmt::format("{}, {:.4g} % zeros: {:.1f} µs", name, step.zeros, time.median),
                source};
        };
        sparse.points.push_back(point("cuSPARSE", step.measurement.time_us));
        dense.points.push_back(point("cuBLAS", step.measurement.yardstick.time_us));
    }
    plot.series = {sparse, dense};
    return svg(framed(plot_figure(plot, measure_approximately), 16), palette("light"),
               plot.caption);
}

Json steps_json(const std::vector<Step>& steps) {
    Json rows = Json::array();
    for (const Step& step : steps)
        rows.push_back({{"zeros_percent", step.zeros},
                        {"sparse_us", step.measurement.time_us},
                        {"dense_us", step.measurement.yardstick.time_us},
                        {"ratio", step.measurement.yardstick.ratio},
                        {"correct", step.measurement.correct}});
    const Measurement& m = steps.front().measurement;
    return {{"stage", m.stage},
            {"rows", m.rows},
            {"cols", m.cols},
            {"inner", m.inner},
            {"provenance", m.provenance},
            {"steps", rows},
            {"verdict", verdict_on(steps)}};
}

}  // namespace

int find_crossover(const WhereOptions& where, const std::vector<Job>& jobs, bool json,
                   const std::string& svg_file) {
    Json all = Json::array();
    bool correct = true;
    for (const Job& job : jobs) {
        std::vector<Step> steps = bisect(where, job);
        all.push_back(steps_json(steps));
        for (const Step& step : steps) correct &= step.measurement.correct;
        if (!svg_file.empty() && &job == &jobs.back()) write_file(svg_file, drawing_of(steps));
        if (json) continue;
        fmt::print("{}\n{:>9} {:>14} {:>14} {:>8}\n", sizes_text(steps.front().measurement),
                   "% zeros", "cuSPARSE us", "cuBLAS us", "speed-up");
        for (const Step& step : steps)
            fmt::print("{:>9.4g} {:>14.1f} {:>14.1f} {:>8.3f}{}\n", step.zeros,
                       step.measurement.time_us.median, step.measurement.yardstick.time_us.median,
                       step.measurement.yardstick.ratio.median,
                       step.measurement.correct ? "" : "   WRONG");
        fmt::print("{}\n\n", verdict_on(steps));
        std::fflush(stdout);
    }
    if (json) print_json(all);
    return static_cast<int>(correct ? Status::fine : Status::failed_check);
}

}  // namespace lanewise
