#include "trace/record/copy_recorder.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/memory/tensor_map.h"
#include "trace/count/other_counts.h"
#include "trace/count/rules.h"

namespace lanewise {
namespace {

constexpr int kSwizzleBytes[] = {0, 32, 64, 128};  // by Swizzle

void describe_box(TracedCopy& copy, const TensorBox& box) {
    copy.swizzle_bytes = kSwizzleBytes[static_cast<size_t>(box.map.swizzle)];
    if (box.map.is_im2col) return;  // its pixels lie in no box
    for (size_t i = 0; i < box.map.dimensions; ++i) {
        copy.start.push_back(box.start[i]);
        copy.extent.push_back(box.map.box[i]);
    }
}

}  // namespace

CopyRecorder::CopyRecorder(const ptx::Kernel& kernel, const Memory& memory,
                           std::vector<int> report_indices)
    : kernel_(kernel), memory_(memory), report_indices_(std::move(report_indices)) {}

TracedCopy CopyRecorder::begun(uint32_t instruction, uint32_t warp) const {
    TracedCopy copy;
    copy.instruction = static_cast<uint32_t>(report_indices_[instruction]);
    copy.warp = warp;
    return copy;
}

// Offsets are device addresses until now. `first_global`: one of them that is inside.
int CopyRecorder::keep(TracedCopy copy, uint64_t first_global, std::vector<TracedCopy>& copies) {
    if (pieces_ + copy.pieces.size() > kMostTracedPieces) return -1;
    pieces_ += copy.pieces.size();
    const Memory::Buffer* buffer = memory_.find(first_global, 1);
    for (size_t i = 0; i < memory_.buffers().size(); ++i)
        if (&memory_.buffers()[i] == buffer) copy.buffer = static_cast<int>(i);
    for (TracedCopy::Piece& piece : copy.pieces)
        piece.offset = piece.is_outside || !buffer ? 0 : piece.offset - buffer->address;
    copies.push_back(std::move(copy));
    return static_cast<int>(copies.size()) - 1;
}

std::optional<int> CopyRecorder::issue(const BulkCopyEvent& event,
                                       std::vector<TracedCopy>& copies) {
    TracedCopy copy = begun(event.instruction, event.warp);
    copy.is_bulk = true;
    copy.to_shared = event.to_shared;
    copy.bytes = static_cast<int>(event.pieces.width());
    uint64_t first = event.box ? event.box->map.address : 0, moved = 0;
    for (size_t i = 0; i < event.pieces.size(); ++i) {
        BulkPiece piece = event.pieces[i];
        copy.pieces.push_back({piece.global, piece.shared, event.lane, piece.is_outside});
        if (piece.is_outside) continue;
        first = piece.global;
        moved += event.pieces.width();
    }
    copy.sectors = bulk_sectors(event.pieces, event.to_shared);
    copy.sectors_ideal = static_cast<int>((moved + kSectorBytes - 1) / kSectorBytes);
    if (event.box) describe_box(copy, *event.box);
    int index = keep(std::move(copy), first, copies);
    if (index >= 0) bulk_[event.number] = index;
    return index;
}

std::optional<int> CopyRecorder::issue(const MemoryEvent& event, std::vector<TracedCopy>& copies) {
    if (!event.is_store) {
        read_ = event;
        read_addresses_ = *event.addresses;
        read_->addresses = &read_addresses_;
        return std::nullopt;
    }
    std::optional<MemoryEvent> read = std::exchange(read_, std::nullopt);
    if (read && (read->instruction != event.instruction || read->warp != event.warp)) read.reset();
    if (event.space != Space::shared) return std::nullopt;
    TracedCopy copy = begun(event.instruction, event.warp);
    copy.bytes = event.bytes_per_lane;
    for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1) {
        auto lane = static_cast<size_t>(std::countr_zero(lanes));
        bool reads = read && (read->mask >> lane & 1);
        copy.pieces.push_back({reads ? read_addresses_[lane] : 0,
                               static_cast<uint32_t>((*event.addresses)[lane]),
                               static_cast<uint8_t>(lane), !reads});
    }
    OtherCounts cost(kernel_.instructions[event.instruction], CountAs::Executed::as_written);
    if (read) cost.count(*read);
    cost.count(event);
    copy.sectors = static_cast<int>(cost.counts().async_copy.sectors);
    copy.sectors_ideal = static_cast<int>(cost.counts().async_copy.sectors_ideal);
    uint64_t first = read ? read_addresses_[static_cast<size_t>(std::countr_zero(read->mask))] : 0;
    int index = keep(std::move(copy), first, copies);
    if (index >= 0) under_way_.push_back({index, event.mask});
    return index;
}

std::optional<int> CopyRecorder::done(uint64_t bulk_number) {
    auto found = bulk_.find(bulk_number);
    if (found == bulk_.end()) return std::nullopt;
    int copy = found->second;
    bulk_.erase(found);
    return copy;
}

// The oldest of its places; a copy is done with the last of its lanes.
std::optional<int> CopyRecorder::done(const MemoryEvent& event,
                                      const std::vector<TracedCopy>& copies) {
    int lane = std::countr_zero(event.mask);
    uint64_t place = (*event.addresses)[static_cast<size_t>(lane)];
    auto instruction = static_cast<uint32_t>(report_indices_[event.instruction]);
    auto is_it = [&](const UnderWay& each) {
        const TracedCopy& copy = copies[static_cast<size_t>(each.copy)];
        if (copy.warp != event.warp || copy.instruction != instruction ||
            (each.lanes & event.mask) != event.mask)
            return false;
        return std::any_of(copy.pieces.begin(), copy.pieces.end(), [&](const TracedCopy::Piece& p) {
            return p.lane == lane && p.shared == place;
        });
    };
    auto found = std::find_if(under_way_.begin(), under_way_.end(), is_it);
    if (found == under_way_.end()) return std::nullopt;
    found->lanes &= ~event.mask;
    if (found->lanes != 0) return std::nullopt;
    int copy = found->copy;
    under_way_.erase(found);
    return copy;
}

}  // namespace lanewise
