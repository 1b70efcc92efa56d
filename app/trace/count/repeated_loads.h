// Loads that ptxas widened over several turns of a loop. Where the PTX reads 4 bytes in each turn,
// the machine code may read 16 in every fourth, and keep them in registers: of the executions that
// the PTX has, only those count that read what the one before did not.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/event/event.h"

namespace lanewise {

// When each warp last did something after which memory is read anew: a store or an atomic of its
// own, or a barrier.
class ReadAnew {
  public:
    void on_memory(const MemoryEvent& event) {
        if (event.is_store || event.kind == AccessKind::atomic) on_store(event.warp);
    }
    void on_store(uint32_t warp) { ++since_[warp]; }
    void on_barrier(const BarrierEvent& event) {
        for (uint32_t warp = 0; warp < since_.size(); ++warp)
            since_[warp] += event.warps >> warp & 1;
    }
    uint32_t since(uint32_t warp) const { return since_[warp]; }

  private:
    std::array<uint32_t, 32> since_{};
};

// Of one instruction, which the machine code executes `width` bytes wide.
class RepeatedLoad {
  public:
    // Whether the warp's last execution read the same, and read it lately enough. width: a power of
    // two.
    bool repeats(const MemoryEvent& event, uint64_t width, const ReadAnew& anew) {
        if (event.warp >= reads_.size()) reads_.resize(event.warp + 1u);
        Read& last = reads_[event.warp];
        uint32_t since = anew.since(event.warp);
        uint64_t different =
            (last.block ^ event.block) | (last.mask ^ event.mask) | (last.since ^ since);
        last.block = event.block;
        last.mask = event.mask;
        last.since = since;
        int shift = std::countr_zero(width);
        if (event.mask == ~0u) {
            for (size_t lane = 0; lane < 32; ++lane) {
                uint64_t piece = (*event.addresses)[lane] >> shift;
                different |= last.pieces[lane] ^ piece;
                last.pieces[lane] = piece;
            }
            return different == 0;
        }
        for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1) {
            auto lane = static_cast<size_t>(std::countr_zero(lanes));
            uint64_t piece = (*event.addresses)[lane] >> shift;
            different |= last.pieces[lane] ^ piece;
            last.pieces[lane] = piece;
        }
        return different == 0;
    }

  private:
    struct Read {
        uint32_t block = 0, mask = 0, since = 0;
        std::array<uint64_t, 32> pieces{};  // of `width` bytes; of inactive lanes old ones
    };
    std::vector<Read> reads_;  // by warp
};

// Whether the instruction is one of which executions may repeat.
inline bool may_repeat(const MemoryEvent& event, int width) {
    return !event.is_store && width > event.bytes_per_lane;
}

}  // namespace lanewise
