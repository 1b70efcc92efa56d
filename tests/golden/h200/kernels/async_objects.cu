// cuda::barrier with memcpy_async, and cuda::pipeline with roles.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
__global__ void by_barrier(int* out, const int* in) {
    __shared__ int tile[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&barrier, block.size());
    block.sync();
    in += blockIdx.x * 128;
    out += blockIdx.x * 128;
    cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof(int) * 128), barrier);
    barrier.arrive_and_wait();
    out[threadIdx.x] = tile[127 - threadIdx.x];
    out[64 + threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void by_pipeline(int* out, const int* in, int steps) {
    __shared__ int tile[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    for (int now = 0, next = 0; now < steps; ++now) {
        for (; next < steps && next < now + 2; ++next) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[next % 2], in + next * 64, sizeof(int) * 64, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[now * 64 + threadIdx.x] = tile[now % 2][63 - threadIdx.x] + now;
        pipe.consumer_release();
    }
}
