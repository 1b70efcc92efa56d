// Stencils: each element is read several times by its neighbours. L1 and L2 decide how often DRAM is asked.

// launch three_points: --kernel three_points --grid 65536 --block 256 --arg f32[16777218] --arg f32[16777216]
__global__ void three_points(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 0.25f * in[i] + 0.5f * in[i + 1] + 0.25f * in[i + 2];
}

// launch nine_points_shared: --kernel nine_points_shared --grid 32768 --block 256 --arg f32[8388616] --arg f32[8388608]
__global__ void nine_points_shared(const float* in, float* out) {
    __shared__ float held[256 + 8];
    int i = blockIdx.x * 256 + threadIdx.x;
    held[threadIdx.x] = in[i];
    if (threadIdx.x < 8) held[256 + threadIdx.x] = in[i + 256];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 9; ++k) sum += held[threadIdx.x + k];
    out[i] = sum / 9;
}

// launch five_points: --kernel five_points --grid 128,512 --block 32,8 --arg f32[16793604] --arg f32[16777216] --arg i32:4096
// launch five_points_tall: --kernel five_points --grid 256,128 --block 16,32 --arg f32[16793604] --arg f32[16777216] --arg i32:4096
__global__ void five_points(const float* in, float* out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float* at = in + (y + 1) * n + x + 1;
    if (y < n - 2) out[y * n + x] = 0.2f * (at[0] + at[-1] + at[1] + at[-n] + at[n]);
}

// launch blur_tile: --kernel blur_tile --grid 64,128 --block 32,16 --arg f32[4227136] --arg f32[4194304] --arg i32:2048
// Twenty-five points from a tile with a rim of two.
__global__ void blur_tile(const float* in, float* out, int n) {
    __shared__ float tile[20][36];
    int pitch = n + 4;
    for (int y = threadIdx.y; y < 20; y += 16)
        for (int x = threadIdx.x; x < 36; x += 32) tile[y][x] = in[(blockIdx.y * 16 + y) * pitch + blockIdx.x * 32 + x];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int dy = 0; dy < 5; ++dy)
#pragma unroll
        for (int dx = 0; dx < 5; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
    out[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x] = sum * 0.04f;
}

// launch seven_points: --kernel seven_points --grid 4,32,254 --block 64,8 --arg f32[16777216] --arg f32[16777216] --arg i32:256
__global__ void seven_points(const float* in, float* out, int n) {
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z + 1;
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) return;
    int plane = n * n, i = z * plane + y * n + x;
    out[i] = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - plane] + in[i + plane] - 6 * in[i];
}

// launch seven_points_marching: --kernel seven_points_marching --grid 8,32,2 --block 32,8 --arg f32[16777216] --arg f32[16777216] --arg i32:256
// Down z with the column in registers: few blocks, each with a long chain of loads.
__global__ void seven_points_marching(const float* in, float* out, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) return;
    int plane = n * n, z = blockIdx.z * (n / 2) + 1, end = min(z + n / 2, n - 1);
    int i = z * plane + y * n + x;
    float below = in[i - plane], here = in[i];
    for (; z < end; ++z, i += plane) {
        float above = in[i + plane];
        out[i] = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + below + above - 6 * here;
        below = here;
        here = above;
    }
}

// launch sobel_bytes: --kernel sobel_bytes --grid 128,512 --block 32,8 --arg u8[16793604] --arg u8[16777216] --arg i32:4096
__global__ void sobel_bytes(const unsigned char* in, unsigned char* out, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (y >= n - 2) return;
    const unsigned char* at = in + (y + 1) * n + x + 1;
    int across = at[1 - n] + 2 * at[1] + at[1 + n] - at[-1 - n] - 2 * at[-1] - at[-1 + n];
    int down = at[n - 1] + 2 * at[n] + at[n + 1] - at[-n - 1] - 2 * at[-n] - at[-n + 1];
    out[y * n + x] = (unsigned char)min(255, abs(across) + abs(down));
}
