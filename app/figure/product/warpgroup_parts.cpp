#include "figure/product/warpgroup_parts.h"

#include <algorithm>
#include <set>

namespace lanewise {

SumBand band_of(const HeldFragment& c) {
    SumBand band{extent_of(c), {}};
    band.holders.resize(static_cast<size_t>(band.extent.rows * band.extent.cols));
    for (int lane = 0; lane < 32 && band.extent.rows > 0; ++lane)
        for (int r = 0; r < c.registers; ++r)
            for (int i = 0; i < c.per_register; ++i) {
                HeldElement held = c.at(lane, r, i);
                if (held.row < 0) continue;
                int row = held.row - band.extent.row0, col = held.col - band.extent.col0;
                band.holders[static_cast<size_t>(row * band.extent.cols + col)] = {lane, r};
            }
    return band;
}

BlockRegisters registers_of(const SumBand& band, int block_row, int block_col) {
    BlockRegisters found;
    for (int row = block_row * kSide; row < std::min(band.extent.rows, (block_row + 1) * kSide);
         ++row)
        for (int col = block_col * kSide; col < std::min(band.extent.cols, (block_col + 1) * kSide);
             ++col) {
            const SumHolder& holder = band.at(row, col);
            if (holder.lane < 0) continue;
            bool first = found.last < 0;
            found.first = first ? holder.first : std::min(found.first, holder.first);
            found.last = std::max(found.last, holder.first);
        }
    return found;
}

bool are_alike(const std::vector<SumBand>& bands) {
    const SumBand* pattern = nullptr;
    for (const SumBand& band : bands) {
        if (!pattern && band.extent.rows >= kSide && band.extent.cols >= kSide) pattern = &band;
        if (!pattern) continue;
        for (int row = 0; row < band.extent.rows; ++row)
            for (int col = 0; col < band.extent.cols; ++col)
                if (band.at(row, col).lane != pattern->at(row % kSide, col % kSide).lane)
                    return false;
    }
    return pattern != nullptr;
}

void LyingOperand::add(const HeldFragment& fragment, int first_line, int lines) {
    swizzle_ = fragment.swizzle;
    for (size_t i = 0; i < fragment.addresses.size(); ++i) {
        int line = first_line + static_cast<int>(i) / kDepth, depth = static_cast<int>(i) % kDepth;
        int matrix = line / kSide + depth / kSide * (lines / kSide);
        LyingPiece& piece = pieces_[fragment.addresses[i] / kChunk * kChunk];
        if (piece.matrix < 0) piece = {matrix, fragment.held[i], fragment.held[i]};
        if (fragment.held[i].row >= 0) piece.last = fragment.held[i];
        if (piece.first.row < 0) piece.first = fragment.held[i];
    }
    if (fragment.addresses.size() > 1)
        along_k_ = fragment.addresses[1] == fragment.addresses[0] + 2;
}

uint32_t LyingOperand::window(int matrix) const {
    for (const auto& [address, piece] : pieces_)
        if (piece.matrix == matrix) return address / kWindow * kWindow;
    return 0;
}

size_t LyingOperand::bank_groups(int matrix) const {
    std::set<uint32_t> groups;
    for (const auto& [address, piece] : pieces_)
        if (piece.matrix == matrix) groups.insert(address % kLine / kChunk);
    return groups.size();
}

}  // namespace lanewise
