#include "trace/count/written_bytes.h"

#include <bit>

namespace lanewise {

namespace {

constexpr uint64_t kLine = 128;

struct Bits {
    uint64_t half;
    uint64_t mask;
};
Bits bits_of(uint64_t address, uint32_t bytes) {
    return {address % kLine / 64, ((1ull << bytes) - 1) << (address % 64)};
}

}  // namespace

void WrittenBytes::start_block() {
    used_ = 0;
    noted_.clear();
    noted_copies_.clear();
    noted_pieces_ = 0;
    if (++block_ != 0) return;
    lines_.assign(lines_.size(), {});  // the numbers of blocks have run round
    block_ = 1;
}

// The line's place, or the empty one where it belongs. Never full (grow).
size_t WrittenBytes::place(uint64_t line) const {
    size_t last = lines_.size() - 1;
    size_t at = static_cast<size_t>((line * 0x9e3779b97f4a7c15ull) >> 32) & last;
    while (lines_[at].block == block_ && lines_[at].number != line) at = (at + 1) & last;
    return at;
}

void WrittenBytes::add(uint64_t address, uint32_t bytes) {
    Line* line = &lines_[place(address / kLine)];
    if (line->block != block_) {
        if (2 * ++used_ > lines_.size()) {
            grow();
            line = &lines_[place(address / kLine)];
        }
        *line = {address / kLine, block_, {}};
    }
    Bits bits = bits_of(address, bytes);
    line->mask[bits.half] |= bits.mask;
}

void WrittenBytes::add(const MemoryEvent& store) {
    if (noted_.size() == kMostNoted) add_noted();
    noted_.push_back({*store.addresses, store.mask, store.bytes_per_lane});
}

void WrittenBytes::add(const BulkAccess& store) {
    if (noted_pieces_ > kMostNotedPieces) add_noted();
    noted_copies_.push_back(store.pieces);
    noted_pieces_ += store.pieces.size();
}

void WrittenBytes::add_noted() {
    for (const Store& store : noted_)
        for (uint32_t lanes = store.lanes; lanes != 0; lanes &= lanes - 1)
            add(store.addresses[static_cast<size_t>(std::countr_zero(lanes))], store.bytes);
    noted_.clear();
    for (const BulkPieces& copy : noted_copies_)
        for (const BulkPiece& piece : copy.cut().all)
            if (!piece.is_outside) add(copy.base() + piece.global, copy.width());
    noted_copies_.clear();
    noted_pieces_ = 0;
}

bool WrittenBytes::holds(uint64_t address, uint32_t bytes) {
    add_noted();
    const Line& line = lines_[place(address / kLine)];
    Bits bits = bits_of(address, bytes);
    return line.block == block_ && (line.mask[bits.half] & bits.mask) == bits.mask;
}

void WrittenBytes::grow() {
    std::vector<Line> old(lines_.size() * 2);
    old.swap(lines_);
    for (const Line& line : old)
        if (line.block == block_) lines_[place(line.number)] = line;
}

}  // namespace lanewise
