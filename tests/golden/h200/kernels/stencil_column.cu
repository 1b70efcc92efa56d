// A 3D stencil of radius 2: the column in registers, the plane with its halo in shared memory.
__global__ void stencil(int* out, const int* in, int nx, int ny, int nz) {
    __shared__ int tile[8 + 4][16 + 4];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int tx = threadIdx.x + 2, ty = threadIdx.y + 2;
    auto at = [&](int i, int j, int k) {
        bool outside = i < 0 || j < 0 || k < 0 || i >= nx || j >= ny || k >= nz;
        return outside ? 0 : in[(k * ny + j) * nx + i];
    };
    int behind[2] = {0, 0}, now = at(x, y, 0), before[2] = {at(x, y, 1), at(x, y, 2)};
    for (int z = 0; z < nz; ++z) {
        __syncthreads();
        if (threadIdx.y < 2) {
            tile[threadIdx.y][tx] = at(x, y - 2, z);
            tile[threadIdx.y + 10][tx] = at(x, y + 8, z);
        }
        if (threadIdx.x < 2) {
            tile[ty][threadIdx.x] = at(x - 2, y, z);
            tile[ty][threadIdx.x + 18] = at(x + 16, y, z);
        }
        tile[ty][tx] = now;
        __syncthreads();
        int sum = now;
        for (int r = 1; r <= 2; ++r)
            sum += before[r - 1] + behind[r - 1] + tile[ty - r][tx] + tile[ty + r][tx] +
                   tile[ty][tx - r] + tile[ty][tx + r];
        out[(z * ny + y) * nx + x] = sum;
        behind[1] = behind[0];
        behind[0] = now;
        now = before[0];
        before[0] = before[1];
        before[1] = at(x, y, z + 3);
    }
}
