// Atomics: bars of trades, a map of voxels, a table of short words of DNA, and the gradient of a sampled picture.

// launch tick_bars: --kernel tick_bars --grid 2048 --block 256 --arg u32[1048576]=0..8191 --arg f32[1048576]=1..500 --arg u32[1048576]=1..100 --arg u32[8192]=2000000000 --arg u32[8192] --arg u64[8192] --arg f64[8192] --arg i32:1048576
// Market data: trades of 8,192 securities become bars with lowest and highest price, volume and turnover.
// Positive floats are compared by their bits.
__global__ void tick_bars(const unsigned* symbols, const float* prices, const unsigned* volumes, unsigned* lows,
                          unsigned* highs, unsigned long long* traded, double* turnover, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned s = symbols[i], v = volumes[i];
        float p = prices[i];
        atomicMin(&lows[s], __float_as_uint(p));
        atomicMax(&highs[s], __float_as_uint(p));
        atomicAdd(&traded[s], (unsigned long long)v);
        atomicAdd(&turnover[s], (double)p * v);
    }
}

// launch lidar_voxels: --kernel lidar_voxels --grid 8192 --block 192 --arg f32[6291456]=-60..60 --arg u32[131072] --arg i32[65536] --arg u32[64] --arg f32:0.5
// Robotics: points of a laser scanner mark voxels of a map as occupied, and the highest point of each column is kept.
// How many points lay within the map in each quarter of range is counted once a warp.
__global__ void lidar_voxels(const float4* __restrict__ points, unsigned* occupied, int* tops, unsigned* rings, float size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 p = points[i];
    float inverse = 1.0f / size;
    int x = (int)floorf(p.x * inverse) + 128, y = (int)floorf(p.y * inverse) + 128, z = (int)floorf(p.z * inverse * 0.25f) + 32;
    bool inside = x >= 0 && x < 256 && y >= 0 && y < 256 && z >= 0 && z < 64;
    int ring = inside ? min((int)(sqrtf(p.x * p.x + p.y * p.y) * 0.5f), 63) : -1;
    unsigned same = __match_any_sync(~0u, ring);
    if (inside) {
        int column = y * 256 + x;
        atomicOr(&occupied[column * 2 + z / 32], 1u << (z & 31));
        atomicMax(&tops[column], (int)((p.z + 64.0f) * 1000.0f));
        if (__ffs(same) - 1 == (int)(threadIdx.x & 31)) atomicAdd(&rings[ring], (unsigned)__popc(same));
    }
}

// launch kmer_table: --kernel kmer_table --grid 512 --block 128 --arg u32[458752]=0..2000000000 --arg u32[4194304] --arg i32:65536
// Bioinformatics: words of eleven bases out of reads of 112, two bits a base, are counted in a table of 4^11.
// A word and its reverse complement count as the same one.
__global__ void kmer_table(const unsigned* __restrict__ reads, unsigned* table, int n) {
    int read = blockIdx.x * blockDim.x + threadIdx.x;
    if (read >= n) return;
    const unsigned mask = (1u << 22) - 1;
    unsigned forward = 0, backward = 0;
    for (int w = 0; w < 7; ++w) {
        unsigned word = __ldg(&reads[w * n + read]);
        for (int b = 0; b < 16; ++b) {
            unsigned base = word & 3;
            word >>= 2;
            forward = (forward << 2 | base) & mask;
            backward = backward >> 2 | (3 - base) << 20;
            if (w * 16 + b >= 10) atomicAdd(&table[min(forward, backward)], 1u);
        }
    }
}

// launch grid_sample_gradient: --kernel grid_sample_gradient --grid 256,4 --block 256 --arg f32[524288]=0..511 --arg f32[1048576]=-1..1 --arg f32[4194304] --arg i32:512
// Spatial transformers, backwards: each sample's gradient of four channels goes to the four pixels that it was mixed from.
__global__ void grid_sample_gradient(const float2* __restrict__ places, const float4* __restrict__ gradients, float* image,
                                     int side) {
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    float2 p = places[i];
    float4 g = gradients[i];
    int x = min(max((int)p.x, 0), side - 2), y = min(max((int)p.y, 0), side - 2);
    float fx = p.x - x, fy = p.y - y;
    float* base = image + (size_t)blockIdx.y * side * side * 4;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float w = (k & 1 ? fx : 1 - fx) * (k & 2 ? fy : 1 - fy);
        float* to = base + ((y + k / 2) * side + x + k % 2) * 4;
        atomicAdd(to, w * g.x);
        atomicAdd(to + 1, w * g.y);
        atomicAdd(to + 2, w * g.z);
        atomicAdd(to + 3, w * g.w);
    }
}
