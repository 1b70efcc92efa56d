// Charts as tables.
#include <fmt/format.h>

#include "figure/chart/chart.h"
#include "figure/drawing/csv.h"

namespace lanewise {
namespace {

// 0 stands for "none" in the figures' inputs.
std::string number(double value) { return value == 0 ? "" : fmt::format("{:.10g}", value); }
std::string number(int64_t value) { return std::to_string(value); }

std::string rows_of(const PlotFigureInput& chart) {
    std::string text;
    for (const PlotReference& each : chart.references)
        text += csv_comment(each.name + ": " + each.because);
    for (const PlotRegion& each : chart.regions)
        text += csv_comment(fmt::format("{} from {:.10g} to {:.10g}: {}", each.name, each.from,
                                        each.to, each.because));
    for (const std::string& note : chart.notes) text += csv_comment(note);
    text += csv_row({"series", chart.x.csv, chart.y.csv, "p05", "p95", "what", "source"});
    for (const PlotSeries& series : chart.series)
        for (const PlotPoint& p : series.points)
            text += csv_row({csv_field(series.name), number(p.x), number(p.y), number(p.low),
                             number(p.high), csv_field(p.words), csv_field(p.source)});
    return text;
}

std::string rows_of(const LadderFigureInput& chart) {
    std::string text =
        csv_comment(fmt::format("{}: {:.10g} {}", chart.ceiling, chart.copy_gb_per_s, chart.unit)) +
        csv_comment(fmt::format("datasheet: {:.10g} {}", chart.datasheet_gb_per_s, chart.unit));
    std::string rate = chart.unit == "GB/s" ? "gb_per_s" : "gflop_per_s";
    text += csv_row({"stage", "kind", rate, "p05", "p95", "source"});
    for (const LadderBar& bar : chart.bars) {
        bool live = bar.source == LadderBar::Source::live;
        if (bar.gb_per_s > 0)
            text +=
                csv_row({csv_field(bar.id), live ? "measured" : "recorded", number(bar.gb_per_s),
                         number(bar.low), number(bar.high), csv_field(bar.tooltip)});
        if (bar.model_gb_per_s > 0)
            text += csv_row({csv_field(bar.id), "model", number(bar.model_gb_per_s), "", "", ""});
        for (const PublishedMark& mark : bar.others)
            text += csv_row({csv_field(bar.id), "recorded elsewhere", number(mark.gb_per_s), "", "",
                             csv_field(mark.tooltip)});
        for (const PublishedMark& mark : bar.published)
            text += csv_row({csv_field(bar.id), "published", number(mark.gb_per_s), "", "",
                             csv_field(mark.tooltip)});
    }
    return text;
}

std::string rows_of(const SweepFigureInput& chart) {
    std::string text = csv_comment(fmt::format("copy_gb_per_s: {:.10g}", chart.copy_gb_per_s));
    bool maps = !chart.map.empty();
    text += chart.across + "," + chart.down + (maps ? "," + chart.map : "") + ",gb_per_s,source\n";
    for (const SweepCell& cell : chart.cells)
        text += number(cell.across) + "," + number(cell.down) +
                (maps ? "," + number(cell.map) : "") + "," +
                csv_row({number(cell.gb_per_s), csv_field(cell.tooltip)});
    return text;
}

std::string rows_of(const PairsFigureInput& chart) {
    std::string text;
    for (const std::string& note : chart.notes) text += csv_comment(note);
    text += csv_comment("published and ours are " + chart.axis);
    text += csv_row({"stage", "of", "published", "ours", "published_as", "ours_as", "source"});
    for (const PairsRow& each : chart.rows)
        text += csv_row({csv_field(each.name), csv_field(each.of), number(each.published),
                         number(each.ours), csv_field(each.published_words),
                         csv_field(each.ours_words), csv_field(each.tooltip)});
    return text;
}

std::string rows_of(const OccupancyFigureInput& chart) {
    std::string text =
        csv_row({"resource", "per_block", "of_a_multiprocessor", "limits", "source"});
    for (const OccupancyBar& bar : chart.bars)
        text += csv_row({csv_field(bar.name), number(bar.per_block), number(bar.room),
                         bar.limits ? "yes" : "no", csv_field(bar.tooltip)});
    return text;
}

std::string rows_of(const WaterfallFigureInput& chart) {
    std::string text = csv_row({"step", "gb_per_s_left", "because"});
    text += csv_row({csv_field(chart.peak_name), number(chart.peak_gb_per_s), ""});
    for (const WaterfallStep& step : chart.steps)
        text += csv_row({csv_field(step.name), number(step.gb_per_s), csv_field(step.because)});
    if (chart.measured_gb_per_s > 0)
        text += csv_row({"measured", number(chart.measured_gb_per_s), ""});
    return text;
}

std::string rows_of(const StaircaseFigureInput& chart) {
    std::string text;
    for (const StaircaseFitLine& line : chart.lines)
        text += csv_comment(fmt::format("{}: {:.10g} + {:.10g} cycles a wavefront", line.name,
                                        line.base, line.per_wavefront));
    text += csv_row({"access", "bytes_per_lane", "of_the_stage", "wavefronts", "cycles", "p05",
                     "p95", "source"});
    for (const StaircasePoint& p : chart.points)
        text += csv_row({p.is_store ? "store" : "load", std::to_string(p.bytes_per_lane),
                         p.of_stage ? "yes" : "no", number(p.wavefronts), number(p.cycles),
                         number(p.low), number(p.high), csv_field(p.tooltip)});
    return text;
}

}  // namespace

std::string chart_csv(const ChartInput& chart, const std::string& title) {
    return std::visit(
        [&](const auto& input) {
            return csv_comment(title) + csv_comment(input.caption) + rows_of(input);
        },
        chart);
}

}  // namespace lanewise
