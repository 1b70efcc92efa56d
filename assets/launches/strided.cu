// Strided: a warp's words lie apart, so that sectors or lines are used in part, or again by a later access.

// launch every_second: --kernel every<2> --grid 32768 --block 256 --arg f32[16777216] --arg f32[8388608]
// launch every_ninth: --kernel every<9> --grid 8192 --block 256 --arg f32[18874368] --arg f32[2097152]
template <int STEP>
__global__ void every(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * STEP];
}

// launch points_to_length: --kernel points_to_length --grid 16384 --block 256 --arg f32[12582912]=-1..1 --arg f32[4194304]
struct Point {
    float x, y, z;
};
__global__ void points_to_length(const Point* points, float* lengths) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Point p = points[i];
    lengths[i] = sqrtf(p.x * p.x + p.y * p.y + p.z * p.z);
}

// launch planes_to_pixels: --kernel planes_to_pixels --grid 16384 --block 256 --arg u8[4194304] --arg u8[4194304] --arg u8[4194304] --arg u8[12582912]
__global__ void planes_to_pixels(const unsigned char* red, const unsigned char* green, const unsigned char* blue,
                                 unsigned char* pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    pixels[3 * i] = red[i];
    pixels[3 * i + 1] = green[i];
    pixels[3 * i + 2] = blue[i];
}

// launch row_per_thread: --kernel row_per_thread --grid 1024 --block 128 --arg f32[8388608] --arg f32[131072] --arg i32:64
// Each thread adds up a row of its own: a warp reads 32 lines, and comes back to each of them 31 times.
__global__ void row_per_thread(const float* in, float* sums, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int col = 0; col < cols; ++col) sum += in[row * cols + col];
    sums[row] = sum;
}

// launch columns_down: --kernel columns_down --grid 128 --block 128 --arg f32[16777216] --arg f32[16384] --arg i32:1024 --arg i32:16384
// Neighbouring threads have neighbouring columns: each load is in order, but few warps are at work.
__global__ void columns_down(const float* in, float* sums, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int row = 0; row < rows; ++row) sum += in[row * cols + col];
    sums[col] = sum;
}

// launch matrix_transpose_double: --kernel matrix_transpose_double --grid 64,64 --block 32,8 --arg f64[4194304] --arg f64[4194304] --arg i32:2048
__global__ void matrix_transpose_double(const double* in, double* out, int n) {
    __shared__ double tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// launch write_apart: --kernel write_apart --grid 8192 --block 256 --arg f32[2097152] --arg f32[8388608]
__global__ void write_apart(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[4 * i] = in[i];
}
