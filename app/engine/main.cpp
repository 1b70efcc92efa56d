// lanewise-engine: the laboratory without a window. Each command lives in command_*.cpp and puts
// itself into the list (commands.h); here is what becomes of errors.
#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "base/text.h"
#include "base/version.h"
#include "engine/commands.h"
#include "engine/own_options.h"
#include "engine/typed_words.h"
#include "engine/where.h"
#include "lab/job/job.h"
#include "service/gpu_worker.h"
#include "service/protocol.h"

using namespace lanewise;

static int complain(const std::string& message, Status status) {
    std::fflush(stdout);
    std::fprintf(stderr, "lanewise-engine: %s\n", message.c_str());
    return static_cast<int>(status);
}

// CLI11 says only that a command is required.
static void check_command_name(const EngineCommand& app, const char* name) {
    if (!name || *name == '-') return;
    std::vector<std::string> names = app.names_of_subcommands();
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    std::string close = closest(name, names);
    throw Error(Status::bad_input, "there is no command \"" + std::string(name) + "\"" +
                                       (close.empty() ? "; see lanewise-engine --help"
                                                      : "; did you mean \"" + close + "\"?"));
}

int main(int argc, char** argv) {
    EngineCommand app(
        "Lanewise without a window: what a kernel does to GPU memory, counted and timed",
        "lanewise-engine");
    app.set_version_flag("--version", "lanewise-engine " + version_and_commit());
    app.require_subcommand();
    app.footer(
        // words: may stand, because it is a table
        "Exit status: 0 fine, 1 wrong result, finding or failed expectation, 2 bad usage or "
        "input,\n"
        "3 does not compile, 4 needs a GPU that is not there, 5 stopped by its time limit, 130 "
        "stopped by Ctrl-C.");

    int status = 0;
    keep_typed_words(argc, argv);
    use_gpu_worker("", false);
    try {
        add_commands(app, status);
        check_command_name(app, argc > 1 ? argv[1] : nullptr);
        // False after --help and --version.
        return app.parse(without_later_launches({argv, argv + argc})) ? status : 0;
    } catch (const Cancelled&) {
        std::fputs("lanewise-engine: cancelled\n", stderr);
        return kExitInterrupted;
    } catch (const Error& error) {
        return complain(error.what(), error.status());
    } catch (const std::bad_alloc&) {
        return complain("not enough memory for this: choose fewer rows or columns",
                        Status::bad_input);
    } catch (const std::exception& error) {
        return complain(error.what(), Status::failed_check);
    }
}
