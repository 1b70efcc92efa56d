#include "ui/state/requests.h"

#include <nlohmann/json.hpp>

#include "lab/analysis/pad_table.h"
#include "lab/json/json.h"
#include "lab/json/staircase_json.h"
#include "lab/mismatch/mismatch_map.h"
#include "lab/product/product.h"
#include "service/client.h"
#include "ui/desk/charts.h"
#include "ui/desk/edits.h"
#include "ui/desk/forge.h"
#include "ui/desk/products.h"
#include "ui/desk/tools.h"
#include "ui/state/settings.h"

namespace lanewise::ui {

// A turned knob is drawn at once; the whole launch is counted once the hand rests.
constexpr double kRest = 0.12;

struct EngineLink::State {
    EngineClient client;
    // Open requests; 0: none.
    uint64_t picture = 0, comparison = 0, analysis = 0, measurement = 0, pads = 0;
    uint64_t count = 0, staircase = 0, survey = 0, product = 0, swizzle = 0, walk = 0;
    uint64_t mismatch = 0, check = 0, judgement = 0;
    size_t compared = 0;     // the place of the open comparison in app.beside
    Job surveyed = {};       // by the open survey: a stage that a chart needs the counts of
    Json pads_of = {};       // what app.pads was asked for
    Json measured_job = {};  // of the open measurement
    Json counted_job = {};   // of the open count or staircase
    bool greeted = false;    // a request was sent only to make the engine start
    Status failed = Status::fine;
    double changed_at = 0;
    double typed_at = -1;      // the last key in the editor that is not settled; -1: none
    std::string typed = {};    // the editor's text then
    std::string checked = {};  // the last edited source that the compiler was asked about

    void settle_typing(App& app, double now);

    void clear_error(App& app);
    void say_error(App& app, const Answer& answer);
    void show_errors(App& app, const Answer& answer);
    void greet(const App& app);
    void send(App& app, double now);
    void send_check(App& app);
    void send_pads(App& app);
    void send_to_gpu(App& app);
    void send_survey(App& app);
    void send_product(App& app);
    void take_count(App& app, CounterReading reading);
    void take_steps(App& app, Staircase staircase);
    bool on_gpu() const { return measurement || count || staircase; }
    void take(App& app, Answer answer);
    void fail(App& app, const Answer& answer, bool of_measurement);
    void take_run(App& app, const Json& result);
    uint64_t* slot_of(uint64_t id);
};

EngineLink::EngineLink(const std::string& command, std::function<void()> wake)
    : state_(new State{EngineClient(command, std::move(wake))}) {}
EngineLink::~EngineLink() = default;

uint64_t* EngineLink::State::slot_of(uint64_t id) {
    for (uint64_t* slot :
         {&picture, &comparison, &analysis, &measurement, &pads, &count, &staircase, &survey,
          &swizzle, &product, &walk, &mismatch, &check, &judgement})
        if (*slot == id) return slot;
    return nullptr;
}

void EngineLink::State::clear_error(App& app) {
    app.error.clear();
    app.uncompiled.clear();
    failed = Status::fine;
}

static bool lacks_compiler(const Answer& answer) {
    return answer.details.is_object() && answer.details.value("no_compiler", false);
}

// That nothing is here to compile with is no fault: it is said where the picture would be.
void EngineLink::State::say_error(App& app, const Answer& answer) {
    (lacks_compiler(answer) ? app.uncompiled : app.error) = answer.error;
    failed = answer.status;
}

// The engine starts, and says whether there is a GPU, with the first request.
void EngineLink::State::greet(const App& app) {
    if (!app.engine.known && !greeted) client.request("ping", Json::object());
    greeted = true;
}

static void forget_comparisons(App& app) {
    for (Beside& beside : app.beside) beside.stale = false;
}

// Pictures go one at a time: the engine drops a waiting picture for a newer one, which is right for
// a knob that keeps turning and wrong for the parts of a comparison.
void EngineLink::State::send(App& app, double now) {
    if (!app.stage().error.empty()) {
        app.picture_stale = app.analysis_stale = app.pads_stale = false;
        forget_comparisons(app);
        return greet(app);
    }
    if (is_library_call(app.stage())) {  // it can only be measured
        app.picture_stale = app.analysis_stale = false;
        forget_comparisons(app);
        greet(app);
    }
    if (app.picture_stale) {
        clear_error(app);
        changed_at = now;
        comparison = 0;
        if (analysis) client.cancel(analysis);
        send_check(app);
        picture = client.request("picture", {{"job", job_of(app)}, {"block", app.choice.block}});
        app.picture_stale = false;
        app.tools->forge.stale = app.tools->flow.walk_stale = true;
    }
    for (size_t i = 0; i < app.beside.size() && !picture && !comparison; ++i) {
        if (!app.beside[i].stale) continue;
        app.beside[i].stale = false;
        app.beside[i].picture.reset();
        if (!app.beside[i].wanted) continue;
        compared = i;
        comparison = client.request("picture",
                                    {{"job", comparison_job(app, i)}, {"block", app.choice.block}});
    }
    if (!picture)
        if (std::optional<SwizzleTrial> trial = next_swizzle(app, now))
            swizzle = client.request(
                "swizzle", {{"job", job_of(app)}, {"block", app.choice.block}, {"trial", *trial}});
    if (!picture && wants_mismatch(app))
        mismatch = client.request("mismatch", {{"job", job_of(app)}});
    if (app.gate.wanted) {
        app.gate.wanted = false;
        judgement = client.request("judge", {{"job", job_of(app)}, {"task", gate_task(app)}});
    }
    if (!picture && wants_walk(app))
        walk = client.request("walk", {{"job", job_of(app)}, {"blocks", kMostWalked}});
    if (app.analysis_stale && !picture && now - changed_at >= kRest) {
        app.analysis_stale = false;
        Job job = job_of(app);
        bool too_long = !too_long_to_interpret(job).empty();
        (too_long ? app.analysis : app.sampled).reset();
        analysis = client.request("analyse", {{"job", job}, {"sample", too_long}});
    }
    if (app.pads_stale && !picture && !app.analysis_stale) send_pads(app);
    if (!survey && !picture && !analysis && !app.analysis_stale) send_survey(app);
    if (!picture && !app.picture_stale) send_product(app);
    bool ran = on_gpu();
    if (!ran) send_to_gpu(app);
    if (!ran && on_gpu()) {
        clear_error(app);
        app.activity.since = now;
    }
    app.measure_wanted = app.count_wanted = app.staircase_wanted = false;
}

// What was typed is checked beside its picture, which may have to wait until the one before is
// compiled whole.
void EngineLink::State::send_check(App& app) {
    bool typed_any = app.edited && !app.own;
    if (typed_any && app.stage().source == checked) return;
    check = 0;
    checked.clear();
    if (!typed_any) return;
    checked = app.stage().source;
    check = client.request("check", {{"job", job_of(app)}});
}

void EngineLink::State::send_survey(App& app) {
    std::optional<Job> job = next_survey(app);
    if (!job) return;
    surveyed = std::move(*job);
    survey = client.request("analyse", {{"job", surveyed}});
}

// A newer one takes the place of the one that is open.
void EngineLink::State::send_product(App& app) {
    std::optional<ProductQuestion> question = next_product_question(app);
    if (!question) return;
    if (product) client.cancel(product);
    product = client.request("product", {{"job", question->job},
                                         {"block", question->place.block},
                                         {"warp", question->place.warp},
                                         {"product", question->place.product},
                                         {"reuse", question->with_reuse}});
}

// One thing at a time.
void EngineLink::State::send_to_gpu(App& app) {
    Json job = job_of(app);
    if (app.measure_wanted) {
        measured_job = job;
        const char* method = app.own ? "measure_own" : "measure";
        Json options = {{"time_limit_s", app.saved.engine.time_limit_s}};
        measurement = client.request(method, {{"job", job}, {"options", options}});
    } else if (app.count_wanted) {
        counted_job = job;
        count = client.request("count", {{"job", job}});
    } else if (app.staircase_wanted) {
        counted_job = job;
        staircase = client.request("staircase", {{"job", job}});
    }
}

// Another padding has the same table.
void EngineLink::State::send_pads(App& app) {
    app.pads_stale = false;
    if (app.own || !has_padding(app.stage())) {
        app.pads.reset();
        return;
    }
    Job job = job_of(app);
    job.knobs.erase(kPadKnob);
    Json params = {{"job", job}, {"block", app.choice.block}};
    if (app.pads && params == pads_of) return;
    app.pads.reset();
    if (pads) client.cancel(pads);
    pads_of = params;
    pads = client.request("pads", std::move(params));
}

// What the compiler says about lines of the shown file, and in which column it says it first.
static std::map<int, std::string> errors_by_line(const Json& details, const std::string& file,
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

// service/kernel_runs.h says what is in it; nothing where the failure was no crash.
static std::optional<Crash> crash_in(const Json& details, const std::string& message) {
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

static void show_printed(App& app, const Json& holder) {
    if (!holder.is_object() || !holder.contains("printed")) return;
    const Json& printed = holder["printed"];
    take_printed(app, printed.at("text").get<std::string>(), printed.at("bytes").get<uint64_t>());
}

void EngineLink::State::show_errors(App& app, const Answer& answer) {
    say_error(app, answer);
    take_diagnostics(app, errors_by_line(answer.details, app.stage().file, app.diagnostic_columns));
    // Below the text that is being typed every error stands at its line.
    if (app.editing.on && !app.diagnostics.empty()) clear_error(app);
}

void EngineLink::State::fail(App& app, const Answer& answer, bool of_measurement) {
    if (answer.status == Status::fine) return;  // cancelled or superseded
    say_error(app, answer);
    if (of_measurement) {
        // What the run of another setting did is said, and that is all.
        if (measured_job != Json(job_of(app))) return;
        auto crash = crash_in(answer.details, answer.error);
        if (!crash) return;
        take_crash(app, std::move(*crash));
        return show_printed(app, answer.details["crash"]);
    }
    show_errors(app, answer);
    // What the failed request was part of would only fail again, or hide the message.
    app.analysis_stale = app.pads_stale = false;
    forget_comparisons(app);
}

void EngineLink::State::take_run(App& app, const Json& result) {
    if (measured_job == Json(job_of(app))) {
        app.printed_on_gpu = {};
        show_printed(app, result);
    }
    if (result.contains("buffers"))
        take_own_measurement(app, own_run_from(result));
    else
        take_measurement(app, result.get<Measurement>());
}

// Another setting's counters would stand beside the wrong counts.
void EngineLink::State::take_count(App& app, CounterReading reading) {
    if (counted_job == Json(job_of(app)))
        take_counters(app, std::move(reading));
    else
        app.toast = {"The setting has changed since that count began: count it again"};
}

void EngineLink::State::take_steps(App& app, Staircase steps) {
    take_staircase(app, std::move(steps));
    if (counted_job == Json(job_of(app))) return;
    forget_hardware(app);  // another setting's accesses
    derive(app);
}

void EngineLink::State::take(App& app, Answer answer) {
    uint64_t* slot = slot_of(answer.id);
    if (!slot || answer.id == 0) return;  // superseded by a newer request
    *slot = 0;
    try {
        if (slot == &check) {  // of other failures the picture's answer tells
            if (answer.status == Status::no_compile) show_errors(app, answer);
            return;
        }
        if (!answer.ok && (slot == &count || slot == &staircase)) {
            if (answer.status != Status::fine) say_error(app, answer);
            return;
        }
        if (!answer.ok && slot == &product) {
            if (answer.status != Status::fine) take_product_problem(app, answer.error);
            return;
        }
        if (!answer.ok && slot == &mismatch)
            return fail_mismatch(app, answer.status == Status::fine ? "" : answer.error);
        if (!answer.ok && slot == &judgement)
            return fail_judgement(app, answer.status == Status::fine ? "" : answer.error);
        if (!answer.ok && slot == &walk)
            return fail_walk(app, answer.status == Status::fine ? "" : answer.error);
        if (!answer.ok && slot == &swizzle)
            return fail_swizzle(app, answer.status == Status::fine ? "" : answer.error);
        if (!answer.ok && slot == &survey) return take_survey(app, surveyed, nullptr);
        // The setting itself may be one that was compiled before, or is shipped.
        if (!answer.ok && lacks_compiler(answer) && (slot == &comparison || slot == &pads)) return;
        if (!answer.ok) return fail(app, answer, slot == &measurement);
        if (slot == &picture) take_picture(app, answer.result.get<Picture>());
        if (slot == &comparison) take_comparison(app, compared, answer.result.get<Picture>());
        if (slot == &analysis) take_analysis(app, answer.result.get<Analysis>());
        if (slot == &survey) {
            Analysis counted = answer.result.get<Analysis>();
            take_survey(app, surveyed, &counted);
        }
        if (slot == &product) take_product(app, answer.result.get<ProductPictures>());
        if (slot == &mismatch) take_mismatch(app, answer.result.get<MismatchMap>());
        if (slot == &judgement) take_judgement(app, answer.result.get<Judgement>());
        if (slot == &walk) take_walk(app, answer.result.get<BlockWalk>());
        if (slot == &swizzle) take_swizzle(app, answer.result.get<SwizzleResult>());
        if (slot == &pads) take_pads(app, answer.result.get<PadTable>());
        if (slot == &measurement) take_run(app, answer.result);
        if (slot == &count) take_count(app, answer.result.get<CounterReading>());
        if (slot == &staircase) take_steps(app, answer.result.get<Staircase>());
    } catch (const Json::exception& error) {
        app.error = "The engine's answer makes no sense (" + std::string(error.what()) +
                    "); is it of another version than this window?";
    }
}

// What the learner types is compiled when the hand rests.
void EngineLink::State::settle_typing(App& app, double now) {
    if (!app.editing.changed) {
        typed_at = -1;
        return;
    }
    if (typed_at < 0 || typed != app.editing.text) {
        typed_at = now;
        typed = app.editing.text;
    }
    if (now - typed_at >= kTypingRest) settle_edit(app);
}

static void read_hello(App& app, const EngineClient& client) {
    EngineHello hello = client.hello();
    app.engine.process_id = client.process_id();
    if (!hello.complete) return;
    app.engine.known = true;
    app.engine.problem = hello.problem;
    app.engine.compiler = hello.compiler;
    app.engine.gpu = hello.gpu.is_object() ? hello.gpu.value("name", std::string("a GPU")) : "";
    app.engine.gpus.clear();
    for (const Json& gpu : hello.gpus)
        app.engine.gpus.push_back({gpu.value("name", ""), gpu.value("uuid", "")});
}

void EngineLink::update(App& app, double now) {
    State& s = *state_;
    s.client.poll(
        [&](Answer answer) { s.take(app, std::move(answer)); },
        [&](uint64_t id, double fraction, std::string what) {
            if (id != s.measurement && id != s.analysis && id != s.count && id != s.staircase)
                return;
            app.activity.fraction = fraction;
            app.activity.what = std::move(what);
        });
    if (app.cancel_wanted) {
        for (uint64_t id : {s.measurement, s.count, s.staircase, s.analysis, s.pads, s.judgement})
            if (id) s.client.cancel(id);
        app.cancel_wanted = false;
    }
    s.settle_typing(app, now);
    bool was_busy = app.activity.busy();
    s.send(app, now);
    app.activity.picture = s.picture || s.comparison;
    app.activity.analysis = s.analysis;
    app.activity.measurement = s.on_gpu();
    if (!app.activity.busy())
        app.activity = {};
    else if (!was_busy)
        app.activity.since = now;
    read_hello(app, s.client);
    take_engine_test(app);
}

double EngineLink::next_due(const App& app, double now) const {
    if (app.picture_stale || app.cancel_wanted) return 0;
    if (app.measure_wanted || app.count_wanted || app.staircase_wanted || app.gate.wanted) return 0;
    if (app.editing.changed)
        return state_->typed_at < 0 ? 0 : std::max(0.0, kTypingRest - (now - state_->typed_at));
    if (double due = swizzle_due(app, now); due >= 0 && !state_->picture) return due;
    // A scene shows the map as soon as the analysis is there, without anybody's touching anything.
    if (mismatch_due(app) && !state_->picture) return 0;
    if (app.analysis_stale && !state_->picture)
        return std::max(0.0, kRest - (now - state_->changed_at));
    // The elapsed time of a run is on screen, and that of a test of the engine's command.
    return app.activity.measurement || engine_test_runs(app) ? 0.1 : -1;
}

bool EngineLink::settled(const App& app) const {
    const State& s = *state_;
    return !app.editing.changed && !app.picture_stale && !app.beside[0].stale &&
           !app.beside[1].stale && !app.analysis_stale && !app.pads_stale && !app.measure_wanted &&
           !app.count_wanted && !app.staircase_wanted && swizzle_due(app, 0) < 0 && !s.swizzle &&
           !s.walk && !s.pads && !s.picture && !s.comparison && !s.analysis && !s.survey &&
           !s.product && !s.mismatch && !s.check && !app.gate.wanted && !s.judgement &&
           !mismatch_due(app) && !s.on_gpu();
}

Status EngineLink::failure() const { return state_->failed; }

void EngineLink::wait(double seconds) { state_->client.wait(seconds); }

}  // namespace lanewise::ui
