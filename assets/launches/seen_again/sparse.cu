// Sparse and gathered: words out of a dictionary, reads in a genome, weights with two of four left, and a grid of power lines.
#include <cuda_fp16.h>

// launch words_of_dictionary: --kernel words_of_dictionary --grid 3515 --block 256 --arg i32[899700]=0..49999 --arg u8[50000]=3..20 --arg u8[1000000]=97..122 --arg u8[17994000] --arg i32:899700
// Databases kept by columns: codes of a column become the words that they stand for, each in a field of twenty letters.
// A thread has a row and copies letter by letter; words have lengths of their own, and what is left is filled with blanks.
__global__ void words_of_dictionary(const int* __restrict__ codes, const unsigned char* __restrict__ lengths,
                                    const unsigned char* __restrict__ words, unsigned char* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int code = codes[i];
    int length = lengths[code];
    const unsigned char* from = words + code * 20;
    unsigned char* to = out + i * 20;
    for (int k = 0; k < length; ++k) to[k] = from[k];
    for (int k = length; k < 20; ++k) to[k] = ' ';
}

// How many letters of a kind there are before a place, and where such letters begin: a checkpoint for every 64 letters.
__device__ unsigned letters_before(const uint4* __restrict__ counts, const uint4* __restrict__ planes, unsigned at,
                                   unsigned letter) {
    unsigned block = at >> 6, inside = at & 63;
    uint4 c = __ldg(&counts[block]), p = __ldg(&planes[block]);
    unsigned count = letter == 0 ? c.x : letter == 1 ? c.y : letter == 2 ? c.z : c.w;
    unsigned first = (letter & 1 ? p.x : ~p.x) & (letter & 2 ? p.z : ~p.z);
    unsigned second = (letter & 1 ? p.y : ~p.y) & (letter & 2 ? p.w : ~p.w);
    first &= inside < 32 ? (1u << inside) - 1 : ~0u;
    second &= inside > 32 ? (1u << (inside - 32)) - 1 : 0u;
    return letter * 4194304u + count + __popc(first) + __popc(second);
}

// launch reads_in_genome: --kernel reads_in_genome --grid 1200 --block 192 --arg u32[1049600]=0+4 --arg u8[4198400]=0..255 --arg u8[1843200]=0..255 --arg u32[460800] --arg u32:16777216
// Bioinformatics: reads of 32 letters are looked for in a genome of 16 million by its Burrows-Wheeler index, from behind.
// Each letter narrows a range with two ranks at random places, until nothing is left of it, which takes about a dozen letters.
__global__ void reads_in_genome(const uint4* __restrict__ counts, const uint4* __restrict__ planes,
                                const uint2* __restrict__ reads, uint2* __restrict__ ranges, unsigned size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint2 read = reads[i];
    unsigned low = 0, high = size;
    for (int k = 31; k >= 0 && low < high; --k) {
        unsigned letter = (k < 16 ? read.x : read.y) >> (2 * (k & 15)) & 3;
        low = letters_before(counts, planes, low, letter);
        high = letters_before(counts, planes, high, letter);
    }
    ranges[i] = make_uint2(low, high);
}

// launch two_of_four: --kernel two_of_four --grid 768 --block 256 --arg f16[8192]=-1..1 --arg f16[12582912]=-0.1..0.1 --arg u8[3145728]=0..255 --arg f16[12288]
// Language models: a layer of 6,144 x 4,096 in which two of every four weights are left, by two vectors at once.
// A warp has a row; two bits a weight say which of the four inputs in shared memory it belongs to.
__global__ void __launch_bounds__(256) two_of_four(const half2* __restrict__ x, const half* __restrict__ weights,
                                                   const unsigned short* __restrict__ places, half2* __restrict__ y) {
    __shared__ half2 inputs[4096];
    for (int i = threadIdx.x; i < 4096; i += 256) inputs[i] = x[i];
    __syncthreads();
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    const uint4* mine = (const uint4*)(weights + (size_t)row * 2048);
    const unsigned short* which = places + (size_t)row * 256;
    float first = 0, second = 0;
#pragma unroll 2
    for (int k = lane; k < 256; k += 32) {
        uint4 packed = mine[k];
        unsigned bits = which[k];
        half2* pairs = (half2*)&packed;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            int base = k * 16 + j * 4;
            float2 w = __half22float2(pairs[j]);
            float2 a = __half22float2(inputs[base + (bits >> (4 * j) & 3)]);
            float2 b = __half22float2(inputs[base + (bits >> (4 * j + 2) & 3)]);
            first += w.x * a.x + w.y * b.x;
            second += w.x * a.y + w.y * b.y;
        }
    }
    for (int step = 16; step > 0; step >>= 1) {
        first += __shfl_down_sync(~0u, first, step);
        second += __shfl_down_sync(~0u, second, step);
    }
    if (lane == 0) y[row] = __floats2half2_rn(first, second);
}

// launch power_mismatch: --kernel power_mismatch --grid 438,6 --block 160 --arg u8[70001]=0..5 --arg i32[350005]=0..69999 --arg f64[350005]=-1..1 --arg f64[350005]=-5..5 --arg f64[420000]=0.9..1.1 --arg f64[420000]=-0.5..0.5 --arg f64[840000]=-2..2 --arg f64[840000] --arg i32:70000
// Electricity: how much power, real and reactive, is missing at each of 70,000 buses of a grid, for six hours; Newton's method needs it.
// A thread has a bus with none to ten lines; for each there is a sine and a cosine of a difference of angles, in doubles.
__global__ void power_mismatch(const unsigned char* __restrict__ extra, const int* __restrict__ others,
                               const double* __restrict__ conductances, const double* __restrict__ susceptances,
                               const double* __restrict__ volts, const double* __restrict__ angles,
                               const double2* __restrict__ wanted, double2* __restrict__ missing, int n) {
    int bus = blockIdx.x * blockDim.x + threadIdx.x;
    if (bus >= n) return;
    int hour = blockIdx.y * n;
    double angle = angles[hour + bus], p = 0, q = 0;
    int end = (bus + 1) * 5 + extra[bus + 1];
    for (int k = bus * 5 + extra[bus]; k < end; ++k) {
        int other = hour + others[k];
        double s, c, g = conductances[k], b = susceptances[k], v = volts[other];
        sincos(angle - angles[other], &s, &c);
        p += v * (g * c + b * s);
        q += v * (g * s - b * c);
    }
    double v = volts[hour + bus];
    double2 w = wanted[hour + bus];
    missing[hour + bus] = make_double2(w.x - v * p, w.y - v * q);
}
