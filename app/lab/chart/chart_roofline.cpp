// The roofline of a kernel that computes nothing: how many of the bytes that it asks of L2 are
// useful, against how many useful ones come through. L2's roof rises with that share, the memory's
// does not (after Williams, Waterman and Patterson, "Roofline", CACM 52, 2009, with L2's bytes in
// the place of the memory's and useful bytes in that of operations).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/text.h"
#include "lab/chart/chart_parts.h"
#include "lab/product/product.h"
#include "trace/count/rules.h"

namespace lanewise {
namespace {

// Bytes per second of L2, half of them read and half written, for accesses that take `sectors` of
// each 128-byte line.
double l2_gb_per_s(const DeviceProfile& card, double sectors) {
    const MachineCosts& c = card.costs;
    double read = c.l2_read_line_clocks + sectors * c.l2_read_sector_clocks;
    double write = c.l2_write_line_clocks + sectors * c.l2_write_sector_clocks;
    // A lone word leaves its sector written in part.
    if (sectors == 1) write += c.l2_write_part_clocks;
    double bytes = 2 * sectors * kSectorBytes;
    return bytes / (read + write) * card.sm_clock_mhz * 1e6 / 1e9;
}

PlotSeries roof(const std::string& name, Ink ink, double slope, double flat, double from,
                const std::string& words, const std::string& source) {
    PlotSeries series;
    series.name = name;
    series.ink = ink;
    series.mark = PlotMark::none;
    double ridge = slope > 0 ? std::min(1.0, flat / slope) : from;
    auto at = [&](double x) { return slope > 0 ? std::min(flat, slope * x) : flat; };
    for (double x : {from, ridge, 1.0})
        if (series.points.empty() || x > series.points.back().x)
            series.points.push_back({x, at(x), 0, 0, words, source});
    return series;
}

void add_roofs(PlotFigureInput& chart, const DeviceProfile& card, double from) {
    double copy = achievable_gb_per_s(card);
    std::string source = card.name + ": " + card.source;
    chart.references.push_back({card.datasheet_gb_per_s,
                                "datasheet " + gb_words(card.datasheet_gb_per_s),
                                "the memory's peak as the maker states it", Ink::datasheet, true});
    double whole = l2_gb_per_s(card, kSectorsPerLine), lone = l2_gb_per_s(card, 1);
    if (whole <= 0 || lone <= 0) {
        chart.series.push_back(
            roof("copy " + gb_words(copy), Ink::copy, 0, copy, from, "Roof of the memory", source));
        return;
    }
    chart.series.push_back(roof("L2, whole lines, and copy", Ink::copy, whole, copy, from,
                                fmt::format("Roof: L2 moves {} of whole lines, the memory {} of a "
                                            "copy",
                                            gb_words(whole), gb_words(copy)),
                                source));
    PlotSeries second = roof("L2, a word of each line", Ink::copy, lone, copy, from,
                             fmt::format("Roof: L2 moves {} where each access takes one sector of "
                                         "its line and writes a part of it",
                                         gb_words(lone)),
                             source);
    second.dashed = true;
    chart.series.push_back(second);
}

struct RoofPoint {
    const Stage* stage;
    Charted charted;
    double share;
};

// ---- products

// Under the memory's slope up to a unit's peak.
PlotSeries unit_roof(const std::string& unit, double peak, double gb_per_s, double from, double to,
                     const std::string& source) {
    PlotSeries series;
    series.name = unit;
    series.ink = Ink::datasheet;
    series.mark = PlotMark::none;
    series.dashed = true;
    double ridge = peak / gb_per_s;
    std::string words = fmt::format("Roof of {}: {} GFLOP/s, from {:.0f} operations per byte on",
                                    unit, with_thousands(static_cast<uint64_t>(peak + 0.5)), ridge);
    for (double x : {from, ridge, to})
        if (x >= from && x <= to && (series.points.empty() || x > series.points.back().x))
            series.points.push_back({x, std::min(peak, gb_per_s * x), 0, 0, words, source});
    return series;
}

PlotSeries products_of(const ChartFacts& facts, const Stage& stage,
                       std::map<std::string, double>& units) {
    PlotSeries series;
    series.name = stage.title;
    series.action = "stage:" + stage.id;
    series.strong = stage.id == facts.stage;
    series.ink = series.strong ? Ink::accent : Ink::recorded;
    series.mark = series.strong ? PlotMark::diamond : PlotMark::dot;
    series.joined = false;
    for (const Charted& each : measurements_of(facts, stage)) {
        const Measurement& m = *each.measurement;
        if (m.inner <= 0 || is_launch_bound(m) || m.knobs != knobs_looked_at(facts, stage))
            continue;
        PlotPoint point;
        point.x = flops_of(m.rows, m.cols, m.inner) /
                  bytes_once(m.rows, m.cols, m.inner, element_bytes(m.type));
        point.y = gflop_per_s(m);
        if (m.time_us.p05 > 0 && m.time_us.p95 > 0) {
            point.low = point.y * m.time_us.median / m.time_us.p95;
            point.high = point.y * m.time_us.median / m.time_us.p05;
        }
        point.words =
            fmt::format("{}, {}: {} GFLOP/s, {:.0f} operations per byte", stage.title,
                        shape_words(m), with_thousands(static_cast<uint64_t>(point.y)), point.x);
        point.source = source_of(each);
        point.filled = each.live;
        if (m.arithmetic.datasheet_gflop_per_s > 0) units[m.arithmetic.unit] = m.arithmetic.datasheet_gflop_per_s;
        series.points.push_back(std::move(point));
    }
    std::stable_sort(series.points.begin(), series.points.end(),
                     [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
    return series;
}

PlotFigureInput product_roofline(const ChartFacts& facts) {
    PlotFigureInput chart;
    chart.nothing = "No product is measured that is not bound by its launch.";
    chart.caption = caption_of(facts) + types_in_words(facts);
    std::map<std::string, double> units;
    std::vector<double> xs;
    for (const Stage* stage : rungs(facts)) {
        PlotSeries series = products_of(facts, *stage, units);
        for (const PlotPoint& point : series.points) xs.push_back(point.x);
        if (!series.points.empty()) chart.series.push_back(std::move(series));
    }
    if (xs.empty()) return chart;
    chart.x = {
        "operations per byte, each element read or written once", "flop_per_byte", true, 0, 0, {}};
    chart.y = {"GFLOP/s", "gflop_per_s", true, 0, 0, {}};
    std::tie(chart.x.from, chart.x.to) = axis_range(chart.x, xs);
    chart.x.from /= 2, chart.x.to *= 2;
    const Recording* recording = recording_of(facts);
    if (const DeviceProfile* card = recording ? profile_of(facts, recording->card) : nullptr) {
        std::string source = card->name + ": datasheet";
        for (const auto& [unit, peak] : units)
            chart.series.push_back(
                unit_roof(unit, peak, card->datasheet_gb_per_s, chart.x.from, chart.x.to, source));
        double copy = achievable_gb_per_s(*card);
        PlotSeries measured;
        measured.name = "copy " + gb_words(copy);
        measured.ink = Ink::copy;
        measured.mark = PlotMark::none;
        for (double x : {chart.x.from, chart.x.to})
            measured.points.push_back({x, copy * x, 0, 0, "Roof of the memory: " + gb_words(copy),
                                       card->name + ": " + card->source});
        double most = 0;
        for (const auto& [unit, peak] : units) most = std::max(most, peak);
        if (most > 0)
            measured.points.back() = {
                std::min(chart.x.to, most / copy), std::min(most, copy * chart.x.to), 0, 0,
                measured.points.back().words,      measured.points.back().source};
        measured.named = false;
        measured.in_legend = true;
        chart.series.push_back(std::move(measured));
    }
    if (const DeviceProfile* card = recording ? profile_of(facts, recording->card) : nullptr)
        chart.notes.push_back("Dashed: the datasheet's " + gb_words(card->datasheet_gb_per_s) +
                              " and its units' peaks. Each point is one of a stage's sizes.");
    chart.notes.push_back(
        "A stage far below its unit's roof waits for its operands, whatever the matrices "
        "would allow: look at how often each element is fetched.");
    return chart;
}

}  // namespace

PlotFigureInput roofline_chart(const ChartFacts& facts) {
    if (are_products(facts)) return product_roofline(facts);
    PlotFigureInput chart;
    chart.nothing = "No stage is measured and counted at this shape and type.";
    std::vector<RoofPoint> points;
    std::string unknown;
    for (const Stage* stage : rungs(facts)) {
        auto traffic = facts.traffic.find(stage->id);
        Charted charted = measured_at(facts, *stage, default_knobs(*stage), facts.rows, facts.cols);
        bool counted = traffic != facts.traffic.end() && traffic->second.sectors > 0;
        if (charted.measurement && !counted)
            unknown += (unknown.empty() ? "" : ", ") + stage->title;
        if (!charted.measurement || !counted) continue;
        points.push_back({stage, charted,
                          static_cast<double>(traffic->second.useful_bytes) /
                              (kSectorBytes * static_cast<double>(traffic->second.sectors))});
    }
    if (points.empty()) return chart;
    double least = 1;
    for (const RoofPoint& point : points) least = std::min(least, point.share);
    chart.x = {"useful bytes per byte that is asked of L2 (as the machine counts its sectors)",
               "useful_share",
               true,
               std::min(0.1, least) / 1.3,
               1.25,
               {}};
    chart.y = {"useful GB/s", "gb_per_s", true, 0, 0, {}};
    chart.caption =
        fmt::format("{}, {}", caption_of(facts), shape_words(facts.rows, facts.cols, facts.type));
    const std::string& name = points.front().charted.measurement->provenance.card;
    if (const DeviceProfile* card = profile_of(facts, name)) add_roofs(chart, *card, chart.x.from);
    for (const RoofPoint& each : points) {
        PlotSeries series;
        series.name = each.stage->title;
        series.action = "stage:" + each.stage->id;
        series.strong = each.stage->id == facts.stage;
        series.ink = series.strong ? Ink::accent : Ink::recorded;
        series.mark = series.strong ? PlotMark::diamond : PlotMark::dot;
        series.joined = false;
        PlotPoint point = point_of(each.charted, each.share, each.stage->title);
        point.words += fmt::format("; {:.1f} % of L2's bytes useful", 100 * each.share);
        series.points.push_back(std::move(point));
        chart.series.push_back(std::move(series));
    }
    chart.notes.push_back(
        "Under the slope, a stage waits for L2 to move bytes that no lane asked for. Under the "
        "flat roof, only the memory or too few bytes in flight hold it back.");
    if (!unknown.empty()) chart.notes.push_back("Measured, but not counted: " + unknown + ".");
    return chart;
}

}  // namespace lanewise
