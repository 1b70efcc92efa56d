// wmma.load, wmma.mma and wmma.store in every shape: how the manual leaves a fragment's layout
// open, and which one the machine takes.
//
// Rows of a, columns of b and rows of d are dealt to groups of four lanes, eight at a time; what
// runs along them to the lanes of a group. For m16n16k16 of halves that is the layout of two
// mma.m16n8k16, and what the hardware does.
#include "sim/matrix/wmma.h"

#include <algorithm>
#include <bit>

#include "sim/operation/reach.h"
#include "sim/warp/small_float.h"
#include "sim/warp/work.h"

namespace lanewise {

namespace {

const WmmaRows& wmma_rows_of(const Op& op) { return *reinterpret_cast<const WmmaRows*>(op.immediate); }

// An element of a fragment: a's row and depth, b's column and depth, c's and d's row and column.
struct FragmentPlace {
    int line, along;
};

// Element `i` of register `r` of lane `n`.
FragmentPlace place(const Fragment& f, int n, int r, int i) {
    int group = n / 4, lane = n % 4;
    if (f.matrix == 'c') {
        // Registers count columns of a pair, then rows, then columns. A half shares its register
        // with its neighbour.
        int element = r * f.per_register + i, half_rows = f.lines / 8;
        return {group + 8 * (element / 2 % half_rows),
                lane * 2 + element % 2 + 8 * (element / 2 / half_rows)};
    }
    int steps = f.length / (4 * f.per_register), of_lines = f.lines / 8;
    r %= steps * of_lines;  // halves come twice and more
    int line = f.matrix == 'a' ? r % of_lines : r / steps;
    int step = f.matrix == 'a' ? r / of_lines : r % steps;
    return {group + 8 * line, (step * 4 + lane) * f.per_register + i};
}

uint64_t bits_of(const Fragment& f, Warp& w, int n, int r, int i) {
    if (f.bytes == 8) return w.wides(f.rows[r])[n];
    uint32_t word = w.words(f.rows[r])[n];
    return f.bytes == 4 ? word : word >> (8 * f.bytes * i) & ((1u << (8 * f.bytes)) - 1);
}
void set_bits(const Fragment& f, Warp& w, int n, int r, int i, uint64_t bits) {
    if (f.bytes == 8) {
        w.wides(f.rows[r])[n] = bits;
        return;
    }
    uint32_t& word = w.words(f.rows[r])[n];
    uint32_t keep = f.bytes == 4 ? 0 : ~(((1u << (8 * f.bytes)) - 1) << (8 * f.bytes * i));
    word = (word & keep) | static_cast<uint32_t>(bits) << (8 * f.bytes * i);
}

// Every number of a fragment is exact in a double.
double number(Type type, uint64_t bits) {
    auto word = static_cast<uint32_t>(bits);
    switch (type) {
        case Type::f16:
            return from_small(static_cast<uint16_t>(bits), kHalf);
        case Type::bf16:
            return from_small(static_cast<uint16_t>(bits), kBrain);
        case Type::tf32:  // the upper 19 bits of an f32
            return double{std::bit_cast<float>(word & 0xffffe000)};
        case Type::f32:
            return double{std::bit_cast<float>(word)};
        case Type::f64:
            return std::bit_cast<double>(bits);
        case Type::s8:
            return static_cast<int8_t>(bits);
        case Type::u8:
            return static_cast<uint8_t>(bits);
        default:
            return static_cast<int32_t>(word);
    }
}
uint64_t sum_bits(Type type, double sum, bool saturates) {
    if (type == Type::f16) return to_small(sum, kHalf, Modes::rn);
    if (type == Type::f64) return std::bit_cast<uint64_t>(sum);
    if (type == Type::f32) {
        auto single = static_cast<float>(sum);
        return single == single ? std::bit_cast<uint32_t>(single) : 0x7fffffffu;
    }
    auto whole = static_cast<int64_t>(sum);  // of few bytes: far below 2^53
    if (saturates) whole = std::clamp<int64_t>(whole, INT32_MIN, INT32_MAX);
    return static_cast<uint32_t>(whole);
}

struct FragmentNumbers {
    double of[32][32];  // by FragmentPlace
};
void read(const Fragment& f, Warp& w, FragmentNumbers& numbers) {
    for (int n = 0; n < kLanes; ++n)
        for (int r = 0; r < f.registers; ++r)
            for (int i = 0; i < f.per_register; ++i) {
                FragmentPlace p = place(f, n, r, i);
                numbers.of[p.line][p.along] = number(f.type, bits_of(f, w, n, r, i));
            }
}

LaneAddresses32 element_addresses(Warp& w, const WmmaRows& m, int r, int i) {
    const Fragment& f = m.d;
    LaneAddresses32 result = lane_addresses(w, m.address, true, m.wide_address, m.displacement);
    // A matrix lies by rows or by columns; b's columns are its lines.
    bool by_lines = m.column_major == (f.matrix == 'b');
    for (int n = 0; n < kLanes; ++n) {
        FragmentPlace p = place(f, n, r, i);
        uint64_t stride = w.words(m.stride)[n];
        auto line = static_cast<uint64_t>(p.line), along = static_cast<uint64_t>(p.along);
        result[static_cast<size_t>(n)] +=
            f.bytes * (by_lines ? line * stride + along : along * stride + line);
    }
    return result;
}

// The lines of a fragment of halves by turns of eight along their length: to(line, along) gets the
// eight elements that lie there, of registers as place() has them.
template <class To>
void each_eight(const Fragment& f, const Warp& w, To to) {
    int of_lines = f.lines / 8, steps = f.length / 8;
    for (int r = 0; r < of_lines * steps; ++r) {
        int line = 8 * (f.matrix == 'a' ? r % of_lines : r / steps);
        int step = 8 * (f.matrix == 'a' ? r / of_lines : r % steps);
        for (int row = 0; row < 8; ++row) {
            uint16_t eight[8];
            std::memcpy(eight, w.state + f.rows[r] + 16 * row, sizeof eight);
            to(line + row, step, eight);
        }
    }
}

bool is_of_halves(const WmmaRows& m) {
    bool halves = m.a.type == Type::f16 || m.a.type == Type::bf16;
    return halves && m.c.type == Type::f32 && m.d.type == Type::f32;
}

// The usual case, all lanes with sums in f32, as a whole: the same sums in the same order.
void multiply_fragments(Warp& w, const WmmaRows& m) {
    constexpr size_t kMostFactors = 32 * 16, kMostSums = 256;
    const MatrixSteps& steps = operations().matrices;
    auto rows = static_cast<size_t>(m.a.lines), columns = static_cast<size_t>(m.b.lines);
    auto depth = static_cast<size_t>(m.a.length);
    uint16_t a[kMostFactors], b[kMostFactors];
    each_eight(m.a, w, [&](int row, int k, const uint16_t* eight) {
        std::memcpy(a + static_cast<size_t>(row) * depth + k, eight, 16);
    });
    each_eight(m.b, w, [&](int col, int k, const uint16_t* eight) {
        for (int i = 0; i < 8; ++i) b[static_cast<size_t>(k + i) * columns + col] = eight[i];
    });
    double wide_a[kMostFactors], wide_b[kMostFactors], sums[kMostSums];
    steps.widen_halves(a, wide_a, rows * depth, m.a.type == Type::bf16);
    steps.widen_halves(b, wide_b, depth * columns, m.a.type == Type::bf16);
    // Two registers hold eight rows of eight sums; those below come next, then those beside.
    size_t down = rows / 8;
    auto tile = [&](size_t r) { return sums + r / 2 % down * 8 * columns + r / 2 / down * 8; };
    for (size_t r = 0; r < 8; r += 2)
        steps.read_sums(w.words(m.c.rows[r]), w.words(m.c.rows[r + 1]), tile(r), columns);
    steps.add_products(sums, columns, wide_a, wide_b, rows, columns, depth);
    for (size_t r = 0; r < 8; r += 2)
        steps.write_sums(tile(r), columns, w.words(m.d.rows[r]), w.words(m.d.rows[r + 1]));
}

}  // namespace

void run_wmma(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    const WmmaRows& m = wmma_rows_of(op);
    bool whole = w.lanes == kAllLanes && is_of_halves(m);
    w.memory->work += whole ? 2 * kWorkSideBySide : kWorkOfProduct;
    if (whole) return multiply_fragments(w, m);
    FragmentNumbers a, b, c;
    read(m.a, w, a);
    read(m.b, w, b);
    read(m.c, w, c);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        for (int r = 0; r < m.d.registers; ++r)
            for (int i = 0; i < m.d.per_register; ++i) {
                FragmentPlace p = place(m.d, n, r, i);
                double sum = c.of[p.line][p.along];
                const double *row = a.of[p.line], *column = b.of[p.along];
                for (int k = 0; k < m.a.length; ++k) sum = __builtin_fma(row[k], column[k], sum);
                set_bits(m.d, w, n, r, i, sum_bits(m.d.type, sum, m.saturates));
            }
    }
}

void run_wmma_load(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    const WmmaRows& m = wmma_rows_of(op);
    const Fragment& f = m.d;
    for (int r = 0; r < f.registers; ++r)
        for (int i = 0; i < f.per_register; ++i) {
            bool is_repeated = r >= f.distinct;
            for (uint32_t rest = is_repeated ? w.lanes : 0; rest != 0; rest &= rest - 1) {
                int n = std::countr_zero(rest);
                set_bits(f, w, n, r, i, bits_of(f, w, n, r % f.distinct, i));
            }
            if (is_repeated) continue;
            Reach from =
                reach(w, op, m.where, w.lanes, element_addresses(w, m, r, i), f.bytes, false);
            announce_reach(w, op, from, AccessKind::matrix, false, f.bytes, r * f.per_register + i);
            for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
                int n = std::countr_zero(rest);
                uint64_t value = 0;
                if (from.lanes() >> n & 1) fetch(from, n, &value, f.bytes);
                set_bits(f, w, n, r, i, value);
            }
        }
}

void run_wmma_store(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    const WmmaRows& m = wmma_rows_of(op);
    const Fragment& f = m.d;
    for (int r = 0; r < f.registers; ++r)
        for (int i = 0; i < f.per_register; ++i) {
            Reach to = reach(w, op, m.where, w.lanes, element_addresses(w, m, r, i), f.bytes, true);
            announce_reach(w, op, to, AccessKind::matrix, true, f.bytes, r * f.per_register + i);
            for (uint32_t rest = to.lanes(); rest != 0; rest &= rest - 1) {
                int n = std::countr_zero(rest);
                uint64_t value = bits_of(f, w, n, r, i);
                std::memcpy(to.bytes[static_cast<size_t>(n)], &value, f.bytes);
            }
        }
}

}  // namespace lanewise
