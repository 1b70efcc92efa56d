// What one warp access costs, and a memory of it: kernels repeat few patterns millions of times.
#pragma once
#include <array>
#include <cstdint>

#include "sim/event.h"

namespace lanewise {

struct AccessCost {
    uint32_t sectors = 0, sectors_ideal = 0;        // global
    uint32_t wavefronts = 0, wavefronts_ideal = 0;  // shared
    uint32_t bytes = 0;                             // asked for by active lanes
};
AccessCost access_cost(const MemoryEvent& event);

// The costs of the patterns that one instruction made last. A pattern is the mask, every lane's
// distance from lane 0 and lane 0's place within a sector (global) or a word (shared): what it
// costs depends on nothing else, because banks and sectors repeat with those periods.
class CostMemory {
  public:
    const AccessCost& cost(const MemoryEvent& event);

  private:
    struct Pattern {
        std::array<uint64_t, 32> distances{};
        uint64_t place = 0;
        uint32_t mask = 0;  // 0: nothing remembered, as an event always has a lane
        Space space = Space::global;
        uint8_t bytes = 0;
        AccessCost cost;
    };
    std::array<Pattern, 8> patterns_;  // by place
};

}  // namespace lanewise
