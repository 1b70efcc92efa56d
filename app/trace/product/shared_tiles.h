// Which part of shared memory a block brings each buffer to: the tiles of a product's A and B, one
// beside the other. Read off what it did: copies name both sides, and of a store its registers tell
// what was loaded into them (TracedAccess::buffer).
#pragma once
#include <cstdint>
#include <vector>

#include "trace/report.h"

namespace lanewise {

struct SharedTile {
    int buffer = -1;     // index into BlockTrace::buffers; -1: what was brought from none, as sums
    uint32_t begin = 0;  // its first byte of shared memory
    int pitch_bytes = 128;
    std::vector<int64_t> rows;  // of those of `pitch_bytes` from `begin` on, the ones in use
    // The index into `rows` of the one that holds this byte; -1: none.
    int64_t row_of(uint64_t byte) const;
};

struct SharedTiles {
    std::vector<SharedTile> tiles;        // by buffer; what is of none comes last
    std::vector<int> of_access, of_copy;  // index into tiles; -1: it does not touch shared memory
};

// row_bytes: by buffer, the bytes of a row of its matrix; 0 or missing: not known. Where rows that
// are neighbours in the matrix, or columns, come to lie equally far apart, that is the tile's
// pitch; else `pitch_bytes`. What is read is of the tile that was last written there.
SharedTiles shared_tiles(const BlockTrace& block, const Report& report,
                         const std::vector<int64_t>& row_bytes, int pitch_bytes);

}  // namespace lanewise
