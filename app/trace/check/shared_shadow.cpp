#include "trace/check/shared_shadow.h"

namespace lanewise {

void SharedShadow::fit(uint64_t bits, uint32_t bytes, uint64_t end) {
    auto shift = static_cast<uint32_t>(__builtin_ctzll(bits | bytes));
    if (shift < shift_) narrow(shift);
    uint64_t needed = (end + piece_bytes() - 1) >> shift_;
    if (needed > pieces_.size()) pieces_.resize(needed);
}

void SharedShadow::narrow(uint32_t shift) {
    auto split = [by = shift_ - shift](auto& whole) {
        std::remove_reference_t<decltype(whole)> smaller(whole.size() << by);
        for (size_t i = 0; i < smaller.size(); ++i) smaller[i] = whole[i >> by];
        whole = std::move(smaller);
    };
    split(pieces_);
    split(pending_);
    split(reading_);
    shift_ = shift;
}

}  // namespace lanewise
