// Products of bytes and halves of words, summed: dp4a and dp2a in every sign.
// lanewise-engine run dot_of_bytes.cu --kernel dot --grid 1 --block 128 --arg i32[768] --arg u32[128]
// results: exact
__global__ void dot(int* out, const unsigned* in) {
    unsigned a = in[threadIdx.x], b = in[127 - threadIdx.x];
    out += threadIdx.x * 6;
    out[0] = __dp4a((int)a, (int)b, 10);
    out[1] = __dp4a(a, b, 10u);
    out[2] = __dp2a_lo((int)a, (int)b, -3);
    out[3] = __dp2a_hi(a, b, 3u);
    int mixed;
    asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(mixed) : "r"(a), "r"(b), "r"(7));
    out[4] = mixed;
    asm("dp2a.lo.u32.s32 %0, %1, %2, %3;" : "=r"(mixed) : "r"(a), "r"(b), "r"(7));
    out[5] = mixed;
}
