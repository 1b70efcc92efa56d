// serve: an engine for one window on a pipe, or for a class by HTTP; connect, hand-in, tokens and worker
// belong to it.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "base/sanitized.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "engine/where.h"
#include "hub/connect.h"
#include "hub/hub.h"
#include "service/class_line.h"
#include "service/command_line.h"
#include "service/compiled_ahead.h"
#include "service/gpu_worker.h"
#include "service/process.h"
#include "service/server.h"
#include "service/worker_process.h"

namespace lanewise {

namespace {

constexpr std::chrono::milliseconds kCompilersGrace{500};  // as long as whoever closes the pipes waits

struct HttpOptions {
    std::string address, token_file, class_file, page, folder, prefix;
    std::vector<std::string> origins;
    bool behind_proxy = false;

    void add_to(EngineCommand& command);
    HubOptions hub(const std::string& gpu) const;
};

void HttpOptions::add_to(EngineCommand& command) {
    command.add_option("--http", address,
                       "serve the page, and an engine for each browser, at ADDRESS:PORT, e.g. "
                       "127.0.0.1:8080");
    command.add_option("--token-file", token_file, "who may come in: a line for each, NAME TOKEN");
    command.add_option("--class", class_file, "a class's limits, a .toml file");
    command.add_option("--page", page, "the page's folder; default: what ./lanewise web leaves");
    command.add_option("--folder", folder, "where the students' folders are kept");
    command.add_option("--engine-prefix", prefix,
                       "put these words before each engine's command, e.g. \"srun --gres=gpu:1\"");
    command
        .add_option("--origin", origins,
                    "a page of this origin may use the engines, too; may be repeated")
        ->allow_extra_args(false);
    command.add_flag("--behind-proxy", behind_proxy,
                     "a proxy stands before it and says who asks, in X-Forwarded-For");
}

HubOptions HttpOptions::hub(const std::string& gpu) const {
    HubOptions hub;
    hub.address = listen_address(address);
    hub.token_file = token_file;
    hub.class_file = class_file;
    hub.page = page.empty() ? content_folder() / "build" / "web" : std::filesystem::path(page);
    hub.folder = folder.empty() ? state_folder() / "class" : std::filesystem::path(folder);
    if (!prefix.empty()) hub.engine_prefix = split_command(prefix);
    if (!gpu.empty()) hub.engine_arguments = {"--gpu", gpu};
    for (const std::string& origin : origins) check_origin(origin);
    hub.origins = origins;
    hub.behind_proxy = behind_proxy;
    return hub;
}

// What is allocated beyond that fails, which a job answers with a sentence. Workers are freed of it:
// a driver reserves much that it never uses, and so does a sanitizer.
void limit_memory(int megabytes) {
    struct rlimit limit = {};
    if (kSanitized || megabytes <= 0 || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, static_cast<rlim_t>(megabytes) << 20);
    ::setrlimit(RLIMIT_DATA, &limit);
}

void lift_memory_limit() {
    struct rlimit limit = {};
    if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace

static void add_serve(EngineCommand& app, int& status) {
    auto* command = app.add_subcommand(
        "serve", "answer a window's requests on stdin and stdout, or a class's by HTTP");
    auto gpu = add_gpu_choice(*command);
    add_sandbox(*command);
    auto http = std::make_shared<HttpOptions>();
    http->add_to(*command);
    auto megabytes = std::make_shared<int>(0);
    command
        ->add_option("--memory-limit", *megabytes,
                     "megabytes that the engine may have; 0: no limit")
        ->in_range(0, 1 << 24);
    command->callback([command, gpu, http, megabytes, &status] {
        if (!http->address.empty()) {
            status = run_hub(http->hub(*gpu));
            return;
        }
        for (const char* option : {"--token-file", "--class", "--page", "--folder",
                                   "--engine-prefix", "--origin", "--behind-proxy"})
            if (command->count(option) > 0)
                throw Error(Status::bad_input,
                            std::string(option) + " belongs to --http ADDRESS:PORT");
        limit_memory(*megabytes);
        use_gpu_worker(*gpu, true);
        status = serve(STDIN_FILENO, STDOUT_FILENO);
        if (!have_left_compilers_ended(kCompilersGrace)) ::_exit(status);
    });
}
static const CommandRow kServe("serve", "prebuild", add_serve, Compiles::yes);

static void add_tokens(EngineCommand& app, int&) {
    auto* command = app.add_subcommand("tokens", "make lines of a token file, one for each name");
    auto names = std::make_shared<std::vector<std::string>>();
    command->add_option("names", *names, "students; letters, digits, - and _")->required();
    command->callback([names] {
        for (const std::string& name : *names)
            if (!is_student_name(name))
                throw Error(Status::bad_input,
                            "\"" + name + "\" is no name: up to 32 letters, digits, - and _");
        for (const std::string& name : *names) fmt::print("{:<16} {}\n", name, new_token());
    });
}
static const CommandRow kTokens("tokens", "serve", add_tokens);

// What --engine ws://… starts.
static void add_connect(EngineCommand& app, int& status) {
    auto* command =
        app.add_subcommand("connect", "pass stdin and stdout on to an engine at an address");
    command->group("");  // not for people
    auto text = std::make_shared<std::string>();
    command->add_option("address", *text, "ws://HOST:PORT/engine")->required();
    command->callback([text, &status] {
        EngineAddress address = engine_address(*text);
        const char* token = std::getenv("LANEWISE_TOKEN");
        if (address.token.empty() && token) address.token = token;
        status = connect_to_engine(address, STDIN_FILENO, STDOUT_FILENO);
    });
}
static const CommandRow kConnect("connect", "tokens", add_connect);

// A workspace, to the server that keeps what its class hands in.
static int hand_in(const std::string& file, const std::string& engine) {
    constexpr double kPatience_s = 60;
    std::string address = class_address(engine);
    if (address.empty())
        throw Error(Status::bad_input,
                    "--engine wants the class's server, like ws://HOST:PORT or wss://HOST");
    std::string workspace = read_file(file);
    ClassLine line(address, {});
    line.say({{"do", "hand_in"}, {"workspace", workspace}});
    for (double waited = 0; waited < kPatience_s; ++waited) {
        line.wait(1);
        while (auto state = line.news()) {
            if (state->value("re", "") != "hand_in") continue;
            std::string said = state->value("said", "");
            if (state->value("failed", true)) throw Error(Status::bad_input, said);
            fmt::print("{}\n", said);
            return 0;
        }
        if (std::string why = line.ended(); !why.empty()) throw Error(Status::failed_check, why);
    }
    throw Error(Status::out_of_time, "the server does not say that it has it; hand in once more");
}

static void add_hand_in(EngineCommand& app, int& status) {
    auto* command = app.add_subcommand(
        "hand-in", "hand in a workspace to the class's server, by your own token");
    auto file = std::make_shared<std::string>(), engine = std::make_shared<std::string>();
    command->add_option("file", *file, "a workspace that the window saved (.lanewise)")->required();
    command->add_option("--engine", *engine, "the server, ws://HOST:PORT or wss://HOST")
        ->required();
    command->callback([=, &status] { status = hand_in(*file, *engine); });
}
static const CommandRow kHandIn("hand-in", "connect", add_hand_in);

// What the engine itself starts, so that a kernel can break nothing but this.
static void add_worker(EngineCommand& app, int& status) {
    auto* command = app.add_subcommand("worker", "launch kernels for the engine that started this");
    command->group("");  // not for people
    auto gpu = add_gpu_choice(*command);
    command->callback([gpu, &status] {
        end_with_engine();
        lift_memory_limit();
        choose_gpu(*gpu);
        let_gpu_status_ask({});
        status = serve(ChildProcess::kChannel, ChildProcess::kChannel, worker_service());
    });
}
static const CommandRow kWorker("worker", "hand-in", add_worker, Compiles::yes);

}  // namespace lanewise
