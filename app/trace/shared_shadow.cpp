#include "trace/shared_shadow.h"

namespace lanewise {

void SharedShadow::fit(uint64_t bits, uint32_t bytes, uint64_t end) {
    auto shift = static_cast<uint32_t>(__builtin_ctzll(bits | bytes));
    if (shift < shift_) split(shift);
    uint64_t needed = (end + piece_bytes() - 1) >> shift_;
    if (needed > pieces_.size()) pieces_.resize(needed);
}

void SharedShadow::split(uint32_t shift) {
    std::vector<ShadowPiece> smaller(pieces_.size() << (shift_ - shift));
    for (size_t i = 0; i < smaller.size(); ++i) smaller[i] = pieces_[i >> (shift_ - shift)];
    pieces_ = std::move(smaller);
    shift_ = shift;
}

}  // namespace lanewise
