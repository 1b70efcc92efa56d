// What one warp access costs, and a memory of it: kernels repeat few patterns millions of times.
#pragma once
#include <array>
#include <cstdint>

#include "sim/event/event.h"
#include "trace/lane_compare.h"

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
    // Equal for equal patterns, and seldom for others.
    static uint64_t hash_of(const MemoryEvent& event);
    bool is_of(const MemoryEvent& event) const;
    void set(const MemoryEvent& event);
};

// The two accesses of a cp.async.
struct CopyAccesses {
    const MemoryEvent &from, &to;
};
// Banks, sectors and lines of both sides repeat every 128 bytes.
struct CopyPattern {
    AccessPattern from, to;
    uint64_t place = 0;
    static uint64_t place_of(const CopyAccesses& copy) {
        return (*copy.from.addresses)[0] % 128 * 128 + (*copy.to.addresses)[0] % 128;
    }
    static uint64_t hash_of(const CopyAccesses& copy) {
        return AccessPattern::hash_of(copy.from) + 3 * AccessPattern::hash_of(copy.to) +
               5 * place_of(copy);
    }
    bool is_of(const CopyAccesses& copy) const {
        return place == place_of(copy) && from.is_of(copy.from) && to.is_of(copy.to);
    }
    void set(const CopyAccesses& copy) {
        from.set(copy.from);
        to.set(copy.to);
        place = place_of(copy);
    }
};

// The costs of the patterns that one instruction made last: every warp of a block may have one of
// its own.
template <class Cost, class Pattern = AccessPattern>
class CostMemory {
  public:
    // compute(event) where the pattern is not remembered.
    template <class Event, class Compute>
    const Cost& cost(const Event& event, Compute compute) {
        uint64_t hash = Pattern::hash_of(event);
        Set& set = sets_[hash % sets_.size()];
        for (Remembered& one : set.ways)
            if (one.hash == hash && one.pattern.is_of(event)) return one.cost;
        Remembered& one = set.ways[set.oldest++ % set.ways.size()];
        one.cost = compute(event);
        one.pattern.set(event);
        one.hash = hash;
        return one.cost;
    }

  private:
    struct Remembered {
        uint64_t hash = 0;
        Pattern pattern;
        Cost cost;
    };
    struct Set {
        std::array<Remembered, 4> ways;
        uint32_t oldest = 0;
    };
    std::array<Set, 4> sets_;  // by hash
};

// ---- inline, as they are called at every access

inline uint64_t AccessPattern::place_of(const MemoryEvent& event) {
    constexpr uint64_t kSector = 32, kWord = 4;
    return (*event.addresses)[0] % (event.space == Space::global ? kSector : kWord);
}

// A few lanes tell most patterns apart.
inline uint64_t AccessPattern::hash_of(const MemoryEvent& event) {
    const std::array<uint64_t, 32>& addresses = *event.addresses;
    uint64_t first = addresses[0];
    uint64_t hash = (addresses[1] - first) * 0x9e3779b97f4a7c15ull +
                    (addresses[2] - first) * 0xc2b2ae3d27d4eb4full +
                    (addresses[4] - first) * 0x165667b19e3779f9ull +
                    (addresses[8] - first) * 0xd6e8feb86659fd93ull +
                    (addresses[16] - first) * 0xa0761d6478bd642full +
                    (addresses[31] - first) * 0xe7037ed1a0b428dbull;
    hash += (uint64_t{event.mask} << 8 | place_of(event)) * 0x8ebc6af09c88c6e3ull;
    return hash ^ hash >> 32;
}

// The distances of all lanes are compared, those of inactive ones too: a difference there costs
// only a computation that was not needed.
inline bool AccessPattern::is_of(const MemoryEvent& event) const {
    uint64_t difference = (mask ^ event.mask) | (place ^ place_of(event)) |
                          static_cast<uint64_t>(space != event.space) |
                          static_cast<uint64_t>(bytes ^ event.bytes_per_lane);
    return difference == 0 && lie_apart_by(*event.addresses, distances);
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
