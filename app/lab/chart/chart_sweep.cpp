// The heat map of a stage's knobs, from its recorded sweep.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lab/chart/chart_parts.h"

namespace lanewise {
namespace {

// The measurements of one shape among which the stage's settings vary: at the looked-at shape, else
// at that of which most settings are known.
std::vector<Charted> sweep_of(const ChartFacts& facts, const Stage& stage) {
    std::map<std::pair<int64_t, int64_t>, std::vector<Charted>> by_shape;
    for (const Charted& each : measurements_of(facts, stage))
        if (each.measurement->batch == 1 && each.measurement->inner == kNoInner)
            by_shape[{each.measurement->rows, each.measurement->cols}].push_back(each);
    std::vector<Charted> best;
    for (auto& [shape, all] : by_shape) {
        bool looked_at = shape == std::pair{facts.rows, facts.cols};
        if (all.size() > 2 && (looked_at || all.size() > best.size())) best = all;
        if (looked_at && all.size() > 2) break;
    }
    return best;
}

// The knobs that vary, in the stage's order.
std::vector<std::string> varying(const Stage& stage, const std::vector<Charted>& all) {
    std::vector<std::string> names;
    for (const Knob& knob : stage.knobs) {
        std::set<int64_t> values;
        for (const Charted& each : all)
            if (auto found = each.measurement->knobs.find(knob.name);
                found != each.measurement->knobs.end())
                values.insert(found->second);
        if (values.size() > 1) names.push_back(knob.name);
    }
    return names;
}

std::string setting_words(const KnobValues& knobs, const char* equals) {
    std::string words;
    for (const auto& [name, value] : knobs)
        words += fmt::format("{}{}{}{}", words.empty() ? "" : ",", name, equals, value);
    return words;
}

int64_t value_of(const KnobValues& knobs, const std::string& name) {
    auto found = knobs.find(name);
    return found == knobs.end() ? 0 : found->second;
}

void add_cells(SweepFigureInput& chart, const ChartFacts& facts, const Stage& stage,
               const std::vector<Charted>& all) {
    for (const Charted& each : all) {
        const Measurement& m = *each.measurement;
        SweepCell cell;
        cell.across = value_of(m.knobs, chart.across);
        cell.down = value_of(m.knobs, chart.down);
        cell.map = value_of(m.knobs, chart.map);
        cell.gb_per_s = m.gb_per_s;
        cell.action = (stage.id == facts.stage ? "set:" : "stage:" + stage.id + ";set:") +
                      setting_words(m.knobs, "=");
        PlotPoint point = point_of(each, 0, setting_words(m.knobs, " = "));
        cell.tooltip = point.words + "\n" + point.source;
        chart.copy_gb_per_s = std::max(chart.copy_gb_per_s, m.yardstick.gb_per_s);
        // Of settings that differ in further knobs, the fastest.
        auto same = std::find_if(chart.cells.begin(), chart.cells.end(), [&](const SweepCell& c) {
            return c.across == cell.across && c.down == cell.down && c.map == cell.map;
        });
        if (same == chart.cells.end())
            chart.cells.push_back(std::move(cell));
        else if (same->gb_per_s < cell.gb_per_s)
            *same = std::move(cell);
    }
}

}  // namespace

SweepFigureInput sweep_of_stage(const ChartFacts& facts, const Stage& stage) {
    SweepFigureInput chart;
    std::vector<Charted> all = sweep_of(facts, stage);
    std::vector<std::string> names = varying(stage, all);
    if (names.size() < 2) return chart;
    chart.across = names[0];
    chart.down = names[1];
    chart.map = names.size() > 2 ? names[2] : "";
    add_cells(chart, facts, stage, all);
    const Measurement& first = *all.front().measurement;
    chart.caption =
        fmt::format("{}, {}. {}{}", stage.title, shape_words(first.rows, first.cols, first.type),
                    caption_of(facts), names.size() > 3 ? ", the best of the other knobs" : "");
    if (stage.id != facts.stage) return chart;
    chart.chosen_across = value_of(facts.knobs, chart.across);
    chart.chosen_down = value_of(facts.knobs, chart.down);
    chart.chosen_map = value_of(facts.knobs, chart.map);
    return chart;
}

SweepFigureInput sweep_chart(const ChartFacts& facts) {
    std::vector<const Stage*> stages = rungs(facts);
    auto first = std::stable_partition(
        stages.begin(), stages.end(), [&](const Stage* stage) { return stage->id == facts.stage; });
    bool any_chosen = first != stages.begin();
    for (const Stage* stage : stages) {
        SweepFigureInput chart = sweep_of_stage(facts, *stage);
        if (chart.cells.empty()) continue;
        if (any_chosen && stage->id != facts.stage)
            chart.caption = "The chosen stage was not swept. " + chart.caption;
        return chart;
    }
    return {};
}

}  // namespace lanewise
