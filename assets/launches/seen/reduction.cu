// Reductions: the best of many shifts, a box round a cloud, bits of bitmaps, and the energy of all pairs.

// launch motion_search: --kernel motion_search --grid 120,68 --block 16,16 --arg u8[2088960]=0..255 --arg u8[2137344]=0..255 --arg u32[8160]
// Video: a block of 16 x 16 pixels is compared with the last picture at 256 shifts, a shift a thread: sums of absolute
// differences of bytes from shared memory, and the least of them.
__global__ void motion_search(const unsigned char* __restrict__ now_bytes,
                              const unsigned char* __restrict__ before_bytes,
                              unsigned* __restrict__ best) {
    const unsigned* now = (const unsigned*)now_bytes;
    const unsigned* before = (const unsigned*)before_bytes;
    __shared__ __align__(16) unsigned block[16][4];
    __shared__ unsigned window[32][9], leasts[8];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    window[t / 8][t % 8] = before[(blockIdx.y * 16 + t / 8) * 484 + blockIdx.x * 4 + t % 8];
    if (t < 64) block[t / 4][t % 4] = now[(blockIdx.y * 16 + t / 4) * 480 + blockIdx.x * 4 + t % 4];
    __syncthreads();
    int word = tx / 4, bits = tx % 4 * 8;
    unsigned sum = 0;
#pragma unroll
    for (int row = 0; row < 16; ++row) {
        uint4 mine = *(const uint4*)&block[row][0];
        const unsigned* other = &window[ty + row][word];
        unsigned w0 = other[0], w1 = other[1], w2 = other[2], w3 = other[3], w4 = other[4];
        sum += __vsadu4(mine.x, __funnelshift_r(w0, w1, bits));
        sum += __vsadu4(mine.y, __funnelshift_r(w1, w2, bits));
        sum += __vsadu4(mine.z, __funnelshift_r(w2, w3, bits));
        sum += __vsadu4(mine.w, __funnelshift_r(w3, w4, bits));
    }
    unsigned least = __reduce_min_sync(~0u, sum << 8 | t);
    if (t % 32 == 0) leasts[t / 32] = least;
    __syncthreads();
    if (t < 8) {
        least = __reduce_min_sync(0xffu, leasts[t]);
        if (t == 0) best[blockIdx.y * gridDim.x + blockIdx.x] = least;
    }
}

__device__ unsigned in_order(float x) {
    unsigned bits = __float_as_uint(x);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

// launch bounding_box: --kernel bounding_box --grid 264 --block 1024 --arg f32[25165824]=-1..1 --arg u32[6]=0 --arg i32:8388608
// The smallest box round eight million points of three coordinates: six extremes a thread, a warp, and a block.
__global__ void __launch_bounds__(1024) bounding_box(const float* __restrict__ points, unsigned* box, int n) {
    __shared__ float held[6][32];
    float extremes[6] = {-1e30f, -1e30f, -1e30f, -1e30f, -1e30f, -1e30f};
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            float x = points[3 * i + k];
            extremes[k] = fmaxf(extremes[k], x);
            extremes[k + 3] = fmaxf(extremes[k + 3], -x);
        }
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int k = 0; k < 6; ++k) {
        for (int step = 16; step > 0; step /= 2)
            extremes[k] = fmaxf(extremes[k], __shfl_xor_sync(~0u, extremes[k], step));
        if (lane == 0) held[k][warp] = extremes[k];
    }
    __syncthreads();
    if (warp >= 6) return;
    float x = held[warp][lane];
    for (int step = 16; step > 0; step /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, step));
    if (lane == 0) atomicMax(&box[warp], in_order(x));
}

// launch bitmap_count: --kernel bitmap_count --grid 1056 --block 192 --arg u32[8388608]=0..16777215 --arg u32[8388608]=0..16777215 --arg u32[8388608]=0..16777215 --arg u32[1056] --arg i32:2097152
// How many rows of a table fit two conditions and not a third: bitmaps of each are combined, and their bits counted.
__global__ void bitmap_count(const uint4* __restrict__ a, const uint4* __restrict__ b, const uint4* __restrict__ c,
                             unsigned* __restrict__ counts, int n) {
    __shared__ unsigned held[6];
    unsigned count = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint4 x = a[i], y = b[i], z = c[i];
        count += __popc(x.x & y.x & ~z.x) + __popc(x.y & y.y & ~z.y) + __popc(x.z & y.z & ~z.z) +
                 __popc(x.w & y.w & ~z.w);
    }
    count = __reduce_add_sync(~0u, count);
    if (threadIdx.x % 32 == 0) held[threadIdx.x / 32] = count;
    __syncthreads();
    if (threadIdx.x == 0) counts[blockIdx.x] = held[0] + held[1] + held[2] + held[3] + held[4] + held[5];
}

// launch pair_energies: --kernel pair_energies --grid 96,8 --block 128 --arg f32[49152]=0..20 --arg f32[768] --arg i32:1536
// Lennard-Jones and Coulomb energy of all pairs of 12,288 atoms: an atom a thread, the others through shared memory, and
// one sum a block.
__global__ void pair_energies(const float4* __restrict__ atoms, float* __restrict__ energies, int slice) {
    __shared__ float4 others[128];
    __shared__ float held[4];
    int t = threadIdx.x;
    float4 mine = atoms[blockIdx.x * 128 + t];
    float energy = 0;
    for (int begin = blockIdx.y * slice; begin < (blockIdx.y + 1) * slice; begin += 128) {
        others[t] = atoms[begin + t];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 128; ++k) {
            float4 other = others[k];
            float x = other.x - mine.x, y = other.y - mine.y, z = other.z - mine.z;
            float inverse = rsqrtf(x * x + y * y + z * z + 0.5f), square = inverse * inverse;
            float sixth = square * square * square;
            energy += sixth * (sixth - 1) + mine.w * other.w * inverse;
        }
        __syncthreads();
    }
    for (int step = 16; step > 0; step /= 2) energy += __shfl_down_sync(~0u, energy, step);
    if (t % 32 == 0) held[t / 32] = energy;
    __syncthreads();
    if (t == 0) energies[blockIdx.y * gridDim.x + blockIdx.x] = held[0] + held[1] + held[2] + held[3];
}
