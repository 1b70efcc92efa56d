// Products on tensor cores: doubles in larger pieces, a search that keeps only the best, spectra by a matrix, and messages.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

__device__ __forceinline__ void sixteen_bytes_ahead(void* to, const void* from) {
    unsigned where = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(where), "l"(from) : "memory");
}

// launch process_means: --kernel process_means --grid 8,24 --block 128 --arg f64[2359296]=-1..1 --arg f64[393216]=-1..1 --arg f64[256]=-1..1 --arg f64[393216] --arg i32:256 --arg i32:1536
// Geostatistics: means of Gaussian processes at 1,536 places for 256 fields, in doubles, by pieces of 16 x 8 x 8.
// A tile of 64 x 32 in four warps, sixteen along K, the next slab on its way; a field's own mean is added at the end.
__global__ void __launch_bounds__(128) process_means(const double* __restrict__ K, const double* __restrict__ Y,
                                                     const double* __restrict__ means, double* __restrict__ out, int n,
                                                     int depth) {
    __shared__ __align__(16) double a[2][64][20], b[2][16][36];
    int t = threadIdx.x, warp = t / 32, lane = t % 32, group = lane / 4, part = lane % 4;
    int row = blockIdx.y * 64, col = blockIdx.x * 32, down = warp / 2 * 32, along = warp % 2 * 16;
    auto bring = [&](int stage, int k) {
#pragma unroll
        for (int i = t; i < 512; i += 128)
            sixteen_bytes_ahead(&a[stage][i / 8][i % 8 * 2], &K[(size_t)(row + i / 8) * depth + k + i % 8 * 2]);
#pragma unroll
        for (int i = t; i < 256; i += 128)
            sixteen_bytes_ahead(&b[stage][i / 16][i % 16 * 2], &Y[(size_t)(k + i / 16) * n + col + i % 16 * 2]);
        asm volatile("cp.async.commit_group;" : : : "memory");
    };
    double sums[2][2][4] = {};
    bring(0, 0);
    int stage = 0;
    for (int k = 0; k < depth; k += 16, stage ^= 1) {
        asm volatile("cp.async.wait_group 0;" : : : "memory");
        __syncthreads();
        if (k + 16 < depth) bring(stage ^ 1, k + 16);
#pragma unroll
        for (int s = 0; s < 16; s += 8) {
            double p[2][4], q[2][2];
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    p[i][e] = a[stage][down + 16 * i + group + e % 2 * 8][s + part + e / 2 * 4];
#pragma unroll
            for (int j = 0; j < 2; ++j)
#pragma unroll
                for (int e = 0; e < 2; ++e) q[j][e] = b[stage][s + part + 4 * e][along + 8 * j + group];
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 2; ++j)
                    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
                                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                                 : "+d"(sums[i][j][0]), "+d"(sums[i][j][1]), "+d"(sums[i][j][2]), "+d"(sums[i][j][3])
                                 : "d"(p[i][0]), "d"(p[i][1]), "d"(p[i][2]), "d"(p[i][3]), "d"(q[j][0]), "d"(q[j][1]));
        }
    }
#pragma unroll
    for (int j = 0; j < 2; ++j) {
        int x = col + along + 8 * j + part * 2;
        double2 mean = *(const double2*)&means[x];
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
            for (int e = 0; e < 2; ++e)
                *(double2*)&out[(size_t)(row + down + 16 * i + group + 8 * e) * n + x] =
                    make_double2(sums[i][j][2 * e] + mean.x, sums[i][j][2 * e + 1] + mean.y);
    }
}

// launch rank_candidates: --kernel rank_candidates --grid 64,4 --block 256 --arg bf16[65536]=-1..1 --arg bf16[8388608]=-1..1 --arg f32[32768] --arg i32[32768] --arg i32:1024
// Recommendations: 512 users by 65,536 things, 128 numbers in bf16 each; of each 1,024 things only a user's best is kept.
// A warp has sixteen users in registers; things come 32 at a time, the next ones on their way.
__global__ void __launch_bounds__(256) rank_candidates(const __nv_bfloat16* __restrict__ users,
                                                       const __nv_bfloat16* __restrict__ things,
                                                       float* __restrict__ scores, int* __restrict__ winners, int share) {
    __shared__ __align__(16) __nv_bfloat16 held[2][32][136];
    int t = threadIdx.x, warp = t / 32, lane = t % 32, group = lane / 4, part = lane % 4;
    int user = blockIdx.y * 128 + warp * 16 + group, from = blockIdx.x * share;
    auto bring = [&](int stage, int first) {
#pragma unroll
        for (int i = t; i < 512; i += 256)
            sixteen_bytes_ahead(&held[stage][i / 16][i % 16 * 8], &things[(size_t)(from + first + i / 16) * 128 + i % 16 * 8]);
        asm volatile("cp.async.commit_group;" : : : "memory");
    };
    bring(0, 0);
    unsigned a[8][4];
#pragma unroll
    for (int k = 0; k < 8; ++k)
#pragma unroll
        for (int e = 0; e < 4; ++e)
            a[k][e] = *(const unsigned*)&users[(user + e % 2 * 8) * 128 + k * 16 + part * 2 + e / 2 * 8];
    float best[2] = {-1e30f, -1e30f};
    int which[2] = {0, 0}, stage = 0;
    for (int first = 0; first < share; first += 32, stage ^= 1) {
        asm volatile("cp.async.wait_group 0;" : : : "memory");
        __syncthreads();
        if (first + 32 < share) bring(stage ^ 1, first + 32);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            float c[4] = {0, 0, 0, 0};
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                unsigned b[4], where = (unsigned)__cvta_generic_to_shared(&held[stage][8 * j + lane % 8][32 * k + lane / 8 * 8]);
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                             : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3]) : "r"(where) : "memory");
#pragma unroll
                for (int h = 0; h < 2; ++h)
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                                 : "r"(a[2 * k + h][0]), "r"(a[2 * k + h][1]), "r"(a[2 * k + h][2]), "r"(a[2 * k + h][3]),
                                   "r"(b[2 * h]), "r"(b[2 * h + 1]));
            }
#pragma unroll
            for (int e = 0; e < 4; ++e)
                if (c[e] > best[e / 2]) best[e / 2] = c[e], which[e / 2] = from + first + 8 * j + part * 2 + e % 2;
        }
    }
#pragma unroll
    for (int r = 0; r < 2; ++r) {
#pragma unroll
        for (int step = 1; step < 4; step *= 2) {
            float other = __shfl_xor_sync(~0u, best[r], step);
            int other_one = __shfl_xor_sync(~0u, which[r], step);
            if (other > best[r]) best[r] = other, which[r] = other_one;
        }
        if (part == 0) {
            scores[(user + 8 * r) * gridDim.x + blockIdx.x] = best[r];
            winners[(user + 8 * r) * gridDim.x + blockIdx.x] = which[r];
        }
    }
}

// launch power_spectra: --kernel power_spectra --grid 750 --block 256 --arg f32[6144000]=-1..1 --arg f32[32768]=-1..1 --arg f32[32768]=-1..1 --arg f32[3072000]
// Audio: the transform of 24,000 frames of 256 samples as products with cosines and sines in tf32, straight from memory.
// A warp has sixteen frames and 32 bins; real and imaginary parts become the logarithm of the power in registers.
__global__ void __launch_bounds__(256) power_spectra(const float* __restrict__ frames, const float* __restrict__ cosines,
                                                     const float* __restrict__ sines, float* __restrict__ out) {
    int warp = threadIdx.x / 32, row = blockIdx.x * 32 + warp / 4 * 16, col = warp % 4 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> real[2], imaginary[2];
#pragma unroll
    for (int j = 0; j < 2; ++j) {
        wmma::fill_fragment(real[j], 0.0f);
        wmma::fill_fragment(imaginary[j], 0.0f);
    }
    for (int k = 0; k < 256; k += 8) {
        wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> samples;
        wmma::load_matrix_sync(samples, frames + (size_t)row * 256 + k, 256);
#pragma unroll
        for (int e = 0; e < samples.num_elements; ++e) samples.x[e] = wmma::__float_to_tf32(samples.x[e]);
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> c, s;
            wmma::load_matrix_sync(c, cosines + k * 128 + col + 16 * j, 128);
            wmma::load_matrix_sync(s, sines + k * 128 + col + 16 * j, 128);
#pragma unroll
            for (int e = 0; e < c.num_elements; ++e) {
                c.x[e] = wmma::__float_to_tf32(c.x[e]);
                s.x[e] = wmma::__float_to_tf32(s.x[e]);
            }
            wmma::mma_sync(real[j], samples, c, real[j]);
            wmma::mma_sync(imaginary[j], samples, s, imaginary[j]);
        }
    }
#pragma unroll
    for (int j = 0; j < 2; ++j) {
#pragma unroll
        for (int e = 0; e < real[j].num_elements; ++e)
            real[j].x[e] = __logf(real[j].x[e] * real[j].x[e] + imaginary[j].x[e] * imaginary[j].x[e] + 1e-6f);
        wmma::store_matrix_sync(out + (size_t)row * 128 + col + 16 * j, real[j], 128, wmma::mem_row_major);
    }
}

// launch edge_messages: --kernel edge_messages --grid 2048 --block 128 --arg f16[3200000]=-1..1 --arg i32[131072]=0..49999 --arg i32[131072]=0..49999 --arg f16[4096]=-0.3..0.3 --arg f32[64]=-0.5..0.5 --arg f32[3200000]
// Networks on graphs: features of an edge's source by a matrix of 64 x 64 halves, then what is over nought is added to
// its target by atomics. A block gathers 64 edges into shared memory; fragments are 8 x 32.
__global__ void __launch_bounds__(128) edge_messages(const half* __restrict__ nodes, const int* __restrict__ sources,
                                                     const int* __restrict__ targets, const half* __restrict__ weights,
                                                     const float* __restrict__ bias, float* sums) {
    __shared__ __align__(32) half a[64][72], w[64][72];
    __shared__ __align__(32) float c[64][68];
    __shared__ int to[64];
    int t = threadIdx.x, warp = t / 32, first = blockIdx.x * 64;
    if (t < 64) to[t] = targets[first + t];
    for (int i = t; i < 512; i += 128) {
        int r = i / 8, x = i % 8 * 8;
        *(uint4*)&w[r][x] = *(const uint4*)&weights[r * 64 + x];
        *(uint4*)&a[r][x] = *(const uint4*)&nodes[sources[first + r] * 64 + x];
    }
    __syncthreads();
    wmma::fragment<wmma::accumulator, 8, 32, 16, float> messages[2][2];
#pragma unroll
    for (int i = 0; i < 4; ++i) wmma::fill_fragment(messages[i / 2][i % 2], 0.0f);
#pragma unroll
    for (int k = 0; k < 64; k += 16) {
        wmma::fragment<wmma::matrix_a, 8, 32, 16, half, wmma::row_major> of_a[2];
        wmma::fragment<wmma::matrix_b, 8, 32, 16, half, wmma::row_major> of_w[2];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            wmma::load_matrix_sync(of_a[i], &a[warp * 16 + 8 * i][k], 72);
            wmma::load_matrix_sync(of_w[i], &w[k][32 * i], 72);
        }
#pragma unroll
        for (int i = 0; i < 4; ++i)
            wmma::mma_sync(messages[i / 2][i % 2], of_a[i / 2], of_w[i % 2], messages[i / 2][i % 2]);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        wmma::store_matrix_sync(&c[warp * 16 + i / 2 * 8][i % 2 * 32], messages[i / 2][i % 2], 68, wmma::mem_row_major);
    __syncthreads();
    float shift = bias[t % 64];
    for (int i = t; i < 4096; i += 128) {
        float v = c[i / 64][i % 64] + shift;
        if (v > 0) atomicAdd(&sums[to[i / 64] * 64 + i % 64], v);
    }
}
