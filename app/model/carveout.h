// How much of a multiprocessor's unified memory is set aside as shared memory: one of a few sizes;
// the rest is L1. Source: CUDA C++ Programming Guide, "Compute Capabilities", the paragraphs
// "Shared Memory" of each; the same sizes as in cuda_occupancy.h of the toolkit.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace lanewise {

// In KiB, rising; of the architectures that sm_limits() knows, with or without a letter behind;
// empty for others.
std::span<const int> carveouts_kib(const std::string& arch);

// The least of them that holds `bytes`, in bytes; `bytes` itself where the architecture is not
// known or has none so large.
int64_t shared_carveout_bytes(const std::string& arch, int64_t bytes);

// What the driver sets aside where the program asks for no share: room for twice as many blocks as fit, mostly, so that L1
// is smaller than it could be. As launch__shared_mem_config_size told for 177 launches on an H200
// (tests/model/fixtures/carveouts.csv, the driver of CUDA 13.0); for other cards it is taken to be the same.
struct CarvedFor {
    int threads = 1, blocks = 1;        // of a block; of a multiprocessor, with what shared memory lets in
    int blocks_by_threads = 1;          // that its threads would let in
    int64_t shared_bytes = 0;           // of a block, static and dynamic
    int64_t reserved_bytes = 0;         // that the system needs for each block
};
int64_t driver_carveout_bytes(const std::string& arch, const CarvedFor& launch);

}  // namespace lanewise
