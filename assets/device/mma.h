// nvcuda::wmma (Programming Guide, section Warp Matrix Functions) by PTX's wmma instructions: half,
// bfloat16, tf32, 8-bit integers and double. Not here: the experimental 4-bit and 1-bit ones.
#pragma once
#pragma clang system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

template <class T, int n>
struct __lw_fragment {
    enum { num_elements = n, num_storage_elements = n };
    typedef T element_type;
    typedef T storage_element_type;
    T x[n];
};
template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment;

template <class F, class V>
__LW void fill_fragment(F& to, const V& value) {
#pragma unroll
    for (int i = 0; i < F::num_elements; ++i) to.x[i] = value;
}
#if __CUDA_ARCH__ >= 800
__LW float __float_to_tf32(float v) {
    unsigned r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
    return __uint_as_float(r);
}
#endif

// The registers of an operand, by name: in the instruction's text, and as what the compiler fills in.
#define __LW_TEXT1(p) "{%[" #p "0]}"
#define __LW_TEXT2(p) "{%[" #p "0], %[" #p "1]}"
#define __LW_TEXT4(p) "{%[" #p "0], %[" #p "1], %[" #p "2], %[" #p "3]}"
#define __LW_TEXT8(p)                                                                      \
    "{%[" #p "0], %[" #p "1], %[" #p "2], %[" #p "3], %[" #p "4], %[" #p "5], %[" #p       \
    "6], %[" #p "7]}"
#define __LW_REGS1(p, c) [p##0] c(p[0])
#define __LW_REGS2(p, c) __LW_REGS1(p, c), [p##1] c(p[1])
#define __LW_REGS4(p, c) __LW_REGS2(p, c), [p##2] c(p[2]), [p##3] c(p[3])
#define __LW_REGS8(p, c) \
    __LW_REGS4(p, c), [p##4] c(p[4]), [p##5] c(p[5]), [p##6] c(p[6]), [p##7] c(p[7])

// One operand: registers of type Word (constraint "c") that hold elements of type T, called E in a
// fragment's name and `ptx` in the instruction.
#define __LW_FRAGMENT(use, E, T, ptx, m, n, k, count, Word, c, layout)                     \
    template <>                                                                            \
    struct fragment<matrix_##use, m, n, k, E, layout##_major>                              \
        : __lw_fragment<T, count * sizeof(Word) / sizeof(T)> {};                           \
    __LW void load_matrix_sync(fragment<matrix_##use, m, n, k, E, layout##_major>& to,     \
                               const T* from, unsigned pitch) {                            \
        Word r[count];                                                                     \
        __LW_LOAD(use, m, n, k, ptx, count, c, layout)                                     \
        __builtin_memcpy(to.x, r, sizeof r);                                               \
    }
// From shared memory where it is that: ptxas has an instruction of its own for it.
#define __LW_LOAD(use, m, n, k, ptx, count, c, layout)                                     \
    if (__isShared(from))                                                                  \
        __LW_LOAD_FROM(use, m, n, k, ".shared", ptx, count, c, layout,                     \
                       "r"((unsigned)__cvta_generic_to_shared(from)));                     \
    else                                                                                   \
        __LW_LOAD_FROM(use, m, n, k, "", ptx, count, c, layout, "l"(from));
#define __LW_LOAD_FROM(use, m, n, k, space, ptx, count, c, layout, address)                \
    asm volatile("wmma.load." #use ".sync.aligned." #layout ".m" #m "n" #n "k" #k space    \
                 "." ptx " " __LW_TEXT##count(r) ", [%[from]], %[pitch];"                  \
                 : __LW_REGS##count(r, "=" c)                                              \
                 : [from] address, [pitch] "r"(pitch)                                      \
                 : "memory")
#define __LW_STORE(m, n, k, ptx, count, c, layout)                                         \
    if (__isShared(to))                                                                    \
        __LW_STORE_TO(m, n, k, ".shared", ptx, count, c, layout,                           \
                      "r"((unsigned)__cvta_generic_to_shared(to)));                        \
    else                                                                                   \
        __LW_STORE_TO(m, n, k, "", ptx, count, c, layout, "l"(to));
#define __LW_STORE_TO(m, n, k, space, ptx, count, c, layout, address)                      \
    asm volatile("wmma.store.d.sync.aligned." #layout ".m" #m "n" #n "k" #k space "." ptx  \
                 " [%[to]], " __LW_TEXT##count(r) ", %[pitch];" ::__LW_REGS##count(r, c),  \
                 [to] address, [pitch] "r"(pitch)                                          \
                 : "memory")
#define __LW_ACCUMULATOR(T, ptx, m, n, k, count, Word, con)                                  \
    template <>                                                                            \
    struct fragment<accumulator, m, n, k, T>                                               \
        : __lw_fragment<T, count * sizeof(Word) / sizeof(T)> {};                           \
    __LW void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* from,        \
                               unsigned pitch, layout_t layout) {                          \
        Word r[count];                                                                     \
        if (layout == mem_row_major) {                                                     \
            __LW_LOAD(c, m, n, k, ptx, count, con, row)                                      \
        } else {                                                                           \
            __LW_LOAD(c, m, n, k, ptx, count, con, col)                                      \
        }                                                                                  \
        __builtin_memcpy(f.x, r, sizeof r);                                                \
    }                                                                                      \
    __LW void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& f,         \
                                unsigned pitch, layout_t layout) {                         \
        Word r[count];                                                                     \
        __builtin_memcpy(r, f.x, sizeof r);                                                \
        if (layout == mem_row_major) {                                                     \
            __LW_STORE(m, n, k, ptx, count, con, row)                                        \
        } else {                                                                           \
            __LW_STORE(m, n, k, ptx, count, con, col)                                        \
        }                                                                                  \
    }
// d = a * b + c: counts of registers, types of D and C with their words; the last argument is one
// layout of each of A and B.
#define __LW_PRODUCT(E, m, n, k, types, na, nb, Word, ab, D, dn, DWord, dc, C, cn, CWord, cc, la, lb) \
    __LW void mma_sync(fragment<accumulator, m, n, k, D>& to,                              \
                       const fragment<matrix_a, m, n, k, E, la##_major>& left,             \
                       const fragment<matrix_b, m, n, k, E, lb##_major>& right,            \
                       const fragment<accumulator, m, n, k, C>& plus, bool = false) {      \
        Word a[na], b[nb];                                                                 \
        DWord d[dn];                                                                       \
        CWord c[cn];                                                                       \
        __builtin_memcpy(a, left.x, sizeof a);                                             \
        __builtin_memcpy(b, right.x, sizeof b);                                            \
        __builtin_memcpy(c, plus.x, sizeof c);                                             \
        asm volatile("wmma.mma.sync.aligned." #la "." #lb ".m" #m "n" #n "k" #k "." types  \
                     " " __LW_TEXT##dn(d) ", " __LW_TEXT##na(a) ", " __LW_TEXT##nb(b) ", " \
                     __LW_TEXT##cn(c) ";"                                                  \
                     : __LW_REGS##dn(d, "=" dc)                                            \
                     : __LW_REGS##na(a, ab), __LW_REGS##nb(b, ab), __LW_REGS##cn(c, cc));  \
        __builtin_memcpy(to.x, d, sizeof d);                                               \
    }
#define __LW_PRODUCTS(...)               \
    __LW_PRODUCT(__VA_ARGS__, row, row)  \
    __LW_PRODUCT(__VA_ARGS__, row, col)  \
    __LW_PRODUCT(__VA_ARGS__, col, row)  \
    __LW_PRODUCT(__VA_ARGS__, col, col)
#define __LW_OPERANDS(E, T, ptx, m, n, k, na, nb, Word, c)             \
    __LW_FRAGMENT(a, E, T, ptx, m, n, k, na, Word, c, row)             \
    __LW_FRAGMENT(a, E, T, ptx, m, n, k, na, Word, c, col)             \
    __LW_FRAGMENT(b, E, T, ptx, m, n, k, nb, Word, c, row)             \
    __LW_FRAGMENT(b, E, T, ptx, m, n, k, nb, Word, c, col)

// What the three shapes of 16-bit and 8-bit elements have; ia, ib: registers of 8-bit operands.
#define __LW_SHAPE(m, n, k, ia, ib)                                                        \
    __LW_ACCUMULATOR(float, "f32", m, n, k, 8, float, "f")                                 \
    __LW_ACCUMULATOR(__half, "f16", m, n, k, 4, unsigned, "r")                             \
    __LW_ACCUMULATOR(int, "s32", m, n, k, 8, int, "r")                                     \
    __LW_OPERANDS(__half, __half, "f16", m, n, k, 8, 8, unsigned, "r")                     \
    __LW_PRODUCTS(__half, m, n, k, "f32.f32", 8, 8, unsigned, "r", float, 8, float, "f",   \
                  float, 8, float, "f")                                                    \
    __LW_PRODUCTS(__half, m, n, k, "f32.f16", 8, 8, unsigned, "r", float, 8, float, "f",   \
                  __half, 4, unsigned, "r")                                                \
    __LW_PRODUCTS(__half, m, n, k, "f16.f32", 8, 8, unsigned, "r", __half, 4, unsigned,    \
                  "r", float, 8, float, "f")                                               \
    __LW_PRODUCTS(__half, m, n, k, "f16.f16", 8, 8, unsigned, "r", __half, 4, unsigned,    \
                  "r", __half, 4, unsigned, "r")                                           \
    __LW_BYTES(signed char, "s8", m, n, k, ia, ib)                                         \
    __LW_BYTES(unsigned char, "u8", m, n, k, ia, ib)
#define __LW_BYTES(T, ptx, m, n, k, ia, ib)                                                \
    __LW_OPERANDS(T, T, ptx, m, n, k, ia, ib, unsigned, "r")                               \
    __LW_PRODUCTS(T, m, n, k, "s32." ptx "." ptx ".s32", ia, ib, unsigned, "r", int, 8,    \
                  int, "r", int, 8, int, "r")
__LW_SHAPE(16, 16, 16, 2, 2)
__LW_SHAPE(32, 8, 16, 4, 1)
__LW_SHAPE(8, 32, 16, 1, 4)

#if __CUDA_ARCH__ >= 800
#define __LW_BFLOAT16(m, n, k, na, nb)                                                     \
    __LW_OPERANDS(__nv_bfloat16, __nv_bfloat16, "bf16", m, n, k, na, nb, unsigned, "r")    \
    __LW_PRODUCTS(__nv_bfloat16, m, n, k, "f32.bf16.bf16.f32", na, nb, unsigned, "r",      \
                  float, 8, float, "f", float, 8, float, "f")
__LW_BFLOAT16(16, 16, 16, 4, 4)
__LW_BFLOAT16(32, 8, 16, 8, 2)
__LW_BFLOAT16(8, 32, 16, 2, 8)
__LW_ACCUMULATOR(float, "f32", 16, 16, 8, 8, float, "f")
__LW_OPERANDS(precision::tf32, float, "tf32", 16, 16, 8, 4, 4, unsigned, "r")
__LW_PRODUCTS(precision::tf32, 16, 16, 8, "f32.tf32.tf32.f32", 4, 4, unsigned, "r", float, 8,
              float, "f", float, 8, float, "f")
__LW_ACCUMULATOR(double, "f64", 8, 8, 4, 2, double, "d")
__LW_OPERANDS(double, double, "f64", 8, 8, 4, 1, 1, double, "d")
__LW_PRODUCTS(double, 8, 8, 4, "f64.f64.f64.f64", 1, 1, double, "d", double, 2, double, "d",
              double, 2, double, "d")
#undef __LW_BFLOAT16
#endif
#undef __LW_TEXT1
#undef __LW_TEXT2
#undef __LW_TEXT4
#undef __LW_TEXT8
#undef __LW_REGS1
#undef __LW_REGS2
#undef __LW_REGS4
#undef __LW_REGS8
#undef __LW_FRAGMENT
#undef __LW_LOAD
#undef __LW_STORE
#undef __LW_LOAD_FROM
#undef __LW_STORE_TO
#undef __LW_ACCUMULATOR
#undef __LW_PRODUCT
#undef __LW_PRODUCTS
#undef __LW_OPERANDS
#undef __LW_SHAPE
#undef __LW_BYTES
}  // namespace wmma
}  // namespace nvcuda
