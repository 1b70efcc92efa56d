/*---
title   = "TMA, swizzled by the hardware"
types   = ["f32", "f64", "f16", "u8"]
arch    = "sm_90"
block   = ["64 * min(BOXES, element_bytes) * min(BOXES, element_bytes)"]
grid    = ["ceil_div(cols, min(BOXES, element_bytes) * 128 / element_bytes) * ceil_div(rows, min(BOXES, element_bytes) * 128 / element_bytes)", "1", "batch"]
compare = "82_async"
[without]
f32x4 = "The tensor maps of the copy engine know elements of 1 to 8 bytes."
[tile]
array = "tile"
rows  = "min(BOXES, element_bytes) * min(BOXES, element_bytes) * 128 / element_bytes"
cols  = "128 / element_bytes"
pitch = "128 / element_bytes"
[[tensor]]
of      = "in"
box     = ["128 / element_bytes", "128 / element_bytes"]
swizzle = "128B"
[[tensor]]
of      = "out"
box     = ["128 / element_bytes", "128 / element_bytes"]
swizzle = "128B"
[knob.BOXES]
choices = [1, 2]
help    = "boxes of 128 bytes on each side of a block's tile; of 1-byte elements always one"
[knob.DIAGONAL]
choices = [0, 1]
help    = "1: neighbouring lanes take squares on a diagonal, 0: one below the other"
---*/

// Idea: no thread loads and no thread stores. One of them describes a box, and the tensor memory
// accelerator of a Hopper card fetches it, spreads its 16-byte chunks over the banks (a swizzle like
// ours, in hardware), cuts it off at the edges of the matrix, and brings the turned box back.
// Still wrong: a block waits for its boxes with nothing else to do, and rows must be a multiple of
// 16 bytes. Where they are not, threads move that side one element at a time.
struct alignas(64) TensorMap {  // what cuTensorMapEncodeTiled writes; nobody else reads it
    unsigned long long opaque[16];
};
using Barrier = unsigned long long;

__device__ unsigned shared(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void begin(Barrier* barrier, int bytes) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared(barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(barrier)),
                 "r"(bytes)
                 : "memory");
}
__device__ void wait(Barrier* barrier) {
    asm volatile(
        "{\n.reg .pred over;\nAGAIN:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], 0;\n@!over bra AGAIN;\n}" ::"r"(
            shared(barrier))
        : "memory");
}
__device__ void fetch(void* to, const TensorMap& map, int col, int row, int matrix, Barrier* full) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(shared(to)),
        "l"(&map), "r"(col), "r"(row), "r"(matrix), "r"(shared(full))
        : "memory");
}
__device__ void bring_back(const TensorMap& map, int col, int row, int matrix, const void* from) {
    asm volatile(
        "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(
            &map),
        "r"(col), "r"(row), "r"(matrix), "r"(shared(from))
        : "memory");
}

template <typename T>
union Chunk {  // 16 bytes: what the hardware's swizzle keeps together
    uint4 words;
    T element[16 / sizeof(T)];
};

template <typename T, int BOXES>
constexpr int across_a_tile = sizeof(T) < BOXES ? sizeof(T) : BOXES;  // boxes

template <typename T = float, int BOXES = 2, int DIAGONAL = 1>
__global__ void __launch_bounds__(64 * across_a_tile<T, BOXES> * across_a_tile<T, BOXES>)
    transpose_tma(const T* in, T* out, int rows, int cols, int batch,
                  const __grid_constant__ TensorMap from, const __grid_constant__ TensorMap to) {
    constexpr int SIDE = 16 / sizeof(T);  // of a square that a thread turns, in elements
    constexpr int BOX = 8 * SIDE;         // of a box: 128 bytes, eight squares
    constexpr int N = across_a_tile<T, BOXES>, TILE = N * BOX;
    __shared__ alignas(1024) Chunk<T> tile[N * N][BOX][8];
    __shared__ Barrier full;
    // Where the hardware puts chunk `across` of a row: bits 4-6 of its address XOR bits 7-9.
    auto place = [](int row, int across) { return across ^ (row % 8); };

    unsigned tiles_down = (rows + TILE - 1) / TILE;
    int first_row = blockIdx.x % tiles_down * TILE, first_col = blockIdx.x / tiles_down * TILE;
    int box = threadIdx.x / 64, lane = threadIdx.x % 64;
    int row = first_row + box / N * BOX, col = first_col + box % N * BOX;

    if (cols % SIDE == 0) {
        if (threadIdx.x == 0) {
            begin(&full, sizeof tile);
            for (int b = 0; b < N * N; ++b)  // also what lies outside: it comes as zeros
                fetch(tile[b], from, first_col + b % N * BOX, first_row + b / N * BOX, blockIdx.z,
                      &full);  // <-
        }
        __syncthreads();
        wait(&full);
    } else {  // such rows cannot be described to the hardware
        const T* matrix = &in[size_t(blockIdx.z) * rows * cols];
        for (int i = lane; i < BOX * BOX; i += 64) {
            int r = i / BOX, c = i % BOX;
            bool inside = row + r < rows && col + c < cols;
            tile[box][r][place(r, c / SIDE)].element[c % SIDE] =
                inside ? matrix[size_t(row + r) * cols + col + c] : T(0);
        }
        __syncthreads();
    }

    int deep = lane % 8, across = DIAGONAL ? deep ^ lane / 8 : lane / 8;  // <-
    Chunk<T> held[SIDE];
    for (int i = 0; i < SIDE; ++i) {
        int r = deep * SIDE + i;
        held[i].words = tile[box][r][place(r, across)].words;
    }
    __syncthreads();  // everybody holds its square: the tile may be overwritten
    for (int i = 0; i < SIDE; ++i) {
        int r = across * SIDE + i;
        Chunk<T> turned;
        for (int k = 0; k < SIDE; ++k) turned.element[k] = held[k].element[i];
        tile[box][r][place(r, deep)].words = turned.words;
    }

    if (rows % SIDE == 0) {
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the hardware may look now
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int b = 0; b < N * N; ++b)
                bring_back(to, first_row + b / N * BOX, first_col + b % N * BOX, blockIdx.z,
                           tile[b]);  // <- row and column change places
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        }
    } else {
        __syncthreads();
        T* matrix = &out[size_t(blockIdx.z) * rows * cols];
        for (int i = lane; i < BOX * BOX; i += 64) {
            int r = i / BOX, c = i % BOX;
            if (col + r < cols && row + c < rows)
                matrix[size_t(col + r) * rows + row + c] =
                    tile[box][r][place(r, c / SIDE)].element[c % SIDE];
        }
    }
}
