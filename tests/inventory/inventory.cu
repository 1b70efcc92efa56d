// The accesses that docs/concept-inventory.md asks about, one kernel for each question: a single warp,
// so that what is counted is the answer. Each buffer begins at a multiple of 256 bytes.

__global__ void q1(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }

__global__ void q2(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x * 4096]; }

__global__ void q3(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x + 1]; }

__global__ void q4(const float* in, float* out) { out[threadIdx.x] = in[31 - threadIdx.x]; }

__global__ void q5(const float* in, float* out) { out[threadIdx.x] = in[7]; }

__global__ void q6(const float4* in, float4* out) { out[threadIdx.x] = in[threadIdx.x]; }

// Of two dimensions: 8 threads along x, 4 along y, on rows of 1024 floats.
__global__ void q8(const float* in, float* out) {
    out[threadIdx.y * 1024 + threadIdx.x] = in[threadIdx.y * 1024 + threadIdx.x];
}

// Shared memory: the whole array is written along rows, then one access is asked for.
template <int WIDTH, typename T = float>
__device__ void fill(T* tile, int count) {
    for (int i = threadIdx.x; i < count; i += 32) tile[i] = T(i);
    __syncwarp();
}

__global__ void q9(float* out) {
    __shared__ float tile[32][32];
    fill<32>(&tile[0][0], 32 * 32);
    out[threadIdx.x] = tile[threadIdx.x][5];
}

__global__ void q10(float* out) {
    __shared__ float tile[32][33];
    fill<33>(&tile[0][0], 32 * 33);
    out[threadIdx.x] = tile[threadIdx.x][5];
}

__global__ void q11(float* out) {
    __shared__ float tile[32][34];
    fill<34>(&tile[0][0], 32 * 34);
    out[threadIdx.x] = tile[threadIdx.x][5];
}

__global__ void q12(float* out) {
    __shared__ float row[32];
    fill<32>(row, 32);
    out[threadIdx.x] = row[5];
}

__global__ void q13(unsigned char* out) {
    __shared__ unsigned char row[32];
    fill<32>(row, 32);
    out[threadIdx.x] = row[threadIdx.x];
}

__global__ void q14(float* out) {
    __shared__ float row[64];
    fill<64>(row, 64);
    out[threadIdx.x] = row[2 * threadIdx.x];
}

__global__ void q15(float* out) {
    __shared__ float row[96];
    fill<96>(row, 96);
    out[threadIdx.x] = row[3 * threadIdx.x];
}

__global__ void q16(double* out) {
    __shared__ double row[32];
    fill<32>(row, 32);
    out[threadIdx.x] = row[threadIdx.x];
}
