// A seven-point stencil over a ragged box, with a grid and blocks of three dimensions.
// lanewise-engine run stencil_3d.cu --kernel stencil --grid 2,3,4 --block 8,4,2 --arg i32[819] --arg i32[819] --arg i32:13 --arg i32:9 --arg i32:7
// results: exact
__global__ void stencil(int* out, const int* in, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    auto at = [&](int i, int j, int k) {
        return i < 0 || j < 0 || k < 0 || i >= nx || j >= ny || k >= nz ? 0 : in[(k * ny + j) * nx + i] >> 4;
    };
    out[(z * ny + y) * nx + x] = 6 * at(x, y, z) - at(x - 1, y, z) - at(x + 1, y, z) - at(x, y - 1, z) -
                                 at(x, y + 1, z) - at(x, y, z - 1) - at(x, y, z + 1);
}
