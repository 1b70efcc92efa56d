// Keeps the odd words of a block, in order: ballots, population counts and a scan of the warps' sums.
// lanewise-engine run compaction.cu --kernel compact --grid 2 --block 160 --arg u32[384] --arg u32[320]
// results: exact
__global__ void compact(unsigned* out, const unsigned* in) {
    __shared__ unsigned before[8];
    unsigned word = in[blockIdx.x * 160 + threadIdx.x];
    bool keeps = word & 1;
    unsigned votes = __ballot_sync(0xffffffff, keeps);
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0) before[warp] = __popc(votes);
    int all = __syncthreads_count(keeps);
    if (warp == 0) {
        unsigned mine = lane < 5 ? before[lane] : 0, sum = mine;
        #pragma unroll
        for (int d = 1; d < 8; d *= 2) {
            unsigned v = __shfl_up_sync(~0u, sum, d);
            if (lane >= d) sum += v;
        }
        if (lane < 5) before[lane] = sum - mine;
    }
    __syncthreads();
    unsigned place = before[warp] + __popc(votes & ((1u << lane) - 1));
    if (keeps) out[blockIdx.x * 160 + place] = word;
    if (threadIdx.x == 0) out[320 + blockIdx.x] = all;
}
