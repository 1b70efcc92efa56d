// CUDA C++ for clang without NVIDIA's software: what NVRTC knows without any #include.
// clang reads this file before the kernel (compile/clang_compiler.cpp); the files beside it have the
// names of the toolkit's headers and are found by them. All of it is our own text, written after the
// CUDA C++ Programming Guide and the PTX manual. No function has debug information: what it does
// counts for the line that calls it.
#pragma once

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __CUDACC_RTC__ 1  // as under NVRTC: there is no host

// ---- qualifiers (Programming Guide, section C++ Language Extensions)
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(registers)
#define __cluster_dims__(...) __attribute__((annotate("lanewise_cluster", __VA_ARGS__)))
#define __builtin_align__(bytes) __align__(bytes)
#define __cudart_builtin__
#define __device_builtin__
#define CUDARTAPI
#if __has_attribute(grid_constant)
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __grid_constant__ __attribute__((annotate("lanewise_grid_constant")))
#endif
#define CUDART_VERSION 12030
#define CUDA_VERSION 12030

typedef decltype(sizeof(0)) size_t;
typedef decltype((char*)0 - (char*)0) ptrdiff_t;
typedef long clock_t;
#define NULL __null
#define __LW_NODEBUG __attribute__((always_inline, nodebug))
#define __LW static inline __attribute__((device)) __LW_NODEBUG
#define __LW_MEMBER inline __attribute__((device)) __LW_NODEBUG
#define __LW_BOTH static inline constexpr __attribute__((device, host)) __LW_NODEBUG
#define __LW_BOTH_MEMBER inline constexpr __attribute__((device, host)) __LW_NODEBUG

namespace std {
using ::ptrdiff_t;
using ::size_t;
typedef decltype(nullptr) nullptr_t;
}  // namespace std

// clang takes alignas at the beginning of a declaration alone, NVRTC behind __shared__, too:
// `__shared__ alignas(16) float tile[64];`. The attribute may stand in both places.
namespace __lw {
template <class T>
constexpr size_t alignment() {
    return alignof(T);
}
template <size_t bytes>
constexpr size_t alignment() {
    return bytes;
}
}  // namespace __lw
#define alignas(...) __attribute__((aligned(::__lw::alignment<__VA_ARGS__>())))

#pragma clang system_header  // its warnings are nobody's

#include "lanewise_vectors.h"

// ---- which thread this is
#define __LW_SPECIAL(name, type)                                                           \
    struct __lw_##name##_t {                                                               \
        __declspec(property(get = __x)) type x;                                            \
        __declspec(property(get = __y)) type y;                                            \
        __declspec(property(get = __z)) type z;                                            \
        static __LW_MEMBER type __x() { return __LW_READ_##name(x); }                      \
        static __LW_MEMBER type __y() { return __LW_READ_##name(y); }                      \
        static __LW_MEMBER type __z() { return __LW_READ_##name(z); }                      \
        __LW_MEMBER operator dim3() const { return dim3(__x(), __y(), __z()); }            \
        __LW_MEMBER operator uint3() const { return uint3{__x(), __y(), __z()}; }          \
    };                                                                                     \
    extern const __attribute__((device, weak)) __lw_##name##_t name;
#define __LW_READ_threadIdx(d) __nvvm_read_ptx_sreg_tid_##d()
#define __LW_READ_blockIdx(d) __nvvm_read_ptx_sreg_ctaid_##d()
#define __LW_READ_blockDim(d) __nvvm_read_ptx_sreg_ntid_##d()
#define __LW_READ_gridDim(d) __nvvm_read_ptx_sreg_nctaid_##d()
__LW_SPECIAL(threadIdx, unsigned)
__LW_SPECIAL(blockIdx, unsigned)
__LW_SPECIAL(blockDim, unsigned)
__LW_SPECIAL(gridDim, unsigned)
static constexpr int warpSize = 32;

// ---- the machine
__LW void __trap() { asm volatile("trap;"); }
__LW void __brkpt() { asm volatile("brkpt;"); }
__LW void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns) : "memory"); }
__LW long long clock64() {
    long long now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
}
__LW clock_t clock() {
    int now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    return now;
}
__LW unsigned long long __globaltimer() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
    return now;
}

extern "C" {
__device__ int printf(const char* format, ...);
__device__ int vprintf(const char* format, char* arguments);
__device__ void* malloc(size_t bytes);
__device__ void free(void* memory);
__device__ __attribute__((noreturn)) void __assertfail(const char* said, const char* file,
                                                       unsigned line, const char* function,
                                                       size_t bytes_of_a_character);
}
__LW void* memcpy(void* to, const void* from, size_t bytes) {
    return __builtin_memcpy(to, from, bytes);
}
__LW void* memmove(void* to, const void* from, size_t bytes) {
    return __builtin_memmove(to, from, bytes);
}
__LW void* memset(void* to, int byte, size_t bytes) { return __builtin_memset(to, byte, bytes); }
#ifdef NDEBUG
#define assert(said) static_cast<void>(0)
#else
#define assert(said)      \
    ((said) ? (void)0     \
            : __assertfail(#said, __FILE__, __LINE__, __PRETTY_FUNCTION__, sizeof(char)))
#endif
__device__ inline void* operator new(size_t, void* place) noexcept { return place; }
__device__ inline void* operator new[](size_t, void* place) noexcept { return place; }
__device__ inline void* operator new(size_t bytes) { return malloc(bytes); }
__device__ inline void* operator new[](size_t bytes) { return malloc(bytes); }
__device__ inline void operator delete(void* memory) noexcept { free(memory); }
__device__ inline void operator delete[](void* memory) noexcept { free(memory); }
__device__ inline void operator delete(void* memory, size_t) noexcept { free(memory); }
__device__ inline void operator delete[](void* memory, size_t) noexcept { free(memory); }
// A virtual function that has no body was called.
extern "C" __device__ inline void __cxa_pure_virtual() { __trap(); }

#include "lanewise_warps.h"
#include "lanewise_memory.h"
#include "lanewise_numbers.h"
#include "lanewise_math.h"
#include "lanewise_textures.h"
