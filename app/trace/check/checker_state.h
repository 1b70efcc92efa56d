// The checker's inside: what it knows of the present block, and what it has found in all of them.
// Private to checker*.cpp.
#pragma once
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "trace/check/block_conflicts.h"
#include "trace/check/block_order.h"
#include "trace/check/checker.h"
#include "trace/check/known_blocks.h"
#include "trace/check/shared_shadow.h"
#include "trace/count/written_bytes.h"
#include "trace/hazards.h"

namespace lanewise {

struct Checker::State {
    struct Traits {
        uint8_t strength;
        bool is_atomic;
        bool is_unread;   // an atomic whose old value nobody wants
        bool is_product;  // wgmma
        bool is_grid;     // a load of the grid's barrier: the block has passed it
    };
    struct Range {
        uint64_t address, bytes;
    };
    // Of the kernel, by instruction.
    std::vector<Traits> traits;
    std::vector<std::pair<int, int>> places;  // source file and line
    std::vector<Range> outputs;
    Range reserved{};  // of shared memory: the system's, which holds zeros
    bool in_clusters = false;  // of several blocks
    // Of the block.
    uint32_t block = 0;
    bool is_broken = false;    // its barriers went wrong, or it is longer than kMostAccesses
    uint64_t accesses = 0;     // to shared memory that were checked, of all lanes
    bool went_astray = false;  // a store missed shared memory
    BlockOrder order;
    SharedShadow shadow;
    WrittenBytes written;
    std::vector<Hazard> unwritten;  // reads that are uninitialized unless they race
    bool is_clean = true;           // nothing is found so far, and no stored value was looked at
    // Of all blocks.
    HazardCounts hazards;
    KnownBlocks known;
    std::optional<BlockTouches> touches;

    // The event, unless a block before this one is known to have done the same so far.
    template <class Words>
    bool is_known(const SharedEvent& event, const Words* words);
    // One that was put off.
    void search(const SharedEvent& event, std::span<const EventWords> words);
    void search_bulk(const SharedEvent& event, std::span<const EventWords> words);
    void abandon_known();
    void end_search();
    void search_access(const MemoryEvent& event);
    void search_barrier(const BarrierEvent& event);
    void search_mbarrier(MbarrierEvent::What what, uint32_t warp, uint32_t lanes, uint32_t address);
    void check_shared(const MemoryEvent& event);
    void exchange(const PastAccess& now, const PastAccess& last, const Traits& how, bool stores,
                  uint64_t address);
    bool meet_reading(const PastAccess& now, uint64_t address);
    bool read_unfenced(const ShadowPiece& piece, const PastAccess& now, uint64_t address);
    void end_read(const MemoryEvent& event);
    void finish_copy(const MemoryEvent& event, std::optional<uint32_t> mbarrier);
    void fit(const MemoryEvent& event);
    void meet_pending(const PastAccess& now, bool now_stores, const PastAccess& copy,
                      uint64_t address);
    void check_global(const MemoryEvent& event);
    void check_global(const BulkAccess& access);
    uint32_t lanes_in_outputs(const MemoryEvent& event) const;
    bool read(const ShadowPiece& piece, const PastAccess& now, uint64_t address);
    bool write(ShadowPiece& piece, const PastAccess& now, const MemoryEvent& event,
               uint64_t address);
    bool meets(const PastAccess& then, const PastAccess& now) const;
    void race(const PastAccess& now, bool now_stores, const PastAccess& then, bool then_stores,
              uint64_t address);
    void add(const Hazard& hazard) {
        is_clean = false;
        hazards[{hazard.instruction, hazard.kind, hazard.other_instruction}].add(hazard, 1);
    }
};

}  // namespace lanewise
