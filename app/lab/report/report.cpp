// Gathers what the report says (interprets every stage, finds its measurement) and writes it.
// How it looks is report_page.cpp's.
#include "lab/report/report.h"
#include "lab/report/access_drawing.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "course/lesson_lint.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/prediction.h"
#include "lab/chart/chart_sparse.h"
#include "lab/chart/charts.h"
#include "lab/mismatch/mismatch_map.h"
#include "lab/product/product.h"
#include "lab/report/page_parts.h"
#include "lab/report/report_page.h"

namespace lanewise {
namespace {

constexpr int64_t kProductSide = 256;  // some 0.1 s to interpret

std::string offered_type(const Stage& stage, const std::string& wanted) {
    const std::vector<std::string>& types = stage.types;
    bool offered = std::find(types.begin(), types.end(), wanted) != types.end();
    return offered || types.empty() ? wanted : types.front();
}

// The same setting with padding where it has none, or without where it has some; nothing where
// there is no such knob or no such choice.
std::optional<KnobValues> other_padding(const Job& job) {
    KnobValues knobs = job.knobs;
    auto pad = knobs.find("PAD");
    if (pad == knobs.end()) return std::nullopt;
    pad->second = pad->second == 0 ? 1 : 0;
    if (!knob_problem(job.stage, knobs, job.type).empty()) return std::nullopt;
    return knobs;
}

// What to show beside the stage's shared memory: itself with other padding, else stage.compare.
void add_comparison(const Catalogue& catalogue, const Job& job, ReportStage& entry) {
    if (!entry.picture || entry.picture->tile.rows == 0) return;
    entry.picture_title = knobs_in_words(job.knobs);
    Job other = job;
    if (std::optional<KnobValues> knobs = other_padding(job)) {
        other.knobs = *knobs;
        entry.comparison_title = knobs_in_words(*knobs);
    } else if (!job.stage.compare.empty()) {
        other.stage = catalogue.find(job.stage.compare);
        other.knobs = default_knobs(other.stage);
        entry.picture_title = job.stage.title;
        entry.comparison_title = other.stage.title;
    } else {
        return;
    }
    entry.comparison = trace_block(other, 0);
}

const Measurement* find_measurement(const std::vector<Measurement>& measured, const Job& job) {
    for (const Measurement& m : measured)
        if (m.stage == job.stage.id && m.knobs == job.knobs && m.type == job.type &&
            m.rows == job.rows && m.cols == job.cols && m.batch == job.batch)
            return &m;
    return nullptr;
}

// A product's analysis says nothing of the sizes that are worth measuring, so all of those are
// taken.
void add_product_measurements(const std::vector<Recording>& recordings,
                              const std::vector<Measurement>& live, const Job& job,
                              ReportStage& entry) {
    auto take = [&](const std::vector<Measurement>& measured) {
        for (const Measurement& m : measured)
            if (m.stage == job.stage.id && m.knobs == job.knobs && m.type == job.type)
                entry.sizes.push_back(m);
        return !entry.sizes.empty();
    };
    entry.live = take(live);
    for (size_t i = 0; i < recordings.size() && entry.sizes.empty(); ++i)
        take(recordings[i].measurements);
    auto work = [](const Measurement& m) { return flops_of(m.rows, m.cols, m.inner); };
    std::stable_sort(entry.sizes.begin(), entry.sizes.end(),
                     [&](const Measurement& a, const Measurement& b) { return work(a) < work(b); });
    if (!entry.sizes.empty()) entry.measurement = entry.sizes.back();
}

// The pictures, and the model of the shape that was measured.
void add_product(const Job& job, ReportStage& entry) {
    entry.product = product_pictures(job);
    if (!entry.measurement) return;
    Job measured = job;
    measured.rows = entry.measurement->rows;
    measured.cols = entry.measurement->cols;
    measured.inner = entry.measurement->inner;
    entry.analysis.prediction = predict(measured);
}

void add_measurement(const std::vector<Recording>& recordings, const std::vector<Measurement>& live,
                     const Job& job, ReportStage& entry) {
    if (const Measurement* found = find_measurement(live, job)) {
        entry.measurement = *found;
        entry.live = true;
        return;
    }
    for (const Recording& recording : recordings)
        if (const Measurement* found = find_measurement(recording.measurements, job)) {
            entry.measurement = *found;
            return;
        }
}

// None where they cannot be read: the model then says so itself.
std::vector<DeviceProfile> readable_profiles(const Catalogue& catalogue) {
    try {
        return device_profiles(catalogue.content());
    } catch (const Error&) {
        return {};
    }
}

ChartFacts facts_of(const Catalogue& catalogue, const std::vector<Recording>& recordings,
                    const std::vector<Measurement>& live, const std::string& operation,
                    const std::string& type, int64_t rows, int64_t cols) {
    ChartFacts facts;
    facts.stages = catalogue.stages();
    facts.recordings = recordings;
    facts.live = live;
    facts.operation = operation;
    facts.type = type;
    facts.rows = rows;
    facts.cols = cols;
    return facts;
}

void add_charts(const Catalogue& catalogue, const std::vector<Recording>& recordings,
                const std::vector<Measurement>& live, ReportInput& input) {
    std::vector<DeviceProfile> profiles = readable_profiles(catalogue);
    ChartFacts facts =
        facts_of(catalogue, recordings, live, "transpose", input.type, input.rows, input.cols);
    facts.published = input.published;
    facts.profiles = profiles;
    for (const ReportStage& entry : input.stages)
        if (entry.error.empty()) facts.traffic[entry.stage.id] = traffic_of(entry.analysis);
    auto add = [&](const char* file, const char* title, const char* caption, ChartInput chart) {
        input.charts.push_back({file, title, caption, std::move(chart)});
    };
    add("chart-sizes", "By size",
        "Where launching, L2 and the memory decide: every stage on square matrices.",
        size_chart(facts));
    add("chart-roofline", "Roofline", "Every stage under the roofs of L2 and of the memory.",
        roofline_chart(facts));
    add("chart-model", "Model and measurement",
        "What the model predicts of every recorded run, against what was measured.",
        model_chart(facts));
    add("chart-published", "Published and measured",
        "What others published of these kernels, as a share of their card's datasheet, beside "
        "ours.",
        published_chart(facts));
}

// Figures 5 to 8 of the article that measures products, with ours, and what it says in words of
// sparse ones.
void add_product_charts(const Catalogue& catalogue, const std::vector<Recording>& recordings,
                        const std::vector<Measurement>& live, ReportInput& input) {
    std::vector<DeviceProfile> profiles = readable_profiles(catalogue);
    ChartFacts facts =
        facts_of(catalogue, recordings, live, "matmul", input.type, input.rows, input.cols);
    facts.published = input.published;
    facts.profiles = profiles;
    if (recorded_cards(facts).empty() && live.empty()) return;
    auto add = [&](const char* file, const char* title, const char* caption, ChartInput chart) {
        input.product_charts.push_back({file, title, caption, std::move(chart)});
    };
    add("products-times", "Time by size", "Every product on two logarithmic axes.",
        time_chart(facts));
    add("products-sizes", "GFLOP/s by size",
        "Operations over time, where it is not the launch that takes it.", size_chart(facts));
    add("products-speedup", "Speed-up over naive",
        "How many times as fast as the naive product of the same shape.", speedup_chart(facts));
    add("products-roofline", "Roofline of products",
        "Every product under the roofs of the memory and of what does its arithmetic.",
        roofline_chart(facts));
    add("products-sparse", "Sparse against dense",
        "From how many zeros on it pays to leave them out.", sparse_chart(facts));
    add("products-published", "Products, published and recorded",
        "What others published of products beside ours, each in the unit it was published in.",
        published_chart(facts));
}

}  // namespace

ReportStage gather_stage(const Catalogue& catalogue, const Stage& stage,
                         const std::vector<Recording>& recordings, int64_t rows, int64_t cols,
                         const std::string& type, const std::vector<Measurement>& live) {
    ReportStage entry;
    entry.stage = stage;
    entry.lesson = read_lesson(lesson_path(catalogue, stage), stage.id);
    if (!stage.error.empty()) {
        entry.error = stage.error;
        return entry;
    }
    try {
        Job job;
        job.stage = stage;
        job.type = offered_type(stage, type);
        job.rows = rows;
        job.cols = cols;
        job.knobs = default_knobs(stage);
        if (is_product(stage)) {
            job.rows = job.cols = job.inner = std::min({kProductSide, rows, cols});
            add_product_measurements(recordings, live, job, entry);
        } else {
            add_measurement(recordings, live, job, entry);
        }
        entry.sweep = sweep_of_stage(
            facts_of(catalogue, recordings, live, stage.operation, job.type, rows, cols), stage);
        if (is_library_call(stage)) {
            entry.analysis = nothing_counted(job);
            entry.error = nothing_to_interpret(stage);
            return entry;
        }
        entry.analysis = analyse(job);
        if (!entry.analysis.correct && cannot_map_mismatches(job).empty())
            entry.mismatch = find_mismatches(job);
        entry.picture = trace_block(job, 0);
        add_comparison(catalogue, job, entry);
        if (is_product(stage)) add_product(job, entry);
    } catch (const Error& error) {
        entry.error = error.what();
    }
    return entry;
}

ReportInput gather_report(const Catalogue& catalogue, const std::vector<Recording>& recordings,
                          int64_t rows, int64_t cols, const std::vector<Measurement>& live) {
    ReportInput input;
    input.rows = rows;
    input.cols = cols;
    std::vector<std::string> problems;  // doctor names them
    input.published =
        read_all_published(catalogue.content() / "assets/recordings/published", problems);
    for (const Stage& stage : catalogue.stages()) {
        if (!is_rung(stage) || (is_in_place(stage) && rows != cols)) continue;
        input.stages.push_back(
            gather_stage(catalogue, stage, recordings, rows, cols, input.type, live));
    }
    add_charts(catalogue, recordings, live, input);
    add_product_charts(catalogue, recordings, live, input);
    return input;
}

std::filesystem::path write_report(const std::filesystem::path& out, const Catalogue& catalogue,
                                   const std::vector<Recording>& recordings, int64_t rows,
                                   int64_t cols, const std::vector<Measurement>& live) {
    ReportInput input = gather_report(catalogue, recordings, rows, cols, live);
    const FigureFiles files(report_figures(input));
    for (const auto& [name, text] : files.texts()) write_file(out / name, text);
    std::filesystem::path page = out / "index.html";
    write_file(page, html_report(input));
    return page;
}

}  // namespace lanewise
