// Products without tensor cores: floats and doubles, from the plainest to tiles in registers, and matrix by vector.

// launch naive: --kernel naive --grid 32,64 --block 32,16 --arg f32[1048576]=-1..1 --arg f32[1048576]=-1..1 --arg f32[1048576] --arg i32:1024
__global__ void naive(const float* A, const float* B, float* C, int n) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + col];
    C[row * n + col] = sum;
}

// launch tiled_16: --kernel 'tiled<float, 16>' --grid 64,64 --block 16,16 --arg f32[1048576]=-1..1 --arg f32[1048576]=-1..1 --arg f32[1048576] --arg i32:1024
// launch tiled_32: --kernel 'tiled<float, 32>' --grid 32,32 --block 32,32 --arg f32[1048576]=-1..1 --arg f32[1048576]=-1..1 --arg f32[1048576] --arg i32:1024
// launch tiled_double: --kernel 'tiled<double, 16>' --grid 48,48 --block 16,16 --arg f64[589824]=-1..1 --arg f64[589824]=-1..1 --arg f64[589824] --arg i32:768
template <typename T, int TILE>
__global__ void tiled(const T* A, const T* B, T* C, int n) {
    __shared__ T a[TILE][TILE], b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    T sum = 0;
    for (int k = 0; k < n; k += TILE) {
        a[y][x] = A[row * n + k + x];
        b[y][x] = B[(k + y) * n + col];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; ++i) sum += a[y][i] * b[i][x];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

// launch four_by_four: --kernel 'in_registers<64, 4>' --grid 16,16 --block 16,16 --arg f32[1048576]=-1..1 --arg f32[1048576]=-1..1 --arg f32[1048576] --arg i32:1024
// launch eight_by_eight: --kernel 'in_registers<128, 8>' --grid 16,16 --block 16,16 --arg f32[4194304]=-1..1 --arg f32[4194304]=-1..1 --arg f32[4194304] --arg i32:2048
// A tile of SIDE x SIDE sums in a block of 16 x 16 threads, EACH x EACH a thread, eight steps along K at a time.
template <int SIDE, int EACH>
__global__ void in_registers(const float* A, const float* B, float* C, int n) {
    __shared__ float a[8][SIDE + 4], b[8][SIDE];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
    int row = blockIdx.y * SIDE, col = blockIdx.x * SIDE;
    float sums[EACH][EACH] = {};
    for (int k = 0; k < n; k += 8) {
        for (int i = t; i < 8 * SIDE; i += 256) {
            a[i % 8][i / 8] = A[(row + i / 8) * n + k + i % 8];
            b[i / SIDE][i % SIDE] = B[(k + i / SIDE) * n + col + i % SIDE];
        }
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 8; ++step) {
            float from_a[EACH], from_b[EACH];
#pragma unroll
            for (int i = 0; i < EACH; ++i) {
                from_a[i] = a[step][y * EACH + i];
                from_b[i] = b[step][x + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < EACH; ++i)
#pragma unroll
                for (int j = 0; j < EACH; ++j) sums[i][j] += from_a[i] * from_b[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < EACH; ++i)
#pragma unroll
        for (int j = 0; j < EACH; ++j) C[(row + y * EACH + i) * n + col + x + 16 * j] = sums[i][j];
}

// launch matrix_vector: --kernel matrix_vector --grid 1024 --block 256 --arg f32[33554432]=-1..1 --arg f32[4096]=-1..1 --arg f32[8192] --arg i32:4096
__global__ void matrix_vector(const float* A, const float* x, float* y, int cols) {
    int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int col = lane; col < cols; col += 32) sum += A[row * cols + col] * x[col];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) y[row] = sum;
}

// launch many_small: --kernel many_small --grid 8192 --block 16,16 --arg f32[2097152]=-1..1 --arg f32[2097152]=-1..1 --arg f32[2097152]
// A product of 16 x 16 matrices in each block.
__global__ void many_small(const float* A, const float* B, float* C) {
    __shared__ float a[16][17], b[16][17];
    int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + y * 16 + x;
    a[y][x] = A[at];
    b[y][x] = B[at];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += a[y][k] * b[k][x];
    C[at] = sum;
}
