// Producers and consumers of one block over named barriers that only some wait at.
// lanewise-engine run named_barriers.cu --kernel pipeline --grid 2 --block 128 --arg u32[1024] --arg u32[512]
// results: exact
__global__ void pipeline(unsigned* out, const unsigned* in) {
    __shared__ unsigned stage[2][64];
    int i = threadIdx.x % 64;
    if (threadIdx.x < 64) {
        for (int k = 0; k < 4; ++k) {
            if (k >= 2) asm volatile("barrier.sync %0, 128;" ::"r"(3 + k % 2) : "memory");
            stage[k % 2][i] = in[(blockIdx.x * 4 + k) * 64 + i];
            asm volatile("barrier.arrive %0, 128;" ::"r"(1 + k % 2) : "memory");
        }
    } else {
        for (int k = 0; k < 4; ++k) {
            asm volatile("bar.sync %0, 128;" ::"r"(1 + k % 2) : "memory");
            unsigned v = stage[k % 2][63 - i] * 3;
            if (k < 2) asm volatile("bar.arrive %0, 128;" ::"r"(3 + k % 2) : "memory");
            out[(blockIdx.x * 4 + k) * 64 + i] = v;
        }
        unsigned many;
        asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 70; barrier.red.popc.u32 %0, 5, 64, p; }"
                     : "=r"(many) : "r"(threadIdx.x) : "memory");
        out[512 + blockIdx.x * 64 + i] = many;
    }
}
