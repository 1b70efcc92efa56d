// Products of matrices, where ptxas widens, merges and reorders what the source says.

template <int T>
__global__ void tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float as[T][T], bs[T][T];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n; t += T) {
        as[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < T; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

// The same with guards, for sizes that are no multiple of the tile.
template <int T>
__global__ void tiled_ragged(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float as[T][T], bs[T][T + 1];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < k; t += T) {
        int ak = t + threadIdx.x, bk = t + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < m && ak < k ? a[row * k + ak] : 0;
        bs[threadIdx.y][threadIdx.x] = bk < k && col < n ? b[bk * n + col] : 0;
        __syncthreads();
#pragma unroll 4
        for (int i = 0; i < T; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

// 64 x 64 tiles of C, 16 x 16 threads with 4 x 4 results each, 16-byte loads.
__global__ void register_tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float as[16][64], bs[16][64];
    int thread = threadIdx.y * 16 + threadIdx.x;
    int row = blockIdx.y * 64, col = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int t = 0; t < n; t += 16) {
        int ar = thread / 4, ak = thread % 4 * 4;
        float4 va = *reinterpret_cast<const float4*>(a + (row + ar) * n + t + ak);
        as[ak][ar] = va.x, as[ak + 1][ar] = va.y, as[ak + 2][ar] = va.z, as[ak + 3][ar] = va.w;
        int bk = thread / 16, bc = thread % 16 * 4;
        *reinterpret_cast<float4*>(&bs[bk][bc]) =
            *reinterpret_cast<const float4*>(b + (t + bk) * n + col + bc);
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            float4 x = *reinterpret_cast<float4*>(&as[k][4 * threadIdx.y]);
            float4 y = *reinterpret_cast<float4*>(&bs[k][4 * threadIdx.x]);
            float xs[] = {x.x, x.y, x.z, x.w}, ys[] = {y.x, y.y, y.z, y.w};
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) sum[i][j] += xs[i] * ys[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        *reinterpret_cast<float4*>(c + (row + 4 * threadIdx.y + i) * n + col + 4 * threadIdx.x) =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

// No shared memory: rows of a are broadcast, rows of b are coalesced.
__global__ void naive(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

// A warp to a row: 16-byte loads where the row allows it, then shuffles.
__global__ void matrix_vector(const float* a, const float* x, float* y, int rows, int cols) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    float sum = 0;
    for (int j = 4 * threadIdx.x; j + 3 < cols; j += 128) {
        float4 v = *reinterpret_cast<const float4*>(a + row * cols + j);
        float4 w = *reinterpret_cast<const float4*>(x + j);
        sum += v.x * w.x + v.y * w.y + v.z * w.z + v.w * w.w;
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x == 0) y[row] = sum;
}
