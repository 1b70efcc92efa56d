// Atomics: a joint histogram, slots of a graph's rows, spreading onto a grid in doubles, and a sketch of distinct values.

// launch joint_histogram: --kernel joint_histogram --grid 264 --block 512 --arg u8[16777216]=0..255 --arg u8[16777216]=0..255 --arg u32[4096] --arg i32:1048576
// Registration of medical images: how often each pair of grey levels meets, in 64 x 64 bins.
// A block counts in shared memory and adds what it has at the end.
__global__ void __launch_bounds__(512) joint_histogram(const uint4* __restrict__ fixed, const uint4* __restrict__ moving,
                                                       unsigned* bins, int n) {
    __shared__ unsigned held[4096];
    for (int i = threadIdx.x; i < 4096; i += 512) held[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 512 + threadIdx.x; i < n; i += gridDim.x * 512) {
        uint4 a = fixed[i], b = moving[i];
        unsigned of_a[4] = {a.x, a.y, a.z, a.w}, of_b[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            unsigned p = of_a[k / 4] >> (k % 4 * 8 + 2) & 63, q = of_b[k / 4] >> (k % 4 * 8 + 2) & 63;
            atomicAdd(&held[p * 64 + q], 1u);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 4096; i += 512)
        if (held[i] != 0) atomicAdd(&bins[i], held[i]);
}

// launch csr_slots: --kernel csr_slots --grid 3072 --block 256 --arg u32[3145728]=0..262143 --arg u32[262144] --arg u32[3145728]
// Building a graph in rows: each edge asks the counter of its source vertex for a slot.
// Four edges a thread, and the old counts are written down.
__global__ void csr_slots(const uint4* __restrict__ sources, unsigned* degrees, uint4* __restrict__ slots) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 from = sources[i], got;
    got.x = atomicAdd(&degrees[from.x], 1u);
    got.y = atomicAdd(&degrees[from.y], 1u);
    got.z = atomicAdd(&degrees[from.z], 1u);
    got.w = atomicAdd(&degrees[from.w], 1u);
    slots[i] = got;
}

// launch nufft_spread: --kernel nufft_spread --grid 768 --block 128 --arg f32[98304]=0..1024 --arg f32[98304]=0..1024 --arg f64[196608]=-1..1 --arg f64[2097152] --arg i32:1024 --arg f32:1.6
// Non-uniform Fourier transform: a point spreads its complex strength over 4 x 4 places of a periodic grid.
// Weights are Gaussian; the grid is of doubles.
__global__ void nufft_spread(const float* __restrict__ xs, const float* __restrict__ ys,
                             const double2* __restrict__ strengths, double* grid, int side, float sharp) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = xs[i], y = ys[i];
    double2 c = strengths[i];
    int left = (int)floorf(x) - 1, top = (int)floorf(y) - 1;
    float wx[4], wy[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float dx = x - (left + k), dy = y - (top + k);
        wx[k] = __expf(-sharp * dx * dx);
        wy[k] = __expf(-sharp * dy * dy);
    }
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        int row = ((top + r) & (side - 1)) * side;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            int at = row + ((left + k) & (side - 1));
            double w = wx[k] * wy[r];
            atomicAdd(&grid[2 * at], c.x * w);
            atomicAdd(&grid[2 * at + 1], c.y * w);
        }
    }
}

// launch hyperloglog: --kernel hyperloglog --grid 396 --block 256 --arg u32[16777216]=0..2000000000 --arg u32[4096] --arg i32:4194304
// Databases: a sketch of how many distinct values a column has.
// Each of 4,096 registers keeps the longest run of zero bits that a hash began with.
__global__ void hyperloglog(const uint4* __restrict__ column, unsigned* registers, int n) {
    __shared__ unsigned kept[4096];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) kept[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint4 four = column[i];
        unsigned words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            unsigned h = words[k];
            h ^= h >> 16;
            h *= 0x85ebca6bu;
            h ^= h >> 13;
            h *= 0xc2b2ae35u;
            h ^= h >> 16;
            unsigned zeros = __clz(h << 12 | 2048u) + 1;
            atomicMax(&kept[h >> 20], zeros);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) atomicMax(&registers[i], kept[i]);
}
