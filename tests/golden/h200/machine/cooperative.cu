// Cooperative groups: tiles of 8 lanes, coalesced threads, a labelled partition, reduce and scan.
// lanewise-engine run cooperative.cu --kernel grouped --grid 2 --block 64 --arg i32[640] --arg u32[128] --include /usr/local/cuda/include/cccl
// results: exact
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void grouped(int* out, const unsigned* in) {
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int i = blockIdx.x * 64 + block.thread_rank(), v = in[i] % 1000;
    out += i * 5;
    out[0] = cg::reduce(tile, v, cg::plus<int>());
    out[1] = cg::inclusive_scan(tile, v, cg::plus<int>());
    out[2] = tile.shfl(v, (tile.thread_rank() + 3) % 8) + tile.any(v > 900);
    int count = 0;
    if (v % 3 == 0) {
        auto active = cg::coalesced_threads();
        count = active.size() * 100 + active.thread_rank();
        count += cg::reduce(active, v, cg::greater<int>());
    }
    out[3] = count;
    auto same = cg::labeled_partition(cg::tiled_partition<32>(block), v % 4);
    out[4] = same.size() * 1000 + same.meta_group_rank() * 0 + cg::reduce(same, v, cg::less<int>());
    block.sync();
}
