#include "lab/chart/chart_sparse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "lab/chart/chart_parts.h"

namespace lanewise {
namespace {

using Shape = std::tuple<int64_t, int64_t, int64_t>;

// By share of zeros, of one shape.
using Runs = std::map<int64_t, Charted>;

Runs runs_of(const ChartFacts& facts, const Stage& stage) {
    std::map<Shape, Runs> by_shape;
    for (const Charted& each : measurements_of(facts, stage)) {
        const Measurement& m = *each.measurement;
        auto zeros = m.knobs.find(kZerosKnob);
        if (zeros != m.knobs.end()) by_shape[{m.rows, m.cols, m.inner}][zeros->second] = each;
    }
    Runs best;
    for (const auto& [shape, runs] : by_shape) {
        bool looked_at = std::get<0>(shape) == facts.rows && std::get<1>(shape) == facts.cols;
        if (looked_at && runs.size() > 1) return runs;
        if (runs.size() >= best.size()) best = runs;
    }
    return best;
}

PlotPoint point_of(const Charted& charted, int64_t zeros, const Spread& time,
                   const std::string& what) {
    PlotPoint point;
    point.x = static_cast<double>(zeros);
    point.y = time.median;
    point.low = time.p05, point.high = time.p95;
    point.words = fmt::format("{}, {} % zeros, {}: {:.1f} µs", what, zeros,
                              shape_words(*charted.measurement), time.median);
    point.source = source_of(charted);
    point.filled = charted.live;
    return point;
}

PlotSeries published(const ChartFacts& facts, const std::string& stage, double dense_us) {
    PlotSeries series;
    series.name = "published crossover, another card";
    series.ink = Ink::published;
    series.mark = PlotMark::diamond;
    series.joined = series.named = false;
    series.in_legend = true;
    for (const PublishedFigure& figure : facts.published) {
        bool of_this = figure.operation == facts.operation && figure.unit == "% zeros";
        if (!of_this || dense_us <= 0) continue;
        PlotPoint point;
        point.x = figure.value;
        point.y = dense_us;
        point.words = in_words(figure);
        point.source = "its height is our dense product's, at which the two meet";
        point.action = "stage:" + stage;
        point.filled = false;
        series.points.push_back(std::move(point));
    }
    return series;
}

}  // namespace

const Stage* sparse_stage(const ChartFacts& facts) {
    for (const Stage& stage : facts.stages) {
        bool has = std::any_of(stage.knobs.begin(), stage.knobs.end(),
                               [](const Knob& knob) { return knob.name == kZerosKnob; });
        if (has && stage.operation == facts.operation && stage.error.empty()) return &stage;
    }
    return nullptr;
}

std::optional<double> crossover(const std::vector<PlotPoint>& sparse,
                                const std::vector<PlotPoint>& dense) {
    auto log_ratio = [&](size_t i) { return std::log(sparse[i].y / dense[i].y); };
    for (size_t i = 0; i + 1 < std::min(sparse.size(), dense.size()); ++i) {
        double before = log_ratio(i), after = log_ratio(i + 1);
        if (before > 0 && after <= 0)
            return sparse[i].x + (sparse[i + 1].x - sparse[i].x) * before / (before - after);
    }
    return std::nullopt;
}

PlotFigureInput sparse_chart(const ChartFacts& facts) {
    PlotFigureInput chart;
    chart.nothing = "No sparse product has been measured.";
    const Stage* stage = sparse_stage(facts);
    if (!stage) return chart;
    PlotSeries sparse, dense;
    sparse.name = stage->title;
    sparse.action = "stage:" + stage->id;
    sparse.ink = Ink::accent;
    sparse.mark = PlotMark::diamond;
    sparse.strong = true;
    dense.ink = Ink::copy;
    dense.mark = PlotMark::square;
    for (const auto& [zeros, charted] : runs_of(facts, *stage)) {
        const Measurement& m = *charted.measurement;
        if (m.yardstick.time_us.median <= 0) continue;
        dense.name = "dense, " + m.yardstick.kind;
        sparse.points.push_back(point_of(charted, zeros, m.time_us, stage->title));
        dense.points.push_back(point_of(charted, zeros, m.yardstick.time_us, dense.name));
        chart.caption = caption_of(facts) + ", " + shape_words(m);
    }
    if (sparse.points.empty()) return chart;
    chart.x = {"% of A's elements that are zero", "percent_zeros", false, 45, 100, {}};
    chart.y = {"microseconds of one launch", "us", true, 0, 0, {}};
    std::optional<double> at = crossover(sparse.points, dense.points);
    chart.notes = {at ? fmt::format("They take as long at {:.1f} % zeros, read off between the two "
                                    "shares around it. With fewer zeros the dense product is "
                                    "faster, though it multiplies by all of them.",
                                    *at)
                      : std::string("At none of the measured shares do they change places.")};
    if (at)
        chart.regions = {{45, *at, "dense is faster", "Fewer zeros than the crossover."},
                         {*at, 100, "sparse is faster", "More zeros than the crossover."}};
    chart.series = {dense, sparse};
    PlotSeries marks = published(facts, stage->id, dense.points.back().y);
    if (!marks.points.empty()) chart.series.push_back(std::move(marks));
    return chart;
}

}  // namespace lanewise
