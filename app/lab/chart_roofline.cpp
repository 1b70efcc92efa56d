// The roofline of a kernel that computes nothing: how many of the bytes that it asks of L2 are
// useful, against how many useful ones come through. L2's roof rises with that share, the memory's
// does not (after Williams, Waterman and Patterson, "Roofline", CACM 52, 2009, with L2's bytes in
// the place of the memory's and useful bytes in that of operations).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "lab/chart_parts.h"

namespace lanewise {
namespace {

constexpr double kSectorBytes = 32, kLineBytes = 128;

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
    double whole = l2_gb_per_s(card, kLineBytes / kSectorBytes), lone = l2_gb_per_s(card, 1);
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

}  // namespace

PlotFigureInput roofline_chart(const ChartFacts& facts) {
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
        "Under the slope a stage waits for L2 to move bytes that nobody asked for; under the flat "
        "roof only the memory, or too few bytes in flight, holds it back.");
    if (!unknown.empty()) chart.notes.push_back("Measured, but not counted: " + unknown + ".");
    return chart;
}

}  // namespace lanewise
