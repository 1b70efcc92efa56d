// What stands in for the host's headers in device code, as one header of our own. What NVRTC has by
// itself (printf, assert, the functions of math.h) needs nothing.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/words.h"
#include "compile/host_code.h"

namespace lanewise {

namespace {

// The types that cuBLAS's headers bring along, which device code uses without including them.
#define LANEWISE_NARROW_FLOATS                                                         \
    "#pragma once\n#if __has_include(<cuda_fp16.h>)\n#include <cuda_fp16.h>\n#endif\n" \
    "#if __has_include(<cuda_bf16.h>)\n#include <cuda_bf16.h>\n#endif\n"

// cub/cub.cuh: what blocks and warps do together.
constexpr PartialHeader kPartialHeaders[] = {{"cublas.h", LANEWISE_NARROW_FLOATS},
                                             {"cublas_v2.h", LANEWISE_NARROW_FLOATS},
                                             {"cublasLt.h", LANEWISE_NARROW_FLOATS},
                                             {"torch/all.h", LANEWISE_NARROW_FLOATS},
                                             {"torch/extension.h", LANEWISE_NARROW_FLOATS},
                                             {"torch/script.h", LANEWISE_NARROW_FLOATS},
                                             {"torch/torch.h", LANEWISE_NARROW_FLOATS},
                                             {"torch/types.h", LANEWISE_NARROW_FLOATS},
                                             {"ATen/ATen.h", LANEWISE_NARROW_FLOATS},
                                             {"ATen/Dispatch.h", LANEWISE_NARROW_FLOATS},
                                             {"ATen/cuda/CUDAContext.h", LANEWISE_NARROW_FLOATS},
                                             {"c10/cuda/CUDAException.h", LANEWISE_NARROW_FLOATS},
                                             {"c10/cuda/CUDAGuard.h", LANEWISE_NARROW_FLOATS},
                                             {"c10/cuda/CUDAStream.h", LANEWISE_NARROW_FLOATS},
                                             {"cub/cub.cuh", R"(#pragma once
#if __has_include(<cub/block/block_reduce.cuh>)
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>
#endif
)"}};

#undef LANEWISE_NARROW_FLOATS

}  // namespace

std::span<const PartialHeader> partial_headers() { return kPartialHeaders; }

std::string_view host_header_substitute() {
    return R"(#pragma once
#ifndef __linux__  // where nvcc runs; programs ask
#define __linux__ 1
#define __unix__ 1
#endif
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef signed long int64_t;  // as nvcc has it on Linux
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef int64_t intptr_t, intmax_t;
typedef uint64_t uintptr_t, uintmax_t;
typedef int8_t int_least8_t, int_fast8_t;
typedef int16_t int_least16_t, int_fast16_t;
typedef int32_t int_least32_t, int_fast32_t;
typedef int64_t int_least64_t, int_fast64_t;
typedef uint8_t uint_least8_t, uint_fast8_t;
typedef uint16_t uint_least16_t, uint_fast16_t;
typedef uint32_t uint_least32_t, uint_fast32_t;
typedef uint64_t uint_least64_t, uint_fast64_t;
typedef unsigned char uchar;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

#ifndef CHAR_BIT
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define LONG_MIN (-9223372036854775807l - 1)
#define LONG_MAX 9223372036854775807l
#define ULONG_MAX 18446744073709551615ul
#define LLONG_MIN (-9223372036854775807ll - 1)
#define LLONG_MAX 9223372036854775807ll
#define ULLONG_MAX 18446744073709551615ull
#endif
#ifndef INT32_MAX
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define UINT32_MAX UINT_MAX
#define INT64_MIN LONG_MIN
#define INT64_MAX LONG_MAX
#define UINT64_MAX ULONG_MAX
#define SIZE_MAX ULONG_MAX
#endif
#ifndef UINT64_C
#define INT8_C(x) x
#define INT16_C(x) x
#define INT32_C(x) x
#define INT64_C(x) x##l
#define UINT8_C(x) x
#define UINT16_C(x) x
#define UINT32_C(x) x##u
#define UINT64_C(x) x##ul
#endif
#ifndef FLT_MAX
#define FLT_MIN 1.17549435e-38f
#define FLT_MAX 3.40282347e+38f
#define FLT_EPSILON 1.19209290e-07f
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
#define DBL_EPSILON 2.2204460492503131e-16
#define FLT_DIG 6
#define DBL_DIG 15
#define FLT_MANT_DIG 24
#define DBL_MANT_DIG 53
#endif
#ifndef M_PI
#define M_E 2.71828182845904523536
#define M_LOG2E 1.44269504088896340736
#define M_LOG10E 0.43429448190325182765
#define M_LN10 2.30258509299404568402
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_LN2 0.69314718055994530942
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
#ifndef RAND_MAX
#define RAND_MAX 2147483647
#endif
#ifndef EXIT_FAILURE
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#endif
#ifndef HUGE_VALF
#define HUGE_VALF __int_as_float(0x7f800000)
#endif
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif

#if __CUDA_ARCH__ >= 900  // programmatic dependent launch, of the runtime's header
inline __device__ void cudaGridDependencySynchronize() {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}
inline __device__ void cudaTriggerProgrammaticLaunchCompletion() {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
#endif

namespace std {
template <class T> __device__ constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> __device__ constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> __device__ constexpr const T& clamp(const T& v, const T& low, const T& high) {
    return v < low ? low : high < v ? high : v;
}
template <class T> __device__ void swap(T& a, T& b) { T c = a; a = b; b = c; }
template <class T, class U> struct is_same { static constexpr bool value = false; };
template <class T> struct is_same<T, T> { static constexpr bool value = true; };
template <class T, class U> inline constexpr bool is_same_v = is_same<T, U>::value;
template <bool, class T, class U> struct conditional { typedef T type; };
template <class T, class U> struct conditional<false, T, U> { typedef U type; };
template <bool b, class T, class U> using conditional_t = typename conditional<b, T, U>::type;
template <bool, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool b, class T = void> using enable_if_t = typename enable_if<b, T>::type;

template <class T> struct numeric_limits;
#define LANEWISE_LIMITS(T, LOWEST, SMALLEST, MOST)                            \
    template <> struct numeric_limits<T> {                                    \
        __device__ static constexpr T lowest() { return LOWEST; }             \
        __device__ static constexpr T min() { return SMALLEST; }              \
        __device__ static constexpr T max() { return MOST; }
LANEWISE_LIMITS(signed char, -128, -128, SCHAR_MAX) };
LANEWISE_LIMITS(unsigned char, 0, 0, UCHAR_MAX) };
LANEWISE_LIMITS(short, SHRT_MIN, SHRT_MIN, SHRT_MAX) };
LANEWISE_LIMITS(unsigned short, 0, 0, USHRT_MAX) };
LANEWISE_LIMITS(int, INT_MIN, INT_MIN, INT_MAX) };
LANEWISE_LIMITS(unsigned int, 0, 0, UINT_MAX) };
LANEWISE_LIMITS(long, LONG_MIN, LONG_MIN, LONG_MAX) };
LANEWISE_LIMITS(unsigned long, 0, 0, ULONG_MAX) };
LANEWISE_LIMITS(long long, LLONG_MIN, LLONG_MIN, LLONG_MAX) };
LANEWISE_LIMITS(unsigned long long, 0, 0, ULLONG_MAX) };
LANEWISE_LIMITS(float, -FLT_MAX, FLT_MIN, FLT_MAX)
    __device__ static constexpr float epsilon() { return FLT_EPSILON; }
    __device__ static float infinity() { return INFINITY; }
    __device__ static float quiet_NaN() { return NAN; }
};
LANEWISE_LIMITS(double, -DBL_MAX, DBL_MIN, DBL_MAX)
    __device__ static constexpr double epsilon() { return DBL_EPSILON; }
    __device__ static double infinity() { return INFINITY; }
    __device__ static double quiet_NaN() { return NAN; }
};
#undef LANEWISE_LIMITS
using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::pow; using ::exp; using ::exp2;
using ::log; using ::log2; using ::log10; using ::sin; using ::cos; using ::tan; using ::asin;
using ::acos; using ::atan; using ::atan2; using ::sinh; using ::cosh; using ::tanh; using ::erf;
using ::floor; using ::ceil; using ::round; using ::trunc; using ::fmod; using ::fmin; using ::fmax;
using ::fma; using ::hypot; using ::isnan; using ::isinf; using ::isfinite;
using ::rint; using ::nearbyint; using ::lround; using ::llround; using ::lrint; using ::llrint;
using ::log1p; using ::expm1; using ::erfc; using ::tgamma; using ::lgamma; using ::copysign;
using ::signbit; using ::ldexp; using ::frexp; using ::modf; using ::remainder; using ::fdim;
using ::asinh; using ::acosh; using ::atanh;
using ::size_t; using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::uint8_t;
using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::intptr_t; using ::uintptr_t;
typedef decltype(nullptr) nullptr_t;
typedef decltype((char*)0 - (char*)0) ptrdiff_t;
}  // namespace std
)";
}

namespace {

// Of a text, by `take`: each whole word, and the word before it ("" for the first).
template <class Take>
void each_word(std::string_view text, Take take) {
    std::string_view before;
    for (size_t at = 0; at < text.size();) {
        size_t end = at;
        while (end < text.size() && is_word_part(text[end])) ++end;
        const std::string_view word = text.substr(at, end - at);
        at = std::max(end, at + 1);
        if (word.empty()) continue;
        take(word, before);
        before = word;
    }
}

struct HostWords {
    std::set<std::string_view, std::less<>> all, macros;
};

// Read once, of texts that last.
const HostWords& host_words() {
    static const HostWords words = [] {
        HostWords found;
        auto read = [&](std::string_view text) {
            each_word(text, [&](std::string_view word, std::string_view before) {
                found.all.insert(word);
                if (before == "define") found.macros.insert(word);
            });
        };
        read(host_header_substitute());
        read(whole_std_header());
        return found;
    }();
    return words;
}

}  // namespace

bool host_headers_say(std::string_view word) { return host_words().all.contains(word); }

bool has_macro_of_host(std::string_view text) {
    bool found = false;
    each_word(text, [&](std::string_view word, std::string_view) {
        found = found || host_words().macros.contains(word);
    });
    return found;
}

// A line that says what uint64_t and its like are.
static std::string with_long(std::string_view line) {
    std::string text(line);
    constexpr std::string_view kHere = "long long", kWithNvcc = "long";
    bool says_so = text.find("64_t") != text.npos &&
                   (text.find("typedef") != text.npos || text.find("using") != text.npos);
    if (size_t at = text.find(kHere); says_so && at != text.npos)
        text.replace(at, kHere.size(), kWithNvcc);
    return text;
}

std::vector<LocalHeader> headers_with_integers_of_nvcc(const std::string& toolkit) {
    namespace fs = std::filesystem;
    constexpr struct {
        const char *name, *below;
    } kHeaders[] = {{"cuda/std/cstdint", "cccl"},
                    {"cuda/std/cstdint", ""},
                    {"cuda_pipeline_helpers.h", ""},
                    {"cuda_awbarrier_helpers.h", ""}};
    std::vector<LocalHeader> headers;
    for (const auto& [name, below] : kHeaders) {
        fs::path file = fs::path(toolkit) / below / name;
        std::error_code ignored;
        bool is_there = !headers.empty() && headers.back().path == name;
        if (toolkit.empty() || is_there || !fs::is_regular_file(file, ignored)) continue;
        const std::string here = read_file(file);
        std::string text;
        for (std::string_view line : lines_of(here)) text += with_long(line) + "\n";
        headers.push_back({name, text});
    }
    return headers;
}

std::string host_headers_version() {
    static const std::string version = [] {
        constexpr int kPass = 3;  // counts up when host code is left out in another way
        uint64_t sum = hash(host_header_substitute(), hash(std::to_string(kPass)));
        sum = hash(whole_std_header(), sum);
        for (const char* name : host_headers()) sum = hash(name, sum);
        for (const PartialHeader& header : partial_headers()) sum = hash(header.text, sum);
        return hex(sum).substr(0, 8);
    }();
    return version;
}

}  // namespace lanewise
