// prebuild: writes the programs that are shipped, stage by stage.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "compile/child_process.h"
#include "compile/compiler.h"
#include "compile/header_library.h"
#include "compile/shipped_programs.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "lab/record/prebuild.h"

namespace lanewise {

namespace {

struct PrebuildOptions {
    std::vector<std::string> names;
    bool all = false;
    std::string out;
};

// Those of the names: "lab/measuring", and stages as elsewhere: "30_padded", "30".
std::vector<OfferedArchive> chosen_of(std::vector<OfferedArchive> offered,
                                      const Catalogue& catalogue,
                                      const std::vector<std::string>& names) {
    std::set<std::string> wanted;
    for (const std::string& name : names) {
        bool is_known = std::any_of(offered.begin(), offered.end(),
                                    [&](const OfferedArchive& each) { return each.name == name; });
        wanted.insert(is_known ? name : catalogue.find(name).id);
    }
    std::erase_if(offered, [&](const OfferedArchive& each) { return !wanted.count(each.name); });
    return offered;
}

// What cannot be made here stays as it is.
bool lacks_headers(const OfferedArchive& archive) {
    if (archive.headers.empty() || header_library(archive.headers).found) return false;
    fmt::print("{} is left as it is: {}\n", archive.name, header_library(archive.headers).advice);
    return true;
}

// In a process of its own, since NVRTC compiles one program at a time in each. Returns the file's
// bytes.
size_t write_apart(const OfferedArchive& archive, const std::filesystem::path& folder) {
    constexpr std::chrono::hours kLimit{1};
    ChildResult child =
        run_child({std::filesystem::read_symlink("/proc/self/exe").string(), "prebuild",
                   archive.name, "--out", std::filesystem::absolute(folder).string()},
                  "", kLimit);
    if (child.status != 0)
        throw Error(Status::bad_input, archive.name + ": " +
                                           (child.timed_out ? "NVRTC took more than an hour"
                                                            : std::string(trimmed(child.err))));
    return std::filesystem::file_size(folder / (archive.name + ".programs"));
}

// Each into `out`, or where its programs are looked for. The largest first, so that no thread is left
// with one at the end.
void write_all(std::vector<OfferedArchive> archives, const std::filesystem::path& out) {
    std::stable_sort(archives.begin(), archives.end(), [](const auto& a, const auto& b) {
        return a.programs.size() > b.programs.size();
    });
    std::atomic<size_t> next = 0, programs = 0, bytes = 0;
    std::mutex mutex;
    std::string problem;
    auto work = [&] {
        for (size_t i = next++; i < archives.size(); i = next++) try {
                const std::filesystem::path folder =
                    out.empty() ? shipped_folder_of(archives[i].name) : out;
                size_t written = archives.size() == 1 ? write_archive(archives[i], folder)
                                                      : write_apart(archives[i], folder);
                programs += archives[i].programs.size();
                bytes += written;
                std::lock_guard lock(mutex);
                fmt::print("{:<32} {:>5} programs {:>8} bytes\n", archives[i].name,
                           archives[i].programs.size(), written);
                std::fflush(stdout);
            } catch (const Error& error) {
                std::lock_guard lock(mutex);
                problem = error.what();
                next = archives.size();
            }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    if (!problem.empty()) throw Error(Status::bad_input, problem);
    fmt::print("{} programs, {} bytes in {}\n", programs.load(), bytes.load(),
               (out.empty() ? shipped_folder() : out).string());
}

void prebuild(const PrebuildOptions& options) {
    if (options.all == !options.names.empty())
        throw Error(Status::bad_input,
                    "say which stages to compile beforehand, or --all for every one of them");
    if (CompilerStatus status = compiler_status(); !status.found)
        throw Error(Status::bad_input,
                    "what is shipped is compiled by NVRTC, which is not here. " + status.advice);
    Catalogue catalogue = load_catalogue();
    std::vector<OfferedArchive> archives = offered_programs(catalogue);
    if (!options.all) archives = chosen_of(std::move(archives), catalogue, options.names);
    std::erase_if(archives, lacks_headers);
    write_all(std::move(archives), options.out);
}

}  // namespace

static void add_prebuild(EngineCommand& app, int&) {
    auto* command = app.add_subcommand(
        "prebuild", "compile what the course offers beforehand, for machines without a compiler");
    auto options = std::make_shared<PrebuildOptions>();
    command->add_option("stages", options->names, "which stages, lab/NAME, or launches/NAME");
    command->add_flag("--all", options->all, "every stage, what the laboratory launches, and the launches of bench --set");
    command->add_option("--out", options->out,
                        "the folder to write; the content's own assets otherwise");
    command->callback([options] { prebuild(*options); });
}
static const CommandRow kPrebuild("prebuild", "doctor", add_prebuild);

}  // namespace lanewise
