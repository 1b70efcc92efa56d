// Reductions: checksums of packets, planes through a cloud of points, a pyramid of depths, and the volume of a mesh.

// launch chunk_checksums: --kernel chunk_checksums --grid 2048 --block 256 --arg u8[33554432]=0..255 --arg u32[2048]
// Storage: Adler's checksum of each chunk of 16 KiB: the sum of its bytes, and of all sums on the way, modulo 65,521.
// Four bytes an instruction, by products of bytes that are added up.
__global__ void __launch_bounds__(256) chunk_checksums(const uint4* __restrict__ data, unsigned* __restrict__ sums) {
    __shared__ unsigned held[2][8];
    int t = threadIdx.x;
    unsigned plain = 0, weighted = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        uint4 v = data[blockIdx.x * 1024 + k * 256 + t];
        unsigned here = 0, within = 0, words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int w = 0; w < 4; ++w) {
            here = __dp4a(words[w], 0x01010101u, here);
            within = __dp4a(words[w], 0x03020100u + 0x04040404u * w, within);
        }
        plain += here;
        weighted += (16384 - (k * 256 + t) * 16) * here - within;
    }
    plain = __reduce_add_sync(~0u, plain % 65521);
    weighted = __reduce_add_sync(~0u, weighted % 65521);
    if (t % 32 == 0) held[0][t / 32] = plain, held[1][t / 32] = weighted;
    __syncthreads();
    if (t == 0) {
        unsigned a = 1, b = 16384;
        for (int w = 0; w < 8; ++w) a += held[0][w], b += held[1][w];
        sums[blockIdx.x] = b % 65521 << 16 | a % 65521;
    }
}

// launch points_on_planes: --kernel points_on_planes --grid 264 --block 192 --arg f32[4224]=-1..1 --arg f32[98304]=-2..2 --arg i32[1056] --arg f32[1056] --arg i32:24576 --arg f32:0.05
// Robots that look for the floor: how many of 24,576 points lie near each of 1,056 planes that were guessed.
// A block has four planes; counts and errors are added by shuffles and then in shared memory.
__global__ void __launch_bounds__(192) points_on_planes(const float4* __restrict__ planes, const float4* __restrict__ points,
                                                        int* __restrict__ counts, float* __restrict__ errors, int n, float near) {
    __shared__ int all[4];
    __shared__ float off[4];
    int t = threadIdx.x;
    if (t < 4) all[t] = 0, off[t] = 0;
    __syncthreads();
    float4 p[4];
    int count[4] = {};
    float error[4] = {};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        p[k] = planes[blockIdx.x * 4 + k];
        float scale = rsqrtf(p[k].x * p[k].x + p[k].y * p[k].y + p[k].z * p[k].z + 1e-6f);
        p[k].x *= scale, p[k].y *= scale, p[k].z *= scale;
    }
    for (int i = t; i < n; i += 192) {
        float4 v = __ldg(&points[i]);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float d = fabsf(v.x * p[k].x + v.y * p[k].y + v.z * p[k].z + p[k].w);
            if (d < near) ++count[k], error[k] += d;
        }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int c = __reduce_add_sync(~0u, count[k]);
        float e = error[k];
        for (int step = 16; step > 0; step >>= 1) e += __shfl_down_sync(~0u, e, step);
        if (t % 32 == 0) {
            atomicAdd(&all[k], c);
            atomicAdd(&off[k], e);
        }
    }
    __syncthreads();
    if (t < 4) {
        counts[blockIdx.x * 4 + t] = all[t];
        errors[blockIdx.x * 4 + t] = off[t] / max(all[t], 1);
    }
}

// launch depth_pyramid: --kernel depth_pyramid --grid 80,64 --block 16,16 --arg f32[5242880]=0..1 --arg f32[1310720] --arg f32[327680] --arg f32[81920] --arg f32[20480] --arg f32[5120] --arg i32:2560
// Games: the farthest depth of each square of 2, 4, 8, 16 and 32 pixels, so that what is hidden need not be drawn.
// A block has 32 x 32 pixels; half as many threads go on each time.
__global__ void depth_pyramid(const float2* __restrict__ depth, float* __restrict__ two, float* __restrict__ four,
                              float* __restrict__ eight, float* __restrict__ sixteen, float* __restrict__ all, int width) {
    __shared__ float held[16][17];
    int x = threadIdx.x, y = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    size_t at = (size_t)((by * 16 + y) * 2) * (width / 2) + bx * 16 + x;
    float2 p = depth[at], q = depth[at + width / 2];
    float far = fmaxf(fmaxf(p.x, p.y), fmaxf(q.x, q.y));
    two[(by * 16 + y) * (width / 2) + bx * 16 + x] = far;
    held[y][x] = far;
    __syncthreads();
#pragma unroll
    for (int level = 1; level < 5; ++level) {
        int side = 16 >> level, gap = 1 << (level - 1);
        bool mine = x < side && y < side;
        if (mine) {
            int r = y * 2 * gap, c = x * 2 * gap;
            far = fmaxf(fmaxf(held[r][c], held[r][c + gap]), fmaxf(held[r + gap][c], held[r + gap][c + gap]));
            float* to = level == 1 ? four : level == 2 ? eight : level == 3 ? sixteen : all;
            to[(by * side + y) * (width / 32 * side) + bx * side + x] = far;
            held[r][c] = far;
        }
        __syncthreads();
    }
}

// launch volume_of_mesh: --kernel volume_of_mesh --grid 792 --block 256 --arg f32[1600000]=-1..1 --arg i32[3000000]=0..2047 --arg f64[2] --arg i32:1000000 --arg i32:531000
// Geometry: volume and surface of a mesh of a million triangles, in doubles, whose corners lie somewhere near each other.
// Corners are three floats each, found by their numbers.
__global__ void volume_of_mesh(const float* __restrict__ corners, const int* __restrict__ triangles, double* sums, int n,
                               int last) {
    __shared__ double held[2][8];
    int t = threadIdx.x;
    double volume = 0, surface = 0;
    for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) {
        int base = min(i / 2, last);
        const float* a = corners + 3 * (base + triangles[3 * i]);
        const float* b = corners + 3 * (base + triangles[3 * i + 1]);
        const float* c = corners + 3 * (base + triangles[3 * i + 2]);
        float ax = a[0], ay = a[1], az = a[2], bx = b[0] - ax, by = b[1] - ay, bz = b[2] - az;
        float cx = c[0] - ax, cy = c[1] - ay, cz = c[2] - az;
        float nx = by * cz - bz * cy, ny = bz * cx - bx * cz, nz = bx * cy - by * cx;
        volume += (double)ax * nx + (double)ay * ny + (double)az * nz;
        surface += sqrtf(nx * nx + ny * ny + nz * nz);
    }
    for (int step = 16; step > 0; step >>= 1) {
        volume += __shfl_down_sync(~0u, volume, step);
        surface += __shfl_down_sync(~0u, surface, step);
    }
    if (t % 32 == 0) held[0][t / 32] = volume, held[1][t / 32] = surface;
    __syncthreads();
    if (t < 2) {
        double sum = 0;
        for (int w = 0; w < 8; ++w) sum += held[t][w];
        atomicAdd(&sums[t], sum / (t == 0 ? 6 : 2));
    }
}
