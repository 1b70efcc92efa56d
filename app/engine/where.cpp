#include "engine/where.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <optional>

#include "base/error.h"
#include "compile/compiler_kind.h"
#include "service/client.h"
#include "service/command_line.h"
#include "service/gpu_worker.h"
#include "service/jobs.h"
#include "service/kernel_runs.h"

namespace lanewise {

void WhereOptions::add_to(EngineCommand& command) {
    auto choose = [this](const std::string& wish) {
        gpu = wish;
        use_gpu_worker(gpu, false);
    };
    command.add_option_function("--gpu", choose,
                                "which GPU: an index, a part of its name, or its UUID");
    add_sandbox(command);
    command.add_option(
        "--engine", engine,
        "measure where this command starts an engine, or at ws://HOST:PORT, e.g. \"ssh gpu-box "
        "lanewise-engine serve\"");
}

void WhereOptions::refuse_engine_beside(const std::string& option) const {
    if (!engine.empty())
        throw Error(Status::bad_input,
                    option + " works in this process alone: leave --engine out, or " + option);
}

void add_sandbox(EngineCommand& command) {
    command
        .add_flag_callback("--sandbox", use_sandbox,
                           "launch kernels in a sandbox of bubblewrap: no network, a read-only "
                           "system, a private /tmp")
        ->envname("LANEWISE_SANDBOX");
}

nlohmann::json run_on_engine(const std::string& prefix, const std::string& method,
                             const nlohmann::json& params, const Progress& progress,
                             const CancelFlag& cancel) {
    std::string command = prefix;
    std::optional<CompilerKind> chosen = chosen_compiler();
    if (chosen && is_engine_address(split_command(prefix)))
        fmt::print(stderr,
                   "lanewise-engine: the server chooses its compiler itself, whatever --compiler {} "
                   "says\n",
                   option_name(*chosen));
    else if (chosen)
        command += " --compiler " + std::string(option_name(*chosen));
    EngineClient client(command);
    std::optional<Answer> answer;
    progress(0, "waiting for the engine to start");
    uint64_t id = client.request(method, params);
    for (bool cancelled = false; !answer;) {
        client.wait(0.1);
        client.poll([&](Answer one) { answer = std::move(one); },
                    [&](uint64_t, double fraction, std::string what) { progress(fraction, what); });
        if (cancel && !cancelled) client.cancel(id);
        cancelled |= cancel;
    }
    if (answer->ok) return std::move(answer->result);
    if (cancel) throw Cancelled{};
    throw DetailedError(answer->status, answer->error, answer->details);
}

// ---- The terminal ------------------------------------------------------------------------------

static CancelFlag progress_interrupted = false;

TerminalProgress::TerminalProgress()
    : start_(std::chrono::steady_clock::now()), is_terminal_(::isatty(STDERR_FILENO) == 1) {
    struct sigaction action = {};
    action.sa_handler = [](int) { progress_interrupted = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends at once
    ::sigaction(SIGINT, &action, nullptr);
}

TerminalProgress::~TerminalProgress() {
    ::signal(SIGINT, SIG_DFL);
    clear();
}

Progress TerminalProgress::listener() {
    return [this](double fraction, const std::string& what) { show(fraction, what); };
}

const CancelFlag& TerminalProgress::cancelled() const { return progress_interrupted; }

void TerminalProgress::clear() {
    if (shown_) fmt::print(stderr, "\r\033[K");
    shown_ = false;
}

static size_t terminal_width() {
    winsize size = {};
    bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

// The rest takes as long as what is done, in proportion; nothing is said of the first steps.
static std::string time_left(double fraction, double elapsed_s) {
    constexpr double kTooEarly = 0.1;
    if (fraction < kTooEarly || fraction >= 1) return "";
    return fmt::format(", {:.0f} s left", elapsed_s * (1 - fraction) / fraction);
}

void TerminalProgress::show(double fraction, const std::string& what) {
    if (!is_terminal_) return;
    if (fraction <= 0) start_ = std::chrono::steady_clock::now();  // waiting tells nothing
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    std::string line = fmt::format("{:3.0f} %  {}{}  (Ctrl-C cancels)", 100 * fraction, what,
                                   time_left(fraction, elapsed.count()));
    fmt::print(stderr, "\r\033[K{}", line.substr(0, terminal_width() - 1));
    std::fflush(stderr);
    shown_ = true;
}

nlohmann::json run_job(const WhereOptions& where, const std::string& method,
                       const nlohmann::json& params) {
    TerminalProgress progress;
    nlohmann::json result = where.engine.empty()
                                ? run_in_worker(gpu_worker(), method, params, progress.listener(),
                                                &progress.cancelled())
                                : run_on_engine(where.engine, method, params, progress.listener(),
                                                progress.cancelled());
    progress.clear();
    return result;
}

}  // namespace lanewise
