#include "course/card_limits.h"

#include <string>
#include <utility>

#include "model/occupancy.h"

namespace lanewise {
namespace {

constexpr std::pair<std::string_view, int SmLimits::*> kLimits[] = {
    {"threads", &SmLimits::threads},
    {"blocks", &SmLimits::blocks},
    {"registers", &SmLimits::registers},
    {"shared_bytes", &SmLimits::shared_bytes},
    {"shared_bytes_per_block", &SmLimits::shared_bytes_per_block}};

}  // namespace

bool look_up_limit(std::string_view name, int64_t& value) {
    const size_t dot = name.find('.');
    if (!name.starts_with("sm_") || dot == name.npos) return false;
    const SmLimits* limits = sm_limits(std::string(name.substr(0, dot)));
    for (const auto& [field, member] : kLimits)
        if (limits && name.substr(dot + 1) == field) return value = limits->*member, true;
    return false;
}

}  // namespace lanewise
