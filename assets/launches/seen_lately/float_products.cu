// Products in floats and doubles: a gate on qubits, Winograd's sixteen products, nearest centres, and a tall matrix squared.

// launch two_qubit_gate: --kernel two_qubit_gate --grid 4096 --block 256 --arg f32[8388608]=-1..1 --arg f32[32]=-0.5..0.5 --arg f32[8388608] --arg i32:6 --arg i32:15
// Simulation of a quantum computer: a complex matrix of 4 x 4 is applied to two of 22 qubits.
// A thread has the four amplitudes that differ in these two bits only.
__global__ void two_qubit_gate(const float2* __restrict__ state, const float2* __restrict__ gate, float2* __restrict__ next,
                               int first, int second) {
    __shared__ float2 g[16];
    if (threadIdx.x < 16) g[threadIdx.x] = gate[threadIdx.x];
    __syncthreads();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = (i >> first << (first + 1)) | (i & ((1u << first) - 1));
    at = (at >> second << (second + 1)) | (at & ((1u << second) - 1));
    unsigned places[4] = {at, at | 1u << first, at | 1u << second, at | 1u << first | 1u << second};
    float2 a[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) a[k] = state[places[k]];
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        float re = 0, im = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float2 w = g[r * 4 + k];
            re += w.x * a[k].x - w.y * a[k].y;
            im += w.x * a[k].y + w.y * a[k].x;
        }
        next[places[r]] = make_float2(re, im);
    }
}

// launch winograd_products: --kernel winograd_products --grid 16,2,16 --block 256 --arg f32[262144]=-1..1 --arg f32[4194304]=-1..1 --arg f32[4194304] --arg i32:128 --arg i32:2048
// Convolution after Winograd: for each of sixteen places of a transformed tile, filters of 128 x 128 by 2,048 tiles.
// Blocks of 64 x 128, eight steps deep; the next slab is loaded into registers while this one is in use.
__global__ void __launch_bounds__(256) winograd_products(const float* __restrict__ filters, const float* __restrict__ tiles,
                                                         float* __restrict__ out, int channels, int n) {
    __shared__ __align__(16) float a[2][8][64], b[2][8][128];
    int t = threadIdx.x, y = t / 16 * 4, x = t % 16 * 4, top = blockIdx.y * 64, left = blockIdx.x * 128;
    const float* from_a = filters + (size_t)blockIdx.z * channels * channels + (t % 128) / 16 * channels + top + t % 16 * 4;
    const float* from_b = tiles + (size_t)blockIdx.z * channels * n + t / 32 * n + left + t % 32 * 4;
    float sums[4][8] = {};
    float4 next_a = *(const float4*)from_a, next_b = *(const float4*)from_b;
    int stage = 0;
    for (int k = 0; k < channels; k += 8) {
        if (t < 128) *(float4*)&a[stage][t / 16][t % 16 * 4] = next_a;
        *(float4*)&b[stage][t / 32][t % 32 * 4] = next_b;
        __syncthreads();
        if (k + 8 < channels) {
            next_a = *(const float4*)(from_a + (size_t)(k + 8) * channels);
            next_b = *(const float4*)(from_b + (size_t)(k + 8) * n);
        }
#pragma unroll
        for (int s = 0; s < 8; ++s) {
            float4 p = *(const float4*)&a[stage][s][y];
            float4 q = *(const float4*)&b[stage][s][x], r = *(const float4*)&b[stage][s][x + 64];
            float ps[4] = {p.x, p.y, p.z, p.w}, qs[8] = {q.x, q.y, q.z, q.w, r.x, r.y, r.z, r.w};
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) sums[i][j] += ps[i] * qs[j];
        }
        stage ^= 1;
    }
    float* to = out + (size_t)blockIdx.z * channels * n + left + x;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        *(float4*)(to + (size_t)(top + y + i) * n) = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
        *(float4*)(to + (size_t)(top + y + i) * n + 64) = make_float4(sums[i][4], sums[i][5], sums[i][6], sums[i][7]);
    }
}

// launch nearest_centres: --kernel nearest_centres --grid 1024 --block 256 --arg f32[4194304]=-1..1 --arg f32[1024]=-1..1 --arg u8[262144] --arg f32[262144] --arg i32:262144
// Clustering: the nearest of 64 centres to each of 262,144 points of sixteen numbers.
// A thread keeps its point in registers; all lanes read the same centre from shared memory.
__global__ void __launch_bounds__(256) nearest_centres(const float* __restrict__ points, const float4* __restrict__ centres,
                                                       unsigned char* __restrict__ labels, float* __restrict__ far, int n) {
    __shared__ float4 c[256];
    c[threadIdx.x] = centres[threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float p[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) p[k] = points[(size_t)k * n + i];
    float best = 3e38f;
    int which = 0;
#pragma unroll 2
    for (int m = 0; m < 64; ++m) {
        float d = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float4 v = c[m * 4 + k];
            float dx = v.x - p[4 * k], dy = v.y - p[4 * k + 1], dz = v.z - p[4 * k + 2], dw = v.w - p[4 * k + 3];
            d += dx * dx + dy * dy + dz * dz + dw * dw;
        }
        if (d < best) best = d, which = m;
    }
    labels[i] = which;
    far[i] = sqrtf(best);
}

// launch gram_of_tall: --kernel gram_of_tall --grid 512 --block 256 --arg f64[6291456]=-1..1 --arg f64[131072] --arg i32:768
// Orthogonal bases: products of all pairs of sixteen columns of a very tall matrix of doubles, a part of its rows a block.
// A thread has one of 256 sums and meets 32 rows at a time in shared memory.
__global__ void __launch_bounds__(256) gram_of_tall(const double2* __restrict__ A, double* __restrict__ parts, int rows) {
    __shared__ double2 held[256];
    const double* flat = (const double*)held;
    int t = threadIdx.x, r = t / 16, c = t % 16;
    const double2* from = A + (size_t)blockIdx.x * rows * 8;
    double even = 0, odd = 0;
    for (int k = 0; k < rows; k += 32) {
        held[t] = from[k * 8 + t];
        __syncthreads();
#pragma unroll 8
        for (int s = 0; s < 32; s += 2) {
            even += flat[s * 16 + r] * flat[s * 16 + c];
            odd += flat[s * 16 + 16 + r] * flat[s * 16 + 16 + c];
        }
        __syncthreads();
    }
    parts[blockIdx.x * 256 + t] = even + odd;
}
