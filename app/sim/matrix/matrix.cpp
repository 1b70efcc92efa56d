#include "sim/matrix/matrix.h"

#include <bit>

#include "sim/matrix/matrix_places.h"
#include "sim/operation/reach.h"
#include "sim/warp/small_float.h"
#include "sim/warp/work.h"

namespace lanewise {

// Lanes 8 i to 8 i + 7 hold the addresses of matrix i's rows; lane n gets two elements of row n
// / 4.
void run_ldmatrix(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    uint32_t matrices = op.elements;
    uint32_t giving = matrices == 4 ? kAllLanes : (1u << (8 * matrices)) - 1;
    auto where = static_cast<Operations::Where>(op.bytes);
    Reach from = reach(w, op, where, w.lanes & giving,
                       lane_addresses(w, op.a, op.has_base, op.wide_base, op.immediate), 16, false);
    announce_reach(w, op, from, AccessKind::matrix, false, 16);
    for (uint32_t m = 0; m < matrices; ++m) {
        uint16_t elements[8][8] = {};
        for (int row = 0; row < 8; ++row) {
            int lane = static_cast<int>(8 * m) + row;
            if (from.lanes() >> lane & 1) fetch(from, lane, elements[row], 16);
        }
        uint32_t* d = w.words(op.vector[m]);
        for (int n = 0; n < kLanes; ++n) {
            if (!(w.lanes >> n & 1)) continue;
            int row = n / 4, col = n % 4 * 2;
            uint32_t low = op.c_flip ? elements[col][row] : elements[row][col];
            uint32_t high = op.c_flip ? elements[col + 1][row] : elements[row][col + 1];
            d[n] = high << 16 | low;
        }
    }
}

void run_stmatrix(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    uint32_t matrices = op.elements;
    uint32_t giving = matrices == 4 ? kAllLanes : (1u << (8 * matrices)) - 1;
    auto where = static_cast<Operations::Where>(op.bytes);
    Reach to = reach(w, op, where, w.lanes & giving,
                     lane_addresses(w, op.a, op.has_base, op.wide_base, op.immediate), 16, true);
    announce_reach(w, op, to, AccessKind::matrix, true, 16);
    for (uint32_t rest = to.lanes(); rest != 0; rest &= rest - 1) {
        int lane = std::countr_zero(rest), row = lane % 8;
        const uint32_t* words = w.words(op.vector[static_cast<size_t>(lane / 8)]);
        uint16_t elements[8];
        for (int col = 0; col < 8; ++col) {
            int holder = op.c_flip ? col * 4 + row / 2 : row * 4 + col / 2;
            int half = op.c_flip ? row % 2 : col % 2;
            elements[col] = static_cast<uint16_t>(words[holder] >> (16 * half));
        }
        std::memcpy(to.bytes[static_cast<size_t>(lane)], elements, sizeof elements);
    }
}

void run_movmatrix(Warp& w, const Op& op) {
    uint32_t words[kLanes], *d = w.words(op.d);
    std::memcpy(words, w.words(op.a), sizeof words);
    auto element = [&](int row, int col) {
        return words[row * 4 + col / 2] >> (16 * (col % 2)) & 0xffff;
    };
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest), row = n / 4, col = n % 4 * 2;
        d[n] = element(col + 1, row) << 16 | element(col, row);
    }
}

namespace {

// Where element `half` of register `r` of lane `n` lies (9.7.14.5.8, figures of m16n8k16).
MatrixPlace place_of_half_a(int n, int r, int half) {
    return {n / 4 + (r & 1) * 8, n % 4 * 2 + half + (r >> 1) * 8};
}

uint16_t half_of(uint32_t word, int half) { return static_cast<uint16_t>(word >> (16 * half)); }
void set_half(uint32_t& word, int half, uint16_t bits) {
    word = (word & ~(0xffffu << (16 * half))) | uint32_t{bits} << (16 * half);
}

// Element i of a lane's share of c or d.
uint32_t* word_of_c(Warp& w, const uint32_t* rows, bool is_half, int n, int i) {
    return &w.words(rows[is_half ? i / 2 : i])[n];
}

// The usual case, all lanes with sums in f32, as a whole: the same sums in the same order.
void multiply(Warp& w, const MatrixRows& m) {
    constexpr size_t kRows = 16, kColumns = 8, kGroup = 8, kMostDepth = 16;
    const MatrixSteps& steps = operations().matrices;
    auto depth = static_cast<size_t>(m.depth);
    uint16_t a[kRows * kMostDepth], b[kMostDepth * kColumns];
    // Eight rows of a, or columns of b, by eight elements along the depth fill a register.
    for (size_t r = 0; r < depth / 4; ++r) {
        uint16_t* to = a + r % 2 * kGroup * depth + r / 2 * kGroup;
        const std::byte* from = w.state + m.a[r];
        for (size_t row = 0; row < kGroup; ++row)
            std::memcpy(to + row * depth, from + row * 16, 16);
    }
    for (size_t r = 0; r < depth / kGroup; ++r) {
        uint16_t of_register[kColumns][kGroup];
        std::memcpy(of_register, w.state + m.b[r], sizeof of_register);
        for (size_t k = 0; k < kGroup; ++k)
            for (size_t col = 0; col < kColumns; ++col)
                b[(r * kGroup + k) * kColumns + col] = of_register[col][k];
    }
    double wide_a[kRows * kMostDepth], wide_b[kMostDepth * kColumns], sums[kRows * kColumns];
    steps.widen_halves(a, wide_a, kRows * depth, m.brain);
    steps.widen_halves(b, wide_b, depth * kColumns, m.brain);
    double* lower = sums + kGroup * kColumns;
    steps.read_sums(w.words(m.c[0]), w.words(m.c[1]), sums, kColumns);
    steps.read_sums(w.words(m.c[2]), w.words(m.c[3]), lower, kColumns);
    steps.add_products(sums, kColumns, wide_a, wide_b, kRows, kColumns, depth);
    steps.write_sums(sums, kColumns, w.words(m.d[0]), w.words(m.d[1]));
    steps.write_sums(lower, kColumns, w.words(m.d[2]), w.words(m.d[3]));
}

}  // namespace

void run_mma(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    const MatrixRows& m = rows_of(op);
    bool whole = w.lanes == kAllLanes && !m.half_c && !m.half_d;
    w.memory->work += whole ? kWorkSideBySide : kWorkOfProduct;
    if (whole) return multiply(w, m);
    SmallFormat format = m.brain ? kBrain : kHalf;
    double a[16][16], b[16][8];
    int registers_of_a = m.depth / 4, registers_of_b = m.depth / 8;
    constexpr int elements = 4;
    for (int n = 0; n < kLanes; ++n)
        for (int half = 0; half < 2; ++half) {
            for (int r = 0; r < registers_of_a; ++r) {
                MatrixPlace p = place_of_half_a(n, r, half);
                a[p.row][p.col] = from_small(half_of(w.words(m.a[r])[n], half), format);
            }
            for (int r = 0; r < registers_of_b; ++r) {
                MatrixPlace p = place_of_b(n, r, half, 2);
                b[p.row][p.col] = from_small(half_of(w.words(m.b[r])[n], half), format);
            }
        }
    for (int n = 0; n < kLanes; ++n) {
        uint32_t result[elements] = {};
        for (int i = 0; i < elements; ++i) {
            MatrixPlace p = place_of_c(n, i);
            uint32_t c = *word_of_c(w, m.c, m.half_c, n, i);
            double sum =
                m.half_c ? from_small(half_of(c, i & 1), kHalf) : double{std::bit_cast<float>(c)};
            for (int k = 0; k < m.depth; ++k) sum += a[p.row][k] * b[k][p.col];
            auto single = static_cast<float>(sum);
            if (m.half_d)
                set_half(result[i / 2], i & 1, to_small(sum, kHalf, Modes::rn));
            else
                result[i] = single == single ? std::bit_cast<uint32_t>(single) : 0x7fffffff;
        }
        if (!(w.lanes >> n & 1)) continue;
        for (int r = 0; r < (m.half_d ? elements / 2 : elements); ++r)
            w.words(m.d[r])[n] = result[r];
    }
}

}  // namespace lanewise
