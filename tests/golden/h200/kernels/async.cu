// cp.async: global to shared memory past the registers, in every size, with and without L1.

template <int BYTES>
__device__ void copy_async(void* to, const void* from) {
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(BYTES)
                 : "memory");
}
__device__ void copy_async_cg(void* to, const void* from) {
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
}
__device__ void wait_all() {
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
}

// Turns every tile of 128 lanes' pieces around.
template <typename V>
__global__ void reversed_ca(const V* in, V* out) {
    __shared__ V s[128];
    int i = threadIdx.x;
    copy_async<sizeof(V)>(&s[i], in + blockIdx.x * 128 + i);
    wait_all();
    __syncthreads();
    out[blockIdx.x * 128 + i] = s[127 - i];
}

__global__ void reversed_cg(const float4* in, float4* out) {
    __shared__ float4 s[128];
    int i = threadIdx.x;
    copy_async_cg(&s[i], in + blockIdx.x * 128 + i);
    wait_all();
    __syncthreads();
    out[blockIdx.x * 128 + i] = s[127 - i];
}

// Into shared memory with a stride, from global memory with another: conflicts and sectors.
template <int BYTES>
__global__ void strided(const float* in, float* out, int from_stride, int to_stride) {
    extern __shared__ float4 wide[];
    float* s = reinterpret_cast<float*>(wide);
    for (int i = threadIdx.x; i < 2048; i += 32) s[i] = 0;
    __syncwarp();
    copy_async<BYTES>(s + threadIdx.x * to_stride, in + threadIdx.x * from_stride);
    wait_all();
    __syncwarp();
    for (int i = threadIdx.x; i < 2048; i += 32) out[i] = s[i];
}

// Lanes beyond n copy nothing and get zeros; whole warps at the end read nothing.
__global__ void zero_filled(const float* in, float* out, int n) {
    __shared__ float s[256];
    int i = threadIdx.x;
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&s[i]));
    int bytes = i < n ? 4 : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(in + i), "r"(bytes)
                 : "memory");
    wait_all();
    __syncthreads();
    out[i] = s[255 - i];
}

// A guard around it: whole warps do not execute it at all.
__global__ void guarded(const float* in, float* out, int n) {
    __shared__ float s[256];
    int i = threadIdx.x;
    s[i] = 1;
    __syncthreads();
    if (i < n) copy_async<4>(&s[i], in + i);
    wait_all();
    __syncthreads();
    out[i] = s[255 - i];
}

// Two tiles in flight: the classic pipeline, 16 bytes a lane, a padded tile, transposed on the way.
template <int PITCH>
__global__ void pipeline(const float* in, float* out, int tiles) {
    __shared__ __align__(16) float s[2][32][PITCH];
    int thread = threadIdx.x, row = thread / 8, col = thread % 8 * 4;
    const float* from = in + blockIdx.x * tiles * 1024;
    copy_async_cg(&s[0][row][col], from + thread * 4);
    asm volatile("cp.async.commit_group;" ::: "memory");
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) copy_async_cg(&s[(t + 1) % 2][row][col], from + (t + 1) * 1024 + thread * 4);
        asm volatile("cp.async.commit_group;\ncp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        for (int j = 0; j < 4; ++j)
            out[(blockIdx.x * tiles + t) * 1024 + j * 256 + thread] =
                s[t % 2][thread % 32][j * 8 + thread / 32];
        __syncthreads();
    }
}

// A tiled product whose tiles come by cp.async of 4 bytes.
__global__ void product(const float* a, const float* b, float* c, int n) {
    __shared__ float as[16][16], bs[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        copy_async<4>(&as[y][x], a + row * n + t + x);
        copy_async<4>(&bs[y][x], b + (t + y) * n + col);
        wait_all();
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
