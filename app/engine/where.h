// Where a measurement runs (--gpu, --engine), and what the terminal shows meanwhile.
#pragma once
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/engine_command.h"
#include "lab/job/measurement.h"

namespace lanewise {

struct WhereOptions {
    std::string gpu;     // see choose_gpu (gpu/device.h)
    std::string engine;  // a command that starts an engine elsewhere; "": this machine

    void add_to(EngineCommand& command);
    // For an option with which nothing is measured on another engine: throws Error(bad_input) where one was named.
    void refuse_engine_beside(const std::string& option) const;
};

// --sandbox, or LANEWISE_SANDBOX=1.
void add_sandbox(EngineCommand& command);

// The method's result from the engine that `prefix` starts (service/client.h). Throws Error as the
// job there did, and where the engine cannot be reached.
nlohmann::json run_on_engine(const std::string& prefix, const std::string& method,
                             const nlohmann::json& params, const Progress& progress,
                             const CancelFlag& cancel);

// Runs a job where kernels run (service/kernel_runs.h), or on the engine that `where` starts, while
// stderr says how far it is. Ctrl-C cancels it.
nlohmann::json run_job(const WhereOptions& where, const std::string& method,
                       const nlohmann::json& params);

// The exit status of a command that Ctrl-C ended, as shells have it: 128 + SIGINT.
inline constexpr int kExitInterrupted = 130;

// While it lives, one line on stderr that overwrites itself says what is being done, how far it is
// and how long it will take (on a terminal only), and Ctrl-C sets cancelled() instead of ending the
// process.
class TerminalProgress {
  public:
    TerminalProgress();
    ~TerminalProgress();
    Progress listener();
    const CancelFlag& cancelled() const;
    void clear();

  private:
    void show(double fraction, const std::string& what);
    std::chrono::steady_clock::time_point start_;
    bool is_terminal_, shown_ = false;
};

}  // namespace lanewise
