// The hardware's counting rules, as pure functions of one warp access. They equal an H200's
// counters in all 384 cases of tests/trace/h200-access-rules.csv (Nsight Compute, CUDA 13.0,
// sm_90), and in every launch of tests/golden/h200 (counters.csv: stages; own_counters.csv: kernels
// that are none, taken by take.py there). What those settled beyond the table:
// * An access that is predicated off in all lanes is issued and costs nothing: no request, no
// sector,
//   no wavefront (guards.cu).
// * Atomics, cp.async and matrix loads have counters of their own; local memory has too (local.cu).
//   In l1tex__t_requests/sectors_pipe_lsu_mem_global_op_{atom,red} a request is a warp instruction,
//   as with loads. ATOMG counts as atom, RED (whose old value nobody wants) as red.
// * cp.async: a request is one of which at least one lane reads. (l1tex__t_requests counts one
// whose
//   lanes all ask for 0 bytes too; but it knows only .ca, smsp__sass_l1tex_t_requests both.)
// * wmma executes as plain loads and stores of two neighbouring elements a lane, or as ldmatrix.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/event/event.h"

namespace lanewise {

using LaneAddresses = std::array<uint64_t, 32>;

inline constexpr int kBanks = 32;
inline constexpr int kSectorBytes = 32;
inline constexpr int kLineBytes = 128;
inline constexpr int kSectorsPerLine = kLineBytes / kSectorBytes;

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

// Global atomics: as sectors(), but lanes at one address take turns, and so count the sector again;
// different addresses of a sector go together. (Contended ones were measured without old value.)
int atomic_sectors(const LaneAddresses& addresses, int bytes_per_lane, uint32_t mask);

// Shared atomics: per phase the largest number of lanes in any one bank, be it at one address or at
// several (a mixture of both was not measured). `by_swap`: compare-and-swap, which is two passes,
// each with conflicts as of a store. An increment by one whose old value nobody wants counts as a
// store does: wavefronts().
int atomic_wavefronts(const LaneAddresses& addresses, int bytes_per_lane, uint32_t mask,
                      bool by_swap);

// A bulk copy: the sectors between the accelerator and the L2, which the
// accelerator asks for a row of the box and 128 bytes of shared memory at a time: one that both
// halves of a row need counts twice. To shared memory, the zeros for 16 bytes that lie wholly
// outside the tensor come the same way, a sector for each 32 bytes of shared memory.
int bulk_sectors(const BulkPieces& pieces, bool to_shared);

// The same as wavefronts(), spelt out for pictures: for each wavefront the words it moves.
struct WavefrontWord {
    uint32_t word;   // shared-memory word index (byte offset / 4)
    uint32_t lanes;  // mask of the lanes it serves
};
using Wavefront = std::vector<WavefrontWord>;  // at most one word per bank
std::vector<Wavefront> wavefront_schedule(const LaneAddresses& addresses, int bytes_per_lane,
                                          uint32_t mask, bool is_store);

}  // namespace lanewise
