// __pipeline_memcpy_async and kin (Programming Guide, section Pipeline Primitives Interface), by
// cp.async; where an architecture has none (before sm_80), by loads and stores.
#pragma once
#pragma clang system_header
#include "lanewise_cuda.h"

#if __CUDA_ARCH__ >= 800
__LW void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
    unsigned shared = (unsigned)__cvta_generic_to_shared(to), copied = (unsigned)(bytes - zeros);
#define __LW_COPY(cache, n)                                                                \
    if (zeros == 0)                                                                        \
        asm volatile("cp.async." cache ".shared.global [%0], [%1], " #n ";" ::"r"(shared), \
                     "l"(from)                                                             \
                     : "memory");                                                          \
    else                                                                                   \
        asm volatile("cp.async." cache ".shared.global [%0], [%1], " #n ", %2;" ::"r"(shared), \
                     "l"(from), "r"(copied)                                                \
                     : "memory");
    if (bytes == 16) {
        __LW_COPY("cg", 16)
    } else if (bytes == 8) {
        __LW_COPY("ca", 8)
    } else {
        __LW_COPY("ca", 4)
    }
#undef __LW_COPY
}
__LW void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
__LW void __pipeline_wait_prior(size_t newer) {
#define __LW_WAIT(n)                                          \
    case n:                                                   \
        asm volatile("cp.async.wait_group " #n ";" ::: "memory"); \
        break;
    switch (newer) {
        __LW_WAIT(1)
        __LW_WAIT(2)
        __LW_WAIT(3)
        __LW_WAIT(4)
        __LW_WAIT(5)
        __LW_WAIT(6)
        __LW_WAIT(7)
        default:
            asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
#undef __LW_WAIT
}
#else
__LW void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
    for (size_t i = 0; i < bytes; i += 4)
        *(unsigned*)((char*)to + i) = i < bytes - zeros ? *(const unsigned*)((const char*)from + i) : 0;
}
__LW void __pipeline_commit() {}
__LW void __pipeline_wait_prior(size_t) {}
#endif
