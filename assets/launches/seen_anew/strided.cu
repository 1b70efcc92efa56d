// Four rearrangements: laser survey records into columns, a complex matrix transposed in place by pairs of tiles, any permutation of four axes, and four-bit weights packed anew for tensor cores.
#include <cuda_fp16.h>

// launch survey_points_to_columns: --kernel survey_points_to_columns --grid 7032 --block 256 --arg u32[12600000]=0..2000000000 --arg f32[1800000] --arg f32[1800000] --arg f32[1800000] --arg u16[1800000] --arg u8[1800000] --arg f64[1800000] --arg i32:1800000 --arg f32:0.01
// Maps: laser survey points of 28 bytes (position, intensity, flags, class, angle, source, time) into a column each;
// a block takes 256 records through shared memory, read as words side by side.
__global__ void survey_points_to_columns(const unsigned* __restrict__ records, float* __restrict__ xs,
                                         float* __restrict__ ys, float* __restrict__ zs,
                                         unsigned short* __restrict__ intensity, unsigned char* __restrict__ classes,
                                         double* __restrict__ times, int points, float scale)
{
    __shared__ unsigned words[256 * 7];
    const int first = blockIdx.x * 256;
    const int here = min(256, points - first);
    const unsigned* src = records + (size_t)first * 7;
    for (int w = threadIdx.x; w < here * 7; w += 256) words[w] = src[w];
    __syncthreads();
    if ((int)threadIdx.x >= here) return;
    const unsigned* r = words + threadIdx.x * 7;
    const int i = first + threadIdx.x;
    xs[i] = (float)(int)r[0] * scale;
    ys[i] = (float)(int)r[1] * scale;
    zs[i] = (float)(int)r[2] * scale;
    const unsigned w = r[3];
    intensity[i] = (unsigned short)(w & 0xffffu);
    classes[i] = (unsigned char)((w >> 24) & 31u);
    times[i] = __hiloint2double((int)r[6], (int)r[5]);
}

// launch swap_tiles_in_place: --kernel swap_tiles_in_place --grid 2080 --block 32,8 --arg f32[8192000]=-1..1 --arg i32:2024 --arg i32:2023
// Signals: a square matrix of complex numbers transposed where it lies; a block for each pair of tiles of 32 x 32 on
// and under the diagonal, both through shared memory; the side need not be a multiple of 32.
__global__ void swap_tiles_in_place(float2* a, int pitch, int n)
{
    __shared__ float2 low[32][33];
    __shared__ float2 high[32][33];
    const int b = blockIdx.x;
    int row = (int)((sqrtf(8.f * b + 1.f) - 1.f) * 0.5f);
    while (row * (row + 1) / 2 > b) --row;
    while ((row + 1) * (row + 2) / 2 <= b) ++row;
    const int col = b - row * (row + 1) / 2;

    const int x_low = col * 32 + threadIdx.x, x_high = row * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int y = row * 32 + j;
        if (y < n && x_low < n) low[j][threadIdx.x] = a[(size_t)y * pitch + x_low];
    }
    if (row != col) {
        for (int j = threadIdx.y; j < 32; j += 8) {
            const int y = col * 32 + j;
            if (y < n && x_high < n) high[j][threadIdx.x] = a[(size_t)y * pitch + x_high];
        }
    }
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int y = col * 32 + j;
        if (y < n && x_high < n) a[(size_t)y * pitch + x_high] = low[threadIdx.x][j];
    }
    if (row != col) {
        for (int j = threadIdx.y; j < 32; j += 8) {
            const int y = row * 32 + j;
            if (y < n && x_low < n) a[(size_t)y * pitch + x_low] = high[threadIdx.x][j];
        }
    }
}

// launch permute_four_axes: --kernel permute_four_axes<__half> --grid 2048 --block 256 --arg f16[4718592]=-1..1 --arg f16[4718592] --arg i32:4718592 --arg i32:64 --arg i32:64 --arg i32:24 --arg i32:4096 --arg i32:1 --arg i32:64 --arg i32:196608
// Machine learning: any permutation of a tensor of four axes, as a framework falls back to: indices of the output taken
// apart by division, the input read with its strides; a loop over the grid. Here channels of a volume go last.
template <typename T>
__global__ void permute_four_axes(const T* __restrict__ in, T* __restrict__ out, int count, int d1, int d2, int d3,
                                  int s0, int s1, int s2, int s3)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        int rest = i;
        const int i3 = rest % d3;
        rest /= d3;
        const int i2 = rest % d2;
        rest /= d2;
        const int i1 = rest % d1;
        const int i0 = rest / d1;
        out[i] = in[i0 * s0 + i1 * s1 + i2 * s2 + i3 * s3];
    }
}

// launch repack_four_bit_weights: --kernel repack_four_bit_weights --grid 14,512 --block 256 --arg u32[7340032]=0..4294967295 --arg u32[7340032] --arg i32:7168
// Language models: four-bit weights, eight of a column in a word, put into the order of the fragments of tensor cores;
// a tile of 16 x 64 weights for each warp, staged in shared memory, four words out for each lane.
__global__ void repack_four_bit_weights(const unsigned* __restrict__ packed, uint4* __restrict__ out, int columns)
{
    __shared__ uint4 stage[8][32];
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int n_tile = blockIdx.x * 8 + warp;
    const int k_tile = blockIdx.y;
    if (n_tile * 64 >= columns) return;

    const int half_row = lane >> 4;            // which of the two words of each column
    const unsigned* src = packed + (size_t)(k_tile * 2 + half_row) * columns + n_tile * 64 + (lane & 15) * 4;
    stage[warp][lane] = *reinterpret_cast<const uint4*>(src);
    __syncwarp();
    const unsigned* words = reinterpret_cast<const unsigned*>(&stage[warp][0]);

    const int col = lane >> 2;
    const int shift = (lane & 3) * 8;          // two rows of four bits
    unsigned result[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const int c = j * 16 + col;
        const unsigned a = words[c] >> shift;            // rows r, r+1
        const unsigned b = words[64 + c] >> shift;       // rows r+8, r+9
        const unsigned d = words[c + 8] >> shift;
        const unsigned e = words[64 + c + 8] >> shift;
        // even ones low, odd ones high, so that a mask gives pairs of halves
        result[j] = (a & 15u) | ((b & 15u) << 4) | ((d & 15u) << 8) | ((e & 15u) << 12) |
                    (((a >> 4) & 15u) << 16) | (((b >> 4) & 15u) << 20) | (((d >> 4) & 15u) << 24) | (((e >> 4) & 15u) << 28);
    }
    out[((size_t)k_tile * (columns / 64) + n_tile) * 32 + lane] = make_uint4(result[0], result[1], result[2], result[3]);
}
