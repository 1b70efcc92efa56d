#include "trace/shared_shadow.h"

namespace lanewise {

void SharedShadow::fit(uint64_t bits, uint32_t bytes, uint64_t end) {
    uint64_t all = bits | bytes | piece_bytes_;
    auto narrowest = static_cast<uint32_t>(all & (~all + 1));
    if (narrowest < piece_bytes_) split(narrowest);
    if (uint64_t needed = (end + piece_bytes_ - 1) / piece_bytes_; needed > pieces_.size())
        pieces_.resize(needed);
}

void SharedShadow::split(uint32_t piece_bytes) {
    size_t ratio = piece_bytes_ / piece_bytes;
    std::vector<ShadowPiece> smaller(pieces_.size() * ratio);
    for (size_t i = 0; i < smaller.size(); ++i) smaller[i] = pieces_[i / ratio];
    pieces_ = std::move(smaller);
    piece_bytes_ = piece_bytes;
}

}  // namespace lanewise
