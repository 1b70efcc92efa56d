// Streaming: every byte is read or written once, in order. What limits these is DRAM, or the bytes in flight.

// launch saxpy: --kernel saxpy --grid 65536 --block 256 --arg f32[16777216] --arg f32[16777216] --arg f32:2.5 --arg i32:16777216
__global__ void saxpy(const float* x, float* y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

// launch copy_grid_stride: --kernel copy_grid_stride --grid 528 --block 256 --arg f32[33554432] --arg f32[33554432] --arg i32:8388608
__global__ void copy_grid_stride(const float4* in, float4* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}

// launch triad_double: --kernel triad_double --grid 32768 --block 256 --arg f64[8388608] --arg f64[8388608] --arg f64[8388608] --arg f64:0.5
__global__ void triad_double(const double* b, const double* c, double* a, double factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = b[i] + factor * c[i];
}

// launch five_arrays: --kernel five_arrays --grid 16384 --block 512 --arg f32[8388608] --arg f32[8388608] --arg f32[8388608] --arg f32[8388608] --arg f32[8388608]
__global__ void five_arrays(const float* a, const float* b, const float* c, const float* d, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i] * b[i] + c[i] * d[i];
}

// launch threshold_bytes: --kernel threshold_bytes --grid 131072 --block 256 --arg u8[33554432] --arg u8[33554432]
__global__ void threshold_bytes(const unsigned char* in, unsigned char* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] > 128 ? 255 : 0;
}

// launch polynomial: --kernel polynomial --grid 16384 --block 256 --arg f32[4194304]=-1..1 --arg f32[4194304]
// Sixty-four dependent multiply-adds a word: arithmetic and memory about even.
__global__ void polynomial(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], sum = 1;
#pragma unroll
    for (int term = 0; term < 64; ++term) sum = sum * x + 0.125f;
    out[i] = sum;
}

// launch fill_small_blocks: --kernel fill_small_blocks --grid 262144 --block 64 --arg u32[16777216]
__global__ void fill_small_blocks(unsigned* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; }

// launch copy_in_cache: --kernel copy_in_cache --grid 4096 --block 256 --arg f32[4194304] --arg f32[4194304]
// 32 MiB in all: what the launch before has left in L2 is found there.
__global__ void copy_in_cache(const float4* in, float4* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
