// step: the lane debugger in a terminal, or with commands from a file.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <iostream>

#include "base/error.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "engine/step_print.h"
#include "lab/json/step_json.h"
#include "lab/step/step_commands.h"

namespace lanewise {

namespace {

std::atomic<bool> interrupted = false, is_busy = false;
static_assert(std::atomic<bool>::is_always_lock_free);

// Ctrl-C ends what is going on; where nothing is, the program.
void interrupt(int) {
    if (!is_busy) _exit(130);
    interrupted = true;
}

StepScreen screen_of_terminal() {
    StepScreen screen;
    screen.has_colours = isatty(STDOUT_FILENO) == 1 && !std::getenv("NO_COLOR");
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        screen.columns = size.ws_col;
    return screen;
}

class Session {
  public:
    Session(const Job& job, const Debugger::Options& options, bool as_json)
        : commands_(job, options), as_json_(as_json), screen_(screen_of_terminal()) {}

    // False where it was the last one.
    bool answer(const std::string& line) {
        interrupted = false;
        is_busy = true;
        StepReply reply = commands_.run(line);
        is_busy = false;
        has_failed = has_failed || !reply.error.empty();
        if (reply.command.empty() || reply.command.front() == '#') return true;
        if (as_json_)
            fmt::print("{}\n", nlohmann::json(reply).dump(
                                   -1, ' ', false, nlohmann::json::error_handler_t::replace));
        else
            fmt::print("{}", in_text(reply, screen_));
        std::fflush(stdout);
        return !reply.quits;
    }
    // A person types; an empty line is the last command again.
    void converse() {
        std::string line, last;
        for (;;) {
            fmt::print("(step) ");
            std::fflush(stdout);
            if (!std::getline(std::cin, line)) break;
            if (line.empty()) line = last;
            if (!answer(line)) return;
            last = line;
        }
        fmt::print("\n");
    }
    // A script: each command is shown before its answer.
    void read_script() {
        for (std::string line; std::getline(std::cin, line);) {
            bool is_shown = !as_json_ && !line.empty() && line.front() != '#';
            if (is_shown) fmt::print("(step) {}\n", line);
            if (!answer(line)) return;
        }
    }
    bool has_failed = false;

  private:
    StepCommands commands_;
    bool as_json_;
    StepScreen screen_;
};

struct StepOptions {
    std::string at;
    std::vector<std::string> commands;
    int64_t first_block = 0, megabytes = 256;
};

Debugger::Options debugger_options(const JobOptions& options, const StepOptions& step) {
    constexpr int64_t kMostMegabytes = int64_t{1} << 20;
    if (step.megabytes < 0 || step.megabytes > kMostMegabytes)
        throw Error(Status::bad_input, fmt::format("--memory {}: the recording may take 0 to {} MB",
                                                   step.megabytes, kMostMegabytes));
    if (step.first_block < 0 || step.first_block > 0xffffffffll)
        throw Error(Status::bad_input,
                    fmt::format("--first {}: blocks are numbered from 0", step.first_block));
    Debugger::Options made;
    made.recording.most_bytes = static_cast<uint64_t>(step.megabytes) << 20;
    made.recording.first_block = static_cast<uint32_t>(step.first_block);
    made.most_seconds = options.time_limit_s;
    made.stop = &interrupted;
    return made;
}

int step(const JobOptions& options, const StepOptions& typed) {
    Job job = options.job();
    Session session(job, debugger_options(options, typed), options.json);
    std::signal(SIGINT, interrupt);
    bool is_person = isatty(STDIN_FILENO) == 1 && !options.json;
    bool goes_on = session.answer(typed.at.empty() ? "where" : "at " + typed.at);
    for (const std::string& command : typed.commands) goes_on = goes_on && session.answer(command);
    if (!goes_on) return 0;
    if (is_person)
        session.converse();
    else
        session.read_script();
    bool failed = session.has_failed && !is_person;
    return static_cast<int>(failed ? Status::bad_input : Status::fine);
}

}  // namespace

static void add_step(EngineCommand& app, int& status) {
    auto* command = app.add_subcommand(
        "step", "step through a kernel, forward and back, with the values of all 32 lanes");
    auto options = std::make_shared<JobOptions>();
    auto typed = std::make_shared<StepOptions>();
    options->time_limit_s = 60;
    options->add_to(*command);
    command->get_option("--time-limit")
        ->description("seconds that one command may take; 0: no limit");
    command->get_option("--json")->description("print one JSON object per command");
    command->add_option(
        "--at", typed->at,
        "begin there: \"block 0,1 thread 3,2 line 17\", \"block 2 fault\" or \"wrote "
        "out[5]\"");
    command
        ->add_option("--do", typed->commands,
                     "a command to begin with, such as \"break 17 if lane > 3\"; may be repeated")
        ->allow_extra_args(false);
    add_count(*command, "--first", typed->first_block,
              "begin with this block; those before it do not run");
    add_count(*command, "--memory", typed->megabytes, "MB that the recording may take");
    command->callback([=, &status] { status = step(*options, *typed); });
}
static const CommandRow kStep("step", "check", add_step, Compiles::yes);

}  // namespace lanewise
