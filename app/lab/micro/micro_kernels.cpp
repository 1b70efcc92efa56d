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

// ---- What the machine of time needs (rows "time_…")

// One operation, for each class of units that take turns; 2: two operations of that class.
template <int OP> __device__ void operate(u32& v, u32 k) {
    if (OP == 0) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+r"(v) : "r"(k));
    if (OP == 1) asm volatile("add.s32 %0, %0, %1;\n\txor.b32 %0, %0, %1;" : "+r"(v) : "r"(k));
    if (OP == 2) asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(v) : "r"(k));
    if (OP == 3) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+r"(v));
    if (OP == 4) asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(v));
    if (OP == 5) asm volatile("popc.b32 %0, %0;" : "+r"(v));
    if (OP == 6) asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(v) : "r"(k));
    if (OP == 7) asm volatile("cvt.rn.f32.s32 %0, %0;\n\tcvt.rzi.s32.f32 %0, %0;" : "+r"(v));
    if (OP == 8) asm volatile("{.reg .pred p; setp.ne.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, -1;}"
                              : "+r"(v) : "r"(k));
    if (OP == 9) asm volatile("max.s32 %0, %0, %1;\n\tmin.s32 %0, %0, %2;" : "+r"(v) : "r"(k), "r"(~k));
    if (OP == 10) asm volatile("redux.sync.max.u32 %0, %0, -1;" : "+r"(v));
    if (OP == 11) asm volatile("shl.b32 %0, %0, %1;" : "+r"(v) : "r"(k));
    if (OP == 12) asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+r"(v));
    if (OP == 13) asm volatile("add.rn.f32 %0, %0, %1;" : "+r"(v) : "r"(k));
}
template <int OP> __device__ void operate(u64& v, u64 k) {
    if (OP == 20) asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+l"(v) : "l"(k));
    if (OP == 21) asm volatile("mad.lo.u64 %0, %0, %1, %1;" : "+l"(v) : "l"(k));
    if (OP == 22) asm volatile("add.u64 %0, %0, %1;\n\txor.b64 %0, %0, %1;" : "+l"(v) : "l"(k));
}
// b times 32 of them, in CHAINS chains that do not wait for each other.
template <int OP, int CHAINS, typename V>
__global__ void micro_operation(char* memory, u64, u64 a, u64 b) {
    V held[CHAINS];
#pragma unroll
    for (int i = 0; i < CHAINS; ++i) held[i] = V(threadIdx.x * 3 + i);
    for (u64 trip = 0; trip < b; ++trip) {
#pragma unroll
        for (int i = 0; i < 32; ++i) operate<OP>(held[i % CHAINS], V(a));
    }
    V sum = held[0];
#pragma unroll
    for (int i = 1; i < CHAINS; ++i) sum += held[i];
    need(memory, u32(sum));
}

// Products on tensor cores, m16n8k16 of halves with sums in float: b times 8, in CHAINS chains.
template <int CHAINS>
__global__ void micro_mma(char* memory, u64, u64 a, u64 b) {
    float sums[CHAINS][4] = {};
    u32 x = u32(a) + threadIdx.x;
    for (u64 trip = 0; trip < b; ++trip) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            float(&d)[4] = sums[i % CHAINS];
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "
                         "{%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
                         : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x));
        }
    }
    float sum = 0;
#pragma unroll
    for (int i = 0; i < CHAINS; ++i) sum += sums[i][0] + sums[i][1] + sums[i][2] + sums[i][3];
    need(memory, u32(sum));
}

// The same of doubles, m16n8k8.
template <int CHAINS>
__global__ void micro_mma_real(char* memory, u64, u64 a, u64 b) {
    double sums[CHAINS][4] = {};
    double x = double(u32(a) + threadIdx.x);
    for (u64 trip = 0; trip < b; ++trip) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            double(&d)[4] = sums[i % CHAINS];
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, "
                         "{%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
                         : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3]) : "d"(x));
        }
    }
    double sum = 0;
#pragma unroll
    for (int i = 0; i < CHAINS; ++i) sum += sums[i][0] + sums[i][1] + sums[i][2] + sums[i][3];
    need(memory, u32(sum));
}

// A chain of b times 32 sums of floats by one warp, where PRODUCTS beside another warp's products on tensor cores, which last
// nearly as long: how fast the clock is then. Products now and then would not do, since a tensor core that has slept wakes slowly.
template <int PRODUCTS>
__global__ void micro_clock(char* memory, u64, u64 a, u64 b) {
    constexpr u64 kProducts = 5;  // take some 24 clocks each, and the sums 130
    float held = float(threadIdx.x), more = float(a), d[4] = {};
    u32 x = u32(a) + threadIdx.x;
    if (threadIdx.x < 32) {
        for (u64 trip = 0; trip < b; ++trip)
#pragma unroll
            for (int i = 0; i < 32; ++i) asm volatile("fma.rn.f32 %0, %0, %0, %1;" : "+f"(held) : "f"(more));
    } else if (PRODUCTS) {
        for (u64 trip = 0; trip < b * kProducts; ++trip)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "
                         "{%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
                         : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x));
    }
    need(memory, u32(held + d[0] + d[1] + d[2] + d[3]));
}

// b times 8 of ldmatrix.x4, rows a bytes apart.
__global__ void micro_ldmatrix(char* memory, u64, u64 a, u64 b) {
    __shared__ __align__(16) u32 words[32 * 36];
    u32 at = u32(__cvta_generic_to_shared(words)) + threadIdx.x % 32 * u32(a), sum = 0;
    for (u64 trip = 0; trip < b; ++trip)
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            u32 v[4];
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                         : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "r"(at));
            sum += v[0] ^ v[1] ^ v[2] ^ v[3];
        }
    need(memory, sum);
}

// One thread follows a ring of 32 words in shared memory for b steps.
__global__ void micro_shared_chase(char* memory, u64, u64, u64 b) {
    __shared__ u32 words[32];
    u32 base = u32(__cvta_generic_to_shared(words));
    for (u32 i = 0; i < 32; ++i) words[i] = base + (i * 5 + 7) % 32 * 4;
    u32 at = base;
    for (u64 i = 0; i < b; ++i) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
    need(memory, at);
}

// b turns of a loop with one multiply-add; DIVERGE: and sixteen in each side of a branch.
template <bool DIVERGE>
__global__ void micro_loop(char* memory, u64, u64 a, u64 b) {
    float v = threadIdx.x, factor = a;
    u32 w = threadIdx.x;
#pragma unroll 1
    for (u32 trip = 0; trip < u32(b); ++trip) {
        v = v * factor + factor;
        if (DIVERGE) {
            if ((threadIdx.x + trip) & 1) {
#pragma unroll
                for (int i = 0; i < 16; ++i) asm volatile("mad.lo.s32 %0, %0, %0, %0;" : "+r"(w));
            } else {
#pragma unroll
                for (int i = 0; i < 16; ++i) asm volatile("mad.lo.s32 %0, %0, %0, 7;" : "+r"(w));
            }
        }
    }
    need(memory, u32(v) + w);
}

__device__ u32 mixed(u32 word) {
    word *= 2654435761u;
    word ^= word >> 15;
    word *= 2246822519u;
    return word ^ word >> 13;
}
// Atomics on global memory, b each thread. KIND: 0 red.add, 1 atom.add, 2 red.add of floats, 3
// atom.cas of 8 bytes, 4 red.max. Words, out of a (a power of two): PLACE 0 at random, 1 lane by
// lane, 2 one for a warp, 32 words apart.
template <int KIND> __device__ u32 add_to(char* at, u32 value) {
    u32 old = 0;
    u64 wide = 0;
    if (KIND == 0) asm volatile("red.global.add.u32 [%0], %1;" : : "l"(at), "r"(value) : "memory");
    if (KIND == 1) asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(at), "r"(value) : "memory");
    if (KIND == 2) asm volatile("red.global.add.f32 [%0], %1;" : : "l"(at), "f"(1.0f) : "memory");
    if (KIND == 3) asm volatile("atom.global.cas.b64 %0, [%1], %2, %2;" : "=l"(wide) : "l"(at), "l"(u64(value)) : "memory");
    if (KIND == 4) asm volatile("red.global.max.u32 [%0], %1;" : : "l"(at), "r"(value) : "memory");
    return old ^ u32(wide);
}
template <int KIND, int PLACE>
__global__ void micro_atomic(char* memory, u64, u64 a, u64 b) {
    u32 thread = u32(thread_of_grid()), sum = 0, bytes = KIND == 3 ? 8 : 4;
    for (u32 trip = 0; trip < u32(b); ++trip) {
        u32 word = PLACE == 0 ? mixed(thread * 64 + trip) & u32(a - 1)
                 : PLACE == 1 ? (thread + trip * 32) & u32(a - 1)
                              : (thread / 32 & u32(a - 1)) * 32;
        sum ^= add_to<KIND>(memory + u64(word) * bytes, thread);
    }
    need(memory, sum);
}
// One thread, each atomic waiting for the one before.
__global__ void micro_atomic_chain(char* memory, u64, u64 a, u64 b) {
    u32 old = 0;
    for (u64 trip = 0; trip < b; ++trip)
        asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(memory + (old & u32(a))) : "memory");
    need(memory, old);
}
// Atomics on shared memory, b times 4. KIND: 0 adds one, 1 adds a register and looks at what was
// there, 2 adds floats, 3 takes the larger, 4 as 1 in a chain. Groups of `a` lanes have one word;
// BANKS: words of their own in one bank.
template <int KIND, bool BANKS>
__global__ void micro_shared_atomic(char* memory, u64, u64 a, u64 b) {
    __shared__ u32 words[32 * 33];
    for (u32 i = threadIdx.x; i < 32 * 33; i += blockDim.x) words[i] = 0;
    __syncthreads();
    u32 lane = threadIdx.x % 32, sum = 0, one = threadIdx.x;
    u32 place = BANKS ? lane / u32(a) + lane % u32(a) * 32 : lane / u32(a);
    for (u64 trip = 0; trip < b; ++trip)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            if (KIND == 0) atomicAdd(&words[place], 1u);
            if (KIND == 1) sum ^= atomicAdd(&words[place], one);
            if (KIND == 2) atomicAdd((float*)&words[place], 1.0f);
            if (KIND == 3) atomicMax(&words[place], one + u32(trip));
            if (KIND == 4) place += atomicAdd(&words[place], one & 0u) >> 31;
        }
    need(memory, sum + place);
}

// Words at random out of `bytes`, b times LOADS of them; CHAIN: each turn's place depends on what
// the turn before has read. a: lanes that read neighbouring words.
template <int LOADS, bool CHAIN>
__global__ void micro_gather(char* memory, u64 bytes, u64 a, u64 b) {
    u32 thread = u32(thread_of_grid()), sum = 0, seed = 0;
    asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(seed));
    seed = __shfl_sync(~0u, seed, 0) & ~31u;
    for (u32 trip = 0; trip < u32(b); ++trip) {
        u32 v[LOADS];
#pragma unroll
        for (int i = 0; i < LOADS; ++i) {
            u64 group = mixed((thread / u32(a)) * 977 + trip * LOADS + i + seed) * 65536ull + thread / u32(a);
            u64 at = (group * u64(a) + thread % u32(a)) * 4;
            v[i] = *(const u32*)(memory + (at & (bytes - 4)));
        }
#pragma unroll
        for (int i = 0; i < LOADS; ++i) sum ^= v[i];
        if (CHAIN) seed += sum & 32;
    }
    need(memory, sum);
}
template <int STORES>
__global__ void micro_strew(char* memory, u64 bytes, u64 a, u64 b) {
    u32 thread = u32(thread_of_grid()), seed = 0;
    asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(seed));
    for (u32 trip = 0; trip < u32(b); ++trip)
#pragma unroll
        for (int i = 0; i < STORES; ++i) {
            u64 group = mixed((thread / u32(a)) * 977 + trip * STORES + i + (seed & ~1023u)) * 65536ull + thread / u32(a);
            u64 at = (group * u64(a) + thread % u32(a)) * 4;
            *(u32*)(memory + (at & (bytes - 4))) = thread;
        }
}

// As micro_l1_read, with vectors: each block reads 16 KiB of its own, b times 4 loads.
template <typename V>
__global__ void micro_l1_vector(char* memory, u64, u64 a, u64 b) {
    const char* at = memory + u64(blockIdx.x) * 32768 + threadIdx.x / 32 % 4 * 4096 + threadIdx.x % 32 * a;
    u32 sum = 0;
    for (u64 trip = 0; trip < b; ++trip) {
        V v[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) v[i] = __ldca((const V*)(at + i * 128));
#pragma unroll
        for (int i = 0; i < 4; ++i) sum += folded(v[i]);
        at += sum == 0x2545f491u;
    }
    need(memory, sum);
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
