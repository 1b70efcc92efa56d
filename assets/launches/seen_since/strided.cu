// Strided access: wavelets along rows, poses of bodies, a few of many bands, and pages of an attention's memory.
#include <cuda_fp16.h>

// launch lift_rows: --kernel lift_rows --grid 16,32 --block 128 --arg i32[4194304]=0..4095 --arg i32[4194304] --arg i32:2048
// JPEG 2000: the reversible wavelet of 5 and 3 along rows, naive: neighbouring threads have neighbouring rows.
// A thread has 64 numbers of its row; low ones go to the left half, high ones to the right.
__global__ void lift_rows(const int* __restrict__ in, int* __restrict__ out, int width) {
    int y = blockIdx.x * blockDim.x + threadIdx.x, begin = blockIdx.y * 64;
    const int* row = in + (size_t)y * width;
    int* to = out + (size_t)y * width;
    int even = row[begin];
    int before = begin == 0 ? row[1] - ((row[0] + row[2]) >> 1) : row[begin - 1] - ((row[begin - 2] + even) >> 1);
    for (int x = begin; x < begin + 64; x += 2) {
        int odd = row[x + 1], next = x + 2 < width ? row[x + 2] : even;
        int high = odd - ((even + next) >> 1);
        to[x / 2] = even + ((before + high + 2) >> 2);
        to[width / 2 + x / 2] = high;
        before = high;
        even = next;
    }
}

// launch poses_to_matrices: --kernel poses_to_matrices --grid 2344 --block 256 --arg f32[4200448]=-1..1 --arg f32[7200768]
// Animation: a place and a quaternion in a record of seven floats become a matrix of three rows and four columns.
// Reads lie 28 bytes apart; stores are vectors 48 bytes apart.
__global__ void poses_to_matrices(const float* __restrict__ poses, float4* __restrict__ matrices) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float* p = poses + (size_t)i * 7;
    float px = p[0], py = p[1], pz = p[2], x = p[3], y = p[4], z = p[5], w = p[6];
    float scale = rsqrtf(x * x + y * y + z * z + w * w + 1e-12f);
    x *= scale, y *= scale, z *= scale, w *= scale;
    matrices[3 * i] = make_float4(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), px);
    matrices[3 * i + 1] = make_float4(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), py);
    matrices[3 * i + 2] = make_float4(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), pz);
}

// launch pick_bands: --kernel pick_bands --grid 3072 --block 128 --arg u8[88080384]=0..255 --arg i32[5]=0..223 --arg u8[1966080] --arg i32:224 --arg i32:393216
// Remote sensing: five of the 224 bands of each pixel are picked out of a scanner's stream into planes of their own.
// A byte from each line of memory, and single bytes written.
__global__ void pick_bands(const unsigned char* __restrict__ cube, const int* __restrict__ wanted, unsigned char* __restrict__ planes,
                           int bands, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const unsigned char* pixel = cube + (size_t)i * bands;
    for (int k = 0; k < 5; ++k) planes[(size_t)k * pixels + i] = pixel[min(wanted[k], bands - 1)];
}

// launch pages_to_rows: --kernel pages_to_rows --grid 8192 --block 256 --arg u8[67108864]=0..255 --arg i32[1024]=0..2047 --arg u8[33554432]
// Language models: keys lie in pages of sixteen tokens, token innermost by chunks of eight halves, wherever there was room.
// They are brought into rows of 1,024 halves; stores are in order, loads lie 256 bytes apart.
__global__ void pages_to_rows(const uint4* __restrict__ pages, const int* __restrict__ table, uint4* __restrict__ rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int token = i >> 7, head = i >> 4 & 7, chunk = i & 15, page = __ldg(&table[token >> 4]);
    rows[i] = pages[(((size_t)page * 8 + head) * 16 + chunk) * 16 + (token & 15)];
}
