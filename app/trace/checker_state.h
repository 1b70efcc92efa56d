// The checker's inside: what it knows of the present block, and what it has found in all of them.
// Private to checker.cpp and checker_findings.cpp.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "trace/block_conflicts.h"
#include "trace/block_order.h"
#include "trace/checker.h"
#include "trace/hazards.h"
#include "trace/shared_shadow.h"
#include "trace/written_bytes.h"

namespace lanewise {

struct Checker::State {
    struct Traits {
        uint8_t strength;
        bool is_atomic;
        bool is_unread;   // an atomic whose old value nobody wants
        bool is_product;  // wgmma
    };
    struct Range {
        uint64_t address, bytes;
    };
    // Of the kernel, by instruction.
    std::vector<Traits> traits;
    std::vector<std::pair<int, int>> places;  // source file and line
    std::vector<Range> outputs;
    Range reserved{};  // of shared memory: the system's, which holds zeros
    // Of the block.
    uint32_t block = 0;
    bool is_broken = false;    // its barriers went wrong, or it is longer than kMostAccesses
    uint64_t accesses = 0;     // to shared memory that were checked, of all lanes
    bool went_astray = false;  // a store missed shared memory
    BlockOrder order;
    SharedShadow shadow;
    WrittenBytes written;
    std::vector<Hazard> unwritten;  // reads that are uninitialized unless they race
    // Of all blocks.
    HazardCounts hazards;
    std::optional<BlockTouches> touches;

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
    bool read(const ShadowPiece& piece, const PastAccess& now, uint64_t address);
    bool write(ShadowPiece& piece, const PastAccess& now, const MemoryEvent& event,
               uint64_t address);
    bool meets(const PastAccess& then, const PastAccess& now) const;
    void race(const PastAccess& now, bool now_stores, const PastAccess& then, bool then_stores,
              uint64_t address);
    void add(const Hazard& hazard) {
        hazards[{hazard.instruction, hazard.kind, hazard.other_instruction}].add(hazard, 1);
    }
};

}  // namespace lanewise
