// What four warps multiply together with wgmma, as its picture needs it: who holds C, and where A
// and B lie in shared memory. The unit is a block of 8 x 8 elements: of A and B a core matrix,
// which is what the hardware reads of shared memory at once, of C the elements that two registers
// of each lane hold. Private to figure/.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "figure/product/fragment_parts.h"

namespace lanewise {

// Of a core matrix.
inline constexpr int kSide = 8, kDepth = HeldFragment::kDepth, kDeep = kDepth / kSide;
inline constexpr uint32_t kLine = 128, kChunk = 16, kWindow = kSide * kLine;  // bytes

// Who holds an element of C.
struct SumHolder {
    int lane = -1, first = 0;  // first: the register
};

// A warp's rows of C, by their place among them.
struct SumBand {
    FragmentExtent extent;
    std::vector<SumHolder> holders;
    const SumHolder& at(int row, int col) const {
        return holders[static_cast<size_t>(row * extent.cols + col)];
    }
};

SumBand band_of(const HeldFragment& c);

// The registers, lowest and highest, that a block of 8 x 8 of the band takes; nothing: {0, -1}.
struct BlockRegisters {
    int first = 0, last = -1;
};
BlockRegisters registers_of(const SumBand& band, int block_row, int block_col);

// Whether the lanes lie in every whole block as in the first.
bool are_alike(const std::vector<SumBand>& bands);

// A line of A or B (a row, a column) and its first index along K of a piece of 16 bytes, with the
// core matrix that it is of.
struct LyingPiece {
    int matrix = -1;
    HeldElement first{}, last{};  // elements of the whole matrix; row -1: zeros beyond its edge
};

// An operand that lies in shared memory: its pieces of 16 bytes, by address.
class LyingOperand {
  public:
    void add(const HeldFragment& fragment, int first_line, int lines);
    const std::map<uint32_t, LyingPiece>& pieces() const { return pieces_; }
    bool is_empty() const { return pieces_.empty(); }
    bool is_along_k() const { return along_k_; }  // neighbours in memory
    int swizzle() const { return swizzle_; }
    // The 1,024 bytes in which the core matrix begins.
    uint32_t window(int matrix) const;
    // Groups of four banks that a core matrix lies in: as many as it has pieces, where nothing
    // conflicts.
    size_t bank_groups(int matrix) const;

  private:
    std::map<uint32_t, LyingPiece> pieces_;
    bool along_k_ = true;
    int swizzle_ = 0;
};

}  // namespace lanewise
