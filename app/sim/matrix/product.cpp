#include "sim/matrix/product.h"

#include <bit>

#include "sim/matrix/matrix.h"
#include "sim/matrix/wmma.h"
#include "sim/warp/small_float.h"

namespace lanewise {

namespace {

using Numbers = ProductOperand::Numbers;

void announce(Warp& w, const Op& op, const std::array<ProductOperand, 3>& operands) {
    if (w.lanes == 0) return;
    w.memory->observer->on_product({op.instruction, w.memory->block, static_cast<uint16_t>(w.index),
                                    w.lanes, w.state, operands});
}

// By the figures of 9.7.14.5: 16 x depth elements of a, depth x 8 of b and 16 x 8 of d.
void announce_mma(Warp& w, const Op& op, Numbers factors, int per_register) {
    const auto& m = *reinterpret_cast<const MatrixRows*>(op.immediate);
    int registers_of_b = m.depth / (4 * per_register);
    Numbers sums = m.half_d ? Numbers::f16 : Numbers::f32;
    announce(w, op,
             {{{'a', factors, 2 * registers_of_b, m.a},
               {'b', factors, registers_of_b, m.b},
               {'c', sums, m.half_d ? 2 : 4, m.d}}});
}

ProductOperand operand_of(const Fragment& f) {
    Numbers numbers = f.type == Type::f16    ? Numbers::f16
                      : f.type == Type::bf16 ? Numbers::bf16
                                             : Numbers::f32;
    return {f.matrix, numbers, f.distinct, f.rows};
}

}  // namespace

void run_announced_mma(Warp& w, const Op& op) {
    run_mma(w, op);
    bool brain = reinterpret_cast<const MatrixRows*>(op.immediate)->brain;
    announce_mma(w, op, brain ? Numbers::bf16 : Numbers::f16, 2);
}

void run_announced_mma_tf32(Warp& w, const Op& op) {
    run_mma_tf32(w, op);
    announce_mma(w, op, Numbers::f32, 1);
}

void run_announced_wmma(Warp& w, const Op& op) {
    run_wmma(w, op);
    const auto& m = *reinterpret_cast<const WmmaRows*>(op.immediate);
    bool factors = m.a.type == Type::f16 || m.a.type == Type::bf16 || m.a.type == Type::tf32;
    if (factors) announce(w, op, {{operand_of(m.a), operand_of(m.b), operand_of(m.d)}});
}

double element_of(const ProductEvent& event, const ProductOperand& operand, int lane, int r,
                  int i) {
    uint32_t word = 0;
    std::memcpy(&word, event.registers + operand.rows[r] + 4 * lane, sizeof word);
    if (operand.numbers == Numbers::f32) return double{std::bit_cast<float>(word)};
    return from_small(static_cast<uint16_t>(word >> (16 * i)),
                      operand.numbers == Numbers::bf16 ? kBrain : kHalf);
}

}  // namespace lanewise
