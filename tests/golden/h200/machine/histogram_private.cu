// A histogram in shared memory, one copy for each warp, with matches in the warp first.
// lanewise-engine run histogram_private.cu --kernel histogram --grid 2 --block 128 --arg u32[64] --arg u32[1024]
// results: exact
__global__ void histogram(unsigned* bins, const uint4* in) {
    __shared__ unsigned mine[4][33];
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    mine[warp][lane] = 0;
    if (blockIdx.x == 0 && threadIdx.x < 64) bins[threadIdx.x] = 0;
    __syncwarp();
    uint4 four = in[blockIdx.x * 128 + threadIdx.x];
    unsigned keys[] = {four.x % 32, four.y % 31, four.z % 5, four.w >> 27};
    for (unsigned key : keys) {
        unsigned same = __match_any_sync(0xffffffff, key);
        if (__ffs(same) - 1 == lane) atomicAdd(&mine[warp][key], __popc(same));
    }
    __syncthreads();
    if (warp == 0) bins[blockIdx.x * 32 + lane] = mine[0][lane] + mine[1][lane] + mine[2][lane] + mine[3][lane];
}
