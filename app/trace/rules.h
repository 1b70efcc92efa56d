// The hardware's counting rules, as pure functions of one warp access. They equal an H200's
// counters in all 384 cases of tests/trace/h200-access-rules.csv (Nsight Compute, CUDA 13.0,
// sm_90).
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lanewise {

using LaneAddresses = std::array<uint64_t, 32>;

inline constexpr int kBanks = 32;
inline constexpr int kSectorBytes = 32;
inline constexpr int kLineBytes = 128;

// Distinct 32-byte sectors touched by active lanes; 0 for an empty mask.
int sectors(const LaneAddresses& addresses, int bytes_per_lane, uint32_t mask);

// ceil(distinct bytes touched / 32): what a perfectly packed access would need.
int sectors_ideal(const LaneAddresses& addresses, int bytes_per_lane, uint32_t mask);

// Shared memory, per phase (32, 16 or 8 lanes for up to 4, 8, 16 bytes a lane): the largest number
// of distinct words in any one bank. Loads of 8 and 16 bytes merge neighbouring phases where every
// active lane n agrees with active lane n^1 (or every n with n^2); stores never merge.
int wavefronts(const LaneAddresses& addresses, int bytes_per_lane, uint32_t mask, bool is_store);
int wavefronts_ideal(const LaneAddresses& addresses, int bytes_per_lane, uint32_t mask,
                     bool is_store);

// The same as wavefronts(), spelt out for pictures: for each wavefront the words it moves.
struct WavefrontWord {
    uint32_t word;   // shared-memory word index (byte offset / 4)
    uint32_t lanes;  // mask of the lanes it serves
};
using Wavefront = std::vector<WavefrontWord>;  // at most one word per bank
std::vector<Wavefront> wavefront_schedule(const LaneAddresses& addresses, int bytes_per_lane,
                                          uint32_t mask, bool is_store);

}  // namespace lanewise
