// A tiled product of whole numbers, ragged in every dimension.
// lanewise-engine run matmul_tiled.cu --kernel matmul --grid 3,2 --block 16,16 --arg i32[1200] --arg i32[1110] --arg i32[1480] --arg i32:30 --arg i32:40 --arg i32:37
// results: exact
__global__ void matmul(int* C, const int* A, const int* B, int M, int N, int K) {
    __shared__ int a[16][17], b[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, sum = 0;
    for (int k = 0; k < K; k += 16) {
        a[threadIdx.y][threadIdx.x] = row < M && k + threadIdx.x < K ? A[row * K + k + threadIdx.x] : 0;
        b[threadIdx.y][threadIdx.x] = k + threadIdx.y < K && col < N ? B[(k + threadIdx.y) * N + col] : 0;
        __syncthreads();
        for (int t = 0; t < 16; ++t) sum += a[threadIdx.y][t] * b[t][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
