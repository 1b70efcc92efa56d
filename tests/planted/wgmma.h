// d += a * b by wgmma, of a (64 x 16) and b (16 x 8) of f16 in shared memory, not swizzled: eight
// rows of 16 bytes lie together, the next eight of the depth 128 bytes further on, the next eight
// rows 256. Included by what lies here and below (the folder is given to the compiler).
#pragma once

__device__ unsigned long long descriptor(const void* matrix) {
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(matrix));
    return at >> 4 | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}
__device__ void fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void multiply(float (&d)[4], const void* a, const void* b) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, "
        "0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "l"(descriptor(a)), "l"(descriptor(b)));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
__device__ void finish() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
