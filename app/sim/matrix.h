// Tensor-core instructions: ldmatrix, mma.m16n8k16 and wmma.m16n16k16 with f16 or bf16 factors.
//
// Sums are computed in double and rounded once, which is at least as exact as the manual asks. The
// fragments of wmma, which the manual leaves open, are laid out as those of two mma.m16n8k16.
#pragma once
#include "sim/operations.h"

namespace lanewise {

// ldmatrix: op.elements matrices of 8 x 8 16-bit elements; op.c_flip: .trans
void run_ldmatrix(Warp& w, const Op& op);
// The other way: op.vector holds what is stored.
void run_stmatrix(Warp& w, const Op& op);
// d = a, transposed: an 8 x 8 matrix of b16 within the warp
void run_movmatrix(Warp& w, const Op& op);

// The many registers of the others, which Op::immediate points to.
struct MatrixRows {
    uint32_t d[8] = {}, a[8] = {}, b[8] = {}, c[8] = {};  // rows of Warp::state
    int columns = 8;                                      // of the product: 8 (mma) or 16 (wmma)
    int depth = 16;                                       // of the product: 4 to 32
    Type factor = Type::f16;                              // of a and b in a product
    bool unsigned_b = false;  // s8 and u8 may meet; `factor` is then a's
    bool saturates = false;   // sums of integers do not wrap
    bool half_d = false, half_c = false, brain = false;
    // wmma.load and wmma.store: which matrix (a, b, c; stores are d as c), row or column major
    char matrix = 'a';
    bool column_major = false;
    uint32_t address = 0, stride = 0;  // rows; the stride counts elements
    bool wide_address = true;
    uint64_t displacement = 0;
    Operations::Where where = Operations::Where::generic;
};
void run_mma(Warp& w, const Op& op);  // f16 and bf16
// Of 16 x 8, by bytes with sums in s32, by tf32 with sums in f32; and of 8 x 8 by f64.
void run_mma_bytes(Warp& w, const Op& op);
void run_mma_tf32(Warp& w, const Op& op);
void run_mma_f64(Warp& w, const Op& op);
void run_wmma_load(Warp& w, const Op& op);
void run_wmma_store(Warp& w, const Op& op);

}  // namespace lanewise
