#include "lab/micro/staircase_kernel.h"

#include <fmt/format.h>

#include <cstring>

namespace lanewise {

// Two looks at the clock differ by kStaircaseAccesses whole accesses: the instructions around a
// look are the same each time, and no load begins before the one before it has come back. The asm
// is volatile, so that neither compiler moves, merges or narrows an access. What is stored is the
// zero that the shared memory holds already.
static constexpr const char* kStaircaseSource = R"cuda(
typedef unsigned int u32;
typedef unsigned long long u64;

template <int BYTES> __device__ u32 load(u32 at, u32 active) {
    u32 x = 0, y = 0, z = 0, w = 0;
    if constexpr (BYTES == 1)
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.volatile.shared.u8 %0, [%1]; }"
                     : "+r"(x) : "r"(at), "r"(active) : "memory");
    else if constexpr (BYTES == 2)
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.volatile.shared.u16 %0, [%1]; }"
                     : "+r"(x) : "r"(at), "r"(active) : "memory");
    else if constexpr (BYTES == 4)
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.volatile.shared.u32 %0, [%1]; }"
                     : "+r"(x) : "r"(at), "r"(active) : "memory");
    else if constexpr (BYTES == 8)
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0;\n"
                     "@p ld.volatile.shared.v2.u32 {%0, %1}, [%2]; }"
                     : "+r"(x), "+r"(y) : "r"(at), "r"(active) : "memory");
    else
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %5, 0;\n"
                     "@p ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4]; }"
                     : "+r"(x), "+r"(y), "+r"(z), "+r"(w) : "r"(at), "r"(active) : "memory");
    return x | y | z | w;
}

template <int BYTES> __device__ void store(u32 at, u32 active, u32 zero) {
    if constexpr (BYTES == 1)
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.volatile.shared.u8 [%0], %2; }"
                     :: "r"(at), "r"(active), "r"(zero) : "memory");
    else if constexpr (BYTES == 2)
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.volatile.shared.u16 [%0], %2; }"
                     :: "r"(at), "r"(active), "r"(zero) : "memory");
    else if constexpr (BYTES == 4)
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.volatile.shared.u32 [%0], %2; }"
                     :: "r"(at), "r"(active), "r"(zero) : "memory");
    else if constexpr (BYTES == 8)
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0;\n"
                     "@p st.volatile.shared.v2.u32 [%0], {%2, %2}; }"
                     :: "r"(at), "r"(active), "r"(zero) : "memory");
    else
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0;\n"
                     "@p st.volatile.shared.v4.u32 [%0], {%2, %2, %2, %2}; }"
                     :: "r"(at), "r"(active), "r"(zero) : "memory");
}

template <int BYTES, bool STORE, int ACCESSES, int LOOKS>
__global__ void __launch_bounds__(32) staircase(const u32* offsets, u64* clock, u32 mask, u32 words) {
    extern __shared__ uint4 shared[];
    u32 first = u32(__cvta_generic_to_shared(shared)), lane = threadIdx.x;
    for (u32 word = lane; word < words; word += 32) store<4>(first + 4 * word, 1, 0);
    __syncthreads();
    u32 at = first + offsets[lane], active = mask >> lane & 1;
    u32 zero = load<4>(first, 1);
    for (int look = 0; look < LOOKS; ++look) {
        u64 now = clock64();
        if (lane == 0) clock[look] = now;
#pragma unroll
        for (int i = 0; i < ACCESSES; ++i) {
            if constexpr (STORE) {
                store<BYTES>(at, active, zero);
                at += load<4>(first, 1);
            } else {
                at += load<BYTES>(at, active);
            }
        }
    }
}
)cuda";

Source staircase_source() { return {"staircase.cu", kStaircaseSource}; }

static std::string name_of(int bytes_per_lane, bool is_store) {
    return fmt::format("staircase<{}, {}, {}, {}>", bytes_per_lane, is_store, kStaircaseAccesses,
                       kStaircaseLooks);
}

Program compile_staircase_kernel(int bytes_per_lane, bool is_store, const std::string& arch) {
    CompileOptions options;
    options.kernel = name_of(bytes_per_lane, is_store);
    options.arch = arch;
    return compile(staircase_source(), options);
}

std::vector<std::byte> staircase_arguments(const StaircaseAccess& access, uint64_t offsets_address,
                                           uint64_t clock_address) {
    struct {
        uint64_t offsets, clock;
        uint32_t mask, words;
    } packed = {offsets_address, clock_address, access.mask, (access.shared_bytes() + 3) / 4};
    std::vector<std::byte> bytes(sizeof packed);
    std::memcpy(bytes.data(), &packed, sizeof packed);
    return bytes;
}

std::vector<std::string> staircase_kernels() {
    std::vector<std::string> names;
    for (bool is_store : {false, true})
        for (int bytes : {1, 2, 4, 8, 16}) names.push_back(name_of(bytes, is_store));
    return names;
}

}  // namespace lanewise
