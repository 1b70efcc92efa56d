// The window's side of the wire: starts the engine, sends jobs, hands over whole results.
#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"

namespace lanewise {

// One answer, delivered whole.
struct Answer {
    uint64_t id = 0;
    bool ok = false;
    nlohmann::json result;         // where ok
    Status status = Status::fine;  // where not; fine: cancelled or superseded, no fault
    std::string error;             // for the user, what to do included
    nlohmann::json details;        // null, or {"diagnostics": [{is_error, file, line,
                                   // column, text}]} of a kernel that does not compile
};

struct EngineHello {
    std::string program, version;   // empty before the engine has greeted
    bool complete = false;          // the rest is known: it follows the greeting a little
                                    // later, since finding the GPU takes a while
    std::string compiler, problem;  // "NVRTC 13.0"; problem: why there is no GPU
    nlohmann::json gpu;             // null where there is none
    nlohmann::json gpus;            // all that there are: [{index, name, uuid}]
    std::string banner;             // what the command printed before, e.g. a login's welcome
};

// What became of starting an engine once, for a settings page: "lanewise-engine 0.1.0, NVRTC 13.0,
// NVIDIA H200", or why that failed and what to do. Blocks for up to half a minute.
struct EngineTest {
    bool ok = false;
    std::string said;
};
EngineTest test_engine(const std::string& prefix);

// The command that the window uses where --engine says nothing else: the engine beside this
// program.
std::string default_engine_command();

// Whoever answers requests: the engine's process, or the same methods in this one.
class Engine {
  public:
    virtual ~Engine() = default;
    // Sends a request and returns its id, never 0. Never blocks for the answer and never throws:
    // failures arrive as answers.
    virtual uint64_t request(const std::string& method, nlohmann::json params) = 0;
    virtual void cancel(uint64_t id) = 0;
    // Answers and progress notices that have arrived, in order, through the callbacks; call it on
    // the window's thread.
    virtual void poll(
        const std::function<void(Answer)>& on_answer,
        const std::function<void(uint64_t id, double fraction, std::string what)>& on_progress) = 0;
    // Blocks until something can be polled or the time is over.
    virtual void wait(double seconds) = 0;
    virtual int process_id() const = 0;     // 0 when it is no process, or not running
    virtual EngineHello hello() const = 0;  // of the last engine that greeted
};

class EngineClient : public Engine {
  public:
    // prefix: the command that starts the engine, split as a shell would without expansion;
    // " serve" is appended where it does not end in it. Or the address of an engine, ws://HOST:PORT or
    // wss://HOST. Does not start it yet.
    // wake: called from the client's own thread whenever poll() has something (e.g. to wake an idle
    // window); may be null.
    explicit EngineClient(std::string prefix, std::function<void()> wake = {});
    ~EngineClient() override;  // closes the pipes, waits briefly, then SIGTERM, then SIGKILL;
                               // leaves no zombie

    // Starts (or restarts) the engine if it is not running.
    uint64_t request(const std::string& method, nlohmann::json params) override;
    void cancel(uint64_t id) override;

    // An engine that died turns every open request into a failed answer that says so, and the next
    // request starts a fresh engine. Where only the connection was lost (ssh failed, or nothing was
    // heard for 2.5 s of an engine that is not at work), a notice says so for every open request,
    // and the engine is started again and asked again, once. Of a silent engine that is at work a
    // notice says that, and it is waited for, up to 30 s.
    void poll(const std::function<void(Answer)>& on_answer,
              const std::function<void(uint64_t id, double fraction, std::string what)>&
                  on_progress) override;
    void wait(double seconds) override;

    bool running() const;
    int process_id() const override;
    EngineHello hello() const override;

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace lanewise
