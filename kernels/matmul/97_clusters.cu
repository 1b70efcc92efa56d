/*---
title   = "Clusters: two blocks share a tile of B"
types   = ["f16"]
arch    = "sm_90a"
block   = ["384"]
grid    = ["2 * min(ceil_div(M, 256) * ceil_div(N, COLS), PAIRS)"]
dynamic_shared = "STAGES * (64 * (128 + COLS) * 2 + 16)"
compare = "95_wgmma"
[tile]
array = "memory"
rows  = "128"
cols  = "64"
pitch = "64"
[[tensor]]
of      = "A"
box     = ["128", "64"]
swizzle = "128B"
[[tensor]]
of      = "B"
box     = ["64", "64"]
swizzle = "128B"
[knob.STAGES]
choices = [2, 3, 4]
help    = "pairs of tiles that a block keeps room for: one is multiplied while the others arrive"
[knob.PAIRS]
choices = [57, 64, 66]
help    = "pairs of blocks, each block on a multiprocessor of its own: an H100 PCIe has room for 57 pairs, H100 SXM and H200 for 66"
[knob.COLS]
choices = [128, 256]
help    = "columns of C in a block's tile: narrow ones give a small or narrow C more blocks"
---*/

// Idea: two blocks whose tiles of C lie one below the other need the same tile of B. They run as a
// cluster, each fetches half of it, and the hardware puts that half into both blocks' shared memory.
// Still wrong: the tensor cores wait while a block stores its tile of C. And where a shape leaves the
// last clusters without work, nobody shares theirs.
#include <cuda_fp16.h>

struct alignas(64) TensorMap {
    unsigned long long opaque[16];
};
using Barrier = unsigned long long;

__device__ unsigned shared(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// ---- Barriers: a phase ends when so many have arrived and all expected bytes are there ----------

__device__ void begin(Barrier* barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(barrier)), "r"(arrivals)
                 : "memory");
}
__device__ void expect(Barrier* barrier, int bytes) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared(barrier)),
                 "r"(bytes)
                 : "memory");
}
__device__ void arrive(Barrier* barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(barrier)) : "memory");
}
__device__ void wait(Barrier* barrier, unsigned phase) {  // until this phase, 0 or 1, has ended
    asm volatile(
        "{\n.reg .pred over;\nAGAIN:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n@!over bra AGAIN;\n}" ::"r"(
            shared(barrier)),
        "r"(phase)
        : "memory");
}

// ---- A cluster's blocks -------------------------------------------------------------------------

constexpr int CLUSTER = 2;  // blocks in a cluster

__device__ unsigned number_in_cluster() {
    unsigned number;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(number));
    return number;
}
__device__ void arrive_there(Barrier* barrier, unsigned block) {  // at another block's, or one's own
    asm volatile(
        "{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(shared(barrier)),
        "r"(block)
        : "memory");
}
__device__ void wait_for_cluster() {  // all threads of all its blocks
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

// ---- Fetching, in boxes 64 columns wide: what lies outside the matrix comes as zeros -------------

__device__ void fetch(void* to, const TensorMap& map, int col, int row, Barrier* full) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared(to)),
        "l"(&map), "r"(col), "r"(row), "r"(shared(full))
        : "memory");
}
// To the same place in both blocks. Each block's own barrier there counts the bytes.
__device__ void fetch_for_both(void* to, const TensorMap& map, int col, int row, Barrier* full) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared(to)),
        "l"(&map), "r"(col), "r"(row), "r"(shared(full)), "h"((unsigned short)((1 << CLUSTER) - 1))
        : "memory");
}
// 64 x 64 elements by 128 threads, to where the swizzle would have put them. A thread asks for all
// of its 32 before it stores the first: it waits once, and not for each.
template <typename T>
__device__ void copy(T* to, const T* from, int rows, int cols, int first_col, int first_row,
                     int thread) {
    const int row = thread / 64, col = thread % 64;
    from += size_t(first_row + row) * cols + first_col + col;
    T held[32];
#pragma unroll
    for (int i = 0; i < 32; ++i) {
        bool inside = first_row + row + 2 * i < rows && first_col + col < cols;
        held[i] = inside ? from[size_t(2 * i) * cols] : T(0);
    }
#pragma unroll
    for (int i = 0; i < 32; ++i) {
        int at = row + 2 * i;
        to[at * 64 + (col ^ at % 8 * 8)] = held[i];
    }
}

// ---- Multiplying --------------------------------------------------------------------------------

// Where a tile lies, for wgmma: 16-byte units of its address, of the bytes from one 64 columns to
// the next, and of those from one group of eight rows to the next; then the swizzle, of 128 bytes.
__device__ unsigned long long place_of(const void* tile, unsigned next_columns) {
    constexpr unsigned long long EIGHT_ROWS = 8 * 128, SWIZZLE_128B = 1;
    return (shared(tile) & 0x3ffff) >> 4 | (unsigned long long)(next_columns >> 4) << 16 |
           EIGHT_ROWS >> 4 << 32 | SWIZZLE_128B << 62;
}

// wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {128 sums}, place of A, place of B, …; and
// with fewer columns fewer sums. Those of a thread as operands, in tens and in eights:
#define TEN(n) \
    "%" n "0, %" n "1, %" n "2, %" n "3, %" n "4, %" n "5, %" n "6, %" n "7, %" n "8, %" n "9, "
#define EIGHT(i)                                                                              \
    "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3]), "+f"(sum[i + 4]),     \
        "+f"(sum[i + 5]), "+f"(sum[i + 6]), "+f"(sum[i + 7])

#define MULTIPLY(cols, registers, places, ...)                                                 \
    asm volatile("wgmma.mma_async.sync.aligned.m64n" cols "k16.f32.f16.f16 {" registers "}, " \
                 places ", 1, 1, 1, 0, 1;"                                                    \
                 : __VA_ARGS__                                                                \
                 : "l"(a), "l"(b))

// 64 rows of C += 64 x 16 of A * 16 rows of B, for the four warps that ask for it together: two
// columns for each sum of a thread. The 1 at the end: B's rows lie along N, so it is to be read
// turned.
template <int SUMS>
__device__ void multiply(float (&sum)[SUMS], unsigned long long a, unsigned long long b) {
    if constexpr (SUMS == 64)
        MULTIPLY("128",
                 TEN("") TEN("1") TEN("2") TEN("3") TEN("4") TEN("5") "%60, %61, %62, %63",
                 "%64, %65",
                 EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48),
                 EIGHT(56));
    else
        MULTIPLY("256",
                 TEN("") TEN("1") TEN("2") TEN("3") TEN("4") TEN("5") TEN("6") TEN("7")
                 TEN("8") TEN("9") TEN("10") TEN("11")
                 "%120, %121, %122, %123, %124, %125, %126, %127", "%128, %129",
                 EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48),
                 EIGHT(56), EIGHT(64), EIGHT(72), EIGHT(80), EIGHT(88), EIGHT(96), EIGHT(104),
                 EIGHT(112), EIGHT(120));
}
__device__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void close_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int NEWER>  // groups of products that may still be under way
__device__ void wait_for_products() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(NEWER) : "memory");
}

template <typename T = __half, int STAGES = 4, int PAIRS = 64, int COLS = 256>
__global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(384, 1)
    matmul_clusters(const T* A, const T* B, float* C, int M, int N, int K,
                    const __grid_constant__ TensorMap a_map,
                    const __grid_constant__ TensorMap b_map) {
    constexpr int ROWS = 128, DEEP = 64, GROUP = 4;
    constexpr int A_TILE = ROWS * DEEP, B_BOX = DEEP * 64, B_TILE = DEEP * COLS;  // elements
    constexpr int HALF = COLS / 64 / CLUSTER;                                        // boxes of B
    extern __shared__ __align__(1024) unsigned char memory[];
    T* a_tiles = reinterpret_cast<T*>(memory);          // STAGES of [row][64 k]
    T* b_tiles = a_tiles + STAGES * A_TILE;             // STAGES of [box][k][64 columns]
    Barrier* full = reinterpret_cast<Barrier*>(b_tiles + STAGES * B_TILE);
    Barrier* empty = full + STAGES;
    const unsigned mine = number_in_cluster();

    // No map can describe rows that are no multiple of 16 bytes: those are fetched by threads, by
    // each block for itself.
    const bool a_by_map = K % 8 == 0, b_by_map = N % 8 == 0;
    const int fetchers = a_by_map && b_by_map ? 1 : 128;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            begin(&full[stage], fetchers);
            begin(&empty[stage], 2 * CLUSTER);  // of each four warps that multiply, in both blocks
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    wait_for_cluster();  // no thread arrives at a barrier, or fills a tile, that is not there yet

    // Tiles of C with neighbouring numbers go down GROUP pairs of tiles, then one column on.
    const unsigned down = (M + CLUSTER * ROWS - 1) / (CLUSTER * ROWS), across = (N + COLS - 1) / COLS;
    const unsigned first_tile = blockIdx.x / CLUSTER, clusters = gridDim.x / CLUSTER;
    const int steps = (K + DEEP - 1) / DEEP;
    auto place = [&](unsigned tile, int& row, int& col) {
        unsigned first = tile / (GROUP * across) * GROUP, number = tile % (GROUP * across);
        unsigned height = min(down - first, unsigned(GROUP));
        row = ((first + number % height) * CLUSTER + mine) * ROWS;
        col = number / height * COLS;
    };
    int stage = 0;
    unsigned phase = 0;  // of the stage's barriers: it changes once all stages had their turn
    auto next_stage = [&] {
        if (++stage < STAGES) return;
        stage = 0;
        phase ^= 1;
    };

    if (threadIdx.x >= 256) {  // four warps fetch; where both sides have maps, one thread of them
        int thread = threadIdx.x - 256;
        for (unsigned tile = first_tile; thread < fetchers && tile < down * across;
             tile += clusters) {
            int first_row, first_col;
            place(tile, first_row, first_col);
            for (int first_k = 0; first_k < K; first_k += DEEP, next_stage()) {
                T *a_tile = a_tiles + stage * A_TILE, *b_tile = b_tiles + stage * B_TILE;
                wait(&empty[stage], phase ^ 1);  // in both blocks; the first time round it is
                if (thread == 0) {
                    expect(&full[stage], (a_by_map * A_TILE + b_by_map * B_TILE) * sizeof(T));
                    if (a_by_map) fetch(a_tile, a_map, first_k, first_row, &full[stage]);
                    for (int i = mine * HALF; b_by_map && i < (mine + 1) * HALF; ++i)
                        fetch_for_both(b_tile + i * B_BOX, b_map, first_col + i * 64, first_k,  // <-
                                       &full[stage]);
                }
                for (int i = 0; !a_by_map && i < ROWS; i += 64)
                    copy(a_tile + i * DEEP, A, M, K, first_k, first_row + i, thread);
                for (int i = 0; !b_by_map && i < COLS / 64; ++i)
                    copy(b_tile + i * B_BOX, B, K, N, first_col + i * 64, first_k, thread);
                if (fetchers > 1)  // wgmma may look now at what threads have written
                    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
                arrive(&full[stage]);
            }
        }
    } else {  // eight warps multiply: 64 rows of the tile for each four of them
        const int four = threadIdx.x / 128, warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
        const unsigned thread = threadIdx.x % 128;
        for (unsigned tile = first_tile; tile < down * across; tile += clusters) {
            int first_row, first_col;
            place(tile, first_row, first_col);
            float sum[COLS / 2] = {};
            int before = 0;  // the stage of the products that were asked for last
            for (int step = 0; step < steps; ++step, next_stage()) {
                wait(&full[stage], phase);
                unsigned long long a = place_of(a_tiles + stage * A_TILE + four * 64 * DEEP, 0);
                unsigned long long b = place_of(b_tiles + stage * B_TILE, B_BOX * sizeof(T));
                begin_products();
#pragma unroll
                for (int k = 0; k < DEEP; k += 16)  // 16 k further: 32 bytes of A, 16 rows of B
                    multiply(sum, a + k * 2 / 16, b + k * 128 / 16);
                close_products();
                wait_for_products<1>();  // those before these are done with their tiles
                if (step > 0 && thread < CLUSTER) arrive_there(&empty[before], thread);
                before = stage;
            }
            wait_for_products<0>();
            if (steps > 0 && thread < CLUSTER) arrive_there(&empty[before], thread);

            // A warp has 16 rows of the 64; a lane two neighbours of each eight columns, twice.
            int row = first_row + four * 64 + warp * 16 + lane / 4, col = first_col + lane % 4 * 2;
#pragma unroll
            for (int i = 0; i < COLS / 2; i += 2) {
                int at_row = row + i / 2 % 2 * 8, at_col = col + i / 4 * 8;
                if (at_row >= M || at_col >= N) continue;
                float* to = C + size_t(at_row) * N + at_col;
                if (N % 2 == 0) {
                    *reinterpret_cast<float2*>(to) = make_float2(sum[i], sum[i + 1]);
                } else {
                    to[0] = sum[i];
                    if (at_col + 1 < N) to[1] = sum[i + 1];
                }
            }
        }
    }
    wait_for_cluster();  // the other block may still arrive here, and fill tiles here
}
