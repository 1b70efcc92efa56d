// What each block that a checker looks at loaded from global memory and stored there, by sector of
// 32 bytes, until the launch is over and add_block_conflicts() compares them
// (trace/check/block_conflicts.h).
//
// Memory: 256 Ki sectors of some 50 bytes for each checker, and 64 more of those that are not only
// bulk copies'. Of launches that touch more, the first N sectors of each block are kept, where N
// does not depend on the number of checkers.
//
// Blocks that wait for each other at the grid's barrier (ptx/grid_barrier.h) do what they do in parts:
// what two blocks do in different parts is ordered.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ptx/instruction.h"
#include "sim/event/event.h"
#include "sim/memory/memory.h"
#include "trace/check/atomic_use.h"

namespace lanewise {

// What one block did to one sector. Masks are by byte.
struct TouchedSector {
    uint64_t sector = 0;  // address / 32
    uint32_t block = 0;
    uint32_t part = 0;   // the barriers of the grid that the block had passed
    uint32_t index = 0;  // how many sectors the block had touched before in this part
    uint32_t loads = 0;  // of what the block had not stored itself before
    uint32_t stores = 0, atomics = 0;
    uint32_t copies = 0;  // stored by bulk copies: the values are not known
    uint32_t load_instruction = 0, store_instruction = 0;
    // Where words differ in it: index + 1 into BlockTouches::details. 0: the threads are these.
    uint32_t detail = 0;
    uint16_t loader = 0, storer = 0;
};

// Of a sector that lanes touched, each its own words.
struct TouchedWords {
    std::array<uint16_t, 8> loaders{}, storers{};  // threads, by word
    std::array<uint8_t, 32> values{};              // last stored
};

class BlockTouches {
  public:
    static constexpr size_t kMostSectors = size_t{1} << 18;

    // outputs: indices of the buffers that hold nothing before the launch. Loads of those are
    // judged elsewhere (HazardKind::uninitialized_global). most_sectors: that are kept at a time.
    BlockTouches(const ptx::Kernel& kernel, const AtomicUse& use, const Memory& memory,
                 std::span<const size_t> outputs, size_t most_sectors = kMostSectors);
    // An access to global memory.
    void add(const MemoryEvent& event, bool is_atomic);
    void add(const BulkAccess& access);
    void pass_grid_barrier();
    void end_block();

    const std::vector<TouchedSector>& sectors() const { return sectors_; }
    // What it stored last. Only of a sector with a detail.
    const std::array<uint8_t, 32>& values(const TouchedSector& s) const {
        return details_[s.detail - 1].values;
    }
    uint32_t loader(const TouchedSector& s, size_t word) const {
        return s.detail ? details_[s.detail - 1].loaders[word] : s.loader;
    }
    uint32_t storer(const TouchedSector& s, size_t word) const {
        return s.detail ? details_[s.detail - 1].storers[word] : s.storer;
    }
    // How many of each block's are kept.
    uint32_t most_of_a_block() const { return most_of_a_block_; }

  private:
    struct Range {
        uint64_t address, bytes;
        bool is_output;
    };
    // 128 bytes that the present block touched, and where its sectors are: index + 1 into sectors_.
    struct Line {
        uint64_t number;  // address / 128
        uint32_t slot;    // the line's
        std::array<uint32_t, 4> places;
    };
    const Range* range_of(uint64_t address);
    TouchedSector* sector(uint64_t number, uint32_t block);
    bool look_up_line(uint64_t number);  // sets last_line_; false where there is none
    uint32_t find_line(uint64_t number);
    TouchedWords& detail(TouchedSector& touched);
    bool is_full() const { return sectors_.size() - block_begin_ >= most_of_a_block_; }
    bool is_kept(const MemoryEvent& event);
    bool is_kept(uint64_t begin, uint64_t end) const;
    enum class How { load, store, atomic, copy };  // copy: stores values that are not known
    template <How how>
    void add_lanes(const MemoryEvent& event);
    template <How how>
    void add_run(const BulkAccess& access, uint64_t begin, uint64_t end);
    template <How how>
    bool add_line(const BulkAccess& access, uint64_t begin);
    template <How how>
    void touch(const MemoryEvent& event, uint32_t lane, uint64_t address, uint32_t count);
    template <How how>
    uint32_t mark(TouchedSector& touched, uint32_t instruction, uint32_t bytes);
    void halve();

    void end_part();

    size_t most_sectors_;
    uint32_t part_ = 0;        // of the present block
    bool is_watched_ = false;  // the kernel is none of those that are left alone
    std::vector<Range> ranges_;
    const Range* last_range_ = nullptr;
    std::vector<TouchedSector> sectors_;  // those of the present block last
    std::vector<TouchedWords> details_;
    size_t block_begin_ = 0;                 // of the present block in sectors_
    uint64_t lowest_ = ~0ull, highest_ = 0;  // of the present block's
    uint32_t most_of_a_block_ = 4096;
    uint32_t most_touched_ = 0;    // by any one block, of those that are kept
    std::vector<Line> lines_;      // of the present block
    std::vector<uint32_t> slots_;  // hash table: index + 1 into lines_; 0: free
    // The last line that was asked for: neighbouring lanes most often touch the same.
    uint64_t last_number_ = ~0ull;
    uint32_t last_line_ = 0;  // as in slots_; 0: none
};

}  // namespace lanewise
