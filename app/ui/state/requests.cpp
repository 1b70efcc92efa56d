#include "ui/state/requests.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "lab/product/product.h"
#include "service/client.h"
#include "ui/state/edits.h"
#include "ui/state/settings.h"

namespace lanewise::ui {

using Json = nlohmann::json;
using Row = EngineRequest;

constexpr unsigned kInSight = Row::counts | Row::gpu;                 // their progress is shown
constexpr unsigned kStopped = kInSight | Row::pads | Row::judgement | Row::trial;  // by Escape

struct EngineLink::State {
    struct Open {
        uint64_t id = 0;  // 0: no request
        Json asked;       // of the last one; null: nothing was asked yet
    };
    std::unique_ptr<Engine> engine;
    std::span<const Row> rows;
    std::vector<Open> open = std::vector<Open>(rows.size());  // by row
    bool greeted = false;   // a request was sent only to make the engine start
    double changed_at = 0;  // when another picture was asked for

    size_t row_of(uint64_t id) const;
    bool is_open(unsigned kinds) const;
    RequestTurn turn(size_t row, double now) const;
    double earliest(const App& app, double now) const;
    void greet(const App& app);
    void send(App& app, double now);
    void request(App& app, double now, size_t row, Json params);
    void outdate(App& app, double now);
    void cancel(unsigned kinds);
    void take(App& app, const Answer& answer);
};

EngineLink::EngineLink(std::unique_ptr<Engine> engine, std::span<const EngineRequest> requests)
    : state_(new State{std::move(engine), requests}) {}
EngineLink::~EngineLink() = default;

void clear_error(App& app) {
    app.said.error.clear();
    app.said.uncompiled.clear();
    app.said.failed = Status::fine;
}

bool lacks_compiler(const Answer& answer) {
    return answer.details.is_object() && answer.details.value("no_compiler", false);
}

// That nothing is here to compile with is no fault: it is said where the picture would be.
void say_error(App& app, const Answer& answer) {
    (lacks_compiler(answer) ? app.said.uncompiled : app.said.error) = answer.error;
    app.said.failed = answer.status;
}

// rows.size() where no row waits for it.
size_t EngineLink::State::row_of(uint64_t id) const {
    auto found = std::find_if(open.begin(), open.end(),
                              [&](const Open& each) { return each.id != 0 && each.id == id; });
    return static_cast<size_t>(found - open.begin());
}

bool EngineLink::State::is_open(unsigned kinds) const {
    for (size_t row = 0; row < rows.size(); ++row)
        if (open[row].id && (rows[row].kind & kinds)) return true;
    return false;
}

RequestTurn EngineLink::State::turn(size_t row, double now) const {
    return {now, now - changed_at, open[row].asked.is_null() ? nullptr : &open[row].asked};
}

// Seconds until something can be asked for; negative: nothing is wanted.
double EngineLink::State::earliest(const App& app, double now) const {
    double first = -1;
    for (size_t row = 0; row < rows.size(); ++row) {
        if (!rows[row].due || is_open(rows[row].waits_for)) continue;
        double due = rows[row].due(app, turn(row, now));
        if (due >= 0 && (first < 0 || due < first)) first = due;
    }
    return first;
}

// The engine starts, and says whether there is a GPU, with the first request.
void EngineLink::State::greet(const App& app) {
    if (!app.engine.known && !greeted) engine->request("ping", Json::object());
    greeted = true;
}

// Nothing can be asked for of a stage that cannot be read; a library's call can only be measured.
static void forget_wanted(App& app) {
    app.stale.picture = app.stale.analysis = false;
    for (Beside& beside : app.beside) beside.stale = false;
}

void EngineLink::State::send(App& app, double now) {
    if (!app.stage().error.empty()) {
        forget_wanted(app);
        app.stale.pads = false;
        return greet(app);
    }
    if (is_library_call(app.stage())) {
        forget_wanted(app);
        greet(app);
    }
    for (size_t row = 0; row < rows.size(); ++row) {
        if (is_open(rows[row].waits_for)) continue;
        if (auto params = rows[row].ask(app, turn(row, now)))
            request(app, now, row, std::move(*params));
    }
    app.wanted.measurement = app.wanted.count = app.wanted.staircase = false;
}

void EngineLink::State::request(App& app, double now, size_t row, Json params) {
    if (rows[row].kind == Row::picture) outdate(app, now);
    if (rows[row].kind == Row::gpu) {
        clear_error(app);
        app.activity.since = now;
    }
    if (rows[row].cancels_older && open[row].id) engine->cancel(open[row].id);
    open[row].id = engine->request(rows[row].method, params);
    open[row].asked = std::move(params);
}

// Another picture is asked for: what is open may be of another setting.
void EngineLink::State::outdate(App& app, double now) {
    clear_error(app);
    changed_at = now;
    for (size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].outdated == Row::Outdated::forgotten) open[row].id = 0;
        if (rows[row].outdated == Row::Outdated::cancelled && open[row].id)
            engine->cancel(open[row].id);
        if (rows[row].renew) rows[row].renew(app);
    }
}

void EngineLink::State::cancel(unsigned kinds) {
    for (size_t row = 0; row < rows.size(); ++row)
        if (open[row].id && (rows[row].kind & kinds)) engine->cancel(open[row].id);
}

void EngineLink::State::take(App& app, const Answer& answer) {
    size_t row = row_of(answer.id);
    if (row == rows.size()) return;  // superseded by a newer request
    open[row].id = 0;
    try {
        if (answer.ok)
            rows[row].take(app, answer.result, open[row].asked);
        else
            rows[row].fail(app, answer, open[row].asked);
    } catch (const Json::exception& error) {
        app.said.error = "The engine's answer makes no sense (" + std::string(error.what()) +
                         "); is it of another version than this window?";
    }
}

static void read_hello(App& app, const Engine& engine) {
    EngineHello hello = engine.hello();
    app.engine.process_id = engine.process_id();
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
    s.engine->poll([&](const Answer& answer) { s.take(app, answer); },
                   [&](uint64_t id, double fraction, std::string what) {
                       size_t row = s.row_of(id);
                       if (row == s.rows.size()) return;
                       if (s.rows[row].hear) s.rows[row].hear(app, what);
                       if (!(s.rows[row].kind & kInSight)) return;
                       app.activity.fraction = fraction;
                       app.activity.what = std::move(what);
                   });
    if (app.wanted.cancel) s.cancel(kStopped);
    app.wanted.cancel = false;
    settle_typing(app, now);
    bool was_busy = app.activity.busy();
    s.send(app, now);
    app.activity.picture = s.is_open(Row::picture | Row::comparison);
    app.activity.analysis = s.is_open(Row::counts);
    app.activity.measurement = s.is_open(Row::gpu);
    if (!app.activity.busy())
        app.activity = {};
    else if (!was_busy)
        app.activity.since = now;
    read_hello(app, *s.engine);
    take_engine_test(app);
}

double EngineLink::next_due(const App& app, double now) const {
    if (app.wanted.cancel) return 0;
    double due = state_->earliest(app, now);
    if (due == 0) return 0;
    if (app.editing.changed) return typing_due(app, now);
    if (due > 0) return due;
    // The elapsed time of a run is on screen, and that of a test of the engine's command.
    return app.activity.measurement || engine_test_runs(app) ? 0.1 : -1;
}

bool EngineLink::settled(const App& app) const {
    const State& s = *state_;
    for (size_t row = 0; row < s.rows.size(); ++row)
        if (s.open[row].id || (s.rows[row].due && s.rows[row].due(app, s.turn(row, 0)) >= 0))
            return false;
    return !app.editing.changed;
}

void EngineLink::wait(double seconds) { state_->engine->wait(seconds); }

}  // namespace lanewise::ui
