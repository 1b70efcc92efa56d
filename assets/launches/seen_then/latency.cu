// Four kernels of long dependent loops: Ising replicas, the incomplete gamma function, fractions in lowest terms, an LRU cache simulated by a warp.
#include <cuda_fp16.h>

// launch ising_replicas: --kernel ising_replicas --grid 264 --block 256 --arg i8[270336]=0..1 --arg u32[67584]=1..4000000000 --arg f32[264]=0.2..0.7 --arg i32[264] --arg i32[264] --arg i32:24
// Statistical physics: each block runs Metropolis sweeps of its own 32x32 periodic Ising lattice in shared memory, black
// and white cells in turn with a barrier between, and reports energy and magnetisation. xorshift per thread.
__global__ void ising_replicas(const signed char* __restrict__ start, const unsigned* __restrict__ seeds, const float* __restrict__ betas,
                               int* __restrict__ energies, int* __restrict__ magnets, int sweeps)
{
    __shared__ int spin[32][32];
    __shared__ int total[2];
    int tid = threadIdx.x;
    if (tid < 2) total[tid] = 0;
    for (int i = tid; i < 1024; i += 256) spin[i >> 5][i & 31] = start[blockIdx.x * 1024 + i] ? 1 : -1;
    unsigned state = seeds[blockIdx.x * 256 + tid];
    float beta = betas[blockIdx.x];
    float accept4 = __expf(-4.0f * beta), accept8 = __expf(-8.0f * beta);
    __syncthreads();
    for (int s = 0; s < sweeps; ++s) {
        for (int colour = 0; colour < 2; ++colour) {
            for (int i = tid; i < 512; i += 256) {
                int y = i >> 4, x = ((i & 15) << 1) | ((y + colour) & 1);
                int around = spin[(y + 1) & 31][x] + spin[(y + 31) & 31][x] + spin[y][(x + 1) & 31] + spin[y][(x + 31) & 31];
                int cost = 2 * spin[y][x] * around;
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                bool flip = cost <= 0;
                if (!flip) {
                    float u = (state >> 8) * (1.0f / 16777216.0f);
                    flip = u < (cost == 4 ? accept4 : accept8);
                }
                if (flip) spin[y][x] = -spin[y][x];
            }
            __syncthreads();
        }
    }
    int energy = 0, magnet = 0;
    for (int i = tid; i < 1024; i += 256) {
        int y = i >> 5, x = i & 31;
        magnet += spin[y][x];
        energy -= spin[y][x] * (spin[(y + 1) & 31][x] + spin[y][(x + 1) & 31]);
    }
    for (int d = 16; d; d >>= 1) {
        energy += __shfl_down_sync(~0u, energy, d);
        magnet += __shfl_down_sync(~0u, magnet, d);
    }
    if ((tid & 31) == 0) {
        atomicAdd(&total[0], energy);
        atomicAdd(&total[1], magnet);
    }
    __syncthreads();
    if (tid == 0) {
        energies[blockIdx.x] = total[0];
        magnets[blockIdx.x] = total[1];
    }
}

// launch incomplete_gamma: --kernel incomplete_gamma --grid 256 --block 256 --arg f32[256]=0.5..40 --arg f32[256]=0.01..60 --arg f32[65536] --arg i32:256 --arg i32:256
// Statistics (p-values of chi squares): the regularised lower incomplete gamma function, by its power series below a+1 and
// by a continued fraction (Lentz) above, each until it settles. A table over a and x, a thread per value.
__global__ void incomplete_gamma(const float* a_values, const float* x_values, float* result, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * columns) return;
    float a = a_values[i / columns], x = x_values[i % columns];
    const float eps = 3e-7f, tiny = 1e-30f;
    float front = expf(-x + a * logf(x) - lgammaf(a));
    float p;
    if (x < a + 1.0f) {
        float ap = a, term = 1.0f / a, sum = term;
        for (int k = 0; k < 200; ++k) {
            ap += 1.0f;
            term *= x / ap;
            sum += term;
            if (fabsf(term) < fabsf(sum) * eps) break;
        }
        p = sum * front;
    } else {
        float b = x + 1.0f - a, c = 1.0f / tiny, d = 1.0f / b, h = d;
        for (int k = 1; k <= 200; ++k) {
            float an = -k * (k - a);
            b += 2.0f;
            d = an * d + b;
            if (fabsf(d) < tiny) d = tiny;
            c = b + an / c;
            if (fabsf(c) < tiny) c = tiny;
            d = 1.0f / d;
            float change = d * c;
            h *= change;
            if (fabsf(change - 1.0f) < eps) break;
        }
        p = 1.0f - front * h;
    }
    result[i] = fminf(fmaxf(p, 0.0f), 1.0f);
}

// launch reduce_fractions: --kernel reduce_fractions --grid 1024 --block 256 --arg u32[262144]=0..4000000000 --arg u32[262144]=1..1000000007 --arg u32[262144] --arg u32[262144] --arg i32:262144
// Computer algebra: brings fractions to lowest terms with the binary algorithm for the greatest common divisor (shift out
// twos, subtract, repeat). A thread per fraction, so the lanes of a warp end at different times.
__global__ void reduce_fractions(const unsigned* __restrict__ numerators, const unsigned* __restrict__ denominators,
                                 unsigned* __restrict__ out_numerators, unsigned* __restrict__ out_denominators, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned num = numerators[i], den = denominators[i];
    unsigned divisor = den;
    if (num != 0 && den != 0) {
        unsigned u = num, v = den;
        int twos = __ffs(u | v) - 1;
        u >>= __ffs(u) - 1;
        do {
            v >>= __ffs(v) - 1;
            if (u > v) {
                unsigned t = u;
                u = v;
                v = t;
            }
            v -= u;
        } while (v != 0);
        divisor = u << twos;
    }
    if (divisor > 1) {
        num /= divisor;
        den /= divisor;
    }
    out_numerators[i] = num;
    out_denominators[i] = den;
}

// launch cache_misses_by_warp: --kernel cache_misses_by_warp --grid 264 --block 256 --arg u32[540672]=0..47 --arg u32[2112] --arg u32[2112] --arg i32:2112 --arg i32:256
// Computer architecture: simulates one set of a 32-way cache with least-recently-used replacement per warp: a lane holds
// the tag and age of its way, and each access of the trace is broadcast, matched with a ballot, and ages the ways.
__global__ void cache_misses_by_warp(const unsigned* __restrict__ trace, unsigned* __restrict__ misses, unsigned* __restrict__ evictions,
                                     int sets, int accesses)
{
    int lane = threadIdx.x & 31;
    int set = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (set >= sets) return;
    const unsigned* mine = trace + (size_t)set * accesses;
    unsigned tag = 0xffffffffu;
    int age = lane;
    unsigned missed = 0, evicted = 0;
    for (int base = 0; base < accesses; base += 32) {
        unsigned block_tags = base + lane < accesses ? mine[base + lane] : 0u;
        int upto = min(32, accesses - base);
        for (int k = 0; k < upto; ++k) {
            unsigned wanted = __shfl_sync(~0u, block_tags, k);
            unsigned hits = __ballot_sync(~0u, tag == wanted);
            int way;
            if (hits) {
                way = __ffs(hits) - 1;
            } else {
                way = __ffs(__ballot_sync(~0u, age == 31)) - 1;
                ++missed;
                if (lane == way) {
                    if (tag != 0xffffffffu) ++evicted;
                    tag = wanted;
                }
            }
            int age_then = __shfl_sync(~0u, age, way);
            if (lane == way) age = 0;
            else if (age < age_then) ++age;
        }
    }
    for (int d = 16; d; d >>= 1) evicted += __shfl_xor_sync(~0u, evicted, d);
    if (lane == 0) {
        misses[set] = missed;
        evictions[set] = evicted;
    }
}
