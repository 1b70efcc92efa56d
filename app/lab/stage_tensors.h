// The tensor maps that a stage's kernel takes behind its other parameters ([[tensor]] of its head).
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "lab/analysis.h"
#include "sim/tensor_map.h"

namespace lanewise {

// In the parameters' order, of three dimensions: columns, rows, matrices. `in` and `out` are the
// buffers' addresses. Nothing where a row of the matrix is not a multiple of 16 bytes: no map can
// say that, the kernel gets zeros for it and must do without.
std::vector<std::optional<TensorMap>> stage_tensors(const Job& job, uint64_t in, uint64_t out);

}  // namespace lanewise
