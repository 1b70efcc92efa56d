// Tensor-core instructions: ldmatrix, stmatrix, movmatrix and mma; wmma is in wmma.h.
//
// Sums are computed in double and rounded once, which is at least as exact as the manual asks.
#pragma once
#include "sim/operation/operations.h"

namespace lanewise {

// ldmatrix: op.elements matrices of 8 x 8 16-bit elements; op.c_flip: .trans
void run_ldmatrix(Warp& w, const Op& op);
// The other way: op.vector holds what is stored.
void run_stmatrix(Warp& w, const Op& op);
// d = a, transposed: an 8 x 8 matrix of b16 within the warp
void run_movmatrix(Warp& w, const Op& op);

// The many registers of the others, which Op::immediate points to.
struct MatrixRows {
    uint32_t d[4] = {}, a[8] = {}, b[4] = {}, c[4] = {};  // rows of Warp::state
    int lines = 16;                                       // rows of a and d: 8 or 16
    int depth = 16;                                       // of the product: 4 to 32
    // Of a and b, where they are bytes: s8 and u8 may meet, e4m3 and e5m2 (which name the pairs of
    // them that conversions have).
    Type factor = Type::s8, factor_b = Type::s8;
    bool saturates = false;  // sums of integers do not wrap
    bool half_d = false, half_c = false, brain = false;
};
void run_mma(Warp& w, const Op& op);  // f16 and bf16
// Of 16 x 8, by bytes with sums in s32, by floats of eight bits and by tf32 with sums in f32, and
// by f64; of 8 x 8 by bytes and f64.
void run_mma_bytes(Warp& w, const Op& op);
void run_mma_small_bytes(Warp& w, const Op& op);
void run_mma_tf32(Warp& w, const Op& op);
void run_mma_f64(Warp& w, const Op& op);

}  // namespace lanewise
