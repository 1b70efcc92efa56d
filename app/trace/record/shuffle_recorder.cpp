#include "trace/record/shuffle_recorder.h"

#include <algorithm>
#include <cstring>

namespace lanewise {
namespace {

constexpr int kNobodys = -1;
constexpr size_t kMostPlaces = size_t{1} << 16;

// Of up to four bytes, with zeros above them.
uint32_t value_at(const Memory::Buffer& buffer, uint64_t address, int bytes) {
    const uint64_t offset = address - buffer.address;
    uint32_t value = 0;
    if (buffer.storage)
        std::memcpy(&value, buffer.storage + offset, static_cast<size_t>(bytes));
    else
        value = unique_word(static_cast<uint32_t>(offset / 4)) >> 8 * (offset % 4);
    return bytes >= 4 ? value : value & ((1u << 8 * bytes) - 1);
}

}  // namespace

ShuffleRecorder::ShuffleRecorder(const ptx::Kernel& kernel, const Memory& memory)
    : memory_(memory) {
    has_shuffles_ =
        std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                    [](const ptx::Instruction& each) { return each.parts[0] == "shfl"; });
}

void ShuffleRecorder::know(const Memory::Buffer& buffer, uint64_t address, int bytes) {
    const auto number = static_cast<int>(&buffer - memory_.buffers().data());
    const Place place{number, address - buffer.address};
    auto [known, is_new] = places_.try_emplace(value_at(buffer, address, bytes), place);
    if (!is_new && known->second != place) known->second.buffer = kNobodys;
}

void ShuffleRecorder::on_load(const MemoryEvent& event) {
    if (!has_shuffles_ || event.kind != AccessKind::plain) return;
    if (event.is_store || event.space != Space::global) return;
    const int piece = std::min<int>(4, event.bytes_per_lane);
    const std::vector<Memory::Buffer>& buffers = memory_.buffers();
    for (size_t lane = 0; lane < 32; ++lane) {
        if (!(event.mask >> lane & 1) || places_.size() >= kMostPlaces) continue;
        const uint64_t address = (*event.addresses)[lane];
        for (const Memory::Buffer& buffer : buffers)
            if (buffer.holds(address, event.bytes_per_lane))
                for (int at = 0; at < event.bytes_per_lane; at += piece)
                    know(buffer, address + static_cast<uint64_t>(at), piece);
    }
}

std::optional<int> ShuffleRecorder::on_shuffle(const ShuffleEvent& event,
                                               std::vector<TracedShuffle>& shuffles) {
    if (shuffles.size() >= kMostTracedShuffles) return std::nullopt;
    TracedShuffle shuffle;
    shuffle.warp = event.warp;
    shuffle.mask = event.lanes;
    shuffle.from = event.from;
    shuffle.given.fill(-1);
    for (size_t lane = 0; lane < 32; ++lane) {
        auto known = places_.find(event.given[lane]);
        if (known == places_.end() || known->second.buffer == kNobodys) continue;
        if (shuffle.buffer < 0) shuffle.buffer = known->second.buffer;
        if (shuffle.buffer == known->second.buffer)
            shuffle.given[lane] = static_cast<int64_t>(known->second.offset);
    }
    shuffles.push_back(shuffle);
    return static_cast<int>(shuffles.size()) - 1;
}

}  // namespace lanewise
