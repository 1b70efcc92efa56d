// Where each lane's address leads, for the instructions that are not plain loads and stores:
// atomics, asynchronous copies, matrix loads. Faults are reported here, events by the caller.
#pragma once
#include <array>

#include "sim/operation/operations.h"

namespace lanewise {

using LaneAddresses32 = std::array<uint64_t, kLanes>;

// [a + displacement] of each lane; `base` is a row of 64-bit (wide) or 32-bit addresses.
LaneAddresses32 lane_addresses(Warp& w, uint32_t base, bool has_base, bool wide,
                               uint64_t displacement);

struct Reach {
    uint32_t global = 0, shared = 0, local = 0;  // the lanes that may go on, by space
    uint32_t cluster = 0;  // those in the shared memory of a block that their addresses say
    LaneAddresses32 addresses{};                 // as in MemoryEvent; local: within the thread's
    std::array<std::byte*, kLanes> bytes{};      // null: in a buffer of unique words,
    std::array<uint64_t, kLanes> offset{};       // this far behind its start
    uint32_t lanes() const { return global | shared | local | cluster; }
};

// Checks `bytes` bytes at each address of `lanes`; those that are out of bounds, read-only or not
// aligned are reported and left out.
Reach reach(Warp& w, const Op& op, Operations::Where where, uint32_t lanes,
            const LaneAddresses32& addresses, uint32_t bytes, bool writes);

// One event per space that is touched; none for local memory. element: of a matrix's, as MemoryEvent has it.
void announce_reach(Warp& w, const Op& op, const Reach& reached, AccessKind kind, bool is_store,
                    uint32_t bytes, int element = 0);

// Copies what lane `lane` reaches.
void fetch(const Reach& reached, int lane, void* to, uint32_t bytes);

// Bytes [offset, offset + bytes) of a buffer of unique words.
void read_unique(uint64_t offset, std::byte* to, uint32_t bytes);

}  // namespace lanewise
