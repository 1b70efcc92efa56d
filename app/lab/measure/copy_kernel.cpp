#include "lab/measure/copy_kernel.h"

#include <fmt/format.h>

namespace lanewise {

// The input is the byte stream of the words unique_word(0), unique_word(1), … (sim/memory/memory.h),
// little-endian, whatever the element type. What an output element must be is computed from its
// index alone, never read from the input, so that a kernel that spoils its input is found out too.
static constexpr const char* kMeasuringSource = R"cuda(
typedef unsigned int u32;
typedef unsigned long long u64;

struct alignas(16) u128 {
    u64 low, high;
    __device__ u128 operator~() const { return {~low, ~high}; }
    __device__ bool operator==(const u128& other) const {
        return low == other.low && high == other.high;
    }
};

__device__ u32 unique_word(u32 index) {
    u32 word = index + 0x9e3779b9u;
    word = (word ^ (word >> 16)) * 0x85ebca6bu;
    word = (word ^ (word >> 13)) * 0xc2b2ae35u;
    return word ^ (word >> 16);
}

// The same as a finite number: an exponent of all ones or all zeros becomes one in the middle.
template <bool NUMBERS>
__device__ u32 input_word(u32 index) {
    u32 word = unique_word(index), exponent = word >> 23 & 0xff;
    return NUMBERS && (exponent == 0 || exponent == 0xff) ? word ^ 0x40000000u : word;
}

template <typename T, bool NUMBERS>
__device__ T input_element(u64 index) {
    if constexpr (sizeof(T) == 16) {
        return {input_element<u64, NUMBERS>(2 * index), input_element<u64, NUMBERS>(2 * index + 1)};
    } else if constexpr (sizeof(T) == 8) {
        return input_word<NUMBERS>(u32(2 * index)) |
               u64(input_word<NUMBERS>(u32(2 * index + 1))) << 32;
    } else {
        u64 byte = index * sizeof(T);
        return T(input_word<NUMBERS>(u32(byte / 4)) >> (byte % 4 * 8));
    }
}

// Element `index` of a batch of cols x rows matrices, the transposes of rows x cols ones.
template <typename T, bool COPY, bool NUMBERS = false>
__device__ T expected(u64 index, u64 rows, u64 cols) {
    if constexpr (COPY) {
        return input_element<T, NUMBERS>(index);
    } else {
        u64 within = index % (rows * cols);
        u64 row = within % rows, col = within / rows;
        return input_element<T, NUMBERS>(index - within + row * cols + col);
    }
}

__device__ u64 first_index() { return u64(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ u64 index_step() { return u64(gridDim.x) * blockDim.x; }

__global__ void fill(u32* out, u64 words) {
    for (u64 i = first_index(); i < words; i += index_step()) out[i] = unique_word(u32(i));
}

__global__ void fill_numbers(u32* out, u64 words) {
    for (u64 i = first_index(); i < words; i += index_step()) out[i] = input_word<true>(u32(i));
}

// The complement of what must come, be it words or numbers: wrong in every element, so that one that is never written, or
// that an earlier kernel had left right, is found.
template <typename T, bool COPY>
__global__ void poison(T* out, u64 elements, u64 rows, u64 cols) {
    for (u64 i = first_index(); i < elements; i += index_step())
        out[i] = T(~expected<T, COPY>(i, rows, cols));
}

template <typename T, bool COPY, bool NUMBERS>
__global__ void compare(const T* out, u64 elements, u64 rows, u64 cols, u64* found) {
    u64 wrong = 0, first = ~u64(0);
    for (u64 i = first_index(); i < elements; i += index_step()) {
        if (out[i] == expected<T, COPY, NUMBERS>(i, rows, cols)) continue;
        ++wrong;
        if (i < first) first = i;
    }
    if (wrong == 0) return;
    atomicAdd(&found[0], wrong);
    atomicMin(&found[1], first);
}

// Keeps the stream busy while the CPU puts the launches to be timed behind it.
__global__ void hold(u64 nanoseconds) {
    u64 start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < nanoseconds);
}

template <int THREADS, int LOADS>
__global__ void __launch_bounds__(THREADS) wide_copy(const uint4* in, uint4* out, u64 vectors) {
    u64 first = u64(blockIdx.x) * (THREADS * LOADS) + threadIdx.x;
    uint4 held[LOADS];
    if (first + (LOADS - 1) * THREADS < vectors) {  // a full block: no checks between the loads
#pragma unroll
        for (int i = 0; i < LOADS; ++i) held[i] = in[first + i * THREADS];
#pragma unroll
        for (int i = 0; i < LOADS; ++i) out[first + i * THREADS] = held[i];
        return;
    }
    for (int i = 0; i < LOADS; ++i)
        if (first + i * THREADS < vectors) out[first + i * THREADS] = in[first + i * THREADS];
}
)cuda";

static const char* unsigned_type(int element_bytes) {
    switch (element_bytes) {
        case 1:
            return "unsigned char";
        case 2:
            return "unsigned short";
        case 4:
            return "unsigned int";
        case 8:
            return "unsigned long long";
        default:
            return "u128";
    }
}

std::string fill_kernel(Input input) { return input == Input::words ? "fill" : "fill_numbers"; }
std::string hold_kernel() { return "hold"; }
std::string poison_kernel(int element_bytes, bool reference_is_copy) {
    return fmt::format("poison<{}, {}>", unsigned_type(element_bytes), reference_is_copy);
}
std::string compare_kernel(int element_bytes, bool reference_is_copy, Input input) {
    return fmt::format("compare<{}, {}, {}>", unsigned_type(element_bytes), reference_is_copy,
                       input == Input::numbers);
}
std::string copy_kernel(const CopyVariant& variant) {
    return fmt::format("wide_copy<{}, {}>", variant.threads, variant.loads);
}
std::vector<CopyVariant> copy_variants() { return {{256, 1}, {64, 4}, {1024, 2}, {1024, 8}}; }

static CompileOptions options_for(const std::string& name_expression, const std::string& arch) {
    CompileOptions options;
    options.kernel = name_expression;
    options.arch = arch;
    return options;
}

Source measuring_source() { return {"measuring.cu", kMeasuringSource}; }

Program compile_measuring_kernel(const std::string& name_expression, const std::string& arch) {
    return compile(measuring_source(), options_for(name_expression, arch));
}

std::vector<std::string> measuring_kernels() {
    std::vector<std::string> names = {fill_kernel(), fill_kernel(Input::numbers), hold_kernel()};
    for (int bytes : {1, 2, 4, 8, 16})
        for (bool copy : {false, true}) {
            names.push_back(poison_kernel(bytes, copy));
            names.push_back(compare_kernel(bytes, copy));
            if (bytes >= 4 && !copy) names.push_back(compare_kernel(bytes, copy, Input::numbers));
        }
    for (const CopyVariant& variant : copy_variants()) names.push_back(copy_kernel(variant));
    return names;
}

}  // namespace lanewise
