// How tests wait for other processes.
#pragma once
#include <chrono>
#include <filesystem>
#include <fstream>
#include <vector>

namespace lanewise {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// For what comes at once: a machine that has much else to do may take so long for it.
inline constexpr double kPatience = 200;

// Process ids of this process's children, zombies included.
inline std::vector<int> children() {
    std::vector<int> ids;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream file(task.path() / "children");
        for (int id; file >> id;) ids.push_back(id);
    }
    return ids;
}

}  // namespace lanewise
