// What wgmma reads of shared memory, from its issue until its warp has waited for its group.
//
// The product itself is computed when it is issued (wgmma.h); here its reads stay under way until
// then, so that who stores over them too early is found out. The four warps of a warpgroup make one
// product, so that it is done for all of them once one has waited for it.
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "sim/warp/warp.h"

namespace lanewise {

// Lines [first, first + lines) of a matrix in shared memory, as wgmma names it (wgmma.h).
struct MatrixLines {
    uint64_t descriptor = 0;
    bool along_lines = false;
    int first = 0, lines = 0;
    auto operator<=>(const MatrixLines&) const = default;
};

class MatrixReads {
  public:
    static constexpr uint32_t kBytes = 16;  // of a chunk: swizzles keep so many together
    // Where a part of a matrix lies: of every chunk, line by line, and of those that lie in the
    // block's shared memory.
    struct Chunks {
        std::vector<uint64_t> all;
        std::vector<uint32_t> inside;
    };

    void start_block();
    // Kernels ask for few matrices, again and again: each is looked up once.
    std::shared_ptr<const Chunks> chunks(const BlockMemory& memory, const MatrixLines& lines);
    // Tells the observer (on_matrix_read). is_of_warpgroup: MemoryEvent::is_of_warpgroup.
    void add(BlockMemory& memory, uint32_t instruction, uint32_t warp,
             std::shared_ptr<const Chunks> chunks, bool is_of_warpgroup);
    // wgmma.commit_group: what the warp has issued since the last one is a group.
    void commit(uint32_t warp);
    // wgmma.wait_group: all but the `pending` newest groups have been read (on_copy_complete).
    void wait(BlockMemory& memory, uint32_t warp, uint32_t pending);

  private:
    struct Read {
        uint32_t instruction, warp, group;
        std::shared_ptr<const Chunks> chunks;
    };
    std::map<MatrixLines, std::shared_ptr<const Chunks>> chunks_;
    std::vector<Read> reads_;
    std::array<uint32_t, 32> open_{};  // by warp: the number of the open group
    bool is_used_ = false;
};

}  // namespace lanewise
