// What C must be: A * B and |A| |B| in doubles, tile by tile of C on several threads.
//
// Each sum takes its terms in order of K. Products of two floats are exact in a double, so that one
// term is one rounding however the tiles are cut, and whatever the machine runs.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/threads.h"
#include "lab/product/product.h"
#include "sim/operation/operations.h"

namespace lanewise {

namespace {

// A tile of C, and how deep the parts of A and B are that are added to it at a time: with A's part
// it fits into a core's second cache, and a strip of B's into the first.
constexpr size_t kRows = 128, kColumns = 256, kDepth = 64, kStrip = 32;

// Some rows and columns of A or B as floats, in which every element is exact.
template <typename Element>
std::vector<float> elements_of(size_t rows, size_t cols, int threads, const CancelFlag* cancel,
                               Element element) {
    std::vector<float> elements(rows * cols);
    in_ranges(rows, 4, threads, [&](int, uint64_t begin, uint64_t end) {
        if (cancel && *cancel) throw Cancelled{};
        for (size_t row = begin; row < end; ++row)
            for (size_t col = 0; col < cols; ++col)
                elements[row * cols + col] = static_cast<float>(element(row, col));
    });
    return elements;
}

// A part of a matrix as doubles, row by row, and the same without its signs.
struct Part {
    explicit Part(size_t elements) : value(elements), magnitude(elements) {}
    std::vector<double> value, magnitude;
    void take(size_t to, const float* from, size_t count) {
        for (size_t i = 0; i < count; ++i) {
            value[to + i] = double{from[i]};
            magnitude[to + i] = std::fabs(double{from[i]});
        }
    }
};

struct Multiplier {
    const std::vector<float>&a, &b;
    size_t m, n, k;
    ProductReference& c;
    // Of one thread:
    Part part_a{kRows * kDepth}, part_b{kDepth * kStrip};

    // The tile whose first element is C[row][col].
    void multiply(size_t row, size_t col) {
        size_t rows = std::min(kRows, m - row), columns = std::min(kColumns, n - col);
        for (size_t depth = 0; depth < k; depth += kDepth) {
            size_t deep = std::min(kDepth, k - depth);
            for (size_t r = 0; r < rows; ++r)
                part_a.take(r * deep, &a[(row + r) * k + depth], deep);
            for (size_t strip = 0; strip < columns; strip += kStrip)
                add_strip(row, col + strip, rows, std::min(kStrip, columns - strip), depth, deep);
        }
    }

  private:
    void add_strip(size_t row, size_t col, size_t rows, size_t columns, size_t depth, size_t deep) {
        for (size_t d = 0; d < deep; ++d)
            part_b.take(d * columns, &b[(depth + d) * n + col], columns);
        auto add = operations().matrices.add_products;
        add(&c.value[row * n + col], n, part_a.value.data(), part_b.value.data(), rows, columns,
            deep);
        add(&c.magnitude[row * n + col], n, part_a.magnitude.data(), part_b.magnitude.data(), rows,
            columns, deep);
    }
};

}  // namespace

uint64_t product_reference_bytes(const Product& p) {
    uint64_t factors = Product::elements(p.m, p.k) + Product::elements(p.k, p.n);
    return sizeof(float) * factors + 2 * sizeof(double) * Product::elements(p.m, p.n);
}

ProductReference product_reference(const Product& p, int threads, const CancelFlag* cancel) {
    std::vector<int64_t> rows(static_cast<size_t>(p.m)), cols(static_cast<size_t>(p.n));
    std::iota(rows.begin(), rows.end(), 0);
    std::iota(cols.begin(), cols.end(), 0);
    return product_reference(p, rows, cols, threads, cancel);
}

ProductReference product_reference(const Product& p, std::span<const int64_t> rows,
                                   std::span<const int64_t> cols, int threads,
                                   const CancelFlag* cancel) {
    size_t m = rows.size(), n = cols.size(), k = static_cast<size_t>(p.k);
    std::vector<float> a = elements_of(m, k, threads, cancel, [&](size_t row, size_t depth) {
        return a_element(p, rows[row], static_cast<int64_t>(depth));
    });
    std::vector<float> b = elements_of(k, n, threads, cancel, [&](size_t depth, size_t col) {
        return b_element(p, static_cast<int64_t>(depth), cols[col]);
    });
    ProductReference reference{std::vector<double>(m * n), std::vector<double>(m * n)};
    std::vector<Multiplier> multipliers(static_cast<size_t>(std::max(threads, 1)),
                                        Multiplier{a, b, m, n, k, reference});
    size_t across = (n + kColumns - 1) / kColumns, down = (m + kRows - 1) / kRows;
    in_ranges(down * across, 1, threads, [&](int thread, uint64_t begin, uint64_t end) {
        for (uint64_t tile = begin; tile < end; ++tile) {
            if (cancel && *cancel) throw Cancelled{};
            multipliers[static_cast<size_t>(thread)].multiply(tile / across * kRows,
                                                              tile % across * kColumns);
        }
    });
    return reference;
}

}  // namespace lanewise
