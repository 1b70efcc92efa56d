// What the checker found, by place: the first occurrence of each hazard and how often it happened.
#pragma once
#include <cstdint>
#include <map>
#include <tuple>

#include "sim/event.h"

namespace lanewise {

enum class HazardKind : uint8_t { race, uninitialized_shared, uninitialized_global, split_barrier };

// An access (or a barrier) of one thread that is wrong, for a race against another thread's.
struct Hazard {
    HazardKind kind = HazardKind::race;
    uint32_t instruction = 0, other_instruction = 0;  // the later one and the other party
    bool is_store = false, other_is_store = false;
    uint32_t block = 0;
    uint32_t thread = 0, other_thread = 0;  // within the block
    uint64_t address = 0;                   // as in MemoryEvent
};

struct HazardCount {
    Hazard first{};  // of the lowest block, then thread, then other thread
    uint64_t count = 0;
    void add(const Hazard& hazard, uint64_t times) {
        auto order = [](const Hazard& h) {
            return std::tie(h.block, h.thread, h.other_thread, h.address);
        };
        if (count == 0 || order(hazard) < order(first)) first = hazard;
        count += times;
    }
};

// By instruction, kind and the other party's instruction.
using HazardCounts = std::map<std::tuple<uint32_t, HazardKind, uint32_t>, HazardCount>;

}  // namespace lanewise
