// GB/s by size: every stage's line over square matrices, and the sizes at which launching, L2 and
// the memory decide.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "lab/chart_parts.h"

namespace lanewise {
namespace {

// A cache of which a quarter can hold all there is says nothing of the memory behind it.
constexpr double kBeyondL2 = 4;

bool is_square(const Measurement& m) { return m.rows == m.cols && m.batch == 1; }

// Of the looked-at knobs; where none of them was measured, of the defaults.
std::vector<Charted> sizes_of(const ChartFacts& facts, const Stage& stage) {
    std::vector<Charted> all = measurements_of(facts, stage);
    for (const KnobValues& knobs : {knobs_looked_at(facts, stage), default_knobs(stage)}) {
        std::vector<Charted> kept;
        for (const Charted& each : all)
            if (each.measurement->knobs == knobs) kept.push_back(each);
        if (kept.empty()) continue;
        std::stable_sort(kept.begin(), kept.end(), [](const Charted& a, const Charted& b) {
            return useful_bytes_of(*a.measurement) < useful_bytes_of(*b.measurement);
        });
        return kept;
    }
    return {};
}

std::string words_of(const Stage& stage, const Measurement& m) {
    return stage.title + ", " + shape_words(m.rows, m.cols, m.type);
}

PlotSeries line_of(const ChartFacts& facts, const Stage& stage) {
    PlotSeries series;
    series.name = stage.title;
    series.action = "stage:" + stage.id;
    series.strong = stage.id == facts.stage;
    series.ink = series.strong ? Ink::accent : Ink::recorded;
    series.mark = series.strong ? PlotMark::diamond : PlotMark::dot;
    for (const Charted& each : sizes_of(facts, stage))
        if (const Measurement& m = *each.measurement; is_square(m))
            series.points.push_back(
                point_of(each, static_cast<double>(useful_bytes_of(m)), words_of(stage, m)));
    return series;
}

// What is not square does not lie on the line: rows and columns of a tile end elsewhere.
PlotSeries rectangles_of(const ChartFacts& facts, const Stage& stage) {
    PlotSeries series;
    series.name = "squares: " + stage.title + ", not square";
    series.ink = Ink::accent;
    series.mark = PlotMark::square;
    series.joined = series.named = false;
    series.in_legend = true;
    for (const Charted& each : sizes_of(facts, stage))
        if (const Measurement& m = *each.measurement; !is_square(m))
            series.points.push_back(
                point_of(each, static_cast<double>(useful_bytes_of(m)), words_of(stage, m)));
    return series;
}

PlotSeries model_of(const ChartFacts& facts, const Stage& stage) {
    PlotSeries series;
    series.name = "model of " + stage.title;
    series.ink = Ink::model;
    series.named = false;
    series.in_legend = true;
    series.mark = PlotMark::cross;
    series.dashed = true;
    for (const Charted& each : sizes_of(facts, stage)) {
        const Measurement& m = *each.measurement;
        if (!is_square(m) || m.predicted_gb_per_s <= 0) continue;
        PlotPoint point;
        point.x = static_cast<double>(useful_bytes_of(m));
        point.y = m.predicted_gb_per_s;
        point.words =
            fmt::format("Model of {}: {}, {:+.1f} % from the measurement", words_of(stage, m),
                        gb_words(point.y), 100 * (m.predicted_gb_per_s / m.gb_per_s - 1));
        point.source = "computed for " + m.provenance.card +
                       " from counts and micro-benchmarks, not from this measurement";
        series.points.push_back(point);
    }
    return series;
}

// The best copy of each size, whichever stage it stood beside.
PlotSeries copies(const ChartFacts& facts) {
    std::map<uint64_t, Charted> best;
    for (const Stage* stage : rungs(facts))
        for (const Charted& each : measurements_of(facts, *stage)) {
            const Measurement& m = *each.measurement;
            if (!is_square(m) || m.copy_gb_per_s <= 0) continue;
            Charted& kept = best[useful_bytes_of(m)];
            if (!kept.measurement || m.copy_gb_per_s > kept.measurement->copy_gb_per_s) kept = each;
        }
    PlotSeries series;
    series.name = "best copy";
    series.ink = Ink::copy;
    series.mark = PlotMark::square;
    for (const auto& [bytes, charted] : best) {
        const Measurement& m = *charted.measurement;
        PlotPoint point;
        point.x = static_cast<double>(bytes);
        point.y = m.copy_gb_per_s;
        point.words = fmt::format("Copy of the same bytes ({}), {}: {}", m.copy_kind,
                                  shape_words(m.rows, m.cols, m.type), gb_words(point.y));
        point.source = source_of(charted);
        point.filled = charted.live;
        series.points.push_back(point);
    }
    return series;
}

std::vector<PlotRegion> regions_of(const DeviceProfile& card, double from, double to) {
    double launch = card.launch_us * 1e3 * achievable_gb_per_s(card);  // bytes
    double fits = card.l2_bytes, beyond = kBeyondL2 * card.l2_bytes;
    std::string l2 = in_bytes(static_cast<uint64_t>(card.l2_bytes));
    PlotRegion all[] = {
        {from, launch, "launch bound",
         fmt::format("An empty launch takes {:.2f} µs; fewer bytes than {} take less than that at "
                     "the copy's {}.",
                     card.launch_us, in_bytes(static_cast<uint64_t>(launch)),
                     gb_words(achievable_gb_per_s(card)))},
        {launch, fits, "L2",
         "Both matrices fit into the " + l2 + " of L2: this is not the memory."},
        {fits, beyond, "L2 and memory",
         "Larger than the " + l2 + " of L2, but part of it is still there from before."},
        {beyond, to, "memory",
         fmt::format("More than {:.0f} times the {} of L2: only here may a share of the memory's "
                     "peak be said.",
                     kBeyondL2, l2)}};
    std::vector<PlotRegion> shown;
    for (PlotRegion& each : all) {
        each.from = std::max(each.from, from);
        each.to = std::min(each.to, to);
        if (each.from < each.to) shown.push_back(each);
    }
    return shown;
}

// Named by what was measured: a side for a square of this many bytes.
std::vector<PlotTick> size_ticks(const std::vector<PlotSeries>& series) {
    std::map<double, std::string> labels;
    for (const PlotSeries& each : series)
        for (const PlotPoint& point : each.points) labels.try_emplace(point.x);
    std::vector<PlotTick> ticks;
    for (const auto& [bytes, label] : labels) ticks.push_back({bytes, label});
    return ticks;
}

}  // namespace

PlotFigureInput size_chart(const ChartFacts& facts) {
    PlotFigureInput chart;
    chart.caption = caption_of(facts);
    chart.nothing = "No size was measured in this type.";
    chart.y = {"GB/s, each byte counted once in and once out", "gb_per_s", false, 0, 0, {}};
    for (const Stage* stage : rungs(facts)) chart.series.push_back(line_of(facts, *stage));
    chart.series.push_back(copies(facts));
    for (const Stage* stage : rungs(facts))
        if (stage->id == facts.stage) {
            chart.series.push_back(rectangles_of(facts, *stage));
            chart.series.push_back(model_of(facts, *stage));
        }
    std::erase_if(chart.series, [](const PlotSeries& series) { return series.points.empty(); });
    chart.x.log = true;
    chart.x.csv = "bytes";
    chart.x.title = "side of the square matrix (placed by the bytes of input and output)";
    chart.x.ticks = size_ticks(chart.series);
    if (chart.x.ticks.empty()) return chart;
    int bytes = 2 * element_bytes(facts.type);
    std::erase_if(chart.x.ticks, [&](PlotTick& tick) {
        auto side = static_cast<int64_t>(std::sqrt(tick.value / bytes) + 0.5);
        bool square = std::abs(static_cast<double>(side * side * bytes) - tick.value) < 0.5;
        tick.label = std::to_string(side) + "²";
        return !square;
    });
    chart.x.from = chart.x.ticks.front().value / 1.4;
    chart.x.to = chart.x.ticks.back().value * 1.4;
    const Recording* recording = recording_of(facts);
    const DeviceProfile* card = recording ? profile_of(facts, recording->card) : nullptr;
    if (!card) return chart;
    chart.regions = regions_of(*card, chart.x.from, chart.x.to);
    chart.references.push_back(
        {card->datasheet_gb_per_s, "datasheet " + gb_words(card->datasheet_gb_per_s),
         card->name + "'s peak as its maker states it", Ink::datasheet, true});
    return chart;
}

}  // namespace lanewise
