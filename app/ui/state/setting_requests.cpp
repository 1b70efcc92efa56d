#include "ui/state/setting_requests.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lab/change/pad_table.h"
#include "lab/json/json.h"
#include "lab/json/staircase_json.h"
#include "lab/product/product.h"
#include "service/client.h"

namespace lanewise::ui {
namespace {

constexpr double kRest = 0.12;

double at_once(bool wanted) { return wanted ? 0 : -1; }

bool is_of_chosen(const App& app, const Json& asked) {
    return asked.at("job") == Json(job_of(app));
}

// What the compiler says about lines of the shown file, and in which column it says it first.
std::map<int, std::string> errors_by_line(const Json& details, const std::string& file,
                                          std::map<int, int>& columns) {
    std::map<int, std::string> errors;
    columns.clear();
    if (!details.is_object() || !details.contains("diagnostics")) return errors;
    for (const Json& entry : details["diagnostics"]) {
        std::string where = entry.value("file", "");
        if (!entry.value("is_error", false) || (where != file && !where.ends_with("/" + file)))
            continue;
        std::string& text = errors[entry.value("line", 0)];
        if (int column = entry.value("column", 0))
            columns.try_emplace(entry.value("line", 0), column);
        text += (text.empty() ? "" : "\n") + entry.value("text", "");
    }
    return errors;
}

void show_errors(App& app, const Answer& answer) {
    say_error(app, answer);
    take_diagnostics(
        app, errors_by_line(answer.details, app.stage().file, app.arrived.diagnostic_columns));
    // Below the text that is being typed every error stands at its line.
    if (app.editing.on && !app.arrived.diagnostics.empty()) clear_error(app);
}

// service/kernel_runs.h says what is in it; nothing where the failure was no crash.
std::optional<Crash> crash_in(const Json& details, const std::string& message) {
    if (!details.is_object() || !details.contains("crash")) return std::nullopt;
    const Json& told = details["crash"];
    Crash crash;
    crash.message = message;
    told.at("kind").get_to(crash.kind);
    told.at("in_a_row").get_to(crash.in_a_row);
    told.at("offer_interpreter").get_to(crash.offer_interpreter);
    if (!told.at("finding").is_null()) crash.finding = told["finding"].get<Finding>();
    return crash;
}

void show_printed(App& app, const Json& holder) {
    if (!holder.is_object() || !holder.contains("printed")) return;
    const Json& printed = holder["printed"];
    take_printed(app, printed.at("text").get<std::string>(), printed.at("bytes").get<uint64_t>());
}

// The last run's words give way to this one's.
void show_output(App& app, const Json& result, const Json& asked) {
    if (!is_of_chosen(app, asked)) return;
    app.arrived.printed_on_gpu = {};
    show_printed(app, result);
}

Json run_of(const App& app) {
    return {{"job", job_of(app)}, {"options", {{"time_limit_s", app.saved.engine.time_limit_s}}}};
}

Json job_alone(const App& app) { return {{"job", job_of(app)}}; }

}  // namespace

Json at_block(const App& app) { return {{"job", job_of(app)}, {"block", app.chosen().block}}; }

// ---- the text that is typed

// It is checked beside its picture, which may have to wait until the one before is compiled whole.
Parameters ask_check(App& app, const RequestTurn&) {
    if (!app.stale.picture) return {};
    std::string& checked = app.editing.checked;
    if (!app.edited || app.own) {
        checked.clear();
        return {};
    }
    if (app.stage().source == checked) return {};
    checked = app.stage().source;
    return job_alone(app);
}

void take_check(App&, const Json&, const Json&) {}

// Of other failures the picture's answer tells.
void fail_check(App& app, const Answer& answer, const Json&) {
    bool is_of_this = app.stage().source == app.editing.checked;
    if (is_of_this && answer.status == Status::no_compile) show_errors(app, answer);
}

// ---- pictures and counts

Parameters ask_picture(App& app, const RequestTurn&) {
    if (!app.stale.picture) return {};
    app.stale.picture = false;
    return at_block(app);
}

double picture_due(const App& app, const RequestTurn&) { return at_once(app.stale.picture); }

// What the failed request was part of would only fail again, or hide the message.
void fail_setting(App& app, const Answer& answer, const Json&) {
    if (answer.status == Status::fine) return;  // cancelled or superseded
    show_errors(app, answer);
    app.stale.analysis = app.stale.pads = false;
    for (Beside& beside : app.beside) beside.stale = false;
}

Parameters ask_comparison(App& app, size_t place) {
    Beside& beside = app.beside[place];
    if (!beside.stale) return {};
    beside.stale = false;
    beside.picture.reset();
    if (!beside.wanted) return {};
    Json params = {{"job", comparison_job(app, place)}, {"block", app.chosen().block}};
    return params;
}

double comparison_due(const App& app, size_t place) { return at_once(app.beside[place].stale); }

void fail_beside(App& app, const Answer& answer, const Json& asked) {
    if (!lacks_compiler(answer)) fail_setting(app, answer, asked);
}

Parameters ask_counts(App& app, const RequestTurn& turn) {
    if (counts_due(app, turn) != 0) return {};
    app.stale.analysis = false;
    Job job = job_of(app);
    bool too_long = !too_long_to_interpret(job).empty();
    (too_long ? app.arrived.analysis : app.arrived.sampled).reset();
    Json params = {{"job", job}, {"sample", too_long}};
    return params;
}

double counts_due(const App& app, const RequestTurn& turn) {
    return app.stale.analysis ? std::max(0.0, kRest - turn.rested) : -1;
}

// Another padding has the same table.
Parameters ask_pads(App& app, const RequestTurn& turn) {
    if (pads_due(app, turn) != 0) return {};
    app.stale.pads = false;
    if (app.own || !has_padding(app.stage())) {
        app.arrived.pads.reset();
        return {};
    }
    Job job = job_of(app);
    job.knobs.erase(kPadKnob);
    Json params = {{"job", job}, {"block", app.chosen().block}};
    if (app.arrived.pads && turn.last && params == *turn.last) return {};
    app.arrived.pads.reset();
    return params;
}

double pads_due(const App& app, const RequestTurn&) {
    return at_once(app.stale.pads && !app.stale.analysis);
}

// ---- on the GPU

Parameters ask_run(App& app, const RequestTurn&) {
    if (!app.wanted.measurement || app.own) return {};
    return run_of(app);
}

Parameters ask_own_run(App& app, const RequestTurn&) {
    if (!app.wanted.measurement || !app.own) return {};
    return run_of(app);
}

double run_due(const App& app, const RequestTurn&) { return at_once(app.wanted.measurement); }

void take_run(App& app, const Json& result, const Json& asked) {
    show_output(app, result, asked);
    take_measurement(app, result.get<Measurement>());
}

void take_own_run(App& app, const Json& result, const Json& asked) {
    show_output(app, result, asked);
    take_own_measurement(app, own_run_from(result));
}

void fail_run(App& app, const Answer& answer, const Json& asked) {
    if (answer.status == Status::fine) return;
    say_error(app, answer);
    // What the run of another setting did is said, and that is all.
    if (!is_of_chosen(app, asked)) return;
    auto crash = crash_in(answer.details, answer.error);
    if (!crash) return;
    take_crash(app, std::move(*crash));
    show_printed(app, answer.details["crash"]);
}

Parameters ask_count(App& app, const RequestTurn&) {
    if (!app.wanted.count) return {};
    return job_alone(app);
}

double count_due(const App& app, const RequestTurn&) { return at_once(app.wanted.count); }

// Another setting's counters would stand beside the wrong counts.
void take_count(App& app, const Json& result, const Json& asked) {
    if (is_of_chosen(app, asked))
        take_counters(app, result.get<CounterReading>());
    else
        app.said.toast = {"The setting has changed since that count began: count it again"};
}

Parameters ask_staircase(App& app, const RequestTurn&) {
    if (!app.wanted.staircase) return {};
    return job_alone(app);
}

double staircase_due(const App& app, const RequestTurn&) { return at_once(app.wanted.staircase); }

void take_steps(App& app, const Json& result, const Json& asked) {
    take_staircase(app, result.get<Staircase>());
    if (is_of_chosen(app, asked)) return;
    forget_hardware(app);  // another setting's accesses
    derive(app);
}

void fail_count(App& app, const Answer& answer, const Json&) {
    if (answer.status != Status::fine) say_error(app, answer);
}

}  // namespace lanewise::ui
