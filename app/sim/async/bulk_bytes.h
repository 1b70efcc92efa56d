// The bytes of a bulk copy, on their way: all pieces one after the other, zeros for those outside
// the tensor. All pieces that are inside lie in memory that the block may touch (bulk_copy.h,
// drop_unreachable).
#pragma once
#include <cstddef>

#include "sim/event/bulk_pieces.h"
#include "sim/warp/warp.h"

namespace lanewise {

void read_global(BlockMemory& memory, const BulkPieces& pieces, std::byte* to);
void write_global(BlockMemory& memory, const BulkPieces& pieces, const std::byte* from);
void read_shared(const BlockMemory& memory, const BulkPieces& pieces, std::byte* to);
void write_shared(BlockMemory& memory, const BulkPieces& pieces, const std::byte* from);

}  // namespace lanewise
