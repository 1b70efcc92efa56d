#include "hub/processes.h"

#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace lanewise {

namespace fs = std::filesystem;

namespace {

constexpr int kNice = 10;

struct Seen {
    int parent = 0;
    double cpu_s = 0;
    uint64_t resident_bytes = 0;
};

bool number_of(const std::string& name, int& number) {
    auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
    return failure == std::errc() && end == name.data() + name.size();
}

// proc(5): after the name in brackets, which may hold anything, come the fields from the third on.
bool look_at(const fs::path& folder, Seen& seen) {
    std::ifstream file(folder / "stat");
    std::string line;
    if (!std::getline(file, line)) return false;
    size_t bracket = line.rfind(')');
    if (bracket == line.npos) return false;
    std::istringstream fields(line.substr(bracket + 1));
    std::string state;
    fields >> state >> seen.parent;
    uint64_t ticks = 0, value = 0;
    for (int field = 5; field <= 24 && fields >> value; ++field) {
        if (field >= 14 && field <= 17) ticks += value;  // utime, stime, cutime, cstime
        if (field == 24)
            seen.resident_bytes = value * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    }
    seen.cpu_s = static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return true;
}

}  // namespace

std::map<int, ProcessUse> use_of(const std::vector<int>& roots) {
    std::map<int, Seen> all;
    std::error_code failure;
    for (fs::directory_iterator entry("/proc", failure), end; !failure && entry != end;
         entry.increment(failure)) {
        int id = 0;
        Seen seen;
        if (number_of(entry->path().filename().string(), id) && look_at(entry->path(), seen))
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

void let_give_way(const std::vector<int>& processes) {
    for (int process : processes) {
        fs::path folder = "/proc/" + std::to_string(process);
        // Where the system shares its processors among sessions, a session's own number counts.
        std::ofstream(folder / "autogroup") << kNice;
        std::error_code failure;
        for (fs::directory_iterator entry(folder / "task", failure), end; !failure && entry != end;
             entry.increment(failure)) {
            int thread = 0;
            if (number_of(entry->path().filename().string(), thread))
                ::setpriority(PRIO_PROCESS, static_cast<id_t>(thread), kNice);
        }
    }
}

}  // namespace lanewise
