// An occupancy, resource by resource: what a block takes of its multiprocessor as the hardware
// allocates it, and how many blocks that alone would allow.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "model/occupancy.h"

namespace lanewise {

inline constexpr int64_t kAnyNumber = -1;
inline constexpr int64_t kUnknownNumber = -2;

struct OccupancyRow {
    std::string resource;   // "warps", "blocks", "registers", "shared memory"
    int64_t per_block = 0;  // as allocated: whole units, and what the system reserves
    int64_t room = 0;       // of a multiprocessor
    int64_t blocks = 0;     // that would fit if this were all, or kAnyNumber; or kUnknownNumber,
                            // where per_block is 0 and means nothing
    bool limits = false;    // the resource that stops the next block
};

// Warps, blocks, registers, shared memory, in this order.
std::vector<OccupancyRow> occupancy_rows(const SmLimits& limits, const Occupancy& occupancy);

}  // namespace lanewise
