// A transpose in place: a block has two tiles, which no other block touches.
// grid: 2 2
// block: 32
// arguments: data[4096] 64
__global__ void kernel(float* data, int side) {
    if (blockIdx.x < blockIdx.y) return;
    for (unsigned row = 0; row < 32; ++row) {
        unsigned y = blockIdx.y * 32 + row, x = blockIdx.x * 32 + threadIdx.x;
        if (x <= y) continue;
        float upper = data[y * side + x];
        data[y * side + x] = data[x * side + y];
        data[x * side + y] = upper;
    }
}
