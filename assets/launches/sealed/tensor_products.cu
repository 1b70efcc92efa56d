// Eight products on tensor cores: complex beams of halves, a gated dilated convolution, a recurrent cell, derivatives in spectral elements, genetic relationships, cosine transforms of image blocks, contrastive log sums and grouped-query decoding from pages.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>

__device__ __forceinline__ void copy_async_16(void* to, const void* from)
{
    const unsigned address = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(address), "l"(from));
}
__device__ __forceinline__ void copy_commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ __forceinline__ void copy_wait() { asm volatile("cp.async.wait_group %0;\n" ::"n"(N)); }

__device__ __forceinline__ void load_matrices(unsigned (&r)[4], const void* row)
{
    const unsigned address = (unsigned)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
}
__device__ __forceinline__ void load_matrices_transposed(unsigned (&r)[4], const void* row)
{
    const unsigned address = (unsigned)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
}
__device__ __forceinline__ void mma_half(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ __forceinline__ void mma_bf16(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// launch form_complex_beams: --kernel form_complex_beams --grid 8,2,32 --block 128 --arg f16[2097152]=-1..1 --arg f16[8388608]=-1..1 --arg f32[4194304] --arg i32:128 --arg i32:256 --arg i32:512
// Radio astronomy: 128 beams of 256 antennas in each of 32 channels, complex halves with real and imaginary planes apart.
// A block takes 64 beams by 64 samples of a channel, four warps of 32 by 32, wmma out of two stages of cp.async.
__global__ void __launch_bounds__(128) form_complex_beams(const half* __restrict__ weights, const half* __restrict__ voltages,
                                                          float* __restrict__ beams, int n_beams, int antennas, int samples)
{
    using namespace nvcuda;
    __shared__ __align__(128) half w[2][2][64][40];
    __shared__ __align__(128) half v[2][2][32][72];
    const int tid = threadIdx.x, warp = tid >> 5;
    const int channel = blockIdx.z, beam0 = blockIdx.y * 64, sample0 = blockIdx.x * 64;
    const half* w_from = weights + ((size_t)channel * 2 * n_beams + beam0) * antennas;
    const half* v_from = voltages + (size_t)channel * 2 * antennas * samples + sample0;

    auto fetch = [&](int stage, int k0) {
#pragma unroll
        for (int part = 0; part < 2; part++) {
#pragma unroll
            for (int i = 0; i < 2; i++) {
                const int e = tid + i * 128;
                const int r = e >> 2, k = (e & 3) * 8;
                copy_async_16(&w[stage][part][r][k], w_from + ((size_t)part * n_beams + r) * antennas + k0 + k);
            }
#pragma unroll
            for (int i = 0; i < 2; i++) {
                const int e = tid + i * 128;
                const int k = e >> 3, s = (e & 7) * 8;
                copy_async_16(&v[stage][part][k][s], v_from + ((size_t)part * antennas + k0 + k) * samples + s);
            }
        }
        copy_commit();
    };

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> re[2][2], im[2][2];
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 2; j++) {
            wmma::fill_fragment(re[i][j], 0.f);
            wmma::fill_fragment(im[i][j], 0.f);
        }

    const int wr = (warp >> 1) * 32, wc = (warp & 1) * 32;
    const int tiles = antennas / 32;
    fetch(0, 0);
    for (int t = 0; t < tiles; t++) {
        const int stage = t & 1;
        if (t + 1 < tiles) {
            fetch(stage ^ 1, (t + 1) * 32);
            copy_wait<1>();
        } else {
            copy_wait<0>();
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; k += 16) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> vr[2], vi[2];
#pragma unroll
            for (int j = 0; j < 2; j++) {
                wmma::load_matrix_sync(vr[j], &v[stage][0][k][wc + j * 16], 72);
                wmma::load_matrix_sync(vi[j], &v[stage][1][k][wc + j * 16], 72);
            }
#pragma unroll
            for (int i = 0; i < 2; i++) {
                wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> ar, ai, minus;
                wmma::load_matrix_sync(ar, &w[stage][0][wr + i * 16][k], 40);
                wmma::load_matrix_sync(ai, &w[stage][1][wr + i * 16][k], 40);
#pragma unroll
                for (int e = 0; e < ai.num_elements; e++) minus.x[e] = __hneg(ai.x[e]);
#pragma unroll
                for (int j = 0; j < 2; j++) {
                    wmma::mma_sync(re[i][j], ar, vr[j], re[i][j]);
                    wmma::mma_sync(im[i][j], ar, vi[j], im[i][j]);
                    wmma::mma_sync(re[i][j], minus, vi[j], re[i][j]);
                    wmma::mma_sync(im[i][j], ai, vr[j], im[i][j]);
                }
            }
        }
        __syncthreads();
    }
    float* to = beams + ((size_t)channel * 2 * n_beams + beam0 + wr) * samples + sample0 + wc;
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 2; j++) {
            wmma::store_matrix_sync(to + (size_t)i * 16 * samples + j * 16, re[i][j], samples, wmma::mem_row_major);
            wmma::store_matrix_sync(to + ((size_t)n_beams + i * 16) * samples + j * 16, im[i][j], samples, wmma::mem_row_major);
        }
}

// launch gated_dilated_convolution: --kernel 'gated_dilated_convolution<128>' --grid 16,4,12 --block 256 --arg f16[3072000]=-1..1 --arg f16[98304]=-0.2..0.2 --arg f32[256]=-1..1 --arg f16[3072000] --arg i32:2000 --arg i32:256 --arg i32:8
// Speech synthesis: a causal convolution of three taps, 8 steps apart, over 128 channels, then tanh times sigmoid; filter
// and gate rows of the weights alternate. 128 times by 64 rows in a block; tiles go by registers into two buffers.
template <int CHANNELS>
__global__ void __launch_bounds__(256) gated_dilated_convolution(const half* __restrict__ input, const half* __restrict__ weights,
                                                                 const float* __restrict__ bias, half* __restrict__ output,
                                                                 int length, int rows, int dilation)
{
    __shared__ __align__(16) half x[2][128][40];
    __shared__ __align__(16) half w[2][64][40];
    const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    const int time0 = blockIdx.x * 128, row0 = blockIdx.y * 64;
    input += (size_t)blockIdx.z * length * CHANNELS;
    output += (size_t)blockIdx.z * length * (rows / 2);
    constexpr int chunks = CHANNELS / 32;

    uint4 x_ahead[2], w_ahead;
    auto fetch = [&](int step) {
        const int tap = step / chunks, k0 = step % chunks * 32;
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const int e = tid + i * 256;
            const int t = time0 + (e >> 2) - (2 - tap) * dilation;
            x_ahead[i] = make_uint4(0, 0, 0, 0);
            if (t >= 0 && t < length)
                x_ahead[i] = *reinterpret_cast<const uint4*>(input + (size_t)t * CHANNELS + k0 + (e & 3) * 8);
        }
        w_ahead = *reinterpret_cast<const uint4*>(weights + ((size_t)tap * rows + row0 + (tid >> 2)) * CHANNELS + k0 + (tid & 3) * 8);
    };
    auto put = [&](int buffer) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const int e = tid + i * 256;
            *reinterpret_cast<uint4*>(&x[buffer][e >> 2][(e & 3) * 8]) = x_ahead[i];
        }
        *reinterpret_cast<uint4*>(&w[buffer][tid >> 2][(tid & 3) * 8]) = w_ahead;
    };

    const int wt = (warp >> 1) * 32, wn = (warp & 1) * 32;
    float sum[2][4][4];
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int e = 0; e < 4; e++) sum[i][j][e] = 0.f;

    fetch(0);
    put(0);
    __syncthreads();
    for (int step = 0; step < 3 * chunks; step++) {
        const int buffer = step & 1;
        if (step + 1 < 3 * chunks) fetch(step + 1);
#pragma unroll
        for (int k = 0; k < 32; k += 16) {
            unsigned a[2][4], b[2][4];
#pragma unroll
            for (int i = 0; i < 2; i++) load_matrices(a[i], &x[buffer][wt + i * 16 + (lane & 15)][k + (lane >> 4) * 8]);
#pragma unroll
            for (int j = 0; j < 2; j++)
                load_matrices(b[j], &w[buffer][wn + j * 16 + (lane & 7) + (lane >> 4) * 8][k + (lane >> 3 & 1) * 8]);
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) mma_half(sum[i][j], a[i], b[j >> 1][(j & 1) * 2], b[j >> 1][(j & 1) * 2 + 1]);
        }
        if (step + 1 < 3 * chunks) put(buffer ^ 1);
        __syncthreads();
    }

#pragma unroll
    for (int j = 0; j < 4; j++) {
        const int row = row0 + wn + j * 8 + (lane & 3) * 2;
        const float2 add = *reinterpret_cast<const float2*>(bias + row);
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int t = time0 + wt + i * 16 + h * 8 + (lane >> 2);
                if (t >= length) continue;
                const float filter = tanhf(sum[i][j][h * 2] + add.x);
                const float gate = 1.f / (1.f + __expf(-(sum[i][j][h * 2 + 1] + add.y)));
                output[(size_t)t * (rows / 2) + row / 2] = __float2half(filter * gate);
            }
    }
}

// launch lstm_step: --kernel lstm_step --grid 48,8 --block 128 --arg bf16[131072]=-1..1 --arg bf16[196608]=-1..1 --arg bf16[3932160]=-0.1..0.1 --arg f32[3072]=-1..1 --arg f32[196608]=-1..1 --arg f32[196608] --arg bf16[196608] --arg i32:512 --arg i32:768
// A step of a recurrent layer: four gates of 768 units for 256 sequences, weights times input and former state, then the
// cell. A block takes 32 sequences by 16 units, each warp a gate; weights come straight from memory, rows by shared.
__global__ void lstm_step(const __nv_bfloat16* __restrict__ input, const __nv_bfloat16* __restrict__ state,
                          const __nv_bfloat16* __restrict__ weights, const float* __restrict__ bias,
                          const float* __restrict__ cell, float* __restrict__ new_cell, __nv_bfloat16* __restrict__ new_state,
                          int inputs, int units)
{
    using namespace nvcuda;
    __shared__ __align__(128) __nv_bfloat16 rows[32][64 + 16];
    __shared__ __align__(128) float gates[4][32][20];
    const int tid = threadIdx.x, gate = tid >> 5;
    const int unit0 = blockIdx.x * 16, row0 = blockIdx.y * 32;
    const int depth = inputs + units;
    const __nv_bfloat16* w = weights + ((size_t)gate * units + unit0) * depth;

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2];
    wmma::fill_fragment(sum[0], 0.f);
    wmma::fill_fragment(sum[1], 0.f);
    for (int k0 = 0; k0 < depth; k0 += 64) {
        const bool from_input = k0 < inputs;
        const __nv_bfloat16* from = from_input ? input + k0 : state + (k0 - inputs);
        const int pitch = from_input ? inputs : units;
        __syncthreads();
        for (int e = tid; e < 32 * 8; e += 128) {
            const int r = e >> 3, k = (e & 7) * 8;
            *reinterpret_cast<uint4*>(&rows[r][k]) = *reinterpret_cast<const uint4*>(from + (size_t)(row0 + r) * pitch + k);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 64; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::col_major> b;
            wmma::load_matrix_sync(b, w + k0 + k, depth);
#pragma unroll
            for (int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(a, &rows[i * 16][k], 80);
                wmma::mma_sync(sum[i], a, b, sum[i]);
            }
        }
    }
    wmma::store_matrix_sync(&gates[gate][0][0], sum[0], 20, wmma::mem_row_major);
    wmma::store_matrix_sync(&gates[gate][16][0], sum[1], 20, wmma::mem_row_major);
    __syncthreads();
    for (int e = tid; e < 32 * 16; e += 128) {
        const int r = e >> 4, u = e & 15;
        const int unit = unit0 + u;
        const size_t at = (size_t)(row0 + r) * units + unit;
        const float in = 1.f / (1.f + expf(-(gates[0][r][u] + bias[unit])));
        const float forget = 1.f / (1.f + expf(-(gates[1][r][u] + bias[units + unit])));
        const float candidate = tanhf(gates[2][r][u] + bias[2 * units + unit]);
        const float out = 1.f / (1.f + expf(-(gates[3][r][u] + bias[3 * units + unit])));
        const float c = forget * cell[at] + in * candidate;
        new_cell[at] = c;
        new_state[at] = __float2bfloat16(out * tanhf(c));
    }
}

__device__ __forceinline__ void mma_double(double& c0, double& c1, double a, double b)
{
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};\n" : "+d"(c0), "+d"(c1) : "d"(a), "d"(b));
}

// launch gradients_in_elements: --kernel gradients_in_elements --grid 1000 --block 128 --arg f64[2048000]=-1..1 --arg f64[64]=-1..1 --arg f64[12000]=0.5..2.0 --arg f64[2048000] --arg f64[2048000] --arg f64[2048000] --arg i32:4000
// Spectral elements for flows: the gradient of a field in elements of 8 by 8 by 8 nodes, the derivative matrix applied in
// three directions with double tensor operations straight from memory. A warp takes an element, slice by slice.
__global__ void gradients_in_elements(const double* __restrict__ field, const double* __restrict__ derivative,
                                      const double* __restrict__ stretch, double* __restrict__ gx, double* __restrict__ gy,
                                      double* __restrict__ gz, int elements)
{
    const int lane = threadIdx.x & 31;
    const int element = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (element >= elements) return;
    const int g = lane >> 2, q = lane & 3;
    const double d0 = derivative[g * 8 + q], d1 = derivative[g * 8 + q + 4];
    const double sx = stretch[element * 3], sy = stretch[element * 3 + 1], sz = stretch[element * 3 + 2];
    const double* u = field + (size_t)element * 512;
    const size_t base = (size_t)element * 512;

#pragma unroll 2
    for (int s = 0; s < 8; s++) {
        double x0 = 0, x1 = 0, y0 = 0, y1 = 0, z0 = 0, z1 = 0;
        mma_double(x0, x1, u[s * 64 + g * 8 + q], d0);
        mma_double(x0, x1, u[s * 64 + g * 8 + q + 4], d1);
        mma_double(y0, y1, d0, u[s * 64 + q * 8 + g]);
        mma_double(y0, y1, d1, u[s * 64 + (q + 4) * 8 + g]);
        mma_double(z0, z1, d0, u[q * 64 + s * 8 + g]);
        mma_double(z0, z1, d1, u[(q + 4) * 64 + s * 8 + g]);
        *reinterpret_cast<double2*>(gx + base + s * 64 + g * 8 + q * 2) = make_double2(x0 * sx, x1 * sx);
        *reinterpret_cast<double2*>(gy + base + s * 64 + g * 8 + q * 2) = make_double2(y0 * sy, y1 * sy);
        *reinterpret_cast<double2*>(gz + base + g * 64 + s * 8 + q * 2) = make_double2(z0 * sz, z1 * sz);
    }
}

// Four genotypes of two bits to four signed bytes: 00 one, 10 and missing nought, 11 minus one.
__device__ __forceinline__ unsigned genotype_bytes(unsigned packed)
{
    unsigned s = (packed | packed << 4) & 0x0f0fu;
    s = (s | s << 2) & 0x3333u;
    return __byte_perm(0xff000001u, 0u, s);
}

// launch genetic_relationships: --kernel genetic_relationships --grid 300 --block 128 --arg u8[768000]=0..255 --arg f32[2250000]=0 --arg i32:1500 --arg i32:512 --arg f32:0.00048828125
// Genetics: the relationship matrix of 1500 persons over 2048 variants kept in two bits each, opened to signed bytes in
// shared memory. A block takes a 64 by 64 tile of the lower triangle, four warps of 32 by 32.
__global__ void __launch_bounds__(128) genetic_relationships(const unsigned char* __restrict__ genotypes, float* __restrict__ related,
                                                             int persons, int row_bytes, float scale)
{
    __shared__ __align__(16) unsigned opened[2][64][20];
    int tile_row = (int)((sqrtf(8.f * blockIdx.x + 1.f) - 1.f) * 0.5f);
    while ((tile_row + 1) * (tile_row + 2) / 2 <= (int)blockIdx.x) tile_row++;
    while (tile_row * (tile_row + 1) / 2 > (int)blockIdx.x) tile_row--;
    const int tile_column = blockIdx.x - tile_row * (tile_row + 1) / 2;

    const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    const int side = tid >> 6, line = tid & 63;
    const int person = (side ? tile_column : tile_row) * 64 + line;
    const bool present = person < persons;
    const uint4* from = reinterpret_cast<const uint4*>(genotypes + (size_t)(present ? person : 0) * row_bytes);
    const int g = lane >> 2, q = lane & 3;
    const int wr = (warp >> 1) * 32, wc = (warp & 1) * 32;

    int sum[2][4][4];
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int e = 0; e < 4; e++) sum[i][j][e] = 0;

    const int steps = row_bytes / 16;
    uint4 packed = from[0];
    for (int step = 0; step < steps; step++) {
        const unsigned word[4] = {packed.x, packed.y, packed.z, packed.w};
#pragma unroll
        for (int i = 0; i < 4; i++) {
            uint4 bytes;
            bytes.x = genotype_bytes(word[i] & 0xffu);
            bytes.y = genotype_bytes(word[i] >> 8 & 0xffu);
            bytes.z = genotype_bytes(word[i] >> 16 & 0xffu);
            bytes.w = genotype_bytes(word[i] >> 24);
            *reinterpret_cast<uint4*>(&opened[side][line][i * 4]) = bytes;
        }
        __syncthreads();
        if (step + 1 < steps) packed = from[step + 1];
#pragma unroll
        for (int k = 0; k < 16; k += 8) {
            unsigned a[2][4];
#pragma unroll
            for (int i = 0; i < 2; i++) {
                a[i][0] = opened[0][wr + i * 16 + g][k + q];
                a[i][1] = opened[0][wr + i * 16 + g + 8][k + q];
                a[i][2] = opened[0][wr + i * 16 + g][k + q + 4];
                a[i][3] = opened[0][wr + i * 16 + g + 8][k + q + 4];
            }
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const unsigned b0 = opened[1][wc + j * 8 + g][k + q], b1 = opened[1][wc + j * 8 + g][k + q + 4];
#pragma unroll
                for (int i = 0; i < 2; i++)
                    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                                 : "+r"(sum[i][j][0]), "+r"(sum[i][j][1]), "+r"(sum[i][j][2]), "+r"(sum[i][j][3])
                                 : "r"(a[i][0]), "r"(a[i][1]), "r"(a[i][2]), "r"(a[i][3]), "r"(b0), "r"(b1));
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                const int row = tile_row * 64 + wr + i * 16 + g + (e >> 1) * 8;
                const int column = tile_column * 64 + wc + j * 8 + q * 2 + (e & 1);
                if (row < persons && column <= row) related[(size_t)row * persons + column] = (float)sum[i][j][e] * scale;
            }
}

__device__ __forceinline__ unsigned to_tf32(float x)
{
    unsigned r;
    asm("cvt.rna.tf32.f32 %0, %1;\n" : "=r"(r) : "f"(x));
    return r;
}
__device__ __forceinline__ void mma_tf32(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// launch cosine_transform_blocks: --kernel cosine_transform_blocks --grid 16,135 --block 128 --arg u8[8847360]=0..255 --arg f32[64]=-0.5..0.5 --arg f32[64]=1.0..60.0 --arg i16[8847360] --arg i32:4096 --arg i32:2160
// Image coding: cosine transform of 8 by 8 blocks, divided by the table and rounded. A warp goes along 64 columns with two
// blocks one above the other: pixels times the basis in tf32, turned in shared memory, times the basis once more.
__global__ void cosine_transform_blocks(const unsigned char* __restrict__ image, const float* __restrict__ basis,
                                        const float* __restrict__ table, short* __restrict__ coefficients, int width, int height)
{
    __shared__ float turned[4][16][9];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int g = lane >> 2, q = lane & 3;
    const int y0 = blockIdx.y * 16;
    const int strip = (blockIdx.x * 4 + warp) * 64;
    if (strip >= width || y0 + 16 > height) return;

    const unsigned b0 = to_tf32(basis[g * 8 + q]), b1 = to_tf32(basis[g * 8 + q + 4]);
    const float divide0 = 1.f / table[(2 * q) * 8 + g], divide1 = 1.f / table[(2 * q + 1) * 8 + g];
    const int blocks_across = width / 8;
    for (int x0 = strip; x0 < strip + 64; x0 += 8) {
        const unsigned char* p = image + (size_t)(y0 + g) * width + x0 + q;
        unsigned a[4];
        a[0] = to_tf32((float)p[0] - 128.f);
        a[1] = to_tf32((float)p[(size_t)8 * width] - 128.f);
        a[2] = to_tf32((float)p[4] - 128.f);
        a[3] = to_tf32((float)p[(size_t)8 * width + 4] - 128.f);
        float c[4] = {0.f, 0.f, 0.f, 0.f};
        mma_tf32(c, a, b0, b1);

        __syncwarp();
        turned[warp][g][2 * q] = c[0];
        turned[warp][g][2 * q + 1] = c[1];
        turned[warp][g + 8][2 * q] = c[2];
        turned[warp][g + 8][2 * q + 1] = c[3];
        __syncwarp();
        a[0] = to_tf32(turned[warp][q][g]);
        a[1] = to_tf32(turned[warp][8 + q][g]);
        a[2] = to_tf32(turned[warp][q + 4][g]);
        a[3] = to_tf32(turned[warp][12 + q][g]);
        float d[4] = {0.f, 0.f, 0.f, 0.f};
        mma_tf32(d, a, b0, b1);

        short* upper = coefficients + ((size_t)(y0 / 8) * blocks_across + x0 / 8) * 64;
        short* lower = upper + (size_t)blocks_across * 64;
        upper[(2 * q) * 8 + g] = (short)__float2int_rn(d[0] * divide0);
        upper[(2 * q + 1) * 8 + g] = (short)__float2int_rn(d[1] * divide1);
        lower[(2 * q) * 8 + g] = (short)__float2int_rn(d[2] * divide0);
        lower[(2 * q + 1) * 8 + g] = (short)__float2int_rn(d[3] * divide1);
    }
}

// launch contrastive_log_sums: --kernel contrastive_log_sums --grid 64,8 --block 128 --dynamic-shared 52224 --arg bf16[1048576]=-1..1 --arg bf16[1048576]=-1..1 --arg f32[65536] --arg f32[4096] --arg i32:4096 --arg i32:512 --arg f32:0.1
// Learning from pictures with captions: for each picture the greatest and the sum of exponentials of its likeness to an
// eighth of the captions, never storing the scores. Vectors of 256; a block keeps 64 pictures and streams captions by cp.async.
__global__ void __launch_bounds__(128) contrastive_log_sums(const __nv_bfloat16* __restrict__ pictures, const __nv_bfloat16* __restrict__ captions,
                                                            float2* __restrict__ partial, float* __restrict__ own, int count,
                                                            int captions_per_block, float inverse_temperature)
{
    constexpr int length = 256, pitch = length + 8, chunk_pitch = 72;
    extern __shared__ __align__(16) unsigned char contrastive_memory[];
    __nv_bfloat16* kept = reinterpret_cast<__nv_bfloat16*>(contrastive_memory);
    __nv_bfloat16* stream = kept + 64 * pitch;
    const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    const int g = lane >> 2, q = lane & 3;
    const int picture0 = blockIdx.x * 64, caption0 = blockIdx.y * captions_per_block;

    for (int e = tid; e < 64 * length / 8; e += 128) {
        const int r = e >> 5, k = (e & 31) * 8;
        copy_async_16(kept + r * pitch + k, pictures + (size_t)(picture0 + r) * length + k);
    }
    auto fetch = [&](int step) {
        __nv_bfloat16* to = stream + (step & 1) * 64 * chunk_pitch;
        const __nv_bfloat16* from = captions + (size_t)(caption0 + (step >> 2) * 64) * length + (step & 3) * 64;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int e = tid + i * 128;
            copy_async_16(to + (e >> 3) * chunk_pitch + (e & 7) * 8, from + (size_t)(e >> 3) * length + (e & 7) * 8);
        }
        copy_commit();
    };
    const int steps = captions_per_block / 64 * 4;
    fetch(0);

    float greatest[2] = {-1e30f, -1e30f}, total[2] = {0.f, 0.f};
    float score[8][4];
    for (int step = 0; step < steps; step++) {
        if ((step & 3) == 0) {
#pragma unroll
            for (int j = 0; j < 8; j++)
#pragma unroll
                for (int e = 0; e < 4; e++) score[j][e] = 0.f;
        }
        if (step + 1 < steps) {
            fetch(step + 1);
            copy_wait<1>();
        } else {
            copy_wait<0>();
        }
        __syncthreads();
        const __nv_bfloat16* chunk = stream + (step & 1) * 64 * chunk_pitch;
#pragma unroll
        for (int k = 0; k < 64; k += 16) {
            unsigned a[4];
            load_matrices(a, kept + (warp * 16 + (lane & 15)) * pitch + (step & 3) * 64 + k + (lane >> 4) * 8);
#pragma unroll
            for (int j = 0; j < 4; j++) {
                unsigned b[4];
                load_matrices(b, chunk + (j * 16 + (lane & 7) + (lane >> 4) * 8) * chunk_pitch + k + (lane >> 3 & 1) * 8);
                mma_bf16(score[2 * j], a, b[0], b[1]);
                mma_bf16(score[2 * j + 1], a, b[2], b[3]);
            }
        }
        __syncthreads();
        if ((step & 3) == 3) {
            const int first = caption0 + (step >> 2) * 64;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int picture = picture0 + warp * 16 + g + h * 8;
                float high = greatest[h];
#pragma unroll
                for (int j = 0; j < 8; j++)
#pragma unroll
                    for (int e = 0; e < 2; e++) {
                        const float s = score[j][h * 2 + e] * inverse_temperature;
                        score[j][h * 2 + e] = s;
                        high = fmaxf(high, s);
                        if (first + j * 8 + q * 2 + e == picture) own[picture] = s;
                    }
                high = fmaxf(high, __shfl_xor_sync(0xffffffffu, high, 1));
                high = fmaxf(high, __shfl_xor_sync(0xffffffffu, high, 2));
                float sum = total[h] * __expf(greatest[h] - high);
#pragma unroll
                for (int j = 0; j < 8; j++) sum += __expf(score[j][h * 2] - high) + __expf(score[j][h * 2 + 1] - high);
                greatest[h] = high;
                total[h] = sum;
            }
        }
    }
#pragma unroll
    for (int h = 0; h < 2; h++) {
        // Each lane scaled its own part alike, as the greatest is common to the four.
        float sum = total[h];
        sum += __shfl_xor_sync(0xffffffffu, sum, 1);
        sum += __shfl_xor_sync(0xffffffffu, sum, 2);
        if (q == 0) partial[(size_t)blockIdx.y * count + picture0 + warp * 16 + g + h * 8] = make_float2(greatest[h], sum);
    }
}

// launch decode_grouped_queries: --kernel decode_grouped_queries --grid 4,4,32 --block 128 --dynamic-shared 69632 --arg f16[131072]=-1..1 --arg f16[16777216]=-1..1 --arg f16[16777216]=-1..1 --arg i32[2048]=0..2047 --arg i32[32]=600..1024 --arg f32[524288] --arg f32[8192] --arg i32:4 --arg i32:64 --arg f32:0.08838834764
// Language models: the next token's attention where 8 query heads share a key head, keys and values in pages of 16 tokens.
// A block takes a quarter of a sequence for a key head, each warp every fourth page with cp.async; warps are merged at the end.
__global__ void __launch_bounds__(128) decode_grouped_queries(const half* __restrict__ queries, const half* __restrict__ keys,
                                                              const half* __restrict__ values, const int* __restrict__ page_table,
                                                              const int* __restrict__ lengths, float* __restrict__ partial,
                                                              float2* __restrict__ partial_sums, int key_heads, int pages_per_sequence,
                                                              float scale)
{
    constexpr int size = 128, pitch = 136, group = 8;
    extern __shared__ __align__(16) unsigned char decode_memory[];
    const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    const int g = lane >> 2, q = lane & 3;
    const int split = blockIdx.x, key_head = blockIdx.y, sequence = blockIdx.z;
    const int length = lengths[sequence];
    const int pages = (length + 15) / 16;
    const int pages_per_split = (pages + gridDim.x - 1) / gridDim.x;
    const int page_begin = split * pages_per_split, page_end = min(pages, page_begin + pages_per_split);
    half* mine = reinterpret_cast<half*>(decode_memory) + warp * 4 * 16 * pitch;

    // The rows 8 to 15 of the queries' matrix are nought.
    unsigned query[8][4];
    const half* from_query = queries + ((size_t)(sequence * key_heads + key_head) * group + g) * size + q * 2;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        query[k][0] = *reinterpret_cast<const unsigned*>(from_query + k * 16);
        query[k][1] = 0u;
        query[k][2] = *reinterpret_cast<const unsigned*>(from_query + k * 16 + 8);
        query[k][3] = 0u;
    }

    auto fetch = [&](int page, int buffer) {
        const size_t physical = page_table[sequence * pages_per_sequence + page];
        const size_t base = (physical * 16 * key_heads + key_head) * size;
        half* to_key = mine + buffer * 2 * 16 * pitch;
        half* to_value = to_key + 16 * pitch;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const int e = lane + i * 32;
            const int token = e >> 4, k = (e & 15) * 8;
            copy_async_16(to_key + token * pitch + k, keys + base + (size_t)token * key_heads * size + k);
            copy_async_16(to_value + token * pitch + k, values + base + (size_t)token * key_heads * size + k);
        }
        copy_commit();
    };

    float out[16][4];
#pragma unroll
    for (int j = 0; j < 16; j++)
#pragma unroll
        for (int e = 0; e < 4; e++) out[j][e] = 0.f;
    float high = -1e30f, total = 0.f;

    int buffer = 0;
    if (page_begin + warp < page_end) fetch(page_begin + warp, 0);
    for (int page = page_begin + warp; page < page_end; page += 4) {
        if (page + 4 < page_end) {
            fetch(page + 4, buffer ^ 1);
            copy_wait<1>();
        } else {
            copy_wait<0>();
        }
        __syncwarp();
        const half* key = mine + buffer * 2 * 16 * pitch;
        const half* value = key + 16 * pitch;

        float score[2][4] = {{0.f, 0.f, 0.f, 0.f}, {0.f, 0.f, 0.f, 0.f}};
#pragma unroll
        for (int k = 0; k < 8; k++) {
            unsigned b[4];
            load_matrices(b, key + ((lane & 7) + (lane >> 4) * 8) * pitch + k * 16 + (lane >> 3 & 1) * 8);
            mma_half(score[0], query[k], b[0], b[1]);
            mma_half(score[1], query[k], b[2], b[3]);
        }
        float now = high;
#pragma unroll
        for (int j = 0; j < 2; j++)
#pragma unroll
            for (int e = 0; e < 2; e++) {
                const int token = page * 16 + j * 8 + q * 2 + e;
                score[j][e] = token < length ? score[j][e] * scale : -1e30f;
                now = fmaxf(now, score[j][e]);
            }
        now = fmaxf(now, __shfl_xor_sync(0xffffffffu, now, 1));
        now = fmaxf(now, __shfl_xor_sync(0xffffffffu, now, 2));
        const float shrink = __expf(high - now);
        high = now;
        float sum = 0.f;
#pragma unroll
        for (int j = 0; j < 2; j++)
#pragma unroll
            for (int e = 0; e < 2; e++) {
                score[j][e] = __expf(score[j][e] - now);
                sum += score[j][e];
            }
        total = total * shrink + sum;
#pragma unroll
        for (int j = 0; j < 16; j++) {
            out[j][0] *= shrink;
            out[j][1] *= shrink;
        }
        const half2 p0 = __floats2half2_rn(score[0][0], score[0][1]), p1 = __floats2half2_rn(score[1][0], score[1][1]);
        const unsigned p[4] = {*reinterpret_cast<const unsigned*>(&p0), 0u, *reinterpret_cast<const unsigned*>(&p1), 0u};
#pragma unroll
        for (int j = 0; j < 8; j++) {
            unsigned b[4];
            load_matrices_transposed(b, value + (lane & 15) * pitch + j * 16 + (lane >> 4) * 8);
            mma_half(out[2 * j], p, b[0], b[1]);
            mma_half(out[2 * j + 1], p, b[2], b[3]);
        }
        __syncwarp();
        buffer ^= 1;
    }
    total += __shfl_xor_sync(0xffffffffu, total, 1);
    total += __shfl_xor_sync(0xffffffffu, total, 2);

    // Merge the four warps.
    __syncthreads();
    float* of_warps = reinterpret_cast<float*>(decode_memory);
    float2* sums = reinterpret_cast<float2*>(of_warps + 4 * group * size);
    if (q == 0) sums[warp * group + g] = make_float2(high, total);
#pragma unroll
    for (int j = 0; j < 16; j++)
        *reinterpret_cast<float2*>(of_warps + (warp * group + g) * size + j * 8 + q * 2) = make_float2(out[j][0], out[j][1]);
    __syncthreads();
    const size_t at = ((size_t)(sequence * key_heads + key_head) * gridDim.x + split) * group;
    for (int head = 0; head < group; head++) {
        float most = -1e30f;
#pragma unroll
        for (int w = 0; w < 4; w++) most = fmaxf(most, sums[w * group + head].x);
        float sum = 0.f, weighted = 0.f;
#pragma unroll
        for (int w = 0; w < 4; w++) {
            const float2 s = sums[w * group + head];
            const float f = __expf(s.x - most);
            sum += s.y * f;
            weighted += of_warps[(w * group + head) * size + tid] * f;
        }
        partial[(at + head) * size + tid] = weighted / fmaxf(sum, 1e-20f);
        if (tid == 0) partial_sums[at + head] = make_float2(most, sum);
    }
}
