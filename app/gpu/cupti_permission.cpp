#include "gpu/cupti_permission.h"

#include <cstdlib>
#include <fstream>

namespace lanewise {

// CAP_SYS_ADMIN of linux/capability.h, in the process's effective set (capabilities(7)).
static constexpr int kSysAdmin = 21;

// What follows "name:" on its line, without the blanks before it; "" where there is no such line.
static std::string value_of(const std::filesystem::path& file, const std::string& name) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(name + ":")) continue;
        size_t start = line.find_first_not_of(" \t", name.size() + 1);
        return start == std::string::npos ? "" : line.substr(start);
    }
    return "";
}

CounterPermission counter_permission(const std::filesystem::path& parameters,
                                     const std::filesystem::path& process) {
    using Setting = CounterPermission::Setting;
    CounterPermission permission;
    std::string only = value_of(parameters, "RmProfilingAdminOnly");
    permission.setting = only == "0"   ? Setting::everybody
                         : only == "1" ? Setting::administrators
                                       : Setting::unknown;
    std::string effective = value_of(process, "CapEff");
    if (!effective.empty()) {
        unsigned long long bits = std::strtoull(effective.c_str(), nullptr, 16);
        permission.is_administrator = bits >> kSysAdmin & 1;
    }
    return permission;
}

std::string in_words(const CounterPermission& permission) {
    switch (permission.setting) {
        case CounterPermission::Setting::everybody:
            return "RmProfilingAdminOnly is 0, so everybody may";
        case CounterPermission::Setting::administrators:
            return permission.is_administrator
                       ? "RmProfilingAdminOnly is 1, so administrators may, and this is one"
                       : "RmProfilingAdminOnly is 1, so only administrators may";
        default:
            return "RmProfilingAdminOnly is unknown: /proc/driver/nvidia/params does not tell";
    }
}

std::string command_that_grants() {
    return "echo options nvidia NVreg_RestrictProfilingToAdminUsers=0 | sudo tee "
           "/etc/modprobe.d/nvidia-profiling.conf && sudo update-initramfs -u && sudo reboot";
}

}  // namespace lanewise
