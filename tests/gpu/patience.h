// Measuring on the fake GPU: the time that kernels take there passes on its own clock, a limit is
// counted on the wall's. A machine that has other things to do must not reach it.
#pragma once
#include "lab/job/measurement.h"

namespace lanewise {

inline const MeasureOptions kPatient = [] {
    MeasureOptions options;
    options.time_limit_s = 3600;
    return options;
}();

}  // namespace lanewise
