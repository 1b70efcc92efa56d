// Filters: a separable convolution's rows, Sobel on bytes, a median of nine.
#include <math.h>
__constant__ float weights[17] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1};
__global__ void rows(float* out, const int* in, int width) {
    __shared__ float tile[4][10 * 16];
    int x0 = (blockIdx.x * 8 - 1) * 16 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
#pragma unroll
    for (int i = 0; i < 10; ++i) {
        int x = x0 + i * 16;
        tile[threadIdx.y][threadIdx.x + i * 16] =
            x >= 0 && x < width ? float(in[y * width + x] >> 20) : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int i = 1; i < 9; ++i) {
        float sum = 0;
#pragma unroll
        for (int j = -8; j <= 8; ++j)
            sum += weights[8 - j] * tile[threadIdx.y][threadIdx.x + i * 16 + j];
        out[y * width + x0 + i * 16] = sum;
    }
}
__global__ void sobel(unsigned char* out, const unsigned char* in, int width, int height) {
    __shared__ unsigned char t[10][18];
    int x0 = blockIdx.x * 16, y0 = blockIdx.y * 8;
    for (int k = threadIdx.y * 16 + threadIdx.x; k < 180; k += 128) {
        int x = min(max(x0 + k % 18 - 1, 0), width - 1),
            y = min(max(y0 + k / 18 - 1, 0), height - 1);
        t[k / 18][k % 18] = in[y * width + x];
    }
    __syncthreads();
    int i = threadIdx.x + 1, j = threadIdx.y + 1;
    short gx = t[j - 1][i + 1] + 2 * t[j][i + 1] + t[j + 1][i + 1] - t[j - 1][i - 1] -
               2 * t[j][i - 1] - t[j + 1][i - 1];
    short gy = t[j - 1][i - 1] + 2 * t[j - 1][i] + t[j - 1][i + 1] - t[j + 1][i - 1] -
               2 * t[j + 1][i] - t[j + 1][i + 1];
    out[(y0 + threadIdx.y) * width + x0 + threadIdx.x] =
        (unsigned char)min(255, int(0.5f * (abs((int)gx) + abs((int)gy))));
}
__device__ void order(int& a, int& b) {
    int least = min(a, b);
    b = max(a, b);
    a = least;
}
__global__ void median(unsigned char* out, const unsigned char* in, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, v[9];
    if (x >= n || y >= n) return;
    for (int k = 0; k < 9; ++k) v[k] = in[(y + k / 3 - 1 + n) % n * n + (x + k % 3 - 1 + n) % n];
    for (int i = 0; i < 5; ++i)
        for (int j = i + 1; j < 9; ++j) order(v[i], v[j]);
    out[y * n + x] = v[4];
}
