// The warp-wide matrix instructions wmma (9.7.14.4): shapes, fragments, and how they are executed.
// Sums are computed in double and rounded once, which is at least as exact as the manual asks.
#pragma once
#include "sim/operation/operations.h"

namespace lanewise {

// A matrix dealt to the registers of a warp: `lines` rows of a, c and d, or columns of b, of
// `length` elements each.
struct Fragment {
    char matrix = 'a';      // a, b, or c (which d is, too)
    Type type = Type::f16;  // f16, bf16, tf32, f64, s8, u8 or, of c, f32, f16, f64, s32
    int lines = 0, length = 0;
    uint32_t bytes = 0;    // of an element
    int per_register = 1;  // elements
    int registers = 0;
    int distinct = 0;       // those after repeat the ones before
    uint32_t rows[8] = {};  // of Warp::state
};

// What Op::immediate points to. wmma.mma has all four fragments, wmma.load and wmma.store only d.
struct WmmaRows {
    Fragment d, a, b, c;
    bool saturates = false;
    bool column_major = false;
    uint32_t address = 0, stride = 0;  // rows; the stride counts elements
    bool wide_address = true;
    uint64_t displacement = 0;
    Operations::Where where = Operations::Where::generic;
};
void run_wmma(Warp& w, const Op& op);
// One event for each element of a lane's share: neighbours along the memory follow each other.
void run_wmma_load(Warp& w, const Op& op);
void run_wmma_store(Warp& w, const Op& op);

}  // namespace lanewise
