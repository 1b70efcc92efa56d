// Runs a product's kernel on matrices that tell where their elements go: for the pictures of which
// lane holds what (trace/product/fragment_map.h), of reuse (trace/product/reuse.h) and of the walk along K
// (trace/product/tile_walk.h). Works for any kernel that reads A and B, of floats or halves, and writes C.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "sim/warp/machine.h"
#include "trace/product/fragment_map.h"
#include "trace/product/reuse.h"
#include "trace/product/tile_walk.h"

namespace lanewise {

struct ProductSize {
    int M = 0, N = 0, K = 0;
    bool operator==(const ProductSize&) const = default;
};

// A launch that can be repeated with other numbers in A and B: the first two buffers of `memory`;
// the third is C. Everything is the caller's and outlives the probes.
struct ProbedLaunch {
    const Machine& machine;
    LaunchShape shape;
    ProductSize size;
    uint32_t element_bytes;  // of A and B
    Memory& memory;
    std::span<const std::byte> arguments;
};

// What the `product`-th mma, wmma.mma or wgmma (from 0) of one warp of one block multiplies. Four
// runs of that block: the values are small whole numbers, which a half holds exactly.
// Throws Error(bad_input) where M, N or K is above 2,000, or the warp makes no such product; the
// message says how many it makes.
FragmentMap fragment_map(const ProbedLaunch& launch, uint32_t block, uint32_t warp,
                         uint64_t product);

// Which warps of that block multiply with tensor cores: bit w for warp w. One run of it.
uint32_t warps_that_multiply(const ProbedLaunch& launch, uint32_t block);

// How often each element of A, of B and of C is fetched (of C: written) by the whole launch, in
// this order. As many runs as it takes to number the elements of A and B: one of floats, one for
// every 65,535 halves.
std::vector<ReuseMap> reuse_maps(const ProbedLaunch& launch);

// One run of one block.
TileWalk tile_walk(const ProbedLaunch& launch, uint32_t block);

}  // namespace lanewise
