// What every measurement says, whatever was timed.
#pragma once
#include "lab/measure/rounds.h"

namespace lanewise {

// The job's setting; the samples of its launches and of what ran in the same rounds (`beside`: the
// best copy, or a product's library; null where there is none), with their spreads, their ratios
// and how fast `bytes` went by. Whether the result is right, what the ceiling is called, notes and
// provenance are left to the caller. bytes_beside: what `beside` moves, where it is not as much;
// the ratios are of bytes per time.
Measurement measured(const Job& job, double bytes, const Racer& racer, const Racer* beside,
                     uint64_t l2_bytes, double bytes_beside = 0);

}  // namespace lanewise
