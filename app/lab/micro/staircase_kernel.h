// The kernel of the staircase (staircase.h): one access of one warp, timed. Compiled by NVRTC.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "lab/micro/staircase.h"

namespace lanewise {

inline constexpr int kStaircaseAccesses = 64;  // one after the other between two looks at the clock
inline constexpr int kStaircaseSamples = 31;
// The time between the first two looks is that of a cold instruction cache, and no sample.
inline constexpr int kStaircaseLooks = kStaircaseSamples + 2;

// Launched as one block of one warp with access.shared_bytes() bytes of dynamic shared memory:
// (offsets: 32 words, clock: kStaircaseLooks words of 64 bits, mask, words). `words`: of
// shared memory, which it fills with zeros first. Loads add what they read, zero, to the next one's
// address; after a store each lane loads the block's first word and adds that.
Program compile_staircase_kernel(int bytes_per_lane, bool is_store, const std::string& arch);

// The kernel's arguments, packed.
std::vector<std::byte> staircase_arguments(const StaircaseAccess& access, uint64_t offsets_address,
                                           uint64_t clock_address);

// As measuring_source() and measuring_kernels() are (copy_kernel.h).
Source staircase_source();
std::vector<std::string> staircase_kernels();

}  // namespace lanewise
