// Every atomic on integers and on floats, where the order of the lanes does not matter.
// lanewise-engine run atomics.cu --kernel atomics --grid 2 --block 64 --arg u32[16] --arg u64[8] --arg f32[4] --arg f64[2] --arg u32[64]
// results: exact
__global__ void atomics(unsigned* u, unsigned long long* l, float* f, double* d, unsigned* seen) {
    __shared__ unsigned s[8];
    __shared__ unsigned long long wide;
    int i = threadIdx.x, g = blockIdx.x * blockDim.x + i;
    if (i < 8) s[i] = i == 4 ? ~0u : 0;
    if (i == 0) wide = 5;
    if (g == 0) f[0] = f[1] = 0, d[0] = 0;
    __syncthreads();
    atomicAdd(&u[0], (unsigned)g);
    atomicSub(&u[1], (unsigned)i);
    atomicMin(&u[2], g * 2654435761u);
    atomicMax(&u[3], g * 2654435761u);
    atomicMin((int*)&u[4], (int)(g * 2654435761u));
    atomicMax((int*)&u[5], (int)(g * 2654435761u));
    atomicAnd(&u[6], ~(1u << i % 7));
    atomicOr(&u[7], 1u << i % 9);
    atomicXor(&u[8], 1u << g % 31);
    atomicInc(&s[0], 40);
    atomicDec(&s[1], 40);
    atomicAdd(&s[2], 3);
    atomicExch(&s[3], 77);
    atomicAnd(&s[4], ~(1u << i % 32));
    unsigned old = s[5], expected;
    do {
        expected = old;
        old = atomicCAS(&s[5], expected, expected + i);
    } while (old != expected);
    atomicMax(&wide, (unsigned long long)i << 33);
    atomicAdd(&l[0], (unsigned long long)g << 20);
    atomicMin(&l[1], ~0ull - g);
    atomicMax((long long*)&l[2], (long long)g - 1000);
    atomicOr(&l[3], 1ull << i);
    atomicXor(&l[4], 3ull << i % 50);
    atomicAnd(&l[5], ~(1ull << 63 - i));
    atomicCAS(&l[6], l[6], 99ull);
    atomicExch(&l[7], 1234567890123ull);
    if (blockIdx.x == 0) {
        __syncthreads();
        atomicAdd(&f[0], 0.25f * i);
        atomicAdd(&f[1], -1.0f);
        atomicAdd(&d[0], 0.5 * i);
        atomicAdd_block(&u[9], 1);
    }
    __syncthreads();
    if (blockIdx.x == 1 && i < 8) seen[i] = s[i];
    if (blockIdx.x == 1 && i == 8) seen[8] = (unsigned)(wide >> 32);
}
