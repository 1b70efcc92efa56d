#include "lab/product/product_kernel.h"

namespace lanewise {

static constexpr const char* kSource = R"cuda(
typedef unsigned long long u64;

constexpr int SIDE = 64, DEPTH = 16, EACH = 4;  // a tile of C, steps of K in it, per thread and side

// 16 x 16 threads, each of 4 x 4 elements. Beyond the edges the tiles hold zeros.
__global__ void __launch_bounds__(256)
    reference(const float* A, const float* B, double* value, double* magnitude, u64 m, u64 n, u64 k) {
    __shared__ double a[DEPTH][SIDE], b[DEPTH][SIDE];
    int x = threadIdx.x % 16, y = threadIdx.x / 16;
    u64 first_row = u64(blockIdx.y) * SIDE, first_col = u64(blockIdx.x) * SIDE;
    double sum[EACH][EACH] = {}, size[EACH][EACH] = {};
    for (u64 first = 0; first < k; first += DEPTH) {
        for (int i = threadIdx.x; i < DEPTH * SIDE; i += 256) {
            u64 row = first_row + i / DEPTH, at = first + i % DEPTH;
            a[i % DEPTH][i / DEPTH] = row < m && at < k ? A[row * k + at] : 0.0f;
            u64 col = first_col + i % SIDE;
            at = first + i / SIDE;
            b[i / SIDE][i % SIDE] = at < k && col < n ? B[at * n + col] : 0.0f;
        }
        __syncthreads();
        // Not a step too many: beyond the edge zero times infinity would be no number.
        int steps = k - first < DEPTH ? int(k - first) : DEPTH;
        for (int step = 0; step < steps; ++step)
            for (int i = 0; i < EACH; ++i)
                for (int j = 0; j < EACH; ++j) {
                    double of_a = a[step][y + 16 * i], of_b = b[step][x + 16 * j];
                    sum[i][j] += of_a * of_b;
                    size[i][j] += fabs(of_a) * fabs(of_b);
                }
        __syncthreads();
    }
    for (int i = 0; i < EACH; ++i)
        for (int j = 0; j < EACH; ++j) {
            u64 row = first_row + y + 16 * i, col = first_col + x + 16 * j;
            if (row >= m || col >= n) continue;
            value[row * n + col] = sum[i][j];
            magnitude[row * n + col] = size[i][j];
        }
}

struct Found {
    u64 wrong, first, no_number;
    double off, all, worst;
};

__device__ bool is_finite(double value) { return value - value == 0; }

__device__ bool is_right(float actual, double value, double magnitude, double per_sum,
                         double absolute) {
    if (value != value) return actual != actual;
    if (!is_finite(value)) return double(actual) == value;
    return fabs(double(actual) - value) <= per_sum * magnitude + absolute;
}

__global__ void judge(const float* C, const double* value, const double* magnitude, u64 elements,
                      double per_sum, double absolute, Found* found) {
    Found here = {0, ~u64(0), ~u64(0), 0, 0, 0};
    u64 step = u64(gridDim.x) * blockDim.x;
    for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < elements; i += step) {
        double actual = C[i];
        if (is_finite(actual) && is_finite(value[i])) {
            double difference = fabs(actual - value[i]);
            here.off += difference * difference;
            here.all += value[i] * value[i];
            if (magnitude[i] > 0 && difference > absolute)
                here.worst = fmax(here.worst, difference / magnitude[i]);
        }
        if (is_right(C[i], value[i], magnitude[i], per_sum, absolute)) continue;
        if (here.wrong++ == 0) here.first = i;
        bool no_number = !is_finite(C[i]) && is_finite(value[i]);
        if (no_number && i < here.no_number) here.no_number = i;
    }
    if (here.all > 0) atomicAdd(&found->off, here.off), atomicAdd(&found->all, here.all);
    // Of numbers that are not negative the bits are in the numbers' order.
    if (here.worst > 0) atomicMax((u64*)&found->worst, (u64)__double_as_longlong(here.worst));
    if (here.wrong == 0) return;
    atomicAdd(&found->wrong, here.wrong);
    atomicMin(&found->first, here.first);
    atomicMin(&found->no_number, here.no_number);
}
)cuda";

std::string reference_kernel() { return "reference"; }
std::string judge_kernel() { return "judge"; }

Source product_kernel_source() { return {"product.cu", kSource}; }

Program compile_product_kernel(const std::string& name_expression, const std::string& arch) {
    CompileOptions options;
    options.kernel = name_expression;
    options.arch = arch;
    return compile(product_kernel_source(), options);
}

}  // namespace lanewise
