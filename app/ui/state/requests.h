// Keeps the results in step with the choices: asks the engine for what is stale, hands over what
// arrives.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "ui/state/app.h"

namespace lanewise::ui {

class EngineLink {
  public:
    // command: see EngineClient. wake: called from another thread when something has arrived.
    EngineLink(const std::string& command, std::function<void()> wake);
    ~EngineLink();
    // Call it once per frame, before building the interface. `now`: seconds, any origin.
    void update(App& app, double now);
    // Seconds until update() has something to do by itself; negative: only when woken.
    double next_due(const App& app, double now) const;
    // Whether nothing is stale, asked or arriving.
    bool settled(const App& app) const;
    // Of the failed answer that app.error tells of; fine where none has failed since it was
    // cleared.
    Status failure() const;
    void wait(double seconds);  // for something to arrive

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanewise::ui
