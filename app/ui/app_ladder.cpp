// The measurements that fit the chosen setting, live or recorded, and the ladder made of them.
#include <fmt/format.h>

#include "ui/app.h"

namespace lanewise::ui {
namespace {

constexpr int64_t kLadderSize = 4096;

const Measurement* recorded(const App& app, const Stage& stage, const KnobValues& knobs,
                            const std::string& type, int64_t rows, int64_t cols) {
    for (const Recording& recording : app.recordings)
        if (const Measurement* found =
                recording.find(stage.id, knobs, type, rows, cols, app.choice.batch))
            return found;
    return nullptr;
}

const Measurement* measured(const App& app, const Stage& stage, const KnobValues& knobs,
                            const std::string& type, int64_t rows, int64_t cols) {
    for (size_t i = app.live.size(); i-- > 0;) {
        const Measurement& m = app.live[i];
        if (m.stage == stage.id && m.knobs == knobs && m.type == type && m.rows == rows &&
            m.cols == cols && m.batch == app.choice.batch)
            return &m;
    }
    return nullptr;
}

bool anything_at(const App& app, int64_t rows, int64_t cols) {
    for (const Stage& stage : app.catalogue.stages()) {
        KnobValues knobs = default_knobs(stage);
        if (measured(app, stage, knobs, app.choice.type, rows, cols) ||
            recorded(app, stage, knobs, app.choice.type, rows, cols))
            return true;
    }
    return false;
}

LadderBar bar_of(const App& app, const Stage& stage, int64_t rows, int64_t cols,
                 const Measurement*& shown) {
    LadderBar bar;
    bar.id = stage.id;
    bar.label = stage.title;
    bar.selected = stage.id == app.course_id();
    KnobValues knobs = bar.selected ? app.choice.knobs : default_knobs(stage);
    const std::string& type = app.choice.type;
    shown = measured(app, stage, knobs, type, rows, cols);
    bool live = shown;
    if (!shown) shown = recorded(app, stage, knobs, type, rows, cols);
    if (!shown) shown = recorded(app, stage, default_knobs(stage), type, rows, cols);
    if (auto model = app.modelled.find(stage.id); model != app.modelled.end())
        bar.model_gb_per_s = model->second;
    for (const PublishedFigure& figure : published_for(app.published, stage.id, type, rows, cols))
        bar.published.push_back({figure.value, in_words(figure)});
    bar.tooltip = stage.title;
    if (!shown || shown->gb_per_s <= 0) {
        bar.tooltip += "\nNot measured at this size and type.";
        return bar;
    }
    bar.source = live ? LadderBar::Source::live : LadderBar::Source::recorded;
    bar.gb_per_s = shown->gb_per_s;
    double time_gb = shown->gb_per_s * shown->time_us.median;
    if (shown->time_us.p95 > 0) bar.low = time_gb / shown->time_us.p95;
    if (shown->time_us.p05 > 0) bar.high = time_gb / shown->time_us.p05;
    bar.tooltip +=
        fmt::format("\n{:.0f} GB/s, {} on {}, {}", bar.gb_per_s, live ? "measured now" : "recorded",
                    shown->provenance.card, shown->provenance.date.substr(0, 10));
    return bar;
}

}  // namespace

void build_ladder(App& app) {
    app.ladder = {};
    int64_t rows = app.choice.rows, cols = app.choice.cols;
    if (!anything_at(app, rows, cols)) rows = cols = kLadderSize;
    const Measurement* ceiling = nullptr;
    for (const Stage& stage : app.catalogue.stages()) {
        if (!stage.error.empty() || stage.operation != app.stage().operation) continue;
        const Measurement* shown = nullptr;
        app.ladder.bars.push_back(bar_of(app, stage, rows, cols, shown));
        bool better = shown && (!ceiling || shown->copy_gb_per_s > ceiling->copy_gb_per_s);
        if (better) ceiling = shown;
    }
    if (!ceiling) {
        app.ladder.caption = "Nothing measured yet; ticks are modelled";
        return;
    }
    app.ladder.copy_gb_per_s = ceiling->copy_gb_per_s;
    app.ladder.datasheet_gb_per_s = ceiling->provenance.datasheet_gb_per_s;
    bool live = measured(app, app.catalogue.find(ceiling->stage), ceiling->knobs, ceiling->type,
                         rows, cols) != nullptr;
    app.ladder.caption =
        fmt::format("{} {}, {}, {}\u00a0×\u00a0{}\u00a0{}", live ? "Measured on" : "Recorded on",
                    ceiling->provenance.card, ceiling->provenance.date.substr(0, 10), rows, cols,
                    app.choice.type);
}

Shown shown_measurement(const App& app) {
    const Choice& c = app.choice;
    if (const Measurement* live = measured(app, app.stage(), c.knobs, c.type, c.rows, c.cols))
        return {live, true};
    return {recorded(app, app.stage(), c.knobs, c.type, c.rows, c.cols), false};
}

}  // namespace lanewise::ui
