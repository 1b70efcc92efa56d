// What products of matrices are made of, side by side: Operations::matrices. Not a header:
// operations_body.h includes it, and with it is compiled for one instruction set.
#if defined(__AVX512F__) || defined(__FMA__)
#include <immintrin.h>
#endif

namespace lanewise {
namespace {

// ---- Sums of products. A product of two factors is exact in a double here, so that a fused
// multiply-add rounds as an addition does, and every instruction set gives the same bits.

#if defined(__AVX512F__)
constexpr int kSideBySide = 8, kColumnsAtOnce = 4;  // doubles of a vector; vectors of a row
#elif defined(__AVX2__)
constexpr int kSideBySide = 4, kColumnsAtOnce = 2;
#else
constexpr int kSideBySide = 2, kColumnsAtOnce = 2;
#endif
using Vector __attribute__((vector_size(kSideBySide * sizeof(double)))) = double;

inline Vector fused(Vector a, Vector b, Vector c) {
#if defined(__AVX512F__)
    return _mm512_fmadd_pd(a, b, c);
#elif defined(__AVX2__) && defined(__FMA__)
    return _mm256_fmadd_pd(a, b, c);
#else
    return a * b + c;
#endif
}
inline double fused(double a, double b, double c) {
#if defined(__FMA__)
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}
inline Vector load_vector(const double* from) {
    Vector v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

// `rows` x `vectors` sums stay in registers while all of the depth goes by.
template <int rows, int vectors>
inline void add_block(double* sums, size_t stride, const double* a, const double* b, size_t columns,
                      size_t depth) {
    Vector sum[rows][vectors];
    for (int r = 0; r < rows; ++r)
        for (int v = 0; v < vectors; ++v)
            sum[r][v] = load_vector(sums + static_cast<size_t>(r) * stride + v * kSideBySide);
    for (size_t k = 0; k < depth; ++k, b += columns) {
        Vector of_b[vectors];
        for (int v = 0; v < vectors; ++v) of_b[v] = load_vector(b + v * kSideBySide);
        for (int r = 0; r < rows; ++r) {
            Vector of_a = a[static_cast<size_t>(r) * depth + k] - Vector{};
            for (int v = 0; v < vectors; ++v) sum[r][v] = fused(of_a, of_b[v], sum[r][v]);
        }
    }
    for (int r = 0; r < rows; ++r)
        for (int v = 0; v < vectors; ++v)
            __builtin_memcpy(sums + static_cast<size_t>(r) * stride + v * kSideBySide, &sum[r][v],
                             sizeof sum[r][v]);
}

// Some columns of all rows, `rows` at a time.
template <int rows, int vectors>
inline void add_columns(double* sums, size_t stride, const double* a, const double* b,
                        size_t all_rows, size_t columns, size_t depth) {
    size_t row = 0;
    for (; row + rows <= all_rows; row += rows)
        add_block<rows, vectors>(sums + row * stride, stride, a + row * depth, b, columns, depth);
    for (; row < all_rows; ++row)
        add_block<1, vectors>(sums + row * stride, stride, a + row * depth, b, columns, depth);
}

void add_products(double* sums, size_t stride, const double* a, const double* b, size_t rows,
                  size_t columns, size_t depth) {
    constexpr size_t kFew = kSideBySide, kMany = kFew * kColumnsAtOnce;
    size_t col = 0;
    for (; col + kMany <= columns; col += kMany)
        add_columns<4, kColumnsAtOnce>(sums + col, stride, a, b + col, rows, columns, depth);
    for (; col + kFew <= columns; col += kFew)
        add_columns<8, 1>(sums + col, stride, a, b + col, rows, columns, depth);
    for (; col < columns; ++col)
        for (size_t row = 0; row < rows; ++row)
            for (size_t k = 0; k < depth; ++k)
                sums[row * stride + col] =
                    fused(a[row * depth + k], b[k * columns + col], sums[row * stride + col]);
}

// ---- Between a warp's registers and doubles

inline double widened(uint16_t bits, bool brain) {
    uint32_t sign = uint32_t{bits & 0x8000u} << 16, rest = bits & 0x7fffu;
    if (brain) return double{__builtin_bit_cast(float, uint32_t{bits} << 16)};
    // The exponent's bias is 15, not 127; infinities and NaN stay what they are.
    float shifted = __builtin_bit_cast(float, rest << 13) * 0x1p112f;
    uint32_t special = rest >= 0x7c00u ? 0x7f800000u : 0;
    return double{
        __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, shifted) | special | sign)};
}

void widen_halves(const uint16_t* bits, double* to, size_t count, bool brain) {
    if (brain)
        for (size_t i = 0; i < count; ++i) to[i] = widened(bits[i], true);
    else
        for (size_t i = 0; i < count; ++i) to[i] = widened(bits[i], false);
}

// Lane n of `even` has column n % 4 * 2 of row n / 4, `odd` the next one.
void read_sums(const uint32_t* even, const uint32_t* odd, double* to, size_t stride) {
    for (size_t row = 0; row < 8; ++row, even += 4, odd += 4) {
        double* sum = to + row * stride;
        for (size_t i = 0; i < 4; ++i) {
            sum[2 * i] = double{__builtin_bit_cast(float, even[i])};
            sum[2 * i + 1] = double{__builtin_bit_cast(float, odd[i])};
        }
    }
}
inline uint32_t rounded_sum(double sum) {
    return __builtin_bit_cast(uint32_t, canonical(static_cast<float>(sum)));
}
void write_sums(const double* from, size_t stride, uint32_t* even, uint32_t* odd) {
    for (size_t row = 0; row < 8; ++row, even += 4, odd += 4) {
        const double* sum = from + row * stride;
        for (size_t i = 0; i < 4; ++i) {
            even[i] = rounded_sum(sum[2 * i]);
            odd[i] = rounded_sum(sum[2 * i + 1]);
        }
    }
}

}  // namespace
}  // namespace lanewise
