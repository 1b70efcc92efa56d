// Four rearrangements: twiddles with a transpose, matrices to diagonals, a matrix dealt to processes, genotypes by person.
#include <cuda_fp16.h>

// launch twiddle_and_turn: --kernel twiddle_and_turn --grid 64,32 --block 32,8 --arg f32[4194304]=-1..1 --arg f32[4194304] --arg i32:1024 --arg i32:2048
// Signal processing: the middle of a long Fourier transform in four steps: each element times its root of unity, and the
// matrix transposed. Tiles of 32 by 32 complex numbers in shared memory.
__global__ void twiddle_and_turn(const float2* __restrict__ in, float2* __restrict__ out, int rows, int cols)
{
    __shared__ float2 tile[32][33];
    int c = blockIdx.x * 32 + threadIdx.x;
    int r0 = blockIdx.y * 32;
    float unit = -2.0f / ((float)rows * (float)cols);
    for (int j = threadIdx.y; j < 32; j += 8) {
        int r = r0 + j;
        if (r < rows && c < cols) {
            float2 v = in[(size_t)r * cols + c];
            float s, k;
            sincospif((float)(r * c) * unit, &s, &k);
            tile[j][threadIdx.x] = make_float2(v.x * k - v.y * s, v.x * s + v.y * k);
        }
    }
    __syncthreads();
    int r = r0 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int cc = blockIdx.x * 32 + j;
        if (r < rows && cc < cols)
            out[(size_t)cc * rows + r] = tile[threadIdx.x][j];
    }
}

// launch rows_to_diagonals: --kernel rows_to_diagonals --grid 511,32 --block 256 --arg i16[2097152]=-8..8 --arg i16[4186112] --arg i32:256 --arg i32:256 --arg i32:-30000
// Bioinformatics: matrices of substitution scores laid out by diagonals, so that an alignment may go along them. A block a
// diagonal of one of the matrices, a thread a row; places outside get a low score.
__global__ void rows_to_diagonals(const short* __restrict__ scores, short* __restrict__ skewed, int m, int n, int outside)
{
    int d = blockIdx.x;
    int which = blockIdx.y;
    const short* s = scores + (size_t)which * m * n;
    short* o = skewed + ((size_t)which * (m + n - 1) + d) * m;
    for (int i = threadIdx.x; i < m; i += blockDim.x) {
        int j = d - i;
        o[i] = j >= 0 && j < n ? s[i * n + j] : (short)outside;
    }
}

// launch deal_block_cyclic: --kernel deal_block_cyclic --grid 8,2048 --block 256 --arg f64[4194304]=-1..1 --arg f64[4194304] --arg i32:2048 --arg i32:48 --arg i32:2 --arg i32:4
// Dense algebra on many processes: a square matrix, column after column, dealt two-dimensionally block-cyclic into the
// local matrices of a grid of processes, one behind another. A thread an element, y the column.
__global__ void deal_block_cyclic(const double* __restrict__ a, double* __restrict__ parts, int n, int nb, int prows, int pcols)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y;
    if (i >= n || j >= n) return;
    // how many rows or columns a process has
    auto owned = [&](int p, int np) {
        int blocks = n / nb, extra = n % nb;
        int k = blocks / np * nb, over = blocks % np;
        return p < over ? k + nb : p == over ? k + extra : k;
    };
    int bi = i / nb, bj = j / nb;
    int pi = bi % prows, pj = bj % pcols;
    int li = bi / prows * nb + i % nb;
    int lj = bj / pcols * nb + j % nb;
    int mine = owned(pi, prows);
    // processes go column after column of the grid; all before this one
    size_t start = 0;
    for (int q = 0; q < pj; q++) start += (size_t)n * owned(q, pcols);
    int width = owned(pj, pcols);
    for (int q = 0; q < pi; q++) start += (size_t)owned(q, prows) * width;
    parts[start + (size_t)lj * mine + li] = a[(size_t)j * n + i];
}

// launch genotypes_by_person: --kernel genotypes_by_person --grid 32,64 --block 32,8 --arg u32[8388608] --arg u32[8388608] --arg i32:1024 --arg i32:512
// Genetics: genotypes of two bits, a row a marker, turned to a row a person. A thread transposes 16 by 16 in its
// registers; a block's 512 persons by 128 markers go through shared memory so that rows are written in runs.
template <int J>
__device__ __forceinline__ void swap_step(unsigned (&x)[16], unsigned m)
{
#pragma unroll
    for (int k = 0; k < 16; k++) {
        if ((k & J) == 0) {
            unsigned t = ((x[k] >> (2 * J)) ^ x[k + J]) & m;
            x[k + J] ^= t;
            x[k] ^= t << (2 * J);
        }
    }
}
__global__ void __launch_bounds__(256) genotypes_by_person(const unsigned* __restrict__ by_marker, unsigned* __restrict__ by_person, int words_of_marker, int words_of_person)
{
    __shared__ unsigned tile[512 * 9];
    int lane = threadIdx.x, g = threadIdx.y;
    int w = blockIdx.x * 32 + lane;
    int marker = (blockIdx.y * 8 + g) * 16;
    unsigned x[16];
#pragma unroll
    for (int k = 0; k < 16; k++) x[k] = by_marker[(size_t)(marker + k) * words_of_marker + w];
    swap_step<8>(x, 0x0000ffffu);
    swap_step<4>(x, 0x00ff00ffu);
    swap_step<2>(x, 0x0f0f0f0fu);
    swap_step<1>(x, 0x33333333u);
#pragma unroll
    for (int k = 0; k < 16; k++) tile[(k * 32 + lane) * 9 + g] = x[k];
    __syncthreads();
    int t = g * 32 + lane;
    int word = t & 7;
    for (int p = t >> 3; p < 512; p += 32) {
        // person p of the block: word p / 16 of the markers' rows, place p % 16
        int from = ((p & 15) * 32 + (p >> 4)) * 9 + word;
        by_person[(size_t)(blockIdx.x * 512 + p) * words_of_person + blockIdx.y * 8 + word] = tile[from];
    }
}
