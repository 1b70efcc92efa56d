#include "sim/async/matrix_reads.h"

#include <algorithm>

#include "sim/async/wgmma.h"

namespace lanewise {

namespace {

// f(event) for every 32 chunks.
template <class F>
void each_chunk_event(const BlockMemory& memory, uint32_t instruction, uint32_t warp,
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

std::shared_ptr<const MatrixReads::Chunks> MatrixReads::chunks(const BlockMemory& memory,
                                                               const MatrixLines& lines) {
    auto known = chunks_.find(lines);
    if (known != chunks_.end()) return known->second;
    SharedMatrix matrix = SharedMatrix::of(lines.descriptor, lines.along_lines);
    auto found = std::make_shared<Chunks>();
    int of_lines = lines.along_lines ? 8 : 1, of_depth = lines.along_lines ? 1 : 8;
    for (int line = lines.first; line < lines.first + lines.lines; line += of_lines)
        for (int depth = 0; depth < kWgmmaDepth; depth += of_depth) {
            uint64_t at = matrix.address(line, depth);
            found->all.push_back(at);
            if (at + kBytes <= memory.shared_bytes)
                found->inside.push_back(static_cast<uint32_t>(at));
        }
    constexpr size_t kMany = 4096;  // more are those of a kernel that never asks twice
    if (chunks_.size() > kMany) chunks_.clear();
    chunks_[lines] = found;
    return found;
}

void MatrixReads::add(BlockMemory& memory, uint32_t instruction, uint32_t warp,
                      std::shared_ptr<const Chunks> chunks, bool is_of_warpgroup) {
    is_used_ = true;
    each_chunk_event(memory, instruction, warp, chunks->inside, [&](MemoryEvent event) {
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
        each_chunk_event(memory, read.instruction, read.warp, read.chunks->inside,
                         [&](const MemoryEvent& event) { memory.observer->on_copy_complete(event, {}); });
        return true;
    });
}

}  // namespace lanewise
