#include "sim/wgmma.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "sim/async_copy.h"
#include "sim/small_float.h"
#include "sim/work.h"

namespace lanewise {

namespace {

constexpr int kDepth = 16, kRows = 16;  // of a warp's part, with elements of 16 bits
constexpr uint64_t kChunk = 16;         // bytes that swizzles keep together: eight elements

// Outside of the block's shared memory: 0. What the hardware does then is not said.
uint16_t element_at(const BlockMemory& memory, uint64_t address) {
    uint16_t bits = 0;
    if (address + sizeof bits <= memory.shared_bytes)
        std::memcpy(&bits, memory.shared + address, sizeof bits);
    return bits;
}

struct Factors {
    double a[kRows][kDepth];
    std::vector<double> b;  // by depth, then column
};

// f(line - first, depth, bits) for the elements of lines [first, first + lines). Eight of them lie
// together in a chunk, along the lines or along the depth.
template <class F>
void each_element(const BlockMemory& memory, const SharedMatrix& matrix, int first, int lines,
                  F f) {
    int of_lines = matrix.along_lines ? 8 : 1, of_depth = matrix.along_lines ? 1 : 8;
    for (int line = 0; line < lines; line += of_lines)
        for (int k = 0; k < kDepth; k += of_depth) {
            uint64_t chunk = matrix.address(first + line, k);
            for (int n = 0; n < 8; ++n) {
                uint16_t bits = element_at(memory, chunk + 2 * static_cast<uint64_t>(n));
                f(line + (of_lines > 1 ? n : 0), k + (of_depth > 1 ? n : 0), bits);
            }
        }
}

// As the figures of m64nNk16 have them (9.7.15.5).
int row_of(int lane, int r) { return lane / 4 + r % 2 * 8; }
int depth_of(int lane, int r, int half) { return lane % 4 * 2 + half + r / 2 * 8; }

void read_a(Warp& w, const WgmmaRows& m, SmallFormat format, Factors& factors) {
    double sign = m.negates_a ? -1 : 1;
    if (m.a_in_registers) {
        for (int lane = 0; lane < kLanes; ++lane)
            for (int r = 0; r < 4; ++r)
                for (int half = 0; half < 2; ++half) {
                    uint32_t word = w.words(m.a[r])[lane];
                    factors.a[row_of(lane, r)][depth_of(lane, r, half)] =
                        sign * from_small(static_cast<uint16_t>(word >> (16 * half)), format);
                }
        return;
    }
    SharedMatrix matrix = SharedMatrix::of(w.wides(m.a[0])[0], m.turned_a);
    each_element(*w.memory, matrix, static_cast<int>(w.index % 4) * kRows, kRows,
                 [&](int row, int k, uint16_t bits) {
                     factors.a[row][k] = sign * from_small(bits, format);
                 });
}

void read_b(Warp& w, const WgmmaRows& m, SmallFormat format, Factors& factors) {
    double sign = m.negates_b ? -1 : 1;
    SharedMatrix matrix = SharedMatrix::of(w.wides(m.b)[0], m.turned_b);
    factors.b.resize(static_cast<size_t>(m.columns * kDepth));
    each_element(*w.memory, matrix, 0, m.columns, [&](int col, int k, uint16_t bits) {
        factors.b[static_cast<size_t>(k * m.columns + col)] = sign * from_small(bits, format);
    });
}

// The chunks of 16 bytes that hold lines [first, first + lines), those within shared memory.
void add_chunks(const BlockMemory& memory, const SharedMatrix& matrix, int first, int lines,
                std::vector<uint32_t>& chunks) {
    int step_of_lines = matrix.along_lines ? 8 : 1, step_of_depth = matrix.along_lines ? 1 : 8;
    for (int line = first; line < first + lines; line += step_of_lines)
        for (int k = 0; k < kDepth; k += step_of_depth) {
            uint64_t at = matrix.address(line, k) / kChunk * kChunk;
            if (at + kChunk <= memory.shared_bytes) chunks.push_back(static_cast<uint32_t>(at));
        }
}

SharedMatrix matrix_a(Warp& w, const WgmmaRows& m) {
    return SharedMatrix::of(w.wides(m.a[0])[0], m.turned_a);
}
SharedMatrix matrix_b(Warp& w, const WgmmaRows& m) {
    return SharedMatrix::of(w.wides(m.b)[0], m.turned_b);
}
int first_line_of_a(const Warp& w) { return static_cast<int>(w.index % 4) * kRows; }

void announce_reads(Warp& w, const Op& op, const WgmmaRows& m) {
    auto add = [&](const SharedMatrix& matrix, int first, int lines, bool is_of_warpgroup) {
        std::vector<uint32_t> chunks;
        add_chunks(*w.memory, matrix, first, lines, chunks);
        w.memory->copies->products.add(*w.memory, op.instruction, w.index, std::move(chunks),
                                       is_of_warpgroup);
    };
    if (!m.a_in_registers) add(matrix_a(w, m), first_line_of_a(w), kRows, false);
    add(matrix_b(w, m), 0, m.columns, true);
}

}  // namespace

// Each warp's part of the product, as mma's are told: sim/product.h.
static void announce(Warp& w, const Op& op, const WgmmaRows& m, const Factors& factors) {
    using enum ProductOperand::Numbers;
    auto numbers = m.brain ? bf16 : f16;
    ProductOperand a{'a', numbers, m.a_in_registers ? 4 : 0, m.a};
    SharedMatrix place_b = matrix_b(w, m), place_a;
    ProductOperand b{'b', numbers, 0, nullptr, factors.b, &place_b};
    if (!m.a_in_registers) {
        place_a = matrix_a(w, m);
        a.shared = {&factors.a[0][0], kRows * kDepth};
        a.place = &place_a;
        a.first_line = first_line_of_a(w);
    }
    ProductOperand sums{'c', m.half_d ? f16 : f32, m.columns / (m.half_d ? 4 : 2), m.d};
    w.memory->observer->on_product({op.instruction,
                                    w.memory->block,
                                    static_cast<uint16_t>(w.index),
                                    w.lanes,
                                    w.state,
                                    {{a, b, sums}}});
}

SharedMatrix SharedMatrix::of(uint64_t descriptor, bool along_lines) {
    auto field = [&](int shift) { return (descriptor >> shift & 0x3fff) << 4; };
    constexpr int kSwizzles[] = {0, 128, 64, 32};
    return {field(0), field(16), field(32), kSwizzles[descriptor >> 62], along_lines};
}

uint64_t SharedMatrix::address(int line, int depth) const {
    auto in = [](int number, int group) { return static_cast<uint64_t>(number % group); };
    auto of = [](int number, int group) { return static_cast<uint64_t>(number / group); };
    int pattern = std::max(swizzle, static_cast<int>(kChunk));  // bytes
    auto row_bytes = static_cast<uint64_t>(pattern);
    uint64_t at = start;
    if (along_lines) {
        // Rows of a pattern's width, eight of them (one for each depth) in a group.
        int wide = pattern / 2;  // elements
        uint64_t next_wide = swizzle == 0 ? stride : leading;
        uint64_t next_eight = swizzle == 0 ? leading : stride;
        at += in(line, wide) * 2 + of(line, wide) * next_wide + in(depth, 8) * row_bytes +
              of(depth, 8) * next_eight;
    } else {
        // Eight lines make a group; where nothing is swizzled a line's chunks lie apart.
        at += in(line, 8) * row_bytes + of(line, 8) * stride + in(depth, 8) * 2 +
              of(depth, 8) * (swizzle == 0 ? leading : kChunk);
    }
    uint64_t key = at >> 7 & (row_bytes / kChunk - 1);
    return at ^ key << 4;
}

// Where a row's sum of one column is kept, as the figures of m64nNk16 have it.
struct Sum {
    uint32_t& word;
    int shift;
};

void run_wgmma(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    const auto& m = *reinterpret_cast<const WgmmaRows*>(op.immediate);
    w.memory->work += kWorkOfProduct * static_cast<uint64_t>(m.columns) / 8;  // as so many mma
    SmallFormat format = m.brain ? kBrain : kHalf;
    announce_reads(w, op, m);
    Factors factors;
    read_a(w, m, format, factors);
    read_b(w, m, format, factors);
    bool adds = ((w.predicate(m.adds) ^ m.adds_flip) & 1) != 0;  // the same for all lanes
    std::vector<double> sums(static_cast<size_t>(m.columns));    // of one row
    for (int row = 0; row < kRows; ++row) {
        auto at = [&](int col) {
            int lane = row % 8 * 4 + col % 8 / 2, i = col / 8 * 4 + row / 8 * 2 + col % 2;
            return Sum{w.words(m.d[m.half_d ? i / 2 : i])[lane], m.half_d ? i % 2 * 16 : 0};
        };
        for (int col = 0; col < m.columns; ++col) {
            Sum sum = at(col);
            sums[static_cast<size_t>(col)] =
                !adds      ? 0
                : m.half_d ? from_small(static_cast<uint16_t>(sum.word >> sum.shift), kHalf)
                           : double{std::bit_cast<float>(sum.word)};
        }
        // Each sum takes its terms in order of depth; columns side by side.
        for (int k = 0; k < kDepth; ++k) {
            const double factor = factors.a[row][k];
            const double* of_b = &factors.b[static_cast<size_t>(k * m.columns)];
            for (size_t col = 0; col < sums.size(); ++col) sums[col] += factor * of_b[col];
        }
        for (int col = 0; col < m.columns; ++col) {
            Sum sum = at(col);
            double exact = sums[static_cast<size_t>(col)];
            auto single = static_cast<float>(exact);
            if (m.half_d)
                sum.word = (sum.word & ~(0xffffu << sum.shift)) |
                           uint32_t{to_small(exact, kHalf, Modes::rn)} << sum.shift;
            else
                sum.word = single == single ? std::bit_cast<uint32_t>(single) : 0x7fffffffu;
        }
    }
    announce(w, op, m, factors);
}

void run_wgmma_commit(Warp& w, const Op&) {
    if (w.lanes != 0) w.memory->copies->products.commit(w.index);
}
void run_wgmma_wait(Warp& w, const Op& op) {
    if (w.lanes != 0) w.memory->copies->products.wait(*w.memory, w.index, op.targets);
}

}  // namespace lanewise
