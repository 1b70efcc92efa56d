// The constants of a device profile, fitted to its calibration: station by station, each from the
// micro-benchmarks that load this station and little else, and from no stage of the course. fit.cpp
// has one function per station; the comment above each says which rows it takes and how. Costs of
// a station that serves several kinds of requests come from least squares of the relative errors;
// the rest are a slope, a difference or a median.
//
// What is taken from the card and not from the calibration: the number of multiprocessors and
// their clock.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/calibration.h"
#include "model/device_profile.h"

namespace lanewise {

// What the fitted constants give for a row that they were fitted to.
struct FitCheck {
    std::string station, row;         // "L2 reads"; "micro_l2_read<u32, 1>, 4"
    double measured = 0, fitted = 0;  // in clocks
    double error() const { return fitted / measured - 1; }
};

struct Fit {
    MachineCosts costs;  // four significant digits
    double launch_us = 0;
    std::map<std::string, std::string> from;  // by constant: the rows, and how
    std::vector<FitCheck> checks;             // of the stations with more rows than constants
};

// Throws Error(bad_input) naming the micro-benchmark whose rows are missing.
Fit fit_costs(const Calibration& calibration, const DeviceProfile& card);

// Writes into `folder`, a copy of assets/devices, the profile of the calibration's card with the
// fitted constants, and those of the cards that take them over (costs_like). Returns the files.
// Throws as fit_costs() does, and Error(bad_input) where no profile there is of that card.
std::vector<std::filesystem::path> refit_profiles(const Calibration& calibration,
                                                  const std::filesystem::path& folder);

}  // namespace lanewise
