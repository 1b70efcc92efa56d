// Four kernels with atomics: histograms of gradients for boosted trees, a sparse product by hash tables, a count-min sketch of traffic, and lights listed by tile.
#include <cuda_fp16.h>

// launch gradient_histograms: --kernel gradient_histograms --grid 66,4 --block 256 --arg u8[4194304]=0..255 --arg f32[262144]=-1..1 --arg i32[131072]=0..131071 --arg f32[16384]=0 --arg i32:131072 --arg i32:32
// Gradient boosting: sums of gradient and hessian by bin for the rows of a tree node. A block takes eight features
// (blockIdx.y) of a share of the rows, keeps its bins in shared memory and adds them to the global ones at the end.
__global__ void gradient_histograms(const unsigned char* __restrict__ bins, const float2* __restrict__ pairs,
                                    const int* __restrict__ row_index, float* hist, int n_rows, int n_features)
{
    __shared__ float local[8 * 256 * 2];
    for (int i = threadIdx.x; i < 8 * 256 * 2; i += blockDim.x) local[i] = 0.0f;
    __syncthreads();

    const int first_feature = blockIdx.y * 8;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n_rows; i += gridDim.x * blockDim.x) {
        int row = row_index[i];
        float2 gh = pairs[row];
        uint2 packed = *reinterpret_cast<const uint2*>(bins + (size_t)row * n_features + first_feature);
#pragma unroll
        for (int f = 0; f < 8; ++f) {
            unsigned word = f < 4 ? packed.x : packed.y;
            unsigned bin = (word >> (8 * (f & 3))) & 0xffu;
            float* slot = local + (f * 256 + bin) * 2;
            atomicAdd(slot, gh.x);
            atomicAdd(slot + 1, gh.y);
        }
    }
    __syncthreads();

    float* out = hist + first_feature * 256 * 2;
    for (int i = threadIdx.x; i < 8 * 256 * 2; i += blockDim.x) {
        float v = local[i];
        if (v != 0.0f) atomicAdd(out + i, v);
    }
}

// launch product_rows_hashed: --kernel product_rows_hashed --grid 2048 --block 128 --arg i32[8193]=0+16 --arg i32[131072]=0..8191 --arg f32[131072]=-1..1 --arg i32[8193]=0+16 --arg i32[131072]=0..8191 --arg f32[131072]=-1..1 --arg i32[8193]=0+256 --arg i32[2097152]=0 --arg f32[2097152]=0 --arg i32[8192]=0 --arg i32:8192
// Sparse linear algebra: numeric phase of C = A B in CSR. A warp makes a row of C in a hash table of 512 slots in shared
// memory (compare-and-swap on the column, add on the value), half a warp for a row of B, then packs the table.
__global__ void product_rows_hashed(const int* a_start, const int* a_col, const float* a_val,
                                    const int* b_start, const int* b_col, const float* b_val,
                                    const int* c_start, int* c_col, float* c_val, int* c_count, int n)
{
    const int slots = 512;
    __shared__ int keys[4][slots];
    __shared__ float sums[4][slots];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int row = blockIdx.x * 4 + warp;
    if (row >= n) return;
    int* key = keys[warp];
    float* sum = sums[warp];
    for (int i = lane; i < slots; i += 32) { key[i] = -1; sum[i] = 0.0f; }
    __syncwarp();

    const int half = lane >> 4, sub = lane & 15;
    for (int p = a_start[row] + half; p < a_start[row + 1]; p += 2) {
        int k = a_col[p];
        float a = a_val[p];
        int end = b_start[k + 1];
        for (int q = b_start[k] + sub; q < end; q += 16) {
            int col = b_col[q];
            float v = a * b_val[q];
            int h = (col * 107) & (slots - 1);
            while (true) {
                int seen = atomicCAS(&key[h], -1, col);
                if (seen == -1 || seen == col) {
                    atomicAdd(&sum[h], v);
                    break;
                }
                h = (h + 1) & (slots - 1);
            }
        }
    }
    __syncwarp();

    int at = c_start[row], room = c_start[row + 1] - at, done = 0;
    for (int i = lane; i < slots; i += 32) {
        int col = key[i];
        unsigned full = __ballot_sync(0xffffffffu, col >= 0);
        int place = done + __popc(full & ((1u << lane) - 1u));
        if (col >= 0 && place < room) {
            c_col[at + place] = col;
            c_val[at + place] = sum[i];
        }
        done += __popc(full);
    }
    if (lane == 0) c_count[row] = done < room ? done : room;
}

// launch count_min_sketch: --kernel count_min_sketch --grid 1024 --block 256 --arg u32[1048576]=0..65535 --arg u32[1048576]=0..7 --arg u16[1048576]=40..1500 --arg u32[262144]=0 --arg u32[1048576] --arg i32:1048576 --arg u32:65535
// Network measurement: bytes of each flow into four rows of counters; the least of the four that come back is the
// estimate of the flow so far. One packet a thread at a time, grid stride.
__global__ void count_min_sketch(const unsigned* __restrict__ source, const unsigned* __restrict__ target,
                                 const unsigned short* __restrict__ length, unsigned* sketch,
                                 unsigned* __restrict__ estimate, int n, unsigned mask)
{
    const unsigned seeds[4] = {0x9e3779b1u, 0x85ebca77u, 0xc2b2ae3du, 0x27d4eb2fu};
    const unsigned width = mask + 1;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned key = source[i] ^ (target[i] << 24);
        unsigned bytes = length[i];
        unsigned least = 0xffffffffu;
#pragma unroll
        for (int r = 0; r < 4; ++r) {
            unsigned h = key * seeds[r];
            h ^= h >> 15;
            h *= 0x2c1b3c6du;
            h ^= h >> 13;
            unsigned before = atomicAdd(&sketch[r * width + (h & mask)], bytes);
            least = min(least, before);
        }
        estimate[i] = least + bytes;
    }
}

// launch lights_of_tiles: --kernel lights_of_tiles --grid 80,45 --block 16,16 --arg f32[921600]=0.2..0.99 --arg f32[512]=-30..30 --arg f32[512]=-17..17 --arg f32[512]=1..60 --arg f32[512]=0.5..5 --arg u16[921600] --arg i32[3600] --arg i32:1280 --arg i32:720 --arg i32:512 --arg f32:1.0 --arg f32:1.78 --arg f32:0.5 --arg f32:100
// Graphics: tiled light culling. A block for a tile of 16x16 pixels finds the depths there by atomic minimum and maximum
// in shared memory, tests every light against the frustum and appends those that touch it to the list of the tile.
__global__ void lights_of_tiles(const float* depth, const float* light_x, const float* light_y, const float* light_z,
                                const float* light_r, unsigned short* tile_list, int* tile_count, int width, int height,
                                int n_lights, float proj_x, float proj_y, float z_near, float z_far)
{
    __shared__ unsigned lowest, highest, found;
    __shared__ unsigned short list[256];
    const int tid = threadIdx.y * 16 + threadIdx.x;
    if (tid == 0) { lowest = 0x7f7fffffu; highest = 0u; found = 0u; }
    __syncthreads();

    int px = blockIdx.x * 16 + threadIdx.x, py = blockIdx.y * 16 + threadIdx.y;
    if (px < width && py < height) {
        float d = depth[py * width + px];
        float z = z_near * z_far / (z_far - d * (z_far - z_near));
        unsigned bits = __float_as_uint(z);
        atomicMin(&lowest, bits);
        atomicMax(&highest, bits);
    }
    __syncthreads();

    const float z0 = __uint_as_float(lowest), z1 = __uint_as_float(highest);
    const float x0 = 2.0f * (blockIdx.x * 16) / width - 1.0f, x1 = 2.0f * (blockIdx.x * 16 + 16) / width - 1.0f;
    const float y0 = 2.0f * (blockIdx.y * 16) / height - 1.0f, y1 = 2.0f * (blockIdx.y * 16 + 16) / height - 1.0f;
    const float lx0 = rsqrtf(proj_x * proj_x + x0 * x0), lx1 = rsqrtf(proj_x * proj_x + x1 * x1);
    const float ly0 = rsqrtf(proj_y * proj_y + y0 * y0), ly1 = rsqrtf(proj_y * proj_y + y1 * y1);

    for (int i = tid; i < n_lights; i += 256) {
        float x = light_x[i], y = light_y[i], z = light_z[i], r = light_r[i];
        if (z + r < z0 || z - r > z1) continue;
        bool inside = (proj_x * x - x0 * z) * lx0 > -r && (x1 * z - proj_x * x) * lx1 > -r &&
                      (proj_y * y - y0 * z) * ly0 > -r && (y1 * z - proj_y * y) * ly1 > -r;
        if (inside) {
            unsigned slot = atomicAdd(&found, 1u);
            if (slot < 256u) list[slot] = (unsigned short)i;
        }
    }
    __syncthreads();

    const int tile = blockIdx.y * gridDim.x + blockIdx.x;
    const int count = min(found, 256u);
    if (tid == 0) tile_count[tile] = count;
    for (int i = tid; i < count; i += 256) tile_list[tile * 256 + i] = list[i];
}
