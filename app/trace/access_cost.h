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

// The mask, every lane's distance from lane 0 and lane 0's place within a sector (global) or a word
// (shared): what an access of one instruction costs depends on nothing else, because banks and
// sectors repeat with those periods.
struct AccessPattern {
    std::array<uint64_t, 32> distances{};
    uint64_t place = 0;
    uint32_t mask = 0;  // 0: nothing remembered, as an event always has a lane
    Space space = Space::global;
    uint8_t bytes = 0;

    static uint64_t place_of(const MemoryEvent& event);
    bool is_of(const MemoryEvent& event) const;
    void set(const MemoryEvent& event);
};

// The costs of the patterns that one instruction made last.
template <class Cost>
class CostMemory {
  public:
    // compute(event) where the pattern is not remembered.
    template <class Compute>
    const Cost& cost(const MemoryEvent& event, Compute compute) {
        Remembered& one = remembered_[AccessPattern::place_of(event) / 4 % remembered_.size()];
        if (one.pattern.is_of(event)) return one.cost;
        one.cost = compute(event);
        one.pattern.set(event);
        return one.cost;
    }

  private:
    struct Remembered {
        AccessPattern pattern;
        Cost cost;
    };
    std::array<Remembered, 8> remembered_;  // by place
};

// ---- inline, as they are called at every access

inline uint64_t AccessPattern::place_of(const MemoryEvent& event) {
    constexpr uint64_t kSector = 32, kWord = 4;
    return (*event.addresses)[0] % (event.space == Space::global ? kSector : kWord);
}

// The distances of all lanes are compared, those of inactive ones too: a difference there costs
// only a computation that was not needed.
inline bool AccessPattern::is_of(const MemoryEvent& event) const {
    const std::array<uint64_t, 32>& addresses = *event.addresses;
    uint64_t difference = (mask ^ event.mask) | (place ^ place_of(event)) |
                          static_cast<uint64_t>(space != event.space) |
                          static_cast<uint64_t>(bytes ^ event.bytes_per_lane);
    for (size_t lane = 0; lane < 32; ++lane)
        difference |= (addresses[lane] - addresses[0]) ^ distances[lane];
    return difference == 0;
}

inline void AccessPattern::set(const MemoryEvent& event) {
    const std::array<uint64_t, 32>& addresses = *event.addresses;
    for (size_t lane = 0; lane < 32; ++lane) distances[lane] = addresses[lane] - addresses[0];
    place = place_of(event);
    mask = event.mask;
    space = event.space;
    bytes = event.bytes_per_lane;
}

}  // namespace lanewise
