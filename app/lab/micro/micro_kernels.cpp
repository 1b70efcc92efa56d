// The CUDA of the micro-benchmarks. All have one signature, so that a row of the list
// (micro_list.cpp) says everything about a launch; what a, b and the template parameters mean
// stands above each kernel. Accesses whose result nobody needs are volatile assembly, or feed a
// comparison with a word that the memory does not hold.
#include "lab/micro/microbench.h"

namespace lanewise {

const char* micro_source() {
    return R"cuda(
typedef unsigned int u32;
typedef unsigned long long u64;

__device__ u32 folded(u32 v) { return v; }
__device__ u32 folded(uint2 v) { return v.x ^ v.y; }
__device__ u32 folded(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }
template <typename V> __device__ V filled(u32 word);
template <> __device__ u32 filled<u32>(u32 word) { return word; }
template <> __device__ uint2 filled<uint2>(u32 word) { return make_uint2(word, word); }
template <> __device__ uint4 filled<uint4>(u32 word) { return make_uint4(word, word, word, word); }
// Keeps the reads of `sum` alive; stores for one sum in four thousand million.
__device__ void need(char* memory, u32 sum) { if (sum == 0x2545f491u) *(u32*)memory = sum; }

__device__ u64 thread_of_grid() { return u64(blockIdx.x) * blockDim.x + threadIdx.x; }
// Pieces of PIECE neighbouring vectors, one piece every `stride` bytes.
template <typename V, int PIECE> __device__ u64 place(u64 vector, u64 stride) {
    return vector / PIECE * stride + vector % PIECE * sizeof(V);
}

// Each thread moves LOADS vectors once. a: bytes from piece to piece.
template <typename V, int LOADS, int PIECE>
__global__ void micro_read(char* memory, u64, u64 a, u64) {
    u64 first = u64(blockIdx.x) * blockDim.x * LOADS + threadIdx.x;
    V held[LOADS];
#pragma unroll
    for (int i = 0; i < LOADS; ++i)
        held[i] = *(const V*)(memory + place<V, PIECE>(first + u64(i) * blockDim.x, a));
    u32 sum = 0;
#pragma unroll
    for (int i = 0; i < LOADS; ++i) sum ^= folded(held[i]);
    need(memory, sum);
}
template <typename V, int LOADS, int PIECE>
__global__ void micro_write(char* memory, u64, u64 a, u64) {
    u64 first = u64(blockIdx.x) * blockDim.x * LOADS + threadIdx.x;
#pragma unroll
    for (int i = 0; i < LOADS; ++i)
        *(V*)(memory + place<V, PIECE>(first + u64(i) * blockDim.x, a)) = filled<V>(u32(first));
}
// From the first half of `bytes` to the second.
template <typename V, int LOADS, int PIECE>
__global__ void micro_copy(char* memory, u64 bytes, u64 a, u64) {
    u64 first = u64(blockIdx.x) * blockDim.x * LOADS + threadIdx.x;
    char* to = memory + bytes / 2;
    V held[LOADS];
#pragma unroll
    for (int i = 0; i < LOADS; ++i)
        held[i] = *(const V*)(memory + place<V, PIECE>(first + u64(i) * blockDim.x, a));
#pragma unroll
    for (int i = 0; i < LOADS; ++i)
        *(V*)(to + place<V, PIECE>(first + u64(i) * blockDim.x, a)) = held[i];
}

// The same through shared memory, with a barrier between the loads and the stores; each thread takes
// over what the one b threads further brought.
template <typename V, int LOADS, int THREADS>
__global__ void micro_staged(char* memory, u64 bytes, u64, u64 b) {
    __shared__ V held[LOADS * THREADS];
    V* from = (V*)memory + u64(blockIdx.x) * THREADS * LOADS;
    V* to = (V*)(memory + bytes / 2) + u64(blockIdx.x) * THREADS * LOADS;
#pragma unroll
    for (int i = 0; i < LOADS; ++i) held[i * THREADS + threadIdx.x] = from[i * THREADS + threadIdx.x];
    __syncthreads();
    u32 other = (threadIdx.x + u32(b)) % THREADS;
#pragma unroll
    for (int i = 0; i < LOADS; ++i) to[i * THREADS + other] = held[i * THREADS + other];
}

// The whole grid goes b times over `bytes` (a power of two), past L1. a: bytes between pieces.
template <typename V, int PIECE>
__global__ void micro_l2_read(char* memory, u64 bytes, u64 a, u64 b) {
    u64 step = u64(gridDim.x) * blockDim.x, vector = thread_of_grid();
    u32 sum = 0;
    for (u64 trip = 0; trip < b; trip += 4) {
        V held[4];
#pragma unroll
        for (int i = 0; i < 4; ++i, vector += step)
            held[i] = __ldcg((const V*)(memory + (place<V, PIECE>(vector, a) & (bytes - 1))));
#pragma unroll
        for (int i = 0; i < 4; ++i) sum ^= folded(held[i]);
    }
    need(memory, sum);
}
template <typename V, int PIECE>
__global__ void micro_l2_write(char* memory, u64 bytes, u64 a, u64 b) {
    u64 step = u64(gridDim.x) * blockDim.x, vector = thread_of_grid();
    for (u64 trip = 0; trip < b; trip += 4) {
#pragma unroll
        for (int i = 0; i < 4; ++i, vector += step)
            *(V*)(memory + (place<V, PIECE>(vector, a) & (bytes - 1))) = filled<V>(u32(vector));
    }
}

// Warp w touches word w % 32 of 32 lines that lie a bytes apart; 32 warps make the lines whole.
// Then come the 32 lines below these, as in a transpose, or (along) the neighbouring ones.
__device__ u64 column(u64 thread, u64 bytes, u64 pitch, bool along) {
    u64 warp = thread / 32, tile = warp / 32, per_row = pitch / 128, below = bytes / pitch / 32;
    u64 tile_row = along ? tile / per_row : tile % below;
    u64 tile_col = along ? tile % per_row : tile / below;
    return (tile_row * 32 + thread % 32) * pitch + tile_col * 128 + warp % 32 * 4;
}
// b: 0 writes, 1 reads; 2 more: along.
__global__ void micro_column(char* memory, u64 bytes, u64 a, u64 b) {
    char* at = memory + (column(thread_of_grid(), bytes, a, b & 2) & (bytes - 1));
    if (b & 1) need(memory, *(const u32*)at);
    else *(u32*)at = u32(a);
}

// A tile of 4 KiB per block, 16 bytes a thread, 256 threads: RUN bytes in each of 4096 / RUN rows
// that lie a bytes apart. WHAT: 0 reads, 1 writes, 2 copies to the second half of `bytes`.
// b: bit 0, bit 1: consecutive blocks go down the rows instead of along them, when reading, writing.
template <int RUN> __device__ u64 in_tile(u64 block, u64 area, u64 pitch, bool down) {
    u64 rows = 4096 / RUN, along = pitch / RUN, below = area / pitch / rows;
    u64 tile_row = down ? block % below : block / along;
    u64 tile_col = down ? block / below : block % along;
    u64 row = threadIdx.x / (RUN / 16), col = threadIdx.x % (RUN / 16);
    return (tile_row * rows + row) * pitch + tile_col * RUN + col * 16;
}
template <int WHAT, int RUN>
__global__ void micro_walk(char* memory, u64 bytes, u64 a, u64 b) {
    u64 area = WHAT == 2 ? bytes / 2 : bytes;
    const uint4* from = (const uint4*)(memory + in_tile<RUN>(blockIdx.x, area, a, b & 1));
    uint4* to = (uint4*)(memory + bytes - area + in_tile<RUN>(blockIdx.x, area, a, b & 2));
    if (WHAT == 0) need(memory, folded(*from));
    if (WHAT == 1) *to = filled<uint4>(u32(blockIdx.x));
    if (WHAT == 2) *to = *from;
}

// Thread runs beside each other, as a CPU would walk: lane l of a warp writes APART words one after
// another, each one row below the last, in rows l * APART, l * APART + 1, ...; the 8 warps of a
// block make the sectors whole. Rows lie a bytes apart, there are b of them, and consecutive blocks
// go down them. Few rows far apart, or many close together, at the same number of bytes: which of
// the two costs, the lines that are open or the pages that are touched.
template <int APART>
__global__ void micro_scatter(char* memory, u64, u64 a, u64 b) {
    u64 below = b / (32 * APART), row = blockIdx.x % below * (32 * APART) + threadIdx.x % 32 * APART;
    char* at = memory + blockIdx.x / below * 32 + threadIdx.x / 32 * 4;
    for (int i = 0; i < APART; ++i) *(u32*)(at + (row + i) * a) = u32(a);
}

// A ring of addresses through `bytes`, one every a bytes, in an order that jumps about: the
// generator i -> 5 i + 12345 visits every number below a power of two once.
__global__ void chase_fill(char* memory, u64 bytes, u64 a, u64) {
    u64 slots = bytes / a;
    for (u64 i = thread_of_grid(); i < slots; i += u64(gridDim.x) * blockDim.x)
        *(u64*)(memory + i * a) = u64(memory) + ((i * 5 + 12345) & (slots - 1)) * a;
}
// One thread follows the ring for b steps, each time from another place, so that a large ring is
// never in a cache.
__global__ void micro_chase(char* memory, u64 bytes, u64 a, u64 b) {
    u64 now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    u64 at = u64(memory) + now / 32 * 7919 % (bytes / a) * a;
    for (u64 i = 0; i < b; ++i) asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at));
    need(memory, u32(at));
}

// Each block reads 16 KiB of its own again and again, b times 8 loads. a: bytes between lanes.
__global__ void micro_l1_read(char* memory, u64, u64 a, u64 b) {
    char* base = memory + u64(blockIdx.x) * 32768 + threadIdx.x / 32 % 4 * 4096;
    char* at = base + threadIdx.x % 32 * a;
    u32 sum = 0;
    for (u64 trip = 0; trip < b; ++trip) {
        u32 v[8];
#pragma unroll
        for (int i = 0; i < 8; ++i)
            asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[i]) : "l"(at + i * 128));
#pragma unroll
        for (int i = 0; i < 8; ++i) sum += v[i];
        at += sum == 0x2545f491u;  // never: but no load may be taken out of the loop
    }
    need(memory, sum);
}

// Shared memory, b times 8 accesses; lanes lie a words apart: a of 2, 4, … give conflicts.
template <bool STORE>
__global__ void micro_shared(char* memory, u64, u64 a, u64 b) {
    __shared__ u32 words[32 * 32 + 8 * 32];
    u32 at = u32(__cvta_generic_to_shared(words)) + threadIdx.x % 32 * u32(a) * 4;
    u32 sum = 0;
    for (u64 trip = 0; trip < b; ++trip) {
        u32 v[8];
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            v[i] = u32(trip);
            if (STORE) asm volatile("st.shared.u32 [%0], %1;" : : "r"(at + i * 128), "r"(v[i]));
            else asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[i]) : "r"(at + i * 128));
        }
#pragma unroll
        for (int i = 0; i < 8; ++i) sum += v[i];
        at += sum == 0x2545f491u;  // never: but no load may be taken out of the loop
    }
    need(memory, sum);
}

// b times 64 multiply-adds, in CHAINS chains that do not wait for each other.
template <typename V, int CHAINS>
__global__ void micro_issue(char* memory, u64, u64 a, u64 b) {
    V held[CHAINS], factor = V(a);
#pragma unroll
    for (int i = 0; i < CHAINS; ++i) held[i] = V(threadIdx.x + i);
    for (u64 trip = 0; trip < b; ++trip) {
#pragma unroll
        for (int i = 0; i < 64; ++i) held[i % CHAINS] = held[i % CHAINS] * factor + factor;
    }
    V sum = held[0];
#pragma unroll
    for (int i = 1; i < CHAINS; ++i) sum += held[i];
    need(memory, u32(sum));
}

__global__ void micro_barrier(char*, u64, u64, u64 b) {
    for (u64 trip = 0; trip < b; ++trip) __syncthreads();
}

// A block that does nothing; one whose warps stay for a clocks.
__global__ void micro_block(char*, u64, u64, u64) {}
__global__ void micro_stay(char*, u64, u64 a, u64) {
    long long start = clock64();
    while (clock64() - start < (long long)a) {}
}

// For the occupancy sweep: LIVE words held at once, SHARED bytes of static shared memory.
template <int LIVE, int SHARED>
__global__ void occupying(u32* memory, int step) {
    if constexpr (SHARED > 0) {
        __shared__ char held[SHARED];
        held[threadIdx.x % SHARED] = char(step);
        __syncthreads();
        memory[threadIdx.x] = u32(held[(threadIdx.x + 1) % SHARED]);
    }
    u32 live[LIVE];
#pragma unroll
    for (int i = 0; i < LIVE; ++i)
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(live[i]) : "l"(memory + i * step));
#pragma unroll
    for (int i = 0; i < LIVE; ++i)
        asm volatile("st.global.u32 [%0], %1;" : : "l"(memory + i * step + 1), "r"(live[i]));
}
)cuda";
}

}  // namespace lanewise
