#include "lab/product/product_probe.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>

#include "base/error.h"
#include "base/text.h"
#include "sim/memory/memory.h"

namespace lanewise {

namespace {

constexpr int kMostOfASide = 2000;       // a half holds whole numbers up to 2,048 exactly
constexpr uint64_t kMostHalves = 65535;  // different from each other, and none of them zero

// A number from 0 to 2,047 as the bits of a half.
uint16_t half_of_number(int number) {
    if (number == 0) return 0;
    int exponent = 0;
    while (number >> (exponent + 1)) ++exponent;
    int digits = (number << (10 - exponent)) & 0x3ff;
    return static_cast<uint16_t>((exponent + 15) << 10 | digits);
}

uint64_t elements_of(int rows, int cols) {
    return static_cast<uint64_t>(rows) * static_cast<uint64_t>(cols);
}

// ---- What A and B hold

using Value = std::function<int(int row, int col)>;

struct Matrix {
    std::byte* to;
    int rows, cols;
};
Matrix matrix_a(const ProbedLaunch& l) {
    return {l.memory.buffers()[0].storage, l.size.M, l.size.K};
}
Matrix matrix_b(const ProbedLaunch& l) {
    return {l.memory.buffers()[1].storage, l.size.K, l.size.N};
}

void fill_with_numbers(const ProbedLaunch& l, Matrix matrix, const Value& value) {
    for (int row = 0; row < matrix.rows; ++row)
        for (int col = 0; col < matrix.cols; ++col, matrix.to += l.element_bytes) {
            float number = static_cast<float>(value(row, col));
            uint16_t half = half_of_number(value(row, col));
            std::memcpy(matrix.to, l.element_bytes == 2 ? static_cast<void*>(&half) : &number,
                        l.element_bytes);
        }
}

// Bit patterns: 1 for the element number `first` of A and B together, counted up to the `last`, and
// 0 for all others.
void number_elements(const ProbedLaunch& l, uint64_t first, uint64_t last) {
    uint64_t number = 0;
    for (const Matrix& matrix : {matrix_a(l), matrix_b(l)}) {
        std::byte* to = matrix.to;
        for (uint64_t i = elements_of(matrix.rows, matrix.cols); i > 0; --i, ++number) {
            bool in = number >= first && number < last;
            auto bits = static_cast<uint32_t>(in ? number - first + 1 : 0);
            std::memcpy(to, &bits, l.element_bytes);
            to += l.element_bytes;
        }
    }
}

void mark_depths(const ProbedLaunch& l) {
    Matrix a = matrix_a(l), b = matrix_b(l);
    auto mark = [&](Matrix& matrix, bool is_a) {
        for (int row = 0; row < matrix.rows; ++row)
            for (int col = 0; col < matrix.cols; ++col, matrix.to += l.element_bytes) {
                uint32_t bits = mark_of(is_a, is_a ? col : row, l.size.K);
                std::memcpy(matrix.to, &bits, l.element_bytes);
            }
    };
    mark(a, true);
    mark(b, false);
}

int row_number(int row, int) { return row + 1; }
int col_number(int, int col) { return col + 1; }
int one(int, int) { return 1; }

// Only the first column of A and the first row of B are not zero, so that C's elements are what
// these say.
Value in_first_col(const Value& value) {
    return [value](int row, int col) { return col == 0 ? value(row, col) : 0; };
}
Value in_first_row(const Value& value) {
    return [value](int row, int col) { return row == 0 ? value(row, col) : 0; };
}

void run(const ProbedLaunch& l, uint64_t begin, uint64_t end, Observer& observer) {
    l.machine.run(l.shape, l.arguments, l.memory, begin, end, observer);
}

// The same product of all four warps of a warpgroup, one of which is asked for.
class GroupReader : public Observer {
  public:
    GroupReader(uint32_t warp, uint64_t product) : asked_(warp % 4) {
        for (uint32_t w = 0; w < 4; ++w) warps_.emplace_back(warp / 4 * 4 + w, product);
    }
    void on_product(const ProductEvent& event) override {
        for (FragmentReader& warp : warps_) warp.on_product(event);
    }
    const FragmentReader& asked() const { return warps_[asked_]; }
    const FragmentReader& warp(size_t w) const { return warps_[w]; }

  private:
    size_t asked_;
    std::vector<FragmentReader> warps_;
};

}  // namespace

FragmentMap fragment_map(const ProbedLaunch& l, uint32_t block, uint32_t warp, uint64_t product) {
    if (std::max({l.size.M, l.size.N, l.size.K}) > kMostOfASide)
        throw Error(Status::bad_input,
                    "to see which lane holds what, choose M, N and K up to 2,000");
    auto read = [&](const Value& of_a, const Value& of_b) {
        fill_with_numbers(l, matrix_a(l), of_a);
        fill_with_numbers(l, matrix_b(l), of_b);
        GroupReader reader(warp, product);
        run(l, block, block + 1, reader);
        if (!reader.asked().found())
            throw Error(Status::bad_input, "warp " + std::to_string(warp) + " of block " +
                                               std::to_string(block) + " multiplies " +
                                               with_thousands(reader.asked().products()) +
                                               " times with tensor cores; there is no number " +
                                               with_thousands(product));
        return reader;
    };
    GroupReader rows = read(row_number, row_number), cols = read(col_number, col_number);
    GroupReader c_rows = read(in_first_col(row_number), in_first_row(one));
    GroupReader c_cols = read(in_first_col(one), in_first_row(col_number));
    auto part = [&](size_t w) {
        return FragmentMap::WarpPart{held_fragment(rows.warp(w).a(), cols.warp(w).a()),
                                     held_fragment(c_rows.warp(w).c(), c_cols.warp(w).c())};
    };
    FragmentMap map;
    map.instruction = rows.asked().instruction();
    auto [a, c] = part(warp % 4);
    map.a = std::move(a);
    map.b = held_fragment(rows.asked().b(), cols.asked().b());
    map.c = std::move(c);
    map.products = rows.asked().products();
    map.warp = warp;
    bool by_warpgroup = map.b.registers == 0;
    for (size_t w = 0; w < 4 && by_warpgroup; ++w) map.group.push_back(part(w));
    return map;
}

uint32_t warps_that_multiply(const ProbedLaunch& l, uint32_t block) {
    struct : Observer {
        uint32_t warps = 0;
        void on_product(const ProductEvent& event) override { warps |= 1u << event.warp; }
    } seen;
    run(l, block, block + 1, seen);
    return seen.warps;
}

std::vector<ReuseMap> reuse_maps(const ProbedLaunch& l) {
    auto [M, N, K] = l.size;
    uint64_t elements = elements_of(M, K) + elements_of(K, N);
    uint64_t at_once = l.element_bytes == 2 ? kMostHalves : UINT32_MAX;
    const auto& buffers = l.memory.buffers();
    const ReuseCounter::Matrix matrices[] = {
        {M, K, l.element_bytes, buffers[0].address, buffers[0].storage},
        {K, N, l.element_bytes, buffers[1].address, buffers[1].storage},
        {M, N, 4, buffers[2].address, nullptr}};
    std::vector<ReuseMap> maps;
    for (uint64_t first = 0; first == 0 || first < elements; first += at_once) {
        number_elements(l, first, first + at_once);
        ReuseCounter counter(matrices);
        run(l, 0, l.shape.grid.count(), counter);
        if (first == 0) maps = counter.maps();
        for (size_t m = 0; first > 0 && m < maps.size(); ++m)
            std::transform(maps[m].shared.begin(), maps[m].shared.end(),
                           counter.maps()[m].shared.begin(), maps[m].shared.begin(), std::plus<>());
    }
    return maps;
}

TileWalk tile_walk(const ProbedLaunch& l, uint32_t block) {
    mark_depths(l);
    const auto& buffers = l.memory.buffers();
    TileWalker walker({l.size.M, l.size.N, l.size.K, l.element_bytes, buffers[0].address,
                       buffers[1].address, buffers[2].address});
    run(l, block, block + 1, walker);
    return walker.walk();
}

}  // namespace lanewise
