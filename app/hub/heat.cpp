#include "hub/heat.h"

#include <algorithm>
#include <cmath>

namespace lanewise {

double Heat::at(double now_s) const {
    return heat_s_ * std::exp2(-std::max(0.0, now_s - since_s_) / kHalfLife_s);
}

void Heat::add(double cpu_s, double now_s) {
    heat_s_ = at(now_s) + std::max(0.0, cpu_s);
    since_s_ = now_s;
}

int Heat::nice(double limit_s, double now_s) {
    constexpr double kVery = 4, kCool = 0.5;
    double heat = at(now_s);
    gives_way_ = heat > (gives_way_ ? kCool * limit_s : limit_s);
    if (!gives_way_) return 0;
    return heat > kVery * limit_s ? kHot : kWarm;
}

double Heat::start_wait_s(double limit_s, double now_s) const {
    return std::clamp(at(now_s) - limit_s, 0.0, kLongestWait_s);
}

}  // namespace lanewise
