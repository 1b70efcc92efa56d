// Atomics: votes in shared memory, bits of a filter, forces on shared atoms, and the nearest point of a pixel.

// launch hough_lines: --kernel hough_lines --grid 360 --block 256 --arg u32[131072]=0..1048575 --arg u32[921600] --arg i32:131072
// Hough transform: a block has one angle, and every edge pixel of a picture of 1024 x 1024 votes for a distance.
// The votes are counted in shared memory.
__global__ void hough_lines(const unsigned* __restrict__ pixels, unsigned* __restrict__ votes, int n) {
    __shared__ unsigned held[2560];
    for (int i = threadIdx.x; i < 2560; i += blockDim.x) held[i] = 0;
    float sine, cosine;
    sincospif(blockIdx.x * (1.0f / 360), &sine, &cosine);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        unsigned pixel = pixels[i];
        float x = pixel & 1023, y = pixel >> 10 & 1023;
        int distance = (int)(x * cosine + y * sine + 1025.0f);
        atomicAdd(&held[distance], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 2560; i += blockDim.x) votes[blockIdx.x * 2560 + i] = held[i];
}

__device__ unsigned murmur(unsigned word) {
    word ^= word >> 16;
    word *= 0x85ebca6bu;
    word ^= word >> 13;
    word *= 0xc2b2ae35u;
    return word ^ word >> 16;
}

// launch bloom_insert: --kernel bloom_insert --grid 3072 --block 384 --arg u32[1179648]=0..16777215 --arg u32[4194304]=0 --arg i32:1179500 --arg u32:4194303
// Keys of a join go into a Bloom filter of 16 MiB: two hashes give the places of five bits.
__global__ void bloom_insert(const unsigned* __restrict__ keys, unsigned* bits, int n, unsigned mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned first = murmur(keys[i]), second = murmur(first ^ 0x9e3779b9u) | 1;
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        unsigned bit = first + k * second;
        atomicOr(&bits[bit >> 5 & mask], 1u << (bit & 31));
    }
}

// launch angle_forces: --kernel angle_forces --grid 4096 --block 128 --arg i32[2097152]=0..31 --arg f32[1048960]=0..10 --arg f32[64]=0.5..2 --arg f32[1048960]=0
// Molecular dynamics: the force of a bond angle on its three atoms, which lie near each other in the list of atoms.
__global__ void angle_forces(const int4* __restrict__ angles, const float4* __restrict__ places,
                             const float2* __restrict__ kinds, float4* forces) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, residue = i / 2;
    int4 angle = angles[i];
    int a = residue + angle.x, b = residue + 32 + angle.y, c = residue + 64 + angle.z;
    float4 pa = places[a], pb = places[b], pc = places[c];
    float2 kind = kinds[angle.w];
    float x1 = pa.x - pb.x, y1 = pa.y - pb.y, z1 = pa.z - pb.z;
    float x2 = pc.x - pb.x, y2 = pc.y - pb.y, z2 = pc.z - pb.z;
    float r1 = rsqrtf(x1 * x1 + y1 * y1 + z1 * z1 + 1e-6f), r2 = rsqrtf(x2 * x2 + y2 * y2 + z2 * z2 + 1e-6f);
    float cosine = fminf(fmaxf((x1 * x2 + y1 * y2 + z1 * z2) * r1 * r2, -1.0f), 1.0f);
    float sine = fmaxf(sqrtf(1 - cosine * cosine), 0.001f);
    float pull = -2 * kind.x * (acosf(cosine) - kind.y) / sine;
    float of_1 = pull * cosine * r1 * r1, of_12 = -pull * r1 * r2, of_2 = pull * cosine * r2 * r2;
    float fx1 = of_1 * x1 + of_12 * x2, fy1 = of_1 * y1 + of_12 * y2, fz1 = of_1 * z1 + of_12 * z2;
    float fx2 = of_2 * x2 + of_12 * x1, fy2 = of_2 * y2 + of_12 * y1, fz2 = of_2 * z2 + of_12 * z1;
    atomicAdd(&forces[a].x, fx1);
    atomicAdd(&forces[a].y, fy1);
    atomicAdd(&forces[a].z, fz1);
    atomicAdd(&forces[b].x, -fx1 - fx2);
    atomicAdd(&forces[b].y, -fy1 - fy2);
    atomicAdd(&forces[b].z, -fz1 - fz2);
    atomicAdd(&forces[c].x, fx2);
    atomicAdd(&forces[c].y, fy2);
    atomicAdd(&forces[c].z, fz2);
}

// launch point_raster: --kernel point_raster --grid 4096 --block 512 --arg f32[8388608]=0..1 --arg u64[2073600]=0 --arg f32:1900 --arg f32:1060
// A cloud of points is drawn on 1920 x 1080 pixels: the nearest wins, by a maximum of 64 bits of depth and colour.
__global__ void point_raster(const float4* __restrict__ points, unsigned long long* frame, float across, float down) {
    float4 p = points[blockIdx.x * blockDim.x + threadIdx.x];
    float nearness = 1 / (1 + p.z);
    int x = (int)((p.x - 0.5f) * across * nearness + 960), y = (int)((p.y - 0.5f) * down * nearness + 540);
    unsigned colour = (unsigned)(p.w * 16777215.0f);
    atomicMax(&frame[y * 1920 + x], (unsigned long long)__float_as_uint(nearness) << 32 | colour);
}
