// What the hardware says of itself: its counters for a launch of the chosen setting, and the
// staircase that its clock makes of bank conflicts.
#include "figure/drawing/figures.h"
#include "lab/micro/staircase_show.h"
#include "ui/state/app.h"

namespace lanewise::ui {
void list_hardware(App& app) {
    app.derived.hardware_rows.clear();
    if (app.arrived.counter_reading && app.arrived.counter_reading->problem.empty() &&
        app.arrived.analysis) {
        Shown measured = shown_measurement(app);
        double cold_us = measured.live ? measured.measurement->cold.time_us.median : 0;
        app.derived.hardware_rows =
            compare_counts(app.arrived.analysis->report.totals, *app.arrived.counter_reading,
                           launch_facts(job_of(app), cold_us));
    }
    app.derived.staircase = {};
    bool live = app.arrived.staircase.has_value();
    if (!live && app.content.staircases.empty()) return;
    const Staircase& shown = live ? *app.arrived.staircase : app.content.staircases.back();
    app.derived.staircase = staircase_figure_input(shown, !live);
    if (!live)
        std::erase_if(app.derived.staircase.points,
                      [](const StaircasePoint& p) { return p.of_stage; });
}

void forget_hardware(App& app) {
    app.arrived.counter_reading.reset();
    if (!app.arrived.staircase) return;
    std::erase_if(app.arrived.staircase->steps,
                  [](const StaircaseStep& step) { return step.access.of_stage; });
}

void take_counters(App& app, CounterReading reading) {
    app.arrived.counter_reading = std::move(reading);
    derive(app);
}

void take_staircase(App& app, Staircase staircase) {
    app.arrived.staircase = std::move(staircase);
    derive(app);
}

void press_count(App& app) {
    if (cannot_run(app).empty()) app.wanted.count = true;
}

void press_staircase(App& app) {
    if (cannot_run(app).empty()) app.wanted.staircase = true;
}

}  // namespace lanewise::ui
