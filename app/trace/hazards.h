// What the checker found, by place: the first occurrence of each hazard and how often it happened.
#pragma once
#include <cstdint>
#include <map>
#include <tuple>

#include "sim/event/event.h"

namespace lanewise {

enum class HazardKind : uint8_t {
    race,
    uninitialized_shared,
    uninitialized_global,
    split_barrier,
    block_order
};

// An access (or a barrier) of one thread that is wrong, for a race against another thread's.
struct Hazard {
    HazardKind kind = HazardKind::race;
    uint32_t instruction = 0, other_instruction = 0;  // the later one and the other party
    bool is_store = false, other_is_store = false;
    uint32_t block = 0;
    uint32_t thread = 0, other_thread = 0;  // within the block
    uint64_t address = 0;                   // as in MemoryEvent
    bool is_pending = false;   // race: the other party is a copy that nobody has waited for
    uint32_t other_block = 0;  // block_order
    bool is_unfenced = false;  // race: what was stored is read past the threads' own way to memory
    // race: of two blocks of a cluster, in the shared memory of this one; `block` is that of
    // `instruction`, and other_block the other's.
    static constexpr uint32_t kNone = ~0u;
    uint32_t owner_block = kNone;
};

struct HazardCount {
    // Of the lowest block, then thread, then other thread; but a race of two warps before those
    // within a warp, since the barrier that ends it ends them too, and one with a copy under way
    // before all others, since its wait comes first.
    Hazard first{};
    uint64_t count = 0;
    void add(const Hazard& hazard, uint64_t times) {
        if (count == 0 || rank(hazard) < rank(first)) first = hazard;
        count += times;
    }

  private:
    static std::tuple<uint32_t, bool, bool, uint32_t, uint32_t, uint64_t, uint32_t, uint32_t> rank(
        const Hazard& h) {
        return {h.block,       !h.is_pending,      h.thread / 32 == h.other_thread / 32,
                h.thread,      h.other_thread,     h.address,
                h.instruction, h.other_instruction};
    }
};

// By instruction, kind and the other party's instruction.
using HazardCounts = std::map<std::tuple<uint32_t, HazardKind, uint32_t>, HazardCount>;

}  // namespace lanewise
