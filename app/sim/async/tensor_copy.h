// cp.async.bulk.tensor in tile mode and for im2col: a box of a tensor, described by a tensor map, to
// shared memory or back. What lies outside the tensor is zeros, or is not stored.
#pragma once
#include "sim/warp/warp.h"

namespace lanewise {

// Operands: async_operands.h. Throw Error(bad_input) where the map's address leads to no map
// (tensor_map.h), or to one of the other mode.
void run_tensor_load(Warp& w, const Op& op);
void run_tensor_store(Warp& w, const Op& op);

}  // namespace lanewise
