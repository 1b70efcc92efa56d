#include "service/sandbox.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "service/process.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

constexpr auto kTrialPatience = std::chrono::seconds(5);

// Each hides what was mounted before it. --proc: a process may write what is its own there, and no
// switch of the system's; CUDA's driver names its threads so, and does not start where it cannot
// (580.159: cuInit() returns CUDA_ERROR_OPERATING_SYSTEM).
const std::vector<std::string> kWalls = {
    "bwrap",      "--ro-bind",     "/",      "/",        "--dev-bind", "/dev",
    "/dev",       "--proc",        "/proc",  "--tmpfs",  "/tmp",       "--tmpfs",
    "/var/tmp",   "--unshare-net", "--setenv", "TMPDIR", "/tmp",       "--die-with-parent"};

// What has to be seen even where it lies in /tmp.
std::vector<fs::path> needed_folders() {
    std::vector<fs::path> folders = {program_folder()};
    try {
        folders.push_back(content_folder());
    } catch (const Error&) {  // a worker can do without
    }
    const char* driver = std::getenv("LANEWISE_CUDA_DRIVER");
    if (driver && *driver == '/') folders.push_back(fs::path(driver).parent_path());
    return folders;
}

// Why no sandbox can be made here; "" where it can. Tried once.
std::string problem_here(std::vector<std::string> words) {
    words.push_back("true");
    try {
        ChildProcess trial(words);
        auto ending = trial.wait(kTrialPatience);
        if (ending == "exit status 0") return "";
        std::array<char, 512> said = {};
        ssize_t count = ::read(trial.errors.get(), said.data(), said.size());
        std::string_view text(said.data(), count > 0 ? static_cast<size_t>(count) : 0);
        return std::string("bubblewrap makes no sandbox here: ") +
               (text.empty() ? ending.value_or("it does not end") : std::string(trimmed(text)));
    } catch (const Error&) {
        return "a sandbox needs bubblewrap, which is not installed (Debian, Ubuntu: apt install "
               "bubblewrap)";
    }
}

}  // namespace

std::vector<std::string> in_sandbox(const std::vector<std::string>& command,
                                    const std::vector<std::string>& readable) {
    std::vector<std::string> words = kWalls;
    for (const fs::path& folder : needed_folders())
        words.insert(words.end(), {"--ro-bind", folder.string(), folder.string()});
    static const std::string problem = problem_here(words);
    if (!problem.empty())
        throw Error(Status::bad_input, problem + "; without --sandbox kernels run as they do now");
    for (const std::string& path : readable)
        words.insert(words.end(), {"--ro-bind", path, path});
    words.insert(words.end(), command.begin(), command.end());
    return words;
}

}  // namespace lanewise
