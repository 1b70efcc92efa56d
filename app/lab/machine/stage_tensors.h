// The tensor maps that a stage's kernel takes behind its other parameters ([[tensor]] of its head).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/job/job.h"
#include "sim/memory/tensor_map.h"

namespace lanewise {

struct StageTensor {
    std::string type;  // of its elements: "f32", "u8", … (C of a product has floats)
    // Nothing where no map can describe the matrix, because its rows are not a multiple of 16 bytes
    // or there are none: the kernel gets zeros for it and must do without.
    std::optional<TensorMap> map;
};

// In the parameters' order. `buffers` are the addresses of the stage's buffers, in its parameters'
// order too: in and out, or A, B and C. Maps have the dimensions columns, rows and matrices; of a
// product, which has no batch, columns and rows.
std::vector<StageTensor> stage_tensors(const Job& job, const std::vector<uint64_t>& buffers);

}  // namespace lanewise
