// Votes of warps and blocks, masks of the lanes that are there.
// lanewise-engine run votes.cu --kernel votes --grid 1 --block 96 --arg u32[864] --arg u32[96]
// results: exact
__global__ void votes(unsigned* out, const unsigned* in) {
    unsigned v = in[threadIdx.x], *mine = out + threadIdx.x * 9;
    bool odd = v & 1;
    mine[0] = __ballot_sync(~0u, odd);
    mine[1] = __any_sync(~0u, v < 1u << 27) + 2 * __all_sync(~0u, v > 1000) + 4 * __uni_sync(~0u, odd);
    mine[2] = __syncthreads_count(odd);
    mine[3] = __syncthreads_and(v != 12) + 2 * __syncthreads_or(v == in[70]);
    mine[4] = mine[5] = 0;
    if (odd) {
        mine[4] = __activemask();
        unsigned leader = __ffs(mine[4]) - 1;
        mine[5] = __shfl_sync(mine[4], v, leader);
    }
    mine[6] = __shfl_up_sync(~0u, v, 3, 8) ^ __shfl_down_sync(~0u, v, 2, 16);
    mine[7] = __shfl_xor_sync(~0u, v, 5, 8) + __shfl_sync(~0u, v, threadIdx.x * 7, 4);
    double wide = __shfl_down_sync(~0u, (double)v, 1);
    mine[8] = (unsigned)(wide / 3);
}
