// Runs a product's kernel on matrices that tell where their elements go: for the pictures of which
// lane holds what (trace/fragment_map.h) and of reuse (trace/reuse.h). Works for any kernel with
// the parameters (const T* A, const T* B, float* C, int M, int N, int K), T being float or half,
// and tensor maps behind them.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/machine.h"
#include "sim/tensor_map.h"
#include "trace/fragment_map.h"
#include "trace/reuse.h"

namespace lanewise {

struct ProductSize {
    int M = 0, N = 0, K = 0;
};

// The maps of the matrices at these addresses (of A, B and C), and where among the parameters each
// of them lies; as many.
struct ProbeMaps {
    std::function<std::vector<TensorMapBytes>(const std::vector<uint64_t>& buffers)> made;
    std::vector<size_t> offsets;
};

// What the `product`-th mma or wmma.mma (from 0) of one warp of one block multiplies. Four runs of
// that block: the values are small whole numbers, which a half holds exactly.
// Throws Error(bad_input) where M, N or K is above 2,000, or the warp makes no such product; the
// message says how many it makes.
FragmentMap fragment_map(const Machine& machine, const LaunchShape& shape, ProductSize size,
                         uint32_t element_bytes, uint32_t block, uint32_t warp, uint64_t product,
                         const ProbeMaps& maps = {});

// How often each element of A and of B is fetched by the whole launch, in this order. What wgmma
// reads from shared memory by itself is not among it.
// Throws Error(bad_input) where halves cannot number the elements of A and B, which are then above
// 65,535.
std::vector<ReuseMap> reuse_maps(const Machine& machine, const LaunchShape& shape, ProductSize size,
                                 uint32_t element_bytes, const ProbeMaps& maps = {});

}  // namespace lanewise
