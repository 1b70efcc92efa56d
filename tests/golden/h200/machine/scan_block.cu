// An inclusive scan of a block, step by step in shared memory (Hillis and Steele).
// lanewise-engine run scan_block.cu --kernel scan --grid 3 --block 128 --arg u32[384] --arg u32[384]
// results: exact
__global__ void scan(unsigned* out, const unsigned* in) {
    __shared__ unsigned sums[2][128];
    int i = threadIdx.x, at = 0;
    sums[0][i] = in[blockIdx.x * 128 + i];
    for (int by = 1; by < 128; by *= 2) {
        __syncthreads();
        sums[1 - at][i] = sums[at][i] + (i >= by ? sums[at][i - by] : 0);
        at = 1 - at;
    }
    out[blockIdx.x * 128 + i] = sums[at][i];
}
