// Four products in floats and doubles: a step of blocked all-pairs shortest paths, likelihoods at the nodes of an evolutionary tree, Householder reflectors applied to columns, and a Gaussian kernel matrix times a vector.

// launch shortest_path_tiles: --kernel shortest_path_tiles --grid 24,24 --block 256 --arg f32[2359296]=1..1000 --arg i32:1536 --arg i32:5
// Graphs: third phase of blocked Floyd-Warshall, a minimum-plus product. A block has a tile of 64x64 distances, four by
// four a thread, against the tiles of the pivot's column and row in shared memory.
__global__ void __launch_bounds__(256) shortest_path_tiles(float* dist, int n, int pivot)
{
    if ((int)blockIdx.x == pivot || (int)blockIdx.y == pivot) return;
    __shared__ __align__(16) float left[64][68];   // [k][i]
    __shared__ __align__(16) float right[64][64];  // [k][j]
    const int tx = threadIdx.x & 15, ty = threadIdx.x >> 4;
    const int i0 = blockIdx.y * 64, j0 = blockIdx.x * 64, k0 = pivot * 64;

    for (int r = ty; r < 64; r += 16) {
        float4 a = *reinterpret_cast<const float4*>(dist + (size_t)(i0 + r) * n + k0 + tx * 4);
        left[tx * 4 + 0][r] = a.x;
        left[tx * 4 + 1][r] = a.y;
        left[tx * 4 + 2][r] = a.z;
        left[tx * 4 + 3][r] = a.w;
        *reinterpret_cast<float4*>(&right[r][tx * 4]) =
            *reinterpret_cast<const float4*>(dist + (size_t)(k0 + r) * n + j0 + tx * 4);
    }
    float best[4][4];
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        float4 d = *reinterpret_cast<const float4*>(dist + (size_t)(i0 + ty * 4 + r) * n + j0 + tx * 4);
        best[r][0] = d.x; best[r][1] = d.y; best[r][2] = d.z; best[r][3] = d.w;
    }
    __syncthreads();

#pragma unroll 8
    for (int k = 0; k < 64; ++k) {
        float4 a = *reinterpret_cast<const float4*>(&left[k][ty * 4]);
        float4 b = *reinterpret_cast<const float4*>(&right[k][tx * 4]);
        float av[4] = {a.x, a.y, a.z, a.w}, bv[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
        for (int r = 0; r < 4; ++r)
#pragma unroll
            for (int c = 0; c < 4; ++c) best[r][c] = fminf(best[r][c], av[r] + bv[c]);
    }
#pragma unroll
    for (int r = 0; r < 4; ++r)
        *reinterpret_cast<float4*>(dist + (size_t)(i0 + ty * 4 + r) * n + j0 + tx * 4) =
            make_float4(best[r][0], best[r][1], best[r][2], best[r][3]);
}

// launch partials_of_tree: --kernel partials_of_tree --grid 512,4,8 --block 4,32 --arg f32[4194304]=0..1 --arg f32[2048]=0..1 --arg i32[8]=0..15 --arg i32[8]=0..15 --arg f32[2097152] --arg f32[524288] --arg i32:16384
// Phylogenetics: likelihoods of the four bases at parent nodes, the product of what the two children give through their
// 4x4 transition matrices. A thread for each base of a site pattern; rate category in blockIdx.y, parent in blockIdx.z.
__global__ void partials_of_tree(const float* __restrict__ children, const float* __restrict__ matrices,
                                 const int* __restrict__ first_child, const int* __restrict__ second_child,
                                 float* __restrict__ parents, float* __restrict__ scales, int n_patterns)
{
    __shared__ float m1[16], m2[16];
    __shared__ float p1[32][4], p2[32][4];
    const int state = threadIdx.x, local = threadIdx.y;
    const int pattern = blockIdx.x * 32 + local;
    const int category = blockIdx.y, n_categories = gridDim.y;
    const int c1 = first_child[blockIdx.z], c2 = second_child[blockIdx.z];
    const int tid = local * 4 + state;

    if (tid < 16) m1[tid] = matrices[((2 * blockIdx.z) * n_categories + category) * 16 + tid];
    else if (tid < 32) m2[tid - 16] = matrices[((2 * blockIdx.z + 1) * n_categories + category) * 16 + tid - 16];

    const bool live = pattern < n_patterns;
    if (live) {
        p1[local][state] = children[(((size_t)c1 * n_categories + category) * n_patterns + pattern) * 4 + state];
        p2[local][state] = children[(((size_t)c2 * n_categories + category) * n_patterns + pattern) * 4 + state];
    } else {
        p1[local][state] = 0.0f;
        p2[local][state] = 0.0f;
    }
    __syncthreads();

    float sum1 = 0.0f, sum2 = 0.0f;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        sum1 += m1[state * 4 + j] * p1[local][j];
        sum2 += m2[state * 4 + j] * p2[local][j];
    }
    float value = sum1 * sum2;
    float top = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, 1));
    top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 2));
    if (!(top > 0.0f)) top = 1.0f;
    if (live) {
        size_t at = ((size_t)blockIdx.z * n_categories + category) * n_patterns + pattern;
        parents[at * 4 + state] = value / top;
        if (state == 0) scales[at] = logf(top);
    }
}

// launch apply_reflectors: --kernel apply_reflectors --grid 8,64 --block 256 --arg f64[524288]=-1..1 --arg f64[2048]=0..0.02 --arg f64[1048576]=-1..1 --arg f64[1048576] --arg i32:256 --arg i32:32 --arg i32:64
// Dense linear algebra: transposed Q of a batch of QR factorisations times blocks of columns, in doubles. A warp holds a
// column of 256 in registers and applies the 32 Householder vectors to it one after another; batch in blockIdx.y.
__global__ void apply_reflectors(const double* __restrict__ v_all, const double* __restrict__ tau_all,
                                 const double* __restrict__ b_all, double* __restrict__ c_all, int m, int k, int n_cols)
{
    const int lane = threadIdx.x & 31;
    const int col = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (col >= n_cols) return;
    const double* v = v_all + (size_t)blockIdx.y * m * k;
    const double* tau = tau_all + blockIdx.y * k;
    const double* b = b_all + ((size_t)blockIdx.y * n_cols + col) * m;
    double* c = c_all + ((size_t)blockIdx.y * n_cols + col) * m;

    double a[8];
#pragma unroll
    for (int r = 0; r < 8; ++r) {
        int i = lane + 32 * r;
        a[r] = i < m ? b[i] : 0.0;
    }
    for (int j = 0; j < k; ++j) {
        double w[8], dot = 0.0;
#pragma unroll
        for (int r = 0; r < 8; ++r) {
            int i = lane + 32 * r;
            double e = i == j ? 1.0 : 0.0;
            if (i > j && i < m) e = v[(size_t)j * m + i];
            w[r] = e;
            dot += e * a[r];
        }
#pragma unroll
        for (int s = 16; s > 0; s >>= 1) dot += __shfl_xor_sync(0xffffffffu, dot, s);
        dot *= tau[j];
#pragma unroll
        for (int r = 0; r < 8; ++r) a[r] -= dot * w[r];
    }
#pragma unroll
    for (int r = 0; r < 8; ++r) {
        int i = lane + 32 * r;
        if (i < m) c[i] = a[r];
    }
}

// launch gaussian_kernel_by_vector: --kernel gaussian_kernel_by_vector --grid 47,11 --block 16,16 --arg f32[96000]=-1..1 --arg f32[3000]=-1..1 --arg f32[33000] --arg i32:3000 --arg f32:0.05
// Gaussian processes: the matrix exp(-g |xi - xj|^2) times a vector, never stored. A block takes 64 points against a
// share of all the others, 64 at a time: dot products of 32 numbers, four by four a thread, then exp and row sums.
__global__ void __launch_bounds__(256) gaussian_kernel_by_vector(const float* __restrict__ x, const float* __restrict__ b,
                                                                 float* __restrict__ partial, int n, float gamma)
{
    __shared__ __align__(16) float rows[32][68], cols[32][68];
    __shared__ float row_norm[64], col_norm[64], weight[64];
    const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
    const int i0 = blockIdx.x * 64;
    const int tiles = (n + 63) / 64, per = (tiles + gridDim.y - 1) / gridDim.y;
    const int first = blockIdx.y * per, last = min(first + per, tiles);

    for (int e = tid; e < 64 * 32; e += 256) {
        int p = e >> 5, d = e & 31;
        rows[d][p] = i0 + p < n ? x[(size_t)(i0 + p) * 32 + d] : 0.0f;
    }
    __syncthreads();
    if (tid < 64) {
        float s = 0.0f;
        for (int d = 0; d < 32; ++d) s += rows[d][tid] * rows[d][tid];
        row_norm[tid] = s;
    }

    float total[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int t = first; t < last; ++t) {
        const int j0 = t * 64;
        __syncthreads();
        for (int e = tid; e < 64 * 32; e += 256) {
            int p = e >> 5, d = e & 31;
            cols[d][p] = j0 + p < n ? x[(size_t)(j0 + p) * 32 + d] : 0.0f;
        }
        __syncthreads();
        if (tid < 64) {
            float s = 0.0f;
            for (int d = 0; d < 32; ++d) s += cols[d][tid] * cols[d][tid];
            col_norm[tid] = s;
            weight[tid] = j0 + tid < n ? b[j0 + tid] : 0.0f;
        }
        float dot[4][4] = {};
#pragma unroll 8
        for (int d = 0; d < 32; ++d) {
            float4 p = *reinterpret_cast<const float4*>(&rows[d][ty * 4]);
            float4 q = *reinterpret_cast<const float4*>(&cols[d][tx * 4]);
            float pv[4] = {p.x, p.y, p.z, p.w}, qv[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int r = 0; r < 4; ++r)
#pragma unroll
                for (int c = 0; c < 4; ++c) dot[r][c] += pv[r] * qv[c];
        }
        __syncthreads();
#pragma unroll
        for (int r = 0; r < 4; ++r)
#pragma unroll
            for (int c = 0; c < 4; ++c) {
                float d2 = fmaxf(row_norm[ty * 4 + r] + col_norm[tx * 4 + c] - 2.0f * dot[r][c], 0.0f);
                total[r] += __expf(-gamma * d2) * weight[tx * 4 + c];
            }
    }
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        float s = total[r];
        for (int o = 8; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
        int i = i0 + ty * 4 + r;
        if (tx == 0 && i < n) partial[(size_t)blockIdx.y * n + i] = s;
    }
}
