// Guards: lanes and whole warps that take no part, by a branch, by a predicate, by leaving early.

// By a branch: ptxas keeps it, because the body is long.
__global__ void by_branch(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = in[i];
        for (int j = 0; j < 100 && x < 1e30f; ++j) x = x * x + in[(i + j) % n];
        out[i] = x;
    }
}

// By a predicate on the instruction itself; whole warps are off where n says so.
__global__ void by_predicate(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x;
    asm volatile(
        "{\n .reg .pred p;\n setp.lt.s32 p, %2, %3;\n mov.f32 %0, 0f3f800000;\n"
        " @p ld.global.f32 %0, [%1];\n}"
        : "=f"(x)
        : "l"(in + i), "r"(i), "r"(n));
    x += 1;
    asm volatile(
        "{\n .reg .pred p;\n setp.lt.s32 p, %2, %3;\n @p st.global.f32 [%0], %1;\n}" ::"l"(out + i),
        "f"(x), "r"(i), "r"(n)
        : "memory");
}

// The same of shared memory.
__global__ void shared_by_predicate(const float* in, float* out, int n) {
    __shared__ float s[256];
    int i = threadIdx.x;
    s[i] = in[i];
    __syncthreads();
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&s[255 - i]));
    float x;
    asm volatile(
        "{\n .reg .pred p;\n setp.lt.s32 p, %2, %3;\n mov.f32 %0, 0f3f800000;\n"
        " @p ld.shared.f32 %0, [%1];\n @p st.shared.f32 [%1], 0f40000000;\n}"
        : "=f"(x)
        : "r"(at), "r"(i), "r"(n)
        : "memory");
    __syncthreads();
    out[i] = x + s[i];
}

// As compilers write `i < n ? in[i] : 0`.
__global__ void selected(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float left = i > 0 && i <= n ? in[i - 1] : 0;
    float right = i + 1 < n ? in[i + 1] : 0;
    if (i < n) out[i] = left + right;
}

__global__ void early_return(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = in[i];
    if (threadIdx.x % 3 == 0) return;
    out[i] = 2 * in[i];
}

// Every lane turns as often as its data says; the loop's load is of fewer and fewer lanes.
__global__ void divergent_loop(const unsigned* in, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned sum = 0, turns = in[i] % 13;
    for (unsigned j = 0; j < turns; ++j) sum += in[(i + 32 * j) % n];
    out[i] = sum;
}

__global__ void even_and_odd(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if ((i & 1) == 0)
        out[i] = in[i] * in[i / 2];
    else
        out[i] = in[n - i] + 1;
}

// Two lanes may store to one element: which value stays is open, what it costs is not.
__global__ void switched(const unsigned* in, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    switch (in[i] % 5) {
        case 0: out[i] = in[(i + 1) % n]; break;
        case 1: out[i] = in[(i * 7) % n] * 3; break;
        case 2: out[i] = 2;
        case 3: out[i] += in[i / 2]; break;
        default: out[n - 1 - i] = 9;
    }
}

// One warp of the block works, another writes, the rest wait.
__global__ void one_warp(const float* in, float* out) {
    __shared__ float s[32];
    if (threadIdx.x < 32) s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= 64 && threadIdx.x < 80)
        out[blockIdx.x * 16 + threadIdx.x - 64] = s[2 * (threadIdx.x - 64)];
}
