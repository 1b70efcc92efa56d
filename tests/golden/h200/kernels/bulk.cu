// Bulk copies of the tensor memory accelerator: ranges, and boxes of tensors of 1 to 3 dimensions,
// with every swizzle and element size, over the edges of the tensor too. What a box looks like in
// shared memory is copied out word by word, so that results settle the layout.
struct alignas(64) Map {
    unsigned long long opaque[16];
};
__device__ unsigned shared(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void make(unsigned long long* barrier) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared(barrier)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void expect(unsigned long long* barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(barrier)),
                 "r"(bytes)
                 : "memory");
}
__device__ void wait(unsigned long long* barrier, int parity) {
    asm volatile(
        "{\n.reg .pred over;\nAGAIN:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n@!over bra AGAIN;\n}" ::"r"(
            shared(barrier)),
        "r"(parity)
        : "memory");
}
__device__ void commit_and_wait() {
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
__device__ void fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

#define LOAD_TENSOR(TO, DIMENSIONS, COORDINATES, ...)                                       \
    asm volatile(                                                                           \
        "cp.async.bulk.tensor." DIMENSIONS                                                  \
        ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, " COORDINATES \
        "], [%2];" ::"r"(shared(TO)),                                                       \
        "l"(&map), "r"(shared(&full)), __VA_ARGS__                                          \
        : "memory")

extern __shared__ __align__(1024) unsigned box[];

// The words of the box as it lies in shared memory.
__device__ void show(unsigned* out, int words, int skip = 0) {
    for (int i = threadIdx.x; i < words; i += blockDim.x)
        out[blockIdx.x * words + i] = box[skip + i];
}

__global__ void load_1d(const __grid_constant__ Map map, unsigned* out, int words, int first,
                        int step) {
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        make(&full);
        expect(&full, 4 * words);
        LOAD_TENSOR(box, "1d", "{%3}", "r"(first + (int)blockIdx.x * step));
    }
    __syncthreads();
    wait(&full, 0);
    show(out, words);
}

// The box lies SKIP words into shared memory, and the swizzle goes by the address.
template <int SKIP>
__global__ void load_2d(const __grid_constant__ Map map, unsigned* out, int words, int col, int row,
                        int col_step, int row_step) {
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        make(&full);
        expect(&full, 4 * words);
        LOAD_TENSOR(box + SKIP, "2d", "{%3, %4}", "r"(col + (int)blockIdx.x * col_step),
                    "r"(row + (int)blockIdx.x * row_step));
    }
    __syncthreads();
    wait(&full, 0);
    show(out, words, SKIP);
}

__global__ void load_3d(const __grid_constant__ Map map, unsigned* out, int words, int col, int row,
                        int plane) {
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        make(&full);
        expect(&full, 4 * words);
        LOAD_TENSOR(box, "3d", "{%3, %4, %5}", "r"(col), "r"(row), "r"(plane + (int)blockIdx.x));
    }
    __syncthreads();
    wait(&full, 0);
    show(out, words);
}

// The words of `in` as a box, stored where it fits; what lies outside the tensor is left alone.
__global__ void store_2d(const __grid_constant__ Map map, const unsigned* in, int words, int col,
                         int row, int col_step, int row_step) {
    for (int i = threadIdx.x; i < words; i += blockDim.x) box[i] = in[blockIdx.x * words + i];
    fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile(
            "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::
                "l"(&map),
            "r"(col + (int)blockIdx.x * col_step), "r"(row + (int)blockIdx.x * row_step),
            "r"(shared(box))
            : "memory");
        commit_and_wait();
    }
}

// Ranges of bytes there and back.
__global__ void ranges(const unsigned* in, unsigned* out, int words, int from, int to) {
    __shared__ unsigned long long full;
    int skip = blockIdx.x * words;
    if (threadIdx.x == 0) {
        make(&full);
        expect(&full, 4 * words);
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
            "[%3];" ::"r"(shared(box)),
            "l"(in + from + skip), "r"(4 * words), "r"(shared(&full))
            : "memory");
        wait(&full, 0);
        asm volatile(
            "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + to + skip),
            "r"(shared(box)), "r"(4 * words)
            : "memory");
        commit_and_wait();
    }
}

// A tile of 32 x 32 words through the accelerator, transposed: swizzled, four lanes of a column meet
// in one bank, and not 32.
template <bool SWIZZLED>
__global__ void transpose(const __grid_constant__ Map map, unsigned* out, int rows) {
    __shared__ unsigned long long full;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        make(&full);
        expect(&full, 4096);
        LOAD_TENSOR(box, "2d", "{%3, %4}", "r"((int)blockIdx.x * 32), "r"((int)blockIdx.y * 32));
    }
    __syncthreads();
    wait(&full, 0);
    for (int j = threadIdx.y; j < 32; j += blockDim.y) {
        int row = threadIdx.x, chunk = j / 4 ^ (SWIZZLED ? row % 8 : 0);
        out[(blockIdx.x * 32 + j) * rows + blockIdx.y * 32 + row] =
            box[row * 32 + chunk * 4 + j % 4];
    }
}
