#include "sim/async/wgmma.h"

#include <algorithm>
#include <span>
#include <vector>

#include "sim/async/async_copy.h"
#include "sim/warp/small_float.h"
#include "sim/warp/work.h"

namespace lanewise {

namespace {

constexpr int kDepth = kWgmmaDepth, kRows = 16;  // of a warp's part
constexpr int kMostColumns = 256;
constexpr uint64_t kChunk = 16;  // bytes that swizzles keep together
constexpr int kEight = 8;        // elements of a chunk; also rows or columns that a register has of

// The chunk at an address: eight elements. Those outside of the block's shared memory are 0; what
// the hardware does then is not said.
void read_chunk(const BlockMemory& memory, uint64_t address, uint16_t* to) {
    if (address + kChunk <= memory.shared_bytes) {
        std::memcpy(to, memory.shared + address, kChunk);
        return;
    }
    uint64_t inside = address < memory.shared_bytes ? memory.shared_bytes - address : 0;
    std::memset(to, 0, kChunk);
    if (inside > 0) std::memcpy(to, memory.shared + address, inside);
}

struct Factors {
    double a[kRows * kDepth];  // by row, then depth
    std::vector<double> b;     // by depth, then column
};

// The elements of a part, by line and then depth; `by_depth`: by depth and then line. Eight of them
// lie together in a chunk, along the lines or along the depth.
void read_elements(const BlockMemory& memory, const MatrixLines& part,
                   const std::vector<uint64_t>& chunks, bool by_depth, uint16_t* to) {
    int next_line = by_depth ? 1 : kDepth, next_depth = by_depth ? part.lines : 1;
    int of_lines = part.along_lines ? kEight : 1, of_depth = part.along_lines ? 1 : kEight;
    int step = part.along_lines ? next_line : next_depth;
    const uint64_t* chunk = chunks.data();
    for (int line = 0; line < part.lines; line += of_lines)
        for (int k = 0; k < kDepth; k += of_depth, ++chunk) {
            uint16_t* at = to + line * next_line + k * next_depth;
            if (step == 1) {
                read_chunk(memory, *chunk, at);
                continue;
            }
            uint16_t eight[kEight];
            read_chunk(memory, *chunk, eight);
            for (int n = 0; n < kEight; ++n) at[n * step] = eight[n];
        }
}

// Doubles of them, with their signs turned if need be.
void widen(std::span<uint16_t> bits, bool is_negated, bool brain, double* to) {
    for (size_t i = 0; is_negated && i < bits.size(); ++i) bits[i] ^= 0x8000;
    operations().matrices.widen_halves(bits.data(), to, bits.size(), brain);
}

MatrixLines lines_of_a(Warp& w, const WgmmaRows& m) {
    return {w.wides(m.a[0])[0], m.turned_a, static_cast<int>(w.index % 4) * kRows, kRows};
}
MatrixLines lines_of_b(Warp& w, const WgmmaRows& m) {
    return {w.wides(m.b)[0], m.turned_b, 0, m.columns};
}

// Reads what lies in shared memory, and says so.
void read(Warp& w, const Op& op, const MatrixLines& part, bool is_b, uint16_t* to) {
    MatrixReads& reads = w.memory->copies->products;
    auto chunks = reads.chunks(*w.memory, part);
    reads.add(*w.memory, op.instruction, w.index, chunks, is_b);
    read_elements(*w.memory, part, chunks->all, is_b, to);
}

// Registers hold a as those of m16n8k16 do: eight rows by eight elements along the depth each, of
// which the lower rows come second (9.7.15.5).
void read_a(Warp& w, const Op& op, const WgmmaRows& m, Factors& factors) {
    uint16_t bits[kRows * kDepth];
    if (!m.a_in_registers) read(w, op, lines_of_a(w, m), false, bits);
    for (int r = 0; m.a_in_registers && r < 4; ++r)
        for (int row = 0; row < kEight; ++row)
            std::memcpy(bits + (r % 2 * kEight + row) * kDepth + r / 2 * kEight,
                        w.state + m.a[r] + row * static_cast<int>(kChunk), kChunk);
    widen(bits, m.negates_a, m.brain, factors.a);
}

void read_b(Warp& w, const Op& op, const WgmmaRows& m, Factors& factors) {
    uint16_t bits[kMostColumns * kDepth];
    auto elements = static_cast<size_t>(m.columns * kDepth);
    read(w, op, lines_of_b(w, m), true, bits);
    factors.b.resize(elements);
    widen({bits, elements}, m.negates_b, m.brain, factors.b.data());
}

}  // namespace

// Each warp's part of the product, as mma's are told: sim/matrix/product.h.
static void announce_product(Warp& w, const Op& op, const WgmmaRows& m, const Factors& factors) {
    using enum ProductOperand::Numbers;
    auto numbers = m.brain ? bf16 : f16;
    ProductOperand a{'a', numbers, m.a_in_registers ? 4 : 0, m.a};
    SharedMatrix place_b = SharedMatrix::of(w.wides(m.b)[0], m.turned_b), place_a;
    ProductOperand b{'b', numbers, 0, nullptr, factors.b, &place_b};
    if (!m.a_in_registers) {
        MatrixLines lines = lines_of_a(w, m);
        place_a = SharedMatrix::of(lines.descriptor, lines.along_lines);
        a.shared = factors.a;
        a.place = &place_a;
        a.first_line = lines.first;
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

// Halves as sums: an element is half a register. f(word, shift, sum) for each.
template <class F>
static void each_half_sum(Warp& w, const WgmmaRows& m, std::vector<double>& sums, F f) {
    for (int row = 0; row < kRows; ++row)
        for (int col = 0; col < m.columns; ++col) {
            int lane = row % kEight * 4 + col % kEight / 2;
            int r = col / kEight * 2 + row / kEight;
            f(w.words(m.d[r])[lane], col % 2 * 16,
              sums[static_cast<size_t>(row * m.columns + col)]);
        }
}
// Eight columns of floats in four registers: even and odd ones of the upper rows, then the lower.
// f(even, odd, sums) for each two.
template <class F>
static void each_float_tile(Warp& w, const WgmmaRows& m, std::vector<double>& sums, F f) {
    for (int r = 0; r < m.columns / 2; r += 2) {
        int row = r / 2 % 2 * kEight, col = r / 4 * kEight;
        f(w.words(m.d[r]), w.words(m.d[r + 1]), &sums[static_cast<size_t>(row * m.columns + col)]);
    }
}

void run_wgmma(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    const auto& m = *reinterpret_cast<const WgmmaRows*>(op.immediate);
    const MatrixSteps& steps = operations().matrices;
    w.memory->work += kWorkSideBySide * static_cast<uint64_t>(m.columns) / 8;  // as so many mma
    Factors factors;
    read_a(w, op, m, factors);
    read_b(w, op, m, factors);
    bool adds = ((w.predicate(m.adds) ^ m.adds_flip) & 1) != 0;  // the same for all lanes
    auto columns = static_cast<size_t>(m.columns);
    std::vector<double> sums(kRows * columns);
    if (adds && m.half_d)
        each_half_sum(w, m, sums, [](uint32_t word, int shift, double& sum) {
            sum = from_small(static_cast<uint16_t>(word >> shift), kHalf);
        });
    else if (adds)
        each_float_tile(w, m, sums, [&](const uint32_t* even, const uint32_t* odd, double* tile) {
            steps.read_sums(even, odd, tile, columns);
        });
    steps.add_products(sums.data(), columns, factors.a, factors.b.data(), kRows, columns, kDepth);
    if (m.half_d)
        each_half_sum(w, m, sums, [](uint32_t& word, int shift, double sum) {
            word = (word & ~(0xffffu << shift)) | uint32_t{to_small(sum, kHalf, Modes::rn)}
                                                      << shift;
        });
    else
        each_float_tile(w, m, sums, [&](uint32_t* even, uint32_t* odd, const double* tile) {
            steps.write_sums(tile, columns, even, odd);
        });
    announce_product(w, op, m, factors);
}

void run_wgmma_commit(Warp& w, const Op&) {
    if (w.lanes != 0) w.memory->copies->products.commit(w.index);
}
void run_wgmma_wait(Warp& w, const Op& op) {
    if (w.lanes != 0) w.memory->copies->products.wait(*w.memory, w.index, op.targets);
}

}  // namespace lanewise
