// Sparse products by rows, scalar and by warps; breadth first over levels.
__global__ void spmv_scalar(int* y, const unsigned* x) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int j = row * 5 + row % 3; j < row * 5 + 5 + (row + 1) % 3; ++j)
        sum += (j % 9 - 4) * int(x[(j * 40503u >> 3) & 127] & 255);
    y[row] = sum;
}
__global__ void spmv_warps(int* y, const unsigned* x) {
    int warp = (blockDim.x * blockIdx.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    for (int row = warp; row < 128; row += gridDim.x * blockDim.x / 32) {
        int sum = 0, begin = row * row / 2, end = (row + 1) * (row + 1) / 2;
        for (int j = begin + lane; j < end; j += 32)
            sum += (j % 9 - 4) * int(x[(j * 40503u >> 3) & 127] & 255);
        sum = __reduce_add_sync(~0u, sum);
        if (lane == 0) y[row] = sum;
    }
}
__global__ void levels(int* distance, int n) {
    __shared__ bool again;
    for (int v = threadIdx.x; v < n; v += blockDim.x) distance[v] = v == 0 ? 0 : -1;
    for (int level = 0;; ++level) {
        __syncthreads();
        if (threadIdx.x == 0) again = false;
        __syncthreads();
        for (int v = threadIdx.x; v < n; v += blockDim.x) {
            if (distance[v] != -1) continue;
            int from[2] = {(v - 1) / 2, (v + 1) % n};
            for (int u : from)
                if (distance[u] == level) {
                    distance[v] = level + 1;
                    again = true;
                    break;
                }
        }
        __syncthreads();
        if (!again) return;
    }
}
