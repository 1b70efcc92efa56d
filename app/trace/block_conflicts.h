// Where the outcome of a launch depends on the order of its blocks, which nothing fixes: two blocks
// store different values to a byte of global memory, one loads what another stores, or one loads or
// stores plainly what another changes by atomics.
//
// Each checker keeps, by sector of 32 bytes, what every block that it looks at loaded and stored;
// the sectors of all checkers are compared when the launch is over. A block's loads of what it has
// stored itself are its own affair, stores of one value by several blocks are none, nor are atomics
// among each other. Kernels whose blocks may wait for each other are left alone, as it would take
// to know what they mean by it: those that use the old value of an atomic, volatile, acquire or
// release accesses, or fences of the whole device.
//
// Not told of in a launch with accesses out of bounds or uninitialized reads: checker_findings.cpp.
// Memory: 256 Ki sectors of some 100 bytes for each checker. Of launches that touch more, the first
// N sectors of each block are kept, where N does not depend on the number of checkers.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ptx/instruction.h"
#include "sim/event.h"
#include "sim/memory.h"
#include "trace/atomic_use.h"
#include "trace/hazards.h"

namespace lanewise {

// What one block did to one sector. Masks are by byte.
struct TouchedSector {
    uint64_t sector = 0;  // address / 32
    uint32_t block = 0;
    uint32_t index = 0;  // how many sectors the block had touched before
    uint32_t loads = 0;  // of what the block had not stored itself before
    uint32_t stores = 0, atomics = 0;
    uint32_t copies = 0;  // stored by bulk copies: the values are not known
    uint32_t load_instruction = 0, store_instruction = 0;
    std::array<uint16_t, 8> loaders{}, storers{};  // threads, by word
    std::array<uint8_t, 32> values{};              // last stored
};

class BlockTouches {
  public:
    static constexpr size_t kMostSectors = size_t{1} << 18;

    // outputs: indices of the buffers that hold nothing before the launch. Loads of those are
    // judged elsewhere (HazardKind::uninitialized_global).
    BlockTouches(const ptx::Kernel& kernel, const AtomicUse& use, const Memory& memory,
                 std::span<const size_t> outputs);
    // An access to global memory.
    void add(const MemoryEvent& event, bool is_atomic);
    void end_block();

    const std::vector<TouchedSector>& sectors() const { return sectors_; }
    // How many of each block's are kept.
    uint32_t most_of_a_block() const { return most_of_a_block_; }

  private:
    struct Range {
        uint64_t address, bytes;
        bool is_output;
    };
    const Range* range_of(uint64_t address);
    TouchedSector* sector(uint64_t number, uint32_t block);
    uint32_t find_sector(uint64_t number, uint32_t block);
    bool is_kept(const MemoryEvent& event);
    enum class How { load, store, atomic, copy };  // copy: stores values that are not known
    template <How how>
    void add_lanes(const MemoryEvent& event);
    template <How how>
    void add_copy(const MemoryEvent& event);
    template <How how>
    void touch(const MemoryEvent& event, uint32_t lane, uint64_t address, uint32_t count,
               uint32_t thread);
    void halve();

    bool is_watched_ = false;  // the kernel is none of those that are left alone
    std::vector<Range> ranges_;
    const Range* last_range_ = nullptr;
    std::vector<TouchedSector> sectors_;     // those of the present block last
    size_t block_begin_ = 0;                 // of the present block in sectors_
    uint64_t lowest_ = ~0ull, highest_ = 0;  // of the present block's
    uint32_t most_of_a_block_ = 4096;
    uint32_t most_touched_ = 0;  // by any one block, of those that are kept
    // The last one that was asked for: neighbouring lanes most often touch the same.
    uint64_t last_number_ = ~0ull;
    uint32_t last_place_ = 0;      // as in slots_
    std::vector<uint32_t> slots_;  // hash table: index + 1 into sectors_; 0: free
    std::vector<uint32_t> used_;   // of slots_, by the present block
};

// Adds a hazard for each place where blocks conflict. Does not depend on how the blocks were spread
// over the touches.
void add_block_conflicts(std::span<const BlockTouches* const> touches, HazardCounts& hazards);

}  // namespace lanewise
