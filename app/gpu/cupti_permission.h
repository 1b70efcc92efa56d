// Whether this process may read the card's counters. NVIDIA's driver keeps them for administrators
// unless told otherwise when its module is loaded (RmProfilingAdminOnly;
// developer.nvidia.com/ERR_NVGPUCTRPERM).
#pragma once
#include <filesystem>
#include <string>

namespace lanewise {

struct CounterPermission {
    enum class Setting { everybody, administrators, unknown } setting = Setting::unknown;
    bool is_administrator = false;  // root, or a process with CAP_SYS_ADMIN
    bool granted() const { return setting != Setting::administrators || is_administrator; }
};

// parameters: the driver's, one "Name: value" a line. process: /proc/self/status. Files that are
// not there say nothing.
CounterPermission counter_permission(
    const std::filesystem::path& parameters = "/proc/driver/nvidia/params",
    const std::filesystem::path& process = "/proc/self/status");

// "RmProfilingAdminOnly is 1, so only administrators may", "… is 0, so everybody may",
// "RmProfilingAdminOnly is unknown: …".
std::string in_words(const CounterPermission& permission);

// The one command that lets everybody read them, from the machine's next start on.
std::string command_that_grants();

}  // namespace lanewise
