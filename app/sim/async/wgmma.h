// wgmma (9.7.15): products of a warpgroup, four warps, with operands in shared memory. Of 64 rows
// of a and d each warp has 16, and b is for all: so each warp does its part by itself.
//
// The product is done where it is asked for; the manual leaves open when between that and
// wgmma.wait_group. Its reads of shared memory are no load/store instructions and are not counted,
// but told of (matrix_reads.h). Sums are computed in double and rounded once.
#pragma once
#include "sim/operation/operations.h"

namespace lanewise {

inline constexpr int kWgmmaDepth = 16;  // of elements of 16 bits

// A matrix of 16-bit elements in shared memory, as its 64-bit descriptor has it.
struct SharedMatrix {
    uint64_t start = 0;    // byte address
    uint64_t leading = 0;  // bytes from one group of eight to the next (9.7.15.5.1)
    uint64_t stride = 0;
    int swizzle = 0;           // bytes of the pattern: 0, 32, 64 or 128
    bool along_lines = false;  // neighbours in memory: along the lines of a and the columns of b
                               // ("MN-major") instead of along the depth ("K-major")

    static SharedMatrix of(uint64_t descriptor, bool along_lines);
    // Of element `depth` of row `line` of a, or of column `line` of b.
    uint64_t address(int line, int depth) const;
};

// What Op::immediate points to.
struct WgmmaRows {
    int columns = 0;  // of b and d: 8 to 256
    bool half_d = false, brain = false;
    uint32_t d[128] = {};  // rows of Warp::state
    bool a_in_registers = false;
    uint32_t a[4] = {};                // registers; or the first is the descriptor
    uint32_t b = 0;                    // descriptor
    uint32_t adds = 0, adds_flip = 0;  // predicate: d += a * b, else d = a * b
    bool negates_a = false, negates_b = false, turned_a = false, turned_b = false;
};
void run_wgmma(Warp& w, const Op& op);
void run_wgmma_commit(Warp& w, const Op& op);
// op.targets: how many groups may stay under way
void run_wgmma_wait(Warp& w, const Op& op);

}  // namespace lanewise
