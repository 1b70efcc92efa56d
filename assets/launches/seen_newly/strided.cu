// Four rearrangements: columns into packed rows, half planes into int8 blocks of 32 channels, halo faces into send buffers, a packed triangle into a full matrix.
#include <cuda_fp16.h>

// launch columns_into_rows: --kernel columns_into_rows --grid 3907 --block 256 --arg i64[1000000]=-1000000000..1000000000 --arg f64[1000000]=-1..1 --arg i32[1000000]=0..1000000 --arg f32[1000000]=-1..1 --arg i16[1000000]=-3000..3000 --arg u8[1000000]=0..255 --arg u8[1000000]=0..1 --arg u32[218750]=0..4294967295 --arg u8[32000000] --arg i32:1000000 --arg i32:31250
// Databases: seven columns with bits of validity into rows of 32 bytes. A block puts 256 rows together in shared memory
// (40 bytes apart) and copies them out eight bytes at a time.
__global__ void columns_into_rows(const long long* __restrict__ c0, const double* __restrict__ c1,
                                  const int* __restrict__ c2, const float* __restrict__ c3,
                                  const short* __restrict__ c4, const unsigned char* __restrict__ c5,
                                  const unsigned char* __restrict__ c6, const unsigned int* __restrict__ validity,
                                  unsigned char* __restrict__ rows_out, int rows, int words_per_column) {
    constexpr int ROW = 32, PITCH = 40;
    __shared__ __align__(16) unsigned char staged[256 * PITCH];
    const int first = blockIdx.x * 256;
    const int row = first + threadIdx.x;
    if (row < rows) {
        unsigned char* mine = staged + threadIdx.x * PITCH;
        *reinterpret_cast<long long*>(mine) = c0[row];
        *reinterpret_cast<double*>(mine + 8) = c1[row];
        *reinterpret_cast<int*>(mine + 16) = c2[row];
        *reinterpret_cast<float*>(mine + 20) = c3[row];
        *reinterpret_cast<short*>(mine + 24) = c4[row];
        mine[26] = c5[row];
        mine[27] = c6[row];
        unsigned int valid = 0;
#pragma unroll
        for (int c = 0; c < 7; c++) {
            const unsigned int word = validity[c * words_per_column + (row >> 5)];
            valid |= ((word >> (row & 31)) & 1u) << c;
        }
        *reinterpret_cast<unsigned int*>(mine + 28) = valid;
    }
    __syncthreads();
    const int here = min(256, rows - first);
    uint2* out = reinterpret_cast<uint2*>(rows_out + (size_t)first * ROW);
    for (int i = threadIdx.x; i < here * (ROW / 8); i += 256) {
        const int r = i >> 2, part = i & 3;
        out[i] = *reinterpret_cast<const uint2*>(staged + r * PITCH + part * 8);
    }
}

// launch channels_by_thirty_two: --kernel channels_by_thirty_two --grid 49,8,8 --block 32,8 --arg f16[6272000]=-4..4 --arg f32[250]=10..30 --arg i8[6422528] --arg i32:250 --arg i32:3136
// Inference: half NCHW to quantised int8 in blocks of 32 channels (N, C/32, HW, 32), channels past the last as zeros. A block
// turns 64 pixels of 32 channels round in shared memory: half2 along the pixels in, words of four channels out.
__global__ void channels_by_thirty_two(const __half* __restrict__ in, const float* __restrict__ scale,
                                       signed char* __restrict__ out, int channels, int pixels) {
    __shared__ __align__(4) signed char tile[64][36];
    const int p0 = blockIdx.x * 64;
    const int group = blockIdx.y, image = blockIdx.z;
    const int p = p0 + threadIdx.x * 2;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int local = threadIdx.y + k * 8;
        const int c = group * 32 + local;
        int q0 = 0, q1 = 0;
        if (c < channels && p < pixels) {
            const __half2 v = *reinterpret_cast<const __half2*>(in + ((size_t)image * channels + c) * pixels + p);
            const float s = scale[c];
            const float2 f = __half22float2(v);
            q0 = max(-127, min(127, __float2int_rn(f.x * s)));
            q1 = max(-127, min(127, __float2int_rn(f.y * s)));
        }
        tile[threadIdx.x * 2][local] = (signed char)q0;
        tile[threadIdx.x * 2 + 1][local] = (signed char)q1;
    }
    __syncthreads();
    const int tid = threadIdx.y * 32 + threadIdx.x;
    int* words = reinterpret_cast<int*>(out + ((size_t)(image * gridDim.y + group) * pixels + p0) * 32);
#pragma unroll
    for (int k = 0; k < 2; k++) {
        const int i = tid + k * 256;
        const int pixel = i >> 3, word = i & 7;
        if (p0 + pixel < pixels) words[i] = *reinterpret_cast<const int*>(&tile[pixel][word * 4]);
    }
}

// launch pack_halo: --kernel pack_halo --grid 360,6,3 --block 256 --arg f64[13212936]=-1..1 --arg f64[1363968] --arg i32:128 --arg i32:160 --arg i32:192
// Parallel simulation: the outermost three layers of a box at each of six faces, for three fields of doubles with ghosts,
// into one send buffer. The grid's y is the face, its z the field, a thread copies one point.
__global__ void pack_halo(const double* __restrict__ fields, double* __restrict__ send, int nx, int ny, int nz) {
    constexpr int G = 3;
    const int face = blockIdx.y, field = blockIdx.z;
    const int sx = nx + 2 * G, sy = ny + 2 * G, sz = nz + 2 * G;
    const int count_x = G * ny * nz, count_y = nx * G * nz, count_z = nx * ny * G;
    const int all = 2 * (count_x + count_y + count_z);
    const int axis = face >> 1;
    const bool upper = face & 1;
    int ex = nx, ey = ny, bx = G, by = G, bz = G, start, count;
    if (axis == 0) {
        ex = G;
        if (upper) bx = nx;
        count = count_x;
        start = upper ? count_x : 0;
    } else if (axis == 1) {
        ey = G;
        if (upper) by = ny;
        count = count_y;
        start = 2 * count_x + (upper ? count_y : 0);
    } else {
        if (upper) bz = nz;
        count = count_z;
        start = 2 * (count_x + count_y) + (upper ? count_z : 0);
    }
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int x = i % ex;
    const int rest = i / ex;
    const int y = rest % ey;
    const int z = rest / ey;
    const size_t from = (((size_t)field * sz + (bz + z)) * sy + (by + y)) * sx + (bx + x);
    send[(size_t)field * all + start + i] = fields[from];
}

// launch unpack_triangle: --kernel unpack_triangle --grid 2016 --block 32,8 --arg f64[2001000]=-1..1 --arg f64[4000000] --arg i32:2000
// Linear algebra: a symmetric matrix of doubles from packed storage (lower triangle by columns) to a full square. A block for
// a tile of 32x32 of the lower triangle, found from the block's number, written straight and, through shared memory, mirrored.
__global__ void unpack_triangle(const double* __restrict__ packed, double* __restrict__ full, int n) {
    __shared__ double tile[32][33];
    const int b = blockIdx.x;
    int ti = (int)((sqrtf(8.0f * b + 1.0f) - 1.0f) * 0.5f);
    while ((ti + 1) * (ti + 2) / 2 <= b) ti++;
    while (ti * (ti + 1) / 2 > b) ti--;
    const int tj = b - ti * (ti + 1) / 2;
    const int i = ti * 32 + threadIdx.x;
    const bool diagonal = ti == tj;

#pragma unroll
    for (int k = 0; k < 32; k += 8) {
        const int j = tj * 32 + threadIdx.y + k;
        if (i < n && j < n && i >= j) {
            const double v = packed[(size_t)j * (2 * n - j - 1) / 2 + i];
            tile[threadIdx.y + k][threadIdx.x] = v;
            full[(size_t)j * n + i] = v;
        }
    }
    __syncthreads();
    // the mirrored tile: columns are the rows of the first
    const int mi = tj * 32 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 32; k += 8) {
        const int mj = ti * 32 + threadIdx.y + k;
        if (mi < n && mj < n && (!diagonal || mi < mj)) full[(size_t)mj * n + mi] = tile[threadIdx.x][threadIdx.y + k];
    }
}
