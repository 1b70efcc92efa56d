// Products of floats with tiles of results per thread: 1D, 2D, and 2D by float4 with A transposed.
// Whole numbers, so that no order of sums matters.
__device__ float number(unsigned w) { return int(w % 9) - 4; }
template <int BM, int BN, int BK, int TM>
__global__ void tiled_1d(float* C, const unsigned* A, const unsigned* B, int N, int K) {
    __shared__ float As[BM * BK], Bs[BK * BN];
    int col = threadIdx.x % BN, row = threadIdx.x / BN;
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    float sums[TM] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        As[threadIdx.x] = number(A[threadIdx.x / BK * K + k0 + threadIdx.x % BK]);
        Bs[threadIdx.x] = number(B[(k0 + threadIdx.x / BN) * N + threadIdx.x % BN]);
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            float b = Bs[k * BN + col];
            for (int i = 0; i < TM; ++i) sums[i] += As[(row * TM + i) * BK + k] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i) C[(row * TM + i) * N + col] = sums[i];
}
template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
    tiled_2d_vectors(float* C, const unsigned* A, const unsigned* B, int N, int K) {
    __shared__ float As[BK * BM], Bs[BK * BN];
    int col = threadIdx.x % (BN / TN), row = threadIdx.x / (BN / TN), threads = BM * BN / (TM * TN);
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    float sums[TM * TN] = {}, m[TM], n[TN];
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int e = threadIdx.x; e < BM * BK / 4; e += threads) {
            int r = e / (BK / 4), c = e % (BK / 4) * 4;
            uint4 a = *reinterpret_cast<const uint4*>(&A[r * K + k0 + c]);
            As[(c + 0) * BM + r] = number(a.x);
            As[(c + 1) * BM + r] = number(a.y);
            As[(c + 2) * BM + r] = number(a.z);
            As[(c + 3) * BM + r] = number(a.w);
        }
        for (int e = threadIdx.x; e < BK * BN / 4; e += threads) {
            int r = e / (BN / 4), c = e % (BN / 4) * 4;
            uint4 b = *reinterpret_cast<const uint4*>(&B[(k0 + r) * N + c]);
            *reinterpret_cast<float4*>(&Bs[r * BN + c]) =
                make_float4(number(b.x), number(b.y), number(b.z), number(b.w));
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < TM; ++i) m[i] = As[k * BM + row * TM + i];
            for (int j = 0; j < TN; ++j) n[j] = Bs[k * BN + col * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) sums[i * TN + j] += m[i] * n[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; j += 4)
            *reinterpret_cast<float4*>(&C[(row * TM + i) * N + col * TN + j]) = make_float4(
                sums[i * TN + j], sums[i * TN + j + 1], sums[i * TN + j + 2], sums[i * TN + j + 3]);
}
