// Tells the observer of products of a warp: mma and wmma.mma of f16, bf16 and tf32, whose elements
// are single numbers. Those of bytes and of f64 are not announced.
#pragma once
#include "sim/event/event.h"
#include "sim/warp/warp.h"

namespace lanewise {

// As run_mma, run_mma_tf32 (matrix.h) and run_wmma (wmma.h), and then Observer::on_product.
void run_announced_mma(Warp& w, const Op& op);
void run_announced_mma_tf32(Warp& w, const Op& op);
void run_announced_wmma(Warp& w, const Op& op);

// Element i of register r of a lane's share, as a number.
double element_of(const ProductEvent& event, const ProductOperand& operand, int lane, int r, int i);

}  // namespace lanewise
