// The measurements that fit the chosen setting, live or recorded, and the ladder made of them.
#include <fmt/format.h>

#include "lab/analysis/rate.h"
#include "lab/chart/charts.h"
#include "ui/state/app.h"

namespace lanewise::ui {
namespace {

using Size = Operation::Size;

bool is_of_times(const Measurement& m) {
    return is_timed_alone(operation_of(m), {m.rows, m.cols, m.inner});
}

// What the ladder compares: rates, or microseconds where those say nothing.
double compared(const Measurement& m) { return is_of_times(m) ? m.time_us.median : rate_of(m); }
double ceiling_of(const Measurement& m) {
    return is_of_times(m) ? m.yardstick.time_us.median : yardstick_rate_of(m);
}
double datasheet_of(const Measurement& m) { return is_of_times(m) ? 0 : datasheet_rate_of(m); }
std::string rate_words(const Measurement& m, const std::string& unit) {
    return is_of_times(m) ? fmt::format("{:.1f} {}", compared(m), unit)
                          : fmt::format("{:.0f} {}", compared(m), unit);
}
void add_spread(const Measurement& m, LadderBar& bar) {
    if (is_of_times(m)) {
        bar.low = m.time_us.p05, bar.high = m.time_us.p95;
        return;
    }
    double time_gb = bar.gb_per_s * m.time_us.median;
    if (m.time_us.p95 > 0) bar.low = time_gb / m.time_us.p95;
    if (m.time_us.p05 > 0) bar.high = time_gb / m.time_us.p05;
}

const Measurement* recorded(const App& app, const Stage& stage, const KnobValues& knobs,
                            const std::string& type, const Size& at) {
    for (const Recording& recording : app.content.recordings)
        if (const Measurement* found = recording.find(stage.id, knobs, type, at.rows, at.cols,
                                                      app.chosen().batch, at.inner))
            return found;
    return nullptr;
}

const Measurement* measured(const App& app, const Stage& stage, const KnobValues& knobs,
                            const std::string& type, const Size& at) {
    for (size_t i = app.arrived.live.size(); i-- > 0;) {
        const Measurement& m = app.arrived.live[i];
        if (m.stage == stage.id && m.knobs == knobs && m.type == type && m.rows == at.rows &&
            m.cols == at.cols && m.inner == at.inner && m.batch == app.chosen().batch)
            return &m;
    }
    return nullptr;
}

bool anything_at(const App& app, const Size& at) {
    for (const Stage& stage : app.content.catalogue.stages()) {
        KnobValues knobs = default_knobs(stage);
        if (measured(app, stage, knobs, app.chosen().type, at) ||
            recorded(app, stage, knobs, app.chosen().type, at))
            return true;
    }
    return false;
}

LadderBar bar_of(const App& app, const Stage& stage, const Size& at, const Measurement*& shown) {
    LadderBar bar;
    bar.id = stage.id;
    bar.label = stage.title;
    bar.selected = stage.id == app.course_id();
    KnobValues knobs = bar.selected ? app.chosen().knobs : default_knobs(stage);
    const std::string& type = app.chosen().type;
    shown = measured(app, stage, knobs, type, at);
    bool live = shown;
    if (!shown) shown = recorded(app, stage, knobs, type, at);
    if (!shown) shown = recorded(app, stage, default_knobs(stage), type, at);
    if (auto model = app.arrived.modelled.find(stage.id);
        model != app.arrived.modelled.end() && !is_timed_alone(*app.chosen().operation, at))
        bar.model_gb_per_s = model->second;
    for (const PublishedFigure& figure :
         published_for(app.content.published, stage.id, type, at.rows, at.cols))
        bar.published.push_back({figure.value, in_words(figure)});
    for (const Recording& recording : app.content.recordings) {
        const Measurement* other = recording.find(stage.id, default_knobs(stage), type, at.rows,
                                                  at.cols, app.chosen().batch, at.inner);
        if (other && shown && other->provenance.card != shown->provenance.card)
            bar.others.push_back(
                {compared(*other), fmt::format("{}\n{}, recorded on {}, {}", stage.title,
                                               rate_words(*other, app.derived.ladder.unit),
                                               recording.card, recording.date.substr(0, 10))});
    }
    bar.tooltip = stage.title;
    if (!shown || shown->gb_per_s <= 0) {
        bar.tooltip += "\nNot measured at this size and type.";
        return bar;
    }
    bar.source = live ? LadderBar::Source::live : LadderBar::Source::recorded;
    bar.gb_per_s = compared(*shown);
    bar.share = shown->yardstick.ratio.median;
    add_spread(*shown, bar);
    bar.tooltip += fmt::format("\n{}, {} on {}, {}", rate_words(*shown, app.derived.ladder.unit),
                               live ? "measured now" : "recorded", shown->provenance.card,
                               shown->provenance.date.substr(0, 10));
    return bar;
}

}  // namespace

void build_ladder(App& app) {
    app.derived.ladder = {};
    const Operation& operation = *app.chosen().operation;
    Size at = size_of(app.chosen());
    if (!anything_at(app, at)) at = operation.sizes.mostly_at;
    const bool times = is_timed_alone(operation, at);
    app.derived.ladder.unit = times ? "µs" : operation.unit();
    app.derived.ladder.ceiling = operation.yardstick;
    const Measurement* ceiling = nullptr;
    for (const Stage& stage : app.content.catalogue.stages()) {
        // An exercise stands behind the rungs; a first step, which nobody measures, does not.
        const bool chosen = stage.id == app.stage().id && !is_first_step(stage);
        if (!stage.error.empty() || (stage.operation != ladder_of(app.stage()) && !chosen))
            continue;
        const Measurement* shown = nullptr;
        app.derived.ladder.bars.push_back(bar_of(app, stage, at, shown));
        if (!shown || ceiling_of(*shown) <= 0) continue;
        // The line drawn is the newest round's; a bar's percentage is its own round's.
        if (!ceiling || shown->provenance.date > ceiling->provenance.date) ceiling = shown;
    }
    if (!ceiling) {
        app.derived.ladder.caption = operation.rate == Operation::Rate::bytes
                                         ? "Nothing measured yet; ticks are modelled"
                                         : "Nothing measured yet";
        return;
    }
    app.derived.ladder.copy_gb_per_s = ceiling_of(*ceiling);
    app.derived.ladder.datasheet_gb_per_s = datasheet_of(*ceiling);
    bool live = measured(app, app.content.catalogue.find(ceiling->stage), ceiling->knobs,
                         ceiling->type, at) != nullptr;
    app.derived.ladder.caption = fmt::format(
        "{} {}, {}, {}\u00a0×\u00a0{}{}\u00a0{}", live ? "Measured on" : "Recorded on",
        ceiling->provenance.card, ceiling->provenance.date.substr(0, 10), at.rows, at.cols,
        at.inner != kNoInner ? fmt::format("\u00a0×\u00a0{}", at.inner) : "", app.chosen().type);
    if (times) app.derived.ladder.caption += ". Launch-bound: times, the shorter the better.";
}

Shown shown_measurement(const App& app) {
    const Selection& c = app.chosen();
    if (const Measurement* live =
            measured(app, app.stage(), c.knobs, c.type, size_of(app.chosen())))
        return {live, true};
    return {recorded(app, app.stage(), c.knobs, c.type, size_of(app.chosen())), false};
}

}  // namespace lanewise::ui
