// By how much measured launches take longer than simulated ones (simulation.h), whose parts work side by side without
// hindering each other. On a card they do hinder each other, the more so the more each has to do:
//     measured / simulated = exp(base + the sum of weight * load over the parts)
// where that of the tensor cores counts as load * (1 - load), for they hinder others and not themselves.
// It is fitted to measured launches, and for a card of which none are known it changes nothing.
#pragma once
#include <array>
#include <span>

namespace lanewise {

inline constexpr std::array kPartNames = {"DRAM", "L2", "load/store unit", "issue", "atomics on few words",
                                      "tensor cores"};
inline constexpr size_t kL2 = 1, kLoadStore = 2, kIssue = 3, kTensorCores = 5;
// By part: the share of the time in which it is busy.
using PartLoads = std::array<double, kPartNames.size()>;

struct Correction {
    double base = 0;
    PartLoads weights{};
    double of(const PartLoads& loads) const;  // a factor
};

struct LoadedRatio {
    PartLoads loads{};
    double ratio = 1;  // of what was measured to what was simulated
};

// The absolute deviations of the logarithms are least: a few launches that are far off do not bend it. Of fewer
// than kEnoughForACorrection it is none.
inline constexpr size_t kEnoughForACorrection = 40;
Correction correction_of(std::span<const LoadedRatio> launches);

}  // namespace lanewise
