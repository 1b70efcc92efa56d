// Products without tensor cores: a beginner's, a step of a factorisation in doubles, bilinear forms, and a tensor's factors.

// launch wrong_way_round: --kernel wrong_way_round --grid 25,38 --block 16,16 --arg f32[120000]=-1..1 --arg f32[180000]=-1..1 --arg f32[240000] --arg i32:400 --arg i32:300 --arg i32:600
// A course's first exercise: 400 x 300 by 300 x 600, and the result itself is the sum in the loop.
// Neighbouring threads have neighbouring rows instead of columns, so their reads and stores lie far apart.
__global__ void wrong_way_round(float* A, float* B, float* C, int rows, int depth, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        C[row * cols + col] = 0;
        for (int k = 0; k < depth; k++) {
            C[row * cols + col] = C[row * cols + col] + A[row * depth + k] * B[k * cols + col];
        }
    }
}

// launch trailing_update: --kernel trailing_update --grid 47,47 --block 16,16 --arg f64[9437184]=-1..1 --arg i32:3072 --arg i32:0
// An LU factorisation by blocks in doubles: the product of a panel of 64 columns and one of 64 rows is taken off
// all that lies right of the one and under the other. A tile of 64 x 64 a block, 4 x 4 a thread, in place.
__global__ void __launch_bounds__(256) trailing_update(double* A, int n, int first) {
    __shared__ __align__(16) double l[32][66], u[32][64];
    int x = threadIdx.x * 4, y = threadIdx.y * 4, t = threadIdx.y * 16 + threadIdx.x;
    int top = first + 64 + blockIdx.y * 64, left = first + 64 + blockIdx.x * 64;
    double sums[4][4] = {};
    for (int k = first; k < first + 64; k += 32) {
#pragma unroll
        for (int i = t; i < 2048; i += 256) {
            l[i % 32][i / 32] = A[(size_t)(top + i / 32) * n + k + i % 32];
            u[i / 64][i % 64] = A[(size_t)(k + i / 64) * n + left + i % 64];
        }
        __syncthreads();
#pragma unroll 8
        for (int s = 0; s < 32; ++s) {
            double2 a0 = *(const double2*)&l[s][y], a1 = *(const double2*)&l[s][y + 2];
            double2 b0 = *(const double2*)&u[s][x], b1 = *(const double2*)&u[s][x + 2];
            double a[4] = {a0.x, a0.y, a1.x, a1.y}, b[4] = {b0.x, b0.y, b1.x, b1.y};
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) sums[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        double2* to = (double2*)&A[(size_t)(top + y + i) * n + left + x];
        double2 p = to[0], q = to[1];
        to[0] = make_double2(p.x - sums[i][0], p.y - sums[i][1]);
        to[1] = make_double2(q.x - sums[i][2], q.y - sums[i][3]);
    }
}

// launch relation_scores: --kernel relation_scores --grid 12000 --block 96 --arg f32[1920000]=-0.5..0.5 --arg f32[442368]=-0.5..0.5 --arg i32[12000]=0..19999 --arg i32[12000]=0..47 --arg i32[12000]=0..19999 --arg f32[12000]
// Knowledge graphs: how likely it is that two things are related in a given way, head' R tail with a matrix of 96 x 96
// for each of 48 relations. A block has one such statement, and a thread a column of its matrix.
__global__ void relation_scores(const float* __restrict__ entities, const float* __restrict__ relations,
                                const int* __restrict__ heads, const int* __restrict__ kinds,
                                const int* __restrict__ tails, float* __restrict__ scores) {
    __shared__ float head[96], parts[3];
    int i = blockIdx.x, j = threadIdx.x;
    head[j] = entities[heads[i] * 96 + j];
    float tail = entities[tails[i] * 96 + j];
    const float* column = relations + kinds[i] * 9216 + j;
    __syncthreads();
    float sum = 0;
#pragma unroll 8
    for (int k = 0; k < 96; ++k) sum += head[k] * column[k * 96];
    sum *= tail;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (j % 32 == 0) parts[j / 32] = sum;
    __syncthreads();
    if (j == 0) scores[i] = 1 / (1 + expf(-(parts[0] + parts[1] + parts[2])));
}

// launch tensor_factors: --kernel tensor_factors --grid 500 --block 256 --arg f32[16384000]=-1..1 --arg f32[4096]=-1..1 --arg f32[8192]=-1..1 --arg f32[16000] --arg i32:128
// Chemometrics: a tensor of 500 x 128 x 256 by the factors of its last two sides, 32 components, for one step of a
// decomposition. A lane has a component and a warp four fibres at a time; the last side's factors are in shared memory.
__global__ void __launch_bounds__(256) tensor_factors(const float4* __restrict__ tensor, const float* __restrict__ second,
                                                      const float* __restrict__ third, float* __restrict__ out,
                                                      int fibres) {
    __shared__ float c[256 * 32], parts[8][32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int i = t; i < 256 * 32; i += 256) c[i] = third[i];
    __syncthreads();
    const float4* mine = tensor + (size_t)blockIdx.x * fibres * 64;
    float total = 0;
    for (int j = warp * 4; j < fibres; j += 32) {
        float sums[4] = {};
#pragma unroll 2
        for (int k = 0; k < 64; ++k) {
            const float* at = &c[k * 128 + lane];
            float c0 = at[0], c1 = at[32], c2 = at[64], c3 = at[96];
#pragma unroll
            for (int q = 0; q < 4; ++q) {
                float4 x = __ldg(&mine[(j + q) * 64 + k]);
                sums[q] += x.x * c0 + x.y * c1 + x.z * c2 + x.w * c3;
            }
        }
#pragma unroll
        for (int q = 0; q < 4; ++q) total += sums[q] * second[(j + q) * 32 + lane];
    }
    parts[warp][lane] = total;
    __syncthreads();
    if (warp != 0) return;
    for (int w = 1; w < 8; ++w) total += parts[w][lane];
    out[blockIdx.x * 32 + lane] = total;
}
