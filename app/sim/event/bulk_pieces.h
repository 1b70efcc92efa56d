// What a bulk copy moves, piece by piece: which pieces there are (BulkCut), and where in global
// memory (BulkPieces). Kernels ask for the same few boxes in every block, only elsewhere in the
// tensor, so that copies share their cut.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lanewise {

// A piece of a bulk copy, which moves as a whole.
struct BulkPiece {
    uint32_t shared;          // address
    uint64_t global;          // address
    bool is_outside = false;  // of the tensor: zeros, or not stored
    uint32_t row = 0;         // of the box
};

// All pieces of a bulk copy, a row after the other, and what is known of them together. Addresses
// in global memory count from wherever those who made it say (BulkPieces::base).
struct BulkCut {
    std::vector<BulkPiece> all;
    uint8_t width = 16;         // of each, in bytes: 1, 2, 4, 8 or 16; set before pieces are added
    bool some_outside = false;  // of the tensor; where it is not set, none is
    // Where the lowest and the highest of those within the tensor begin in global memory (low >
    // high: there are none), and the highest of all in shared memory.
    uint64_t low = ~0ull, high = 0, high_shared = 0;
    size_t inside = 0;  // how many those within the tensor are
    // Pieces within the tensor that follow each other in global memory.
    struct Run {
        uint32_t first, count;
    };
    std::vector<Run> runs;
    // Copies of the same number differ in nothing but one distance between their global addresses.
    // 0: not known to be like any other.
    uint64_t pattern = 0;

    void add(const BulkPiece& piece) {
        auto index = static_cast<uint32_t>(all.size());
        all.push_back(piece);
        high_shared = std::max<uint64_t>(high_shared, piece.shared);
        some_outside |= piece.is_outside;
        if (piece.is_outside) return;
        ++inside;
        low = std::min(low, piece.global);
        high = std::max(high, piece.global);
        bool follows = !runs.empty() && runs.back().first + runs.back().count == index &&
                       piece.global - all[index - 1].global == width;
        if (follows)
            ++runs.back().count;
        else
            runs.push_back({index, 1});
    }
    // The same pieces, their addresses counted from `base`.
    void count_from(uint64_t base) {
        for (BulkPiece& piece : all) piece.global -= base;
        if (low > high) return;
        low -= base;
        high -= base;
    }
};

class BulkPieces {
  public:
    BulkPieces() = default;  // none
    BulkPieces(BulkCut cut) : cut_(std::make_shared<const BulkCut>(std::move(cut))) {}
    // base: from which the cut's addresses in global memory count
    BulkPieces(std::shared_ptr<const BulkCut> cut, uint64_t base)
        : cut_(std::move(cut)), base_(base) {}

    const BulkCut& cut() const { return cut_ ? *cut_ : kNothing; }
    uint64_t base() const { return base_; }
    size_t size() const { return cut().all.size(); }
    bool empty() const { return cut().all.empty(); }
    uint32_t width() const { return cut().width; }
    // With its address in global memory.
    BulkPiece operator[](size_t i) const {
        BulkPiece piece = cut().all[i];
        piece.global += base_;
        return piece;
    }

  private:
    inline static const BulkCut kNothing;
    std::shared_ptr<const BulkCut> cut_;
    uint64_t base_ = 0;
};

}  // namespace lanewise
