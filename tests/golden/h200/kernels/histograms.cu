// Histograms: private copies in shared memory, and the lanes of one bin found by match.
__global__ void privatised(unsigned* bins, const unsigned* in, int n) {
    __shared__ unsigned own[4][64];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) (&own[0][0])[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&own[threadIdx.x / 64][in[i] >> 26], 1u);
    __syncthreads();
    if (threadIdx.x < 64) {
        unsigned sum = 0;
        for (int copy = 0; copy < 4; ++copy) sum += own[copy][threadIdx.x];
        bins[threadIdx.x] = sum;
    }
}
__global__ void matched(unsigned* bins, const unsigned* in, int n) {
    __shared__ unsigned packed[16];  // two counters of 16 bits to a word
    if (threadIdx.x < 16) packed[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned bin = in[i] & 31, same = __match_any_sync(__activemask(), bin);
        if ((same & ((1u << (threadIdx.x & 31)) - 1)) == 0)
            atomicAdd(&packed[bin / 2], (unsigned)__popc(same) << (bin % 2 * 16));
    }
    __syncthreads();
    if (threadIdx.x < 32)
        bins[blockIdx.x * 32 + threadIdx.x] =
            reinterpret_cast<unsigned short*>(packed)[threadIdx.x];
}
