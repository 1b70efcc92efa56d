// An array whose size the launch gives, behind a static one, in three parts.
// lanewise-engine run dynamic_shared.cu --kernel rotate --grid 2 --block 64 --dynamic-shared 1024 --arg u32[256] --arg u32[256]
// results: exact
__global__ void rotate(unsigned* out, const unsigned* in) {
    __shared__ unsigned char first[3];
    extern __shared__ unsigned words[];
    unsigned long long* pairs = reinterpret_cast<unsigned long long*>(words + 128);
    if (threadIdx.x < 3) first[threadIdx.x] = threadIdx.x + 1;
    words[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    words[threadIdx.x + 64] = in[blockIdx.x * 128 + threadIdx.x + 64];
    __syncthreads();
    pairs[threadIdx.x] = (unsigned long long)words[127 - threadIdx.x] << 32 | words[threadIdx.x];
    __syncthreads();
    int from = (threadIdx.x + first[threadIdx.x % 3]) % 64;
    out[blockIdx.x * 128 + 2 * threadIdx.x] = (unsigned)pairs[from];
    out[blockIdx.x * 128 + 2 * threadIdx.x + 1] = (unsigned)(pairs[from] >> 32);
}
