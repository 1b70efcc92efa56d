// The life of a whole block: every access and barrier of all its warps, in the order in which the
// machine came to them (a warp runs on until a barrier, then the next). What the data flow runs
// over.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "trace/record/warp_life.h"

namespace lanewise {

struct BlockLife {
    std::vector<LifeStep> steps;  // as of one warp; barriers of several warps at once are one step
    // By step: the warp; of a barrier, how many warps leave it together.
    std::vector<uint32_t> warps;
};

BlockLife block_life(const BlockTrace& block, const Report& report);

// Where one buffer of a block, or its tile, is touched: a box of elements. rows 0: nowhere.
struct TouchedBox {
    int64_t row = 0, col = 0, rows = 0, cols = 0;
    void include(int64_t row, int64_t col);
    bool operator==(const TouchedBox&) const = default;
};
// The elements of `buffer` (index into block.buffers), as rows of `cols` elements, that the block's
// plain accesses and copies touch.
void include_elements(TouchedBox& box, uint64_t offset, int bytes, int64_t cols,
                      int element_bytes);  // those of `bytes` bytes from `offset` on
TouchedBox touched_box(const BlockTrace& block, const Report& report, int buffer, int64_t cols,
                       int element_bytes);

}  // namespace lanewise
