// mma of bytes, tf32 and f64: where each lane's elements lie is in the figures of 9.7.14.5.
#include <algorithm>
#include <bit>

#include "sim/matrix/matrix_places.h"
#include "sim/warp/small_float.h"
#include "sim/warp/work.h"

namespace lanewise {

namespace {

// Element i of those that register r of lane n holds, `per` to a register.
MatrixPlace place_of_a(const MatrixRows& m, int n, int r, int i, int per) {
    int of_lines = m.lines / 8;
    return {n / 4 + r % of_lines * 8, n % 4 * per + i + r / of_lines * 4 * per};
}

// The product of the lines x depth and depth x 8 matrices whose elements A and B read from words;
// sum(c, row of a, column of b) makes an element of d.
template <class Number, int per, class ReadA, class ReadB, class Sum>
void product(Warp& w, const MatrixRows& m, ReadA read_a, ReadB read_b, Sum sum) {
    w.memory->work += kWorkOfProduct;
    Number a[16][32], b[8][32];  // b by its columns
    for (int n = 0; n < kLanes; ++n)
        for (int i = 0; i < per; ++i) {
            for (int r = 0; r < m.lines * m.depth / (kLanes * per); ++r) {
                MatrixPlace p = place_of_a(m, n, r, i, per);
                a[p.row][p.col] = read_a(w.words(m.a[r])[n], i);
            }
            for (int r = 0; r < m.depth / (4 * per); ++r) {
                MatrixPlace p = place_of_b(n, r, i, per);
                b[p.col][p.row] = read_b(w.words(m.b[r])[n], i);
            }
        }
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        uint32_t results[4];
        for (int r = 0; r < m.lines / 4; ++r) {
            MatrixPlace p = place_of_c(n, r);
            results[r] = sum(w.words(m.c[r])[n], a[p.row], b[p.col]);
        }
        for (int r = 0; r < m.lines / 4; ++r) w.words(m.d[r])[n] = results[r];
    }
}

int byte_of(uint32_t word, int i, bool is_unsigned) {
    auto byte = static_cast<uint8_t>(word >> (8 * i));
    return is_unsigned ? byte : static_cast<int8_t>(byte);
}

}  // namespace

void run_mma_bytes(Warp& w, const Op& op) {
    const MatrixRows& m = rows_of(op);
    auto sum = [&](uint32_t c, const int* row, const int* column) {
        int64_t result = static_cast<int32_t>(c);
        for (int k = 0; k < m.depth; ++k) result += row[k] * column[k];
        if (m.saturates) result = std::clamp<int64_t>(result, INT32_MIN, INT32_MAX);
        return static_cast<uint32_t>(result);
    };
    product<int, 4>(
        w, m, [&](uint32_t v, int i) { return byte_of(v, i, m.factor == Type::u8); },
        [&](uint32_t v, int i) { return byte_of(v, i, m.factor_b == Type::u8); }, sum);
}

namespace {

uint32_t sum_of_f32(uint32_t c, const double* row, const double* column, int depth) {
    double result = std::bit_cast<float>(c);
    for (int k = 0; k < depth; ++k) result += row[k] * column[k];
    auto single = static_cast<float>(result);
    return single == single ? std::bit_cast<uint32_t>(single) : 0x7fffffffu;
}

}  // namespace

// tf32 is the upper 19 bits of an f32.
void run_mma_tf32(Warp& w, const Op& op) {
    const MatrixRows& m = rows_of(op);
    auto read = [](uint32_t v, int) { return double{std::bit_cast<float>(v & 0xffffe000)}; };
    product<double, 1>(w, m, read, read, [&](uint32_t c, const double* row, const double* column) {
        return sum_of_f32(c, row, column, m.depth);
    });
}

void run_mma_small_bytes(Warp& w, const Op& op) {
    const MatrixRows& m = rows_of(op);
    auto reader = [](Type type) {
        SmallFormat format = type == Type::e4m3x2 ? kE4m3 : kE5m2;
        return [=](uint32_t v, int i) {
            return from_byte(static_cast<uint8_t>(v >> (8 * i)), format);
        };
    };
    product<double, 4>(w, m, reader(m.factor), reader(m.factor_b),
                       [&](uint32_t c, const double* row, const double* column) {
                           return sum_of_f32(c, row, column, m.depth);
                       });
}

// One element to a register; each product is fused with the sum before.
void run_mma_f64(Warp& w, const Op& op) {
    const MatrixRows& m = rows_of(op);
    double a[16][16], b[8][16];  // b by its columns
    for (int n = 0; n < kLanes; ++n) {
        for (int r = 0; r < m.lines * m.depth / kLanes; ++r) {
            MatrixPlace p = place_of_a(m, n, r, 0, 1);
            a[p.row][p.col] = std::bit_cast<double>(w.wides(m.a[r])[n]);
        }
        for (int r = 0; r < m.depth / 4; ++r) {
            MatrixPlace p = place_of_b(n, r, 0, 1);
            b[p.col][p.row] = std::bit_cast<double>(w.wides(m.b[r])[n]);
        }
    }
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        uint64_t results[4];
        for (int r = 0; r < m.lines / 4; ++r) {
            MatrixPlace p = place_of_c(n, r);
            auto sum = std::bit_cast<double>(w.wides(m.c[r])[n]);
            for (int k = 0; k < m.depth; ++k) sum = __builtin_fma(a[p.row][k], b[p.col][k], sum);
            results[r] = std::bit_cast<uint64_t>(sum);
        }
        for (int r = 0; r < m.lines / 4; ++r) w.wides(m.d[r])[n] = results[r];
    }
}

}  // namespace lanewise
