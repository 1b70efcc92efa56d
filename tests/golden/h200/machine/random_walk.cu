// A xorshift generator of each thread and points in a quarter circle.
// lanewise-engine run random_walk.cu --kernel walk --grid 2 --block 64 --arg u64[128] --arg i32:50
// results: exact
__global__ void walk(unsigned long long* out, int steps) {
    int i = blockIdx.x * 64 + threadIdx.x;
    unsigned long long s = 88172645463325252ull + i * 0x9e3779b97f4a7c15ull;
    int inside = 0;
    for (int k = 0; k < steps; ++k) {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        unsigned x = s & 0xffff, y = s >> 16 & 0xffff;
        inside += (unsigned long long)x * x + (unsigned long long)y * y < 0xffffull * 0xffff;
    }
    out[i] = s * 64 + inside;
}
