// Published figures beside ours. Cards differ, so both are shares of their own card's datasheet.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lab/analysis/rate.h"
#include "lab/chart/chart_parts.h"
#include "lab/chart/chart_sparse.h"

namespace lanewise {
namespace {

bool is_share(const PublishedFigure& figure) { return figure.unit == "% of datasheet"; }

// In per cent; 0 where the card is not known.
double share_of(const PublishedFigure& figure) {
    if (is_share(figure)) return figure.value;
    return figure.datasheet_gb_per_s > 0 ? 100 * figure.value / figure.datasheet_gb_per_s : 0;
}

std::string value_words(const PublishedFigure& figure) {
    return is_share(figure) ? fmt::format("{:g} %", figure.value) : gb_words(figure.value);
}

// Where the chart's figures stand, each source once with the cards that it measured.
std::vector<std::string> sources_of(const std::vector<const PublishedFigure*>& figures) {
    std::vector<std::pair<std::string, std::vector<std::string>>> sources;
    for (const PublishedFigure* figure : figures) {
        std::string title = "“" + figure->source_title + "”";
        if (!figure->source.empty()) title += " (" + figure->source + ")";
        auto known = std::find_if(sources.begin(), sources.end(),
                                  [&](const auto& each) { return each.first == title; });
        if (known == sources.end()) known = sources.insert(known, {title, {}});
        std::vector<std::string>& cards = known->second;
        if (!figure->card.empty() &&
            std::find(cards.begin(), cards.end(), figure->card) == cards.end())
            cards.push_back(figure->card);
    }
    std::vector<std::string> notes;
    for (const auto& [title, cards] : sources) {
        std::string note = "Published in " + title;
        for (size_t i = 0; i < cards.size(); ++i) note += (i == 0 ? ": " : ", ") + cards[i];
        notes.push_back(note + ".");
    }
    return notes;
}

PairsRow row_of(const ChartFacts& facts, const Stage& stage, const PublishedFigure& figure) {
    PairsRow row;
    row.name = stage.title;
    row.of = figure.card;
    row.of += figure.rows > 0 ? ", " + shape_words(figure.rows, figure.cols, figure.type)
                              : ", sizes not said";
    row.of += " · " + figure.name;
    row.published = share_of(figure);
    row.published_words = value_words(figure);
    row.doubtful = !figure.caveat.empty();
    row.action = "stage:" + stage.id;
    row.tooltip = in_words(figure);
    row.ours_words = "not measured";
    Charted ours = measured_at(facts, stage, default_knobs(stage), figure.rows, figure.cols);
    if (!ours.measurement) return row;
    const Measurement& m = *ours.measurement;
    row.ours_words = gb_words(m.gb_per_s);
    if (m.provenance.datasheet_gb_per_s > 0) {
        row.ours = 100 * m.gb_per_s / m.provenance.datasheet_gb_per_s;
        if (is_share(figure)) row.ours_words = fmt::format("{:.0f} %", row.ours);
    }
    row.tooltip += fmt::format("\nHere {}, {:.0f} % of the datasheet: {}", gb_words(m.gb_per_s),
                               row.ours, source_of(ours));
    return row;
}

// ---- products: each figure in its own unit

// The runs of a stage at its defaults; where there are none, all.
std::vector<Charted> plain_runs(const ChartFacts& facts, const Stage& stage) {
    std::vector<Charted> all = measurements_of(facts, stage), plain;
    for (const Charted& run : all)
        if (run.measurement->knobs == default_knobs(stage)) plain.push_back(run);
    return plain.empty() ? all : plain;
}

// The fastest recorded run of this shape and stage, in its first type: papers seldom say which.
Charted product_at(const ChartFacts& facts, const std::string& stage,
                   const PublishedFigure& figure) {
    for (const Stage* each : rungs(facts)) {
        if (each->id != stage) continue;
        Charted best;
        for (const Charted& run : plain_runs(facts, *each)) {
            const Measurement& m = *run.measurement;
            bool here = m.rows == figure.rows && m.cols == figure.cols && m.inner == figure.inner;
            if (here && (!best.measurement || m.time_us.median < best.measurement->time_us.median))
                best = run;
        }
        return best;
    }
    return {};
}

// Ours in the figure's unit; 0 where that cannot be said.
double ours_as(const ChartFacts& facts, const PublishedFigure& figure, const Measurement& m) {
    if (figure.unit == "GFLOP/s") return is_launch_bound(m) ? 0 : gflop_per_s(m);
    if (figure.unit == "ms") return m.time_us.median / 1000;
    if (figure.unit != "times naive") return 0;
    Charted naive = product_at(facts, facts.operation + "/10_naive_product", figure);
    return naive.measurement ? naive.measurement->time_us.median / m.time_us.median : 0;
}

// What cannot be held against one shape, for the source names none: ours over all cubes of 1,024
// and more. Empty where that says nothing.
struct OursOverSizes {
    double least = 0, most = 0;
    Charted best;
};
OursOverSizes over_sizes(const ChartFacts& facts, const Stage& stage,
                         const PublishedFigure& figure) {
    constexpr int64_t kLeastSide = 1024;
    OursOverSizes found;
    for (const Charted& run : plain_runs(facts, stage)) {
        const Measurement& m = *run.measurement;
        if (m.rows < kLeastSide || m.rows != m.cols || m.rows != m.inner) continue;
        double value = figure.unit == "GFLOP/s" ? gflop_per_s(m) : 0;
        if (figure.unit == "% of peak" && m.arithmetic.datasheet_gflop_per_s > 0)
            value = 100 * gflop_per_s(m) / m.arithmetic.datasheet_gflop_per_s;
        if (value <= 0) continue;
        found.least = found.best.measurement ? std::min(found.least, value) : value;
        if (value > found.most) found.most = value, found.best = run;
    }
    return found;
}

std::string with_unit(double value, const std::string& unit) {
    return in_three_digits(value) + " " + unit;
}

PairsRow row_over_sizes(const ChartFacts& facts, const Stage& stage, const PublishedFigure& figure,
                        PairsRow row) {
    OursOverSizes ours = over_sizes(facts, stage, figure);
    if (!ours.best.measurement) return row;
    row.ours = ours.most;
    row.ours_words = with_unit(ours.most, figure.unit);
    row.tooltip +=
        fmt::format("\nHere {} to {} over cubes of 1,024 and more, the most at {}: {}",
                    with_unit(ours.least, figure.unit), with_unit(ours.most, figure.unit),
                    shape_words(*ours.best.measurement), source_of(ours.best));
    return row;
}

PairsRow crossover_row(const ChartFacts& facts, PairsRow row) {
    PlotFigureInput sparse = sparse_chart(facts);
    if (sparse.series.size() < 2) return row;
    auto at = crossover(sparse.series[1].points, sparse.series[0].points);
    if (!at) return row;
    row.ours = *at;
    row.ours_words = with_unit(*at, "% zeros");
    row.tooltip += fmt::format("\nHere {}: {}", row.ours_words, sparse.caption);
    return row;
}

PairsRow product_row(const ChartFacts& facts, const Stage& stage, const PublishedFigure& figure) {
    PairsRow row;
    row.name = stage.title;
    row.of = figure.card + ", ";
    auto side = [](int64_t elements) { return with_thousands(static_cast<uint64_t>(elements)); };
    row.of += figure.inner > 0 ? fmt::format("{} × {} × {}", side(figure.rows), side(figure.cols),
                                             side(figure.inner))
                               : std::string("sizes not said");
    if (!figure.type.empty()) row.of += (figure.inner > 0 ? " " : ", ") + figure.type;
    row.of += " · " + figure.name;  // "lower end", "upper end": the stage alone does not tell
    row.published = figure.value;
    row.published_words = with_unit(figure.value, figure.unit);
    row.doubtful = !figure.caveat.empty();
    row.action = "stage:" + stage.id;
    row.tooltip = in_words(figure);
    row.ours_words = "not measured";
    if (figure.unit == "% zeros") return crossover_row(facts, std::move(row));
    if (figure.inner == 0) return row_over_sizes(facts, stage, figure, std::move(row));
    Charted ours = product_at(facts, stage.id, figure);
    if (!ours.measurement) return row;
    row.ours = ours_as(facts, figure, *ours.measurement);
    if (row.ours > 0) row.ours_words = with_unit(row.ours, figure.unit);
    row.tooltip += fmt::format("\nHere {}, {}: {}", row.ours_words, shape_words(*ours.measurement),
                               source_of(ours));
    return row;
}

PairsFigureInput published_products(const ChartFacts& facts) {
    PairsFigureInput chart;
    chart.caption = caption_of(facts);
    chart.axis = "each pair in its own unit, which stands right of it";
    chart.log = true;
    chart.nothing = "No published figure of this operation is known.";
    std::vector<const PublishedFigure*> shown;
    ChartFacts alike = facts;  // ours in the type that was published, whatever is looked at
    for (const Stage* stage : rungs(facts))
        for (const PublishedFigure& figure : facts.published) {
            if (figure.stage != stage->id) continue;
            if (!figure.type.empty()) alike.type = figure.type;
            chart.rows.push_back(product_row(alike, *stage, figure));
            shown.push_back(&figure);
        }
    chart.notes = sources_of(shown);
    return chart;
}

}  // namespace

PairsFigureInput published_chart(const ChartFacts& facts) {
    if (are_products(facts)) return published_products(facts);
    PairsFigureInput chart;
    chart.caption = caption_of(facts);
    chart.axis = "per cent of the card's own datasheet";
    chart.unit = " %";
    chart.mark = 100;
    chart.mark_words =
        "All that the datasheet promises. No kernel that reads and writes a matrix "
        "larger than the cache can pass it.";
    chart.nothing = "No published figure of this operation and type is known.";
    std::vector<const PublishedFigure*> shown;
    for (const Stage* stage : rungs(facts))
        for (const PublishedFigure& figure : facts.published) {
            if (figure.stage != stage->id || figure.type != facts.type) continue;
            if (figure.unit != "GB/s" && !is_share(figure)) continue;
            chart.rows.push_back(row_of(facts, *stage, figure));
            shown.push_back(&figure);
        }
    chart.notes = sources_of(shown);
    bool unplaced = std::any_of(chart.rows.begin(), chart.rows.end(),
                                [](const PairsRow& row) { return row.published <= 0; });
    if (unplaced)
        chart.notes.insert(chart.notes.begin(),
                           "Without a diamond: the source does not name its card, so there is no "
                           "datasheet to hold the figure against.");
    return chart;
}

}  // namespace lanewise
