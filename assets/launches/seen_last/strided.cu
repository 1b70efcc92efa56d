// Strides: to a coarser grid, heads before positions, triangles as records, and channels into space.
#include <cuda_fp16.h>

// launch coarser_grid: --kernel coarser_grid --grid 1,32,120 --block 128,4 --arg f32[15728640]=-1..1 --arg f32[1966080] --arg i32:256 --arg i32:256
// Multigrid: the mean of 2 x 2 x 2 cells for each cell of the coarser grid, cell by cell.
__global__ void coarser_grid(const float* __restrict__ fine, float* __restrict__ coarse, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    const float* at = fine + ((size_t)(2 * z) * ny + 2 * y) * nx + 2 * x;
    float sum = 0;
    for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 2; ++j)
            for (int i = 0; i < 2; ++i) sum += at[(k * ny + j) * nx + i];
    coarse[(z * (ny / 2) + y) * (nx / 2) + x] = 0.125f * sum;
}

// launch heads_first: --kernel heads_first --grid 7680 --block 256 --arg f16[15728640]=-1..1 --arg f16[15728640] --arg i32:960 --arg i32:16
// Attention: from position, head, number to head, position, number; sixteen bytes a thread, 64 halves a head.
__global__ void heads_first(const half* __restrict__ in, half* __restrict__ out, int positions, int heads) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, part = i % 8, rest = i / 8;
    int position = rest % positions, head = rest / positions % heads, batch = rest / positions / heads;
    ((uint4*)out)[i] = ((const uint4*)in)[((batch * positions + position) * heads + head) * 8 + part];
}

// launch triangle_normals: --kernel triangle_normals --grid 6500 --block 128 --arg f32[7488000]=-1..1 --arg f32[2496000] --arg f32[832000]
// Meshes: normal and area of each triangle, whose nine floats lie in one record.
__global__ void triangle_normals(const float* __restrict__ corners, float* __restrict__ normals, float* __restrict__ areas) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float* c = corners + 9 * i;
    float ax = c[3] - c[0], ay = c[4] - c[1], az = c[5] - c[2], bx = c[6] - c[0], by = c[7] - c[1], bz = c[8] - c[2];
    float nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
    float size = sqrtf(nx * nx + ny * ny + nz * nz), inverse = 1.0f / fmaxf(size, 1e-20f);
    normals[3 * i] = nx * inverse;
    normals[3 * i + 1] = ny * inverse;
    normals[3 * i + 2] = nz * inverse;
    areas[i] = 0.5f * size;
}

// launch channels_into_space: --kernel channels_into_space --grid 8,1080,6 --block 256 --arg f32[12441600]=0..1 --arg f32[12441600] --arg i32:1920 --arg i32:1080
// Enlarging of images: four channels become 2 x 2 pixels of one; a thread has a pixel of the larger image.
__global__ void channels_into_space(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, c = blockIdx.z;
    if (x >= width) return;
    int channel = c * 4 + y % 2 * 2 + x % 2;
    out[(c * height + y) * width + x] = in[(channel * (height / 2) + y / 2) * (width / 2) + x / 2];
}
