// What is kept moves together: places by ballots in a warp, by a scan over the warps.
// grid: 2
// block: 128
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float kept[128];
    __shared__ unsigned first[4], total;
    int i = threadIdx.x, lane = i % 32, warp = i / 32;
    float value = in[blockIdx.x * 128 + i];
    bool keep = __float_as_uint(value) % 3 == 0;
    unsigned votes = __ballot_sync(~0u, keep);
    if (lane == 0) first[warp] = __popc(votes);
    __syncthreads();
    if (i == 0) {
        total = 0;
        for (int w = 0; w < 4; ++w) {
            unsigned count = first[w];
            first[w] = total;
            total += count;
        }
    }
    __syncthreads();
    if (keep) kept[first[warp] + __popc(votes & ((1u << lane) - 1))] = value;
    __syncthreads();
    if (i < total) out[blockIdx.x * 128 + i] = kept[i];
}
