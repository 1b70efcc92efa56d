// What the results prove of the chosen setting: the badges' verdicts, computed when one arrives.
#include "ui/state/app.h"

namespace lanewise::ui {
namespace {

// What was measured of another stage in the same run as `m`; null where nothing was.
const Measurement* in_run_of(const Measurement& m, const App& app, const Stage& stage) {
    auto fits = [&](const Measurement& other) {
        return other.stage == stage.id && other.knobs == default_knobs(stage) &&
               other.yardstick.samples_us == m.yardstick.samples_us && !m.yardstick.samples_us.empty();
    };
    for (const Measurement& other : app.arrived.live)
        if (fits(other)) return &other;
    for (const Recording& recording : app.content.recordings)
        if (const Measurement* other = recording.find(stage.id, default_knobs(stage), m.type,
                                                      m.rows, m.cols, m.batch, m.inner))
            if (fits(*other)) return other;
    return nullptr;
}

// Of the nearest stage before the chosen one that was measured in the same run.
const Measurement* stage_before(const App& app, const Measurement& m) {
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    for (size_t i = app.chosen().stage; i-- > 0;) {
        if (stages[i].operation != app.stage().operation || !stages[i].error.empty()) continue;
        if (const Measurement* before = in_run_of(m, app, stages[i])) return before;
    }
    return nullptr;
}

}  // namespace

void list_verdicts(App& app) {
    app.derived.verdicts.clear();
    if (app.arrived.analysis) app.derived.verdicts = verdicts(*app.arrived.analysis);
    if (app.arrived.sampled) app.derived.verdicts = verdicts(*app.arrived.sampled);
    if (app.own) return;
    if (const Measurement* m = shown_measurement(app).measurement)
        for (Verdict& each : verdicts_on_time(*m, stage_before(app, *m)))
            app.derived.verdicts.push_back(std::move(each));
}

}  // namespace lanewise::ui
