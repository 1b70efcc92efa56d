// Keeps the results in step with the choices: asks the engine for what is stale, hands over what
// arrives. What there is to ask is a table with one row per request (shell/engine_requests.cpp).
#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "ui/state/app.h"

namespace lanewise {
class Engine;   // service/client.h
struct Answer;  // likewise
}  // namespace lanewise

namespace lanewise::ui {

// The moment at which a row is asked for its parameters.
struct RequestTurn {
    double now = 0;                        // the window's seconds
    double rested = 0;                     // since another picture was asked for
    const nlohmann::json* last = nullptr;  // what this row asked for last; null: nothing yet
};

// One thing that the window asks the engine for. A row has at most one open request: a newer one
// takes its place, and the older one's answer is ignored.
struct EngineRequest {
    // What an open request is. Others wait for it, and the window says so.
    enum Kind : unsigned {
        tool = 0,
        picture = 1,
        comparison = 2,
        counts = 4,
        survey = 8,
        gpu = 16,
        pads = 32,
        judgement = 64,
        trial = 128
    };
    // What becomes of the open request when another picture is asked for.
    enum class Outdated : uint8_t { kept, forgotten, cancelled };
    using Json = nlohmann::json;

    const char* method;  // the engine's (service/server.h)
    // The parameters, where something is wanted, which is then taken as asked for.
    std::optional<Json> (*ask)(App&, const RequestTurn&);
    // What has arrived, and the parameters that it was asked for with. Json's own exceptions are
    // caught: an engine of another version.
    void (*take)(App&, const Json& result, const Json& asked);
    // Status::fine: it was cancelled, or superseded by a newer one.
    void (*fail)(App&, const Answer&, const Json& asked);
    Kind kind = tool;
    unsigned waits_for = picture;  // kinds; nothing is asked while one of these is open
    Outdated outdated = Outdated::kept;
    bool cancels_older = false;  // else the engine works it off, or drops it by itself
    // Seconds until something is wanted; negative: nothing is. Null: only ever with a result.
    double (*due)(const App&, const RequestTurn&) = nullptr;
    void (*renew)(App&) = nullptr;  // another picture is asked for
    // What the engine says while it works, where that is not said below the window.
    void (*hear)(App&, const std::string& what) = nullptr;
};

// What went wrong stands in the banner or, where there is nothing to compile with, where the
// picture would be.
void say_error(App& app, const Answer& answer);
void clear_error(App& app);
bool lacks_compiler(const Answer& answer);

class EngineLink {
  public:
    // requests: in the order in which they are asked for; they outlive the link.
    EngineLink(std::unique_ptr<Engine> engine, std::span<const EngineRequest> requests);
    ~EngineLink();
    // Call it once per frame, before building the interface. `now`: seconds, any origin.
    void update(App& app, double now);
    // Seconds until update() has something to do by itself; negative: only when woken.
    double next_due(const App& app, double now) const;
    // Whether nothing is stale, asked or arriving.
    bool settled(const App& app) const;
    void wait(double seconds);  // for something to arrive

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanewise::ui
