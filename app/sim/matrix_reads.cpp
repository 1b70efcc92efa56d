#include "sim/matrix_reads.h"

#include <algorithm>

namespace lanewise {

namespace {

// f(event) for every 32 chunks.
template <class F>
void each_event(const BlockMemory& memory, uint32_t instruction, uint32_t warp,
                const std::vector<uint32_t>& chunks, F f) {
    for (size_t begin = 0; begin < chunks.size(); begin += kLanes) {
        size_t count = std::min<size_t>(kLanes, chunks.size() - begin);
        std::array<uint64_t, kLanes> addresses{};
        for (size_t i = 0; i < count; ++i) addresses[i] = chunks[begin + i];
        f(MemoryEvent{instruction, Space::shared, false, MatrixReads::kBytes, memory.block,
                      static_cast<uint16_t>(warp), count == kLanes ? kAllLanes : (1u << count) - 1,
                      &addresses, AccessKind::bulk_copy, memory.shared});
    }
}

}  // namespace

void MatrixReads::start_block() {
    if (!is_used_) return;
    is_used_ = false;
    reads_.clear();
    open_.fill(0);
}

void MatrixReads::add(BlockMemory& memory, uint32_t instruction, uint32_t warp,
                      std::vector<uint32_t> chunks, bool is_of_warpgroup) {
    is_used_ = true;
    each_event(memory, instruction, warp, chunks, [&](MemoryEvent event) {
        event.is_of_warpgroup = is_of_warpgroup;
        memory.observer->on_matrix_read(event);
    });
    reads_.push_back({instruction, warp, open_[warp], std::move(chunks)});
}

void MatrixReads::commit(uint32_t warp) {
    is_used_ = true;
    ++open_[warp];
}

void MatrixReads::wait(BlockMemory& memory, uint32_t warp, uint32_t pending) {
    std::erase_if(reads_, [&](const Read& read) {
        constexpr uint32_t kWarps = 4;  // of a warpgroup
        bool waited_for =
            read.warp / kWarps == warp / kWarps && uint64_t{read.group} + pending < open_[warp];
        if (!waited_for) return false;
        each_event(memory, read.instruction, read.warp, read.chunks,
                   [&](const MemoryEvent& event) { memory.observer->on_copy_complete(event, {}); });
        return true;
    });
}

}  // namespace lanewise
