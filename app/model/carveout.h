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

}  // namespace lanewise
