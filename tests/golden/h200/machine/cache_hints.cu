// Loads and stores with every hint that CUDA has, and volatile ones.
// lanewise-engine run cache_hints.cu --kernel hints --grid 1 --block 64 --arg u32[64] --arg u32[64] --arg u32[512]
// results: exact
__global__ void hints(unsigned* out, const unsigned* __restrict__ in, uint4* more) {
    int i = threadIdx.x;
    volatile unsigned* seen = out;
    unsigned v = __ldg(in + i) + __ldcs(in + (i + 1) % 64) + __ldcg(in + (i + 2) % 64) +
                 __ldca(in + (i + 3) % 64) + __ldlu(in + (i + 4) % 64) + __ldcv(in + (i + 5) % 64);
    uint4 four = __ldcs(more + i);
    __stcs(out + i, v);
    seen[i] = seen[i] + four.x;
    __stcg(&more[i].y, v);
    four.z = __ldg(&in[63 - i]);
    __stwt(more + i, four);
    __stwb(out + i, out[i] ^ four.w);
    asm volatile("prefetch.global.L2 [%0];" ::"l"(out));
    // What a discard leaves is undefined until somebody writes it.
    if (i < 8) {
        if (i == 0) asm volatile("discard.global.L2 [%0], 128;" ::"l"(more + 96) : "memory");
        __syncwarp(0xff);
        more[96 + i] = make_uint4(i, v, 7, four.y);
    }
}
