// Two blocks of a cluster read each other's shared memory.
// lanewise-engine run cluster.cu --kernel exchanged --grid 4 --block 64 --arg u32[256] --arg u32[256] --include /usr/local/cuda/include/cccl
// results: exact
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) exchanged(unsigned* out, const unsigned* in) {
    __shared__ unsigned mine[64];
    cg::cluster_group cluster = cg::this_cluster();
    int i = blockIdx.x * 64 + threadIdx.x;
    mine[threadIdx.x] = in[i];
    cluster.sync();
    unsigned* other = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
    out[i] = other[63 - threadIdx.x] * 3;
    cluster.sync();
}
