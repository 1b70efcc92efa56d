#include "hub/processes.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

#include "base/text.h"
#include "service/process.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

struct Seen {
    int parent = 0;
    double cpu_s = 0;
    uint64_t resident_bytes = 0;
};

bool id_of(const std::string& name, int& number) {
    auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
    return failure == std::errc() && end == name.data() + name.size();
}

// Of a small file of /proc, which is whole in one read.
std::string_view read_small(const std::string& path, std::span<char> into) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.is_open()) return {};
    ssize_t count = ::read(file.get(), into.data(), into.size());
    return {into.data(), count > 0 ? static_cast<size_t>(count) : 0};
}

// proc(5): after the name in brackets, which may hold anything, come the fields from the third on. Looked at every
// second for every process of the machine, so without streams.
bool look_at(int id, Seen& seen) {
    std::array<char, 1024> bytes;
    std::string_view line = read_small("/proc/" + std::to_string(id) + "/stat", bytes);
    size_t bracket = line.rfind(')');
    if (bracket == line.npos) return false;
    std::string_view fields = line.substr(bracket + 1);
    uint64_t ticks = 0;
    for (int field = 3; field <= 24; ++field) {
        fields.remove_prefix(std::min(fields.find_first_not_of(' '), fields.size()));
        std::string_view word = fields.substr(0, fields.find(' '));
        fields.remove_prefix(word.size());
        int64_t value = 0;  // the state is a letter, and counts as 0
        std::from_chars(word.data(), word.data() + word.size(), value);
        if (field == 4) seen.parent = static_cast<int>(value);
        if (field >= 14 && field <= 17) ticks += static_cast<uint64_t>(value);  // utime, stime, cutime, cstime
        if (field == 24)
            seen.resident_bytes = static_cast<uint64_t>(value) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    }
    seen.cpu_s = static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return true;
}

// Whether what has given way can come back: getrlimit(2), RLIMIT_NICE.
bool may_take_back() {
    struct rlimit limit = {};
    return ::geteuid() == 0 || (::getrlimit(RLIMIT_NICE, &limit) == 0 && limit.rlim_cur >= 20);
}

// "/autogroup-17 nice 0". Written only where it changes: the system takes ten a second of all that are not root's.
void let_session_give_way(int process, int nice) {
    std::string path = "/proc/" + std::to_string(process) + "/autogroup";
    std::array<char, 128> bytes;
    std::string_view is = trimmed(read_small(path, bytes));
    if (is.empty() || is.ends_with(" nice " + std::to_string(nice))) return;
    std::ofstream(path) << nice;
}

}  // namespace

std::map<int, ProcessUse> use_of(const std::vector<int>& roots) {
    std::map<int, Seen> all;
    std::error_code failure;
    for (fs::directory_iterator entry("/proc", failure), end; !failure && entry != end;
         entry.increment(failure)) {
        int id = 0;
        Seen seen;
        if (id_of(entry->path().filename().string(), id) && look_at(id, seen))
            all[id] = seen;
    }
    std::multimap<int, int> children;
    for (auto& [id, seen] : all) children.emplace(seen.parent, id);

    std::map<int, ProcessUse> result;
    for (int root : roots) {
        if (!all.count(root)) continue;
        ProcessUse& use = result[root];
        use.processes = {root};
        for (size_t i = 0; i < use.processes.size(); ++i) {
            const Seen& seen = all[use.processes[i]];
            use.cpu_s += seen.cpu_s;
            use.resident_bytes += seen.resident_bytes;
            auto [first, last] = children.equal_range(use.processes[i]);
            for (auto child = first; child != last; ++child) use.processes.push_back(child->second);
        }
    }
    return result;
}

void let_give_way(const std::vector<int>& processes, int nice) {
    constexpr int kMostForGood = 10;
    const int of_threads = may_take_back() ? nice : std::min(nice, kMostForGood);
    for (int process : processes) {
        let_session_give_way(process, nice);
        fs::path folder = "/proc/" + std::to_string(process);
        std::error_code failure;
        for (fs::directory_iterator entry(folder / "task", failure), end; !failure && entry != end;
             entry.increment(failure)) {
            int thread = 0;
            if (id_of(entry->path().filename().string(), thread))
                ::setpriority(PRIO_PROCESS, static_cast<id_t>(thread), of_threads);
        }
    }
}

}  // namespace lanewise
