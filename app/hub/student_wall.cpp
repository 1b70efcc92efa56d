#include "hub/student_wall.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/error.h"
#include "base/text.h"
#include "service/process.h"

extern char** environ;

namespace lanewise {

namespace fs = std::filesystem;

namespace {

constexpr auto kPatience = std::chrono::seconds(5);
constexpr auto kPrefixPatience = std::chrono::seconds(120);  // a queue may lie before it
constexpr const char* kTemporaryBytes = "1073741824";
constexpr const char* kProgram = "/lanewise/bin/lanewise-engine";
constexpr const char* kContent = "/lanewise/share";
constexpr const char* kQueue = "/queue";

using Words = std::vector<std::string>;

void add(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

// Whether this bubblewrap has the option.
bool has_option(std::string_view name) {
    static const std::string help = [] {
        try {
            ChildProcess asked({"bwrap", "--help"});
            asked.wait(kPatience);
            std::array<char, 32 << 10> said = {};
            ssize_t count = ::read(asked.output.get(), said.data(), said.size());
            return std::string(said.data(), count > 0 ? static_cast<size_t>(count) : 0);
        } catch (const Error&) {
            return std::string();
        }
    }();
    return help.find(name) != help.npos;
}

// What is written there lies in the machine's memory.
void add_temporary(Words& words, const char* folder) {
    if (has_option("--size BYTES")) add(words, {"--size", kTemporaryBytes});
    add(words, {"--tmpfs", folder});
}

// A system without anything that is somebody's. /etc/alternatives is where Debian's links to drivers
// and compilers go by; ld.so.cache says where libraries are.
void add_system(Words& words) {
    add(words, {"--ro-bind", "/usr", "/usr"});
    for (const char* folder : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
        std::error_code failure;
        if (fs::is_symlink(folder, failure))
            add(words, {"--symlink", fs::read_symlink(folder).string(), folder});
        else if (fs::is_directory(folder, failure))
            add(words, {"--ro-bind", folder, folder});
    }
    for (const char* piece : {"/etc/alternatives", "/etc/ld.so.cache", "/opt/cuda", "/sys/devices",
                              "/sys/bus/pci", "/sys/module/nvidia", "/sys/module/nvidia_uvm"})
        add(words, {"--ro-bind-try", piece, piece});
    add(words, {"--proc", "/proc", "--dev", "/dev"});
    // Root's own files stay root's within, whatever it may not do any more: the system's switches.
    if (::geteuid() == 0) add(words, {"--ro-bind", "/proc/sys", "/proc/sys"});
    std::error_code failure;
    for (fs::directory_iterator entry("/dev", failure), end; !failure && entry != end;
         entry.increment(failure)) {
        std::string path = entry->path().string();
        if (path.starts_with("/dev/nvidia") || path == "/dev/dxg")
            add(words, {"--dev-bind-try", path, path});
    }
    for (const char* folder : {"/tmp", "/var/tmp", "/dev/shm"}) add_temporary(words, folder);
}

void add_own(Words& words, const StudentWall& wall) {
    for (const std::string& path : wall.readable) add(words, {"--ro-bind", path, path});
    add(words, {"--ro-bind", wall.program.string(), kProgram});
    for (const char* part : {"kernels", "lessons", "assets"})
        add(words,
            {"--ro-bind-try", (wall.content / part).string(), std::string(kContent) + "/" + part});
    if (!wall.queue.empty()) add(words, {"--bind", wall.queue.string(), kQueue});
    add(words, {"--bind", wall.student.string(), kStudentHome, "--chdir", kStudentHome});
}

Words own_environment(const StudentWall& wall, const std::string& home, const std::string& content,
                      const std::string& queue) {
    Words list = {
        "HOME=" + home, "XDG_CACHE_HOME=" + home + "/cache", "XDG_STATE_HOME=" + home + "/state",
        "XDG_CONFIG_HOME=" + home + "/config", "TMPDIR=/tmp", "LANG=C.UTF-8",
        "LANEWISE_HOME=" + content,
        // One turn at a time for each student, however many engines it has, and the card's
        // memory back after each: others wait for it.
        "LANEWISE_OWN_TURN=" + home + "/turn", "LANEWISE_GIVE_BACK=1"};
    if (!queue.empty()) list.push_back("LANEWISE_QUEUE_FOLDER=" + queue);
    add(list, wall.environment);
    return list;
}

Words start_of(const StudentWall& wall) {
    Words words = {"env", "-i"};
    add(words, own_environment(wall, kStudentHome, kContent, wall.queue.empty() ? "" : kQueue));
    add(words, {"bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
                "--hostname", "lanewise"});
    if (has_option("--disable-userns")) add(words, {"--unshare-user", "--disable-userns"});
    add_system(words);
    add_own(words, wall);
    for (const char* folder : {"/", "/dev"}) add(words, {"--remount-ro", folder});
    return words;
}

}  // namespace

std::vector<std::string> environment_for_engines() {
    constexpr std::string_view kNames[] = {"PATH",
                                           "LD_LIBRARY_PATH",
                                           "CUTLASS_PATH",
                                           "NO_COLOR",
                                           "LANEWISE_COMPILER",
                                           "LANEWISE_CLANG",
                                           "LANEWISE_NVML",
                                           "LANEWISE_NO_NVRTC",
                                           "LANEWISE_NO_CLANG",
                                           "LANEWISE_CUPTI",
                                           "LANEWISE_CUDA_DRIVER",
                                           "LANEWISE_CUBLAS",
                                           "LANEWISE_CUSPARSE"};
    Words list;
    bool has_path = false;
    for (char** entry = environ; *entry; ++entry) {
        std::string_view text = *entry;
        std::string_view name = text.substr(0, text.find('='));
        bool known = std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
        bool of_card = name.starts_with("CUDA_") || name.starts_with("NVIDIA_");
        if (known || of_card) list.emplace_back(text);
        has_path |= name == "PATH";
    }
    if (!has_path) list.push_back("PATH=/usr/local/bin:/usr/bin:/bin");
    return list;
}

std::vector<std::string> within_wall_any(const StudentWall& wall,
                                         const std::vector<std::string>& command) {
    Words words = start_of(wall);
    words.push_back("--");
    add(words, command);
    return words;
}

std::vector<std::string> within_wall(const StudentWall& wall,
                                     const std::vector<std::string>& arguments) {
    Words command = {kProgram};
    add(command, arguments);
    return within_wall_any(wall, command);
}

std::vector<std::string> without_wall(const StudentWall& wall,
                                      const std::vector<std::string>& arguments) {
    Words words = {"env", "-i"};
    add(words,
        own_environment(wall, wall.student.string(), wall.content.string(), wall.queue.string()));
    words.push_back(wall.program.string());
    add(words, arguments);
    return words;
}

std::string why_no_wall(const StudentWall& wall, const std::vector<std::string>& prefix) {
    Words words = prefix;
    add(words, within_wall_any(wall, {"true"}));
    ChildProcess trial(words);
    auto ending = trial.wait(prefix.empty() ? kPatience : kPrefixPatience);
    if (ending == "exit status 0") return "";
    if (ending == "exit status 127")  // of env, which finds no such program
        return "bubblewrap is not installed (Debian, Ubuntu: apt install bubblewrap)";
    std::array<char, 512> said = {};
    ssize_t count = ::read(trial.errors.get(), said.data(), said.size());
    std::string_view text(said.data(), count > 0 ? static_cast<size_t>(count) : 0);
    return "bubblewrap makes no sandbox here: " +
           (text.empty() ? ending.value_or("it does not end") : std::string(trimmed(text)));
}

}  // namespace lanewise
