// One tile, stored twice: fence, barrier, copy, wait for its reads, barrier.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64 map:out:64x64:32x32:0
struct alignas(64) Map {
    unsigned long long opaque[16];
};
using Barrier = unsigned long long;
__device__ unsigned shared(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void make(Barrier* barrier, int count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(barrier)), "r"(count));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void expect(Barrier* barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(barrier)),
                 "r"(bytes)
                 : "memory");
}
__device__ void wait(Barrier* barrier, int parity) {
    asm volatile(
        "{\n.reg .pred over;\nAGAIN:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n@!over bra AGAIN;\n}" ::"r"(
            shared(barrier)),
        "r"(parity)
        : "memory");
}
__device__ void load_box(void* to, const Map& map, int col, int row, Barrier* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared(to)),
        "l"(&map), "r"(col), "r"(row), "r"(shared(barrier))
        : "memory");
}
__device__ void store_box(const Map& map, int col, int row, const void* from) {
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
            &map),
        "r"(col), "r"(row), "r"(shared(from))
        : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
__device__ void fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void wait_read() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
__global__ void kernel(const float* in, float* out, int rows, int cols,
                       const __grid_constant__ Map map) {
    __shared__ alignas(128) float tile[32][32];
    bool leads = threadIdx.x == 0 && threadIdx.y == 0;
    for (int step = 0; step < 2; ++step) {
        for (int j = threadIdx.y; j < 32; j += 8)
            tile[j][threadIdx.x] = in[j * cols + step * 32 + threadIdx.x];
        fence();
        __syncthreads();
        if (leads) {
            store_box(map, step * 32, 0, tile);
            wait_read();
        }
        __syncthreads();
    }
}
