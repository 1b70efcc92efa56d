// A stencil of five points over a tile with its halo, edges clamped, two steps in shared memory.
// lanewise-engine run stencil_2d.cu --kernel stencil --grid 3,2 --block 16,8 --arg f32[720] --arg u32[720] --arg i32:18 --arg i32:40
// results: exact
__global__ void stencil(float* out, const unsigned* in, int rows, int cols) {
    __shared__ float tile[10][19];
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    auto at = [&](int r, int c) {
        r = min(max(r, 0), rows - 1), c = min(max(c, 0), cols - 1);
        return (float)(in[r * cols + c] % 512);
    };
    for (int y = threadIdx.y; y < 10; y += 8)
        for (int x = threadIdx.x; x < 18; x += 16)
            tile[y][x] = at(blockIdx.y * 8 + y - 1, blockIdx.x * 16 + x - 1);
    __syncthreads();
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    float v = 0.2f * (tile[y][x] + tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1]);
    __syncthreads();
    tile[y][x] = v;
    __syncthreads();
    if (row < rows && col < cols) out[row * cols + col] = v + 0.125f * tile[threadIdx.y + 1][16 - threadIdx.x];
}
