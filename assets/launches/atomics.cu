// Histograms and other atomics: what is added to the same place takes turns, in shared memory and in L2.

__device__ unsigned mixed(unsigned word) {
    word *= 2654435761u;
    return word ^ word >> 15;
}

// launch histogram_shared: --kernel histogram_shared --grid 1056 --block 256 --arg u32[16777216] --arg u32[256]=0 --arg i32:16777216
__global__ void histogram_shared(const unsigned* in, unsigned* bins, int n) {
    __shared__ unsigned held[256];
    held[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&held[mixed(in[i]) & 255], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], held[threadIdx.x]);
}

// launch histogram_skewed: --kernel histogram_skewed --grid 1056 --block 256 --arg u32[4194304] --arg u32[256]=0 --arg i32:4194304
// Four bins take nearly all of it.
__global__ void histogram_skewed(const unsigned* in, unsigned* bins, int n) {
    __shared__ unsigned held[256];
    held[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        unsigned word = mixed(in[i]);
        atomicAdd(&held[(word & 15) != 0 ? word >> 30 : word >> 24], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], held[threadIdx.x]);
}

// launch histogram_global: --kernel histogram_global --grid 4096 --block 256 --arg u32[1048576] --arg u32[1048576]=0 --arg u32:255
// launch histogram_many_bins: --kernel histogram_global --grid 16384 --block 256 --arg u32[4194304] --arg u32[1048576]=0 --arg u32:1048575
__global__ void histogram_global(const unsigned* in, unsigned* bins, unsigned mask) {
    int i = blockIdx.x * 256 + threadIdx.x;
    atomicAdd(&bins[mixed(in[i]) & mask], 1);
}

// launch one_counter: --kernel one_counter --grid 2048 --block 256 --arg u32[524288] --arg u32[1]=0
// The sum of what the lanes add differs from lane to lane, so that nobody adds it up beforehand.
__global__ void one_counter(const unsigned* in, unsigned* total) {
    atomicMax(total, mixed(in[blockIdx.x * 256 + threadIdx.x]));
}

// launch tickets: --kernel tickets --grid 16384 --block 128 --arg u32[1]=0 --arg u32[2097152]
// One ticket a block, which everybody waits for.
__global__ void tickets(unsigned* next, unsigned* out) {
    __shared__ unsigned ticket;
    if (threadIdx.x == 0) ticket = atomicAdd(next, 1) & 16383;
    __syncthreads();
    out[ticket * 128 + threadIdx.x] = ticket;
}

// launch add_floats_in_order: --kernel add_floats_in_order --grid 16384 --block 256 --arg f32[4194304]=0..1 --arg f32[65536]=0
__global__ void add_floats_in_order(const float* in, float* sums) {
    int i = blockIdx.x * 256 + threadIdx.x;
    atomicAdd(&sums[i & 65535], in[i]);
}

// launch histogram_of_warps: --kernel histogram_of_warps --grid 528 --block 128 --arg u32[4194304] --arg u32[64]=0 --arg i32:4194304
__global__ void histogram_of_warps(const unsigned* in, unsigned* bins, int n) {
    __shared__ unsigned held[4][64];
    for (int i = threadIdx.x; i < 256; i += 128) held[i / 64][i % 64] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
        atomicAdd(&held[threadIdx.x / 32][mixed(in[i]) & 63], 1);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&bins[threadIdx.x],
                  held[0][threadIdx.x] + held[1][threadIdx.x] + held[2][threadIdx.x] + held[3][threadIdx.x]);
}

// launch exchange_if: --kernel exchange_if --grid 2048 --block 256 --arg u32[524288] --arg u64[65536]=0
// Compare and exchange, once each, and the old value is needed.
__global__ void exchange_if(const unsigned* in, unsigned long long* places) {
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned long long* at = &places[mixed(in[i]) & 65535];
    unsigned long long seen = atomicCAS(at, 0ull, (unsigned long long)i);
    if (seen == ~0ull) atomicExch(at, 1ull);
}
