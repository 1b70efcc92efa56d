// How fast a measurement is, in what its operation counts (Operation::unit): the bytes that each
// have to move once, or the operations that nothing can avoid, 10^9 a second.
#pragma once
#include <string>

#include "course/operation.h"
#include "lab/job/measurement.h"
#include "lab/job/results.h"

namespace lanewise {

// By the stage's folder; of an exercise, whose folder names no operation, the first whose size has
// as many sides.
const Operation& operation_of(const Measurement& measurement);
const Operation& operation_of(const Analysis& analysis);

double rate_of(const Measurement& measurement);            // of the stage
double yardstick_rate_of(const Measurement& measurement);  // of what was timed in the same rounds
double datasheet_rate_of(const Measurement& measurement);  // of the memory, or the unit; 0: unknown
// What it would be if the bytes, each once, moved at so many GB/s.
double rate_at(const Measurement& measurement, double gb_per_s);

// Whether so little is done at this size that a rate says nothing and only the time is told.
bool is_timed_alone(const Operation& operation, const Operation::Size& size);

// As rates and times are told: "3,185", "64.9", "0.123".
std::string in_three_digits(double value);

}  // namespace lanewise
