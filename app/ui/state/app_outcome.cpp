// What else came of running a kernel, in the machine or on the GPU: what is wrong with it, line by
// line, what it printed, and how it took its process down.
#include <fmt/format.h>

#include "base/hash.h"
#include "base/text.h"
#include "ui/state/app.h"

namespace lanewise::ui {
namespace {

bool is_of_shown_file(const App& app, const std::string& file) {
    return file == app.stage().file || file.ends_with("/" + app.stage().file);
}

void note_finding(App& app, const Finding& finding, const std::string& how) {
    if (finding.line <= 0 || !is_of_shown_file(app, finding.file)) return;
    std::string text = how + finding.message;
    if (finding.count > 1) text += fmt::format(" × {}", with_thousands(finding.count));
    text += fmt::format(" · first in block {}, thread {}", finding.block, finding.thread);
    app.derived.line_findings[finding.line].push_back(text);
}

// The whole launch's report where it is known, else the block's; null where there is neither.
const Report* best_report(const App& app) {
    if (app.arrived.analysis) return &app.arrived.analysis->report;
    return app.arrived.picture ? &app.arrived.picture->report : nullptr;
}

void list_findings(App& app) {
    app.derived.line_findings.clear();
    const Report* report = app.arrived.sampled ? &app.arrived.sampled->report : best_report(app);
    if (report)
        for (const Finding& finding : report->findings) note_finding(app, finding, "");
    // The crash's own explanation may be of another block than the one that is shown.
    if (!app.arrived.crash || !app.arrived.crash->finding) return;
    const Finding& cause = *app.arrived.crash->finding;
    if (!report || report->findings.empty()) note_finding(app, cause, "on the GPU: ");
}

void list_printed(App& app) {
    app.derived.printed.clear();
    const Report* report = best_report(app);
    app.derived.printed_total = report ? report->printed_total : 0;
    if (!report) return;
    for (const Printed& each : report->printed)
        for (std::string_view row : lines_of(each.text))
            app.derived.printed.push_back(
                {std::string(row), fmt::format("block {}, thread {}", each.block, each.thread)});
}

}  // namespace

void list_outcome(App& app) {
    list_findings(app);
    list_printed(app);
}

void forget_outcome(App& app) {
    app.arrived.crash.reset();
    app.arrived.own_measurement.reset();
    app.arrived.printed_on_gpu = {};
    forget_hardware(app);
    app.wanted.run_all_the_same = false;
}

void take_crash(App& app, Crash crash) {
    app.said.error = crash.message;
    app.arrived.crash = std::move(crash);
    app.wanted.run_all_the_same = false;
    app.arrived.own_measurement.reset();
    derive(app);
}

void take_printed(App& app, const std::string& text, uint64_t bytes) {
    app.arrived.printed_on_gpu = {{}, text.size(), bytes};
    for (std::string_view row : lines_of(text)) app.arrived.printed_on_gpu.lines.emplace_back(row);
}

// A file may be saved, and a field changed, while its kernel is running.
static bool is_shown(const App& app, const OwnMeasurement& m) {
    if (!app.own) return false;
    const OwnLaunch& now = app.own->launch;
    return m.kernel == now.kernel && m.arguments == now.arguments &&
           m.launch.grid == now.shape.grid && m.launch.block == now.shape.block &&
           m.launch.dynamic_shared_bytes == now.shape.dynamic_shared_bytes &&
           m.provenance.source_hash == hex(hash(app.stage().source));
}

void take_own_measurement(App& app, OwnMeasurement measurement) {
    if (!is_shown(app, measurement)) {
        app.said.toast = {"The kernel has changed since that run began: run it again"};
        return;
    }
    app.arrived.crash.reset();
    app.arrived.own_measurement = std::move(measurement);
    derive(app);
}

}  // namespace lanewise::ui
