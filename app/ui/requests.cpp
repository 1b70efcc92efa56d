#include "ui/requests.h"

#include "lab/json.h"
#include "service/client.h"

namespace lanewise::ui {

// A turned knob is drawn at once; the whole launch is counted once the hand rests.
constexpr double kRest = 0.12;

struct EngineLink::State {
    EngineClient client;
    uint64_t picture = 0, comparison = 0, analysis = 0, measurement = 0;  // open requests; 0: none
    double changed_at = 0;

    void send(App& app, double now);
    void take(App& app, Answer answer);
    void fail(App& app, const Answer& answer);
    uint64_t* slot_of(uint64_t id);
};

EngineLink::EngineLink(const std::string& command, std::function<void()> wake)
    : state_(new State{EngineClient(command, std::move(wake))}) {}
EngineLink::~EngineLink() = default;

uint64_t* EngineLink::State::slot_of(uint64_t id) {
    for (uint64_t* slot : {&picture, &comparison, &analysis, &measurement})
        if (*slot == id) return slot;
    return nullptr;
}

// Pictures go one at a time: the engine drops a waiting picture for a newer one, which is right for
// a knob that keeps turning and wrong for the two halves of a comparison.
void EngineLink::State::send(App& app, double now) {
    if (!app.stage().error.empty()) {
        app.picture_stale = app.comparison_stale = app.analysis_stale = false;
        return;
    }
    if (is_library_call(app.stage()))  // it can only be measured
        app.picture_stale = app.comparison_stale = app.analysis_stale = false;
    if (app.picture_stale) {
        app.error.clear();
        changed_at = now;
        comparison = 0;
        if (analysis) client.cancel(analysis);
        picture = client.request("picture", {{"job", job_of(app)}, {"block", app.choice.block}});
        app.picture_stale = false;
    }
    if (app.comparison_stale && !picture) {
        app.comparison_stale = false;
        app.comparison_picture.reset();
        if (app.comparison.wanted)
            comparison = client.request(
                "picture", {{"job", comparison_job(app)}, {"block", app.choice.block}});
    }
    if (app.analysis_stale && !picture && now - changed_at >= kRest) {
        app.analysis_stale = false;
        analysis = client.request("analyse", {{"job", job_of(app)}});
    }
    if (app.measure_wanted && !measurement) {
        app.error.clear();
        app.activity.since = now;
        measurement = client.request("measure", {{"job", job_of(app)}});
    }
    app.measure_wanted = false;
}

// What the compiler says about lines of the shown file.
static std::map<int, std::string> errors_by_line(const Json& details, const std::string& file) {
    std::map<int, std::string> errors;
    if (!details.is_object() || !details.contains("diagnostics")) return errors;
    for (const Json& entry : details["diagnostics"]) {
        std::string where = entry.value("file", "");
        if (!entry.value("is_error", false) || (where != file && !where.ends_with("/" + file)))
            continue;
        std::string& text = errors[entry.value("line", 0)];
        text += (text.empty() ? "" : "\n") + entry.value("text", "");
    }
    return errors;
}

void EngineLink::State::fail(App& app, const Answer& answer) {
    if (answer.status == Status::fine) return;  // cancelled or superseded
    app.error = answer.error;
    take_diagnostics(app, errors_by_line(answer.details, app.stage().file));
    // What the failed request was part of would only fail again, or hide the message.
    app.comparison_stale = app.analysis_stale = false;
}

void EngineLink::State::take(App& app, Answer answer) {
    uint64_t* slot = slot_of(answer.id);
    if (!slot || answer.id == 0) return;  // superseded by a newer request
    *slot = 0;
    if (!answer.ok) return fail(app, answer);
    try {
        if (slot == &picture) take_picture(app, answer.result.get<Picture>());
        if (slot == &comparison) take_comparison(app, answer.result.get<Picture>());
        if (slot == &analysis) take_analysis(app, answer.result.get<Analysis>());
        if (slot == &measurement) take_measurement(app, answer.result.get<Measurement>());
    } catch (const Json::exception& error) {
        app.error = "The engine's answer makes no sense (" + std::string(error.what()) +
                    "); is it of another version than this window?";
    }
}

static void read_hello(App& app, const EngineClient& client) {
    EngineHello hello = client.hello();
    app.engine.process_id = client.process_id();
    if (!hello.complete) return;
    app.engine.known = true;
    app.engine.problem = hello.problem;
    app.engine.compiler = hello.compiler;
    app.engine.gpu = hello.gpu.is_object() ? hello.gpu.value("name", std::string("a GPU")) : "";
}

void EngineLink::update(App& app, double now) {
    State& s = *state_;
    s.client.poll([&](Answer answer) { s.take(app, std::move(answer)); },
                  [&](uint64_t id, double fraction, std::string what) {
                      if (id != s.measurement && id != s.analysis) return;
                      app.activity.fraction = fraction;
                      app.activity.what = std::move(what);
                  });
    if (app.cancel_wanted) {
        for (uint64_t id : {s.measurement, s.analysis})
            if (id) s.client.cancel(id);
        app.cancel_wanted = false;
    }
    bool was_busy = app.activity.busy();
    s.send(app, now);
    app.activity.picture = s.picture || s.comparison;
    app.activity.analysis = s.analysis;
    app.activity.measurement = s.measurement;
    if (!app.activity.busy())
        app.activity = {};
    else if (!was_busy)
        app.activity.since = now;
    read_hello(app, s.client);
}

double EngineLink::next_due(const App& app, double now) const {
    if (app.picture_stale || app.measure_wanted || app.cancel_wanted) return 0;
    if (app.analysis_stale && !state_->picture)
        return std::max(0.0, kRest - (now - state_->changed_at));
    // The elapsed time of a run is on screen.
    return app.activity.measurement ? 0.1 : -1;
}

bool EngineLink::settled(const App& app) const {
    const State& s = *state_;
    return !app.picture_stale && !app.comparison_stale && !app.analysis_stale &&
           !app.measure_wanted && !s.picture && !s.comparison && !s.analysis && !s.measurement;
}

void EngineLink::wait(double seconds) { state_->client.wait(seconds); }

}  // namespace lanewise::ui
