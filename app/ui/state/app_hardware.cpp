// What the hardware says of itself: its counters for a launch of the chosen setting, and the
// staircase that its clock makes of bank conflicts.
#include "figure/drawing/figures.h"
#include "lab/micro/staircase_show.h"
#include "ui/state/app.h"

namespace lanewise::ui {
void list_hardware(App& app) {
    app.hardware_rows.clear();
    if (app.counter_reading && app.counter_reading->problem.empty() && app.analysis) {
        Shown measured = shown_measurement(app);
        double cold_us = measured.live ? measured.measurement->cold_time_us.median : 0;
        app.hardware_rows = compare_counts(app.analysis->report.totals, *app.counter_reading,
                                           launch_facts(job_of(app), cold_us));
    }
    app.staircase = {};
    bool live = app.live_staircase.has_value();
    if (!live && app.staircases.empty()) return;
    const Staircase& shown = live ? *app.live_staircase : app.staircases.back();
    app.staircase = staircase_figure_input(shown, !live);
    if (!live)
        std::erase_if(app.staircase.points, [](const StaircasePoint& p) { return p.of_stage; });
}

void forget_hardware(App& app) {
    app.counter_reading.reset();
    if (!app.live_staircase) return;
    std::erase_if(app.live_staircase->steps,
                  [](const StaircaseStep& step) { return step.access.of_stage; });
}

void take_counters(App& app, CounterReading reading) {
    app.counter_reading = std::move(reading);
    derive(app);
}

void take_staircase(App& app, Staircase staircase) {
    app.live_staircase = std::move(staircase);
    derive(app);
}

void press_count(App& app) {
    if (cannot_run(app).empty()) app.count_wanted = true;
}

void press_staircase(App& app) {
    if (cannot_run(app).empty()) app.staircase_wanted = true;
}

}  // namespace lanewise::ui
