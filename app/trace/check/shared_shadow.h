// What the checker remembers of every piece of a block's shared memory: who wrote it last and who
// read it since. A piece is as wide as the narrowest access so far, so that floats cost a quarter
// of what bytes do.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "trace/check/block_order.h"

namespace lanewise {

struct ShadowPiece {
    PastAccess write;
    PastAccess before_atomics;  // the last write that was no atomic, where atomics came after it
    // Two reads since the write that nothing orders, of two warps where there are such; whatever
    // conflicts with any read then conflicts with one of them, as long as barriers stop everybody.
    std::array<PastAccess, 2> reads;
    bool raced = false;  // a race has been found here in this block
};

class SharedShadow {
  public:
    void start_block() {
        pieces_.assign(pieces_.size(), {});
        pending_.clear();
        reading_.clear();
    }

    // Makes the pieces fit an access of `bytes` whose lanes' addresses, OR-ed, are `bits`, up to
    // `end`.
    void fit(uint64_t bits, uint32_t bytes, uint64_t end);

    uint32_t piece_bytes() const { return 1u << shift_; }
    ShadowPiece& at(uint64_t address) { return pieces_[address >> shift_]; }

    // Which asynchronous copy is under way into the piece; time 0: none. Kept apart, as few kernels
    // have any.
    bool has_pending() const { return !pending_.empty(); }
    const PastAccess& pending(uint64_t address) const {
        static constexpr PastAccess none;
        return address >> shift_ < pending_.size() ? pending_[address >> shift_] : none;
    }
    void set_pending(uint64_t address, const PastAccess& copy) {
        if (pending_.size() < pieces_.size()) pending_.resize(pieces_.size());
        pending_[address >> shift_] = copy;
    }
    // The same for the bulk copy that is still reading the piece.
    const PastAccess& reading(uint64_t address) const {
        static constexpr PastAccess none;
        return address >> shift_ < reading_.size() ? reading_[address >> shift_] : none;
    }
    void set_reading(uint64_t address, const PastAccess& copy) {
        if (reading_.size() < pieces_.size()) reading_.resize(pieces_.size());
        reading_[address >> shift_] = copy;
    }

  private:
    void narrow(uint32_t shift);

    uint32_t shift_ = 4;  // a piece has 2^shift_ bytes
    std::vector<ShadowPiece> pieces_;
    std::vector<PastAccess> pending_, reading_;  // as long, or shorter
};

}  // namespace lanewise
