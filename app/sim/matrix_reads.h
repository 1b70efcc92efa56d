// What wgmma reads of shared memory, from its issue until its warp has waited for its group.
//
// The product itself is computed when it is issued (wgmma.h); here its reads stay under way until
// then, so that who stores over them too early is found out. The four warps of a warpgroup make one
// product, so that it is done for all of them once one has waited for it.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "sim/warp.h"

namespace lanewise {

class MatrixReads {
  public:
    static constexpr uint32_t kBytes = 16;  // of a chunk: swizzles keep so many together

    void start_block();
    // chunks: their addresses in shared memory. Tells the observer (on_matrix_read).
    // is_of_warpgroup: MemoryEvent::is_of_warpgroup.
    void add(BlockMemory& memory, uint32_t instruction, uint32_t warp, std::vector<uint32_t> chunks,
             bool is_of_warpgroup);
    // wgmma.commit_group: what the warp has issued since the last one is a group.
    void commit(uint32_t warp);
    // wgmma.wait_group: all but the `pending` newest groups have been read (on_copy_complete).
    void wait(BlockMemory& memory, uint32_t warp, uint32_t pending);

  private:
    struct Read {
        uint32_t instruction, warp, group;
        std::vector<uint32_t> chunks;
    };
    std::vector<Read> reads_;
    std::array<uint32_t, 32> open_{};  // by warp: the number of the open group
    bool is_used_ = false;
};

}  // namespace lanewise
