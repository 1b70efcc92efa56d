// mbarriers, and boxes that the tensor memory accelerator copies, in the PTX that the planted
// kernels need of them: each helper is one instruction, or the loop that waits for one. Included by
// what lies here and below (the folder is given to the compiler).
#pragma once

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
// Arrives, and announces so many bytes that copies will bring.
__device__ void expect(Barrier* barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(barrier)),
                 "r"(bytes)
                 : "memory");
}
__device__ void arrive(Barrier* barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(barrier)) : "memory");
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
