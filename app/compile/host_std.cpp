// What of C++'s standard library device code may use beyond the few that host_headers.cpp writes
// out: libcu++'s, where the toolkit has it; else those that kernels use most, in a few lines each.
#include <algorithm>
#include <array>
#include <regex>

#include "compile/host_code.h"

namespace lanewise {

namespace {

const std::string kOpening = "#pragma once\n#if __has_include(<cuda/std/type_traits>)\n";

// Each where it is: older toolkits have fewer.
std::string includes_of_libcudacxx() {
    std::string text;
    for (const char* part : {"array", "bit", "cmath", "complex", "functional", "iterator", "limits",
                             "numeric", "optional", "span", "tuple", "type_traits", "utility"}) {
        const std::string header = std::string("<cuda/std/") + part + ">";
        text += "#if __has_include(" + header + ")\n#include " + header + "\n#endif\n";
    }
    return text;
}

}  // namespace

std::string_view whole_std_header() {
    static const std::string text = kOpening + includes_of_libcudacxx() + R"(namespace std {
using namespace cuda::std;  // what std itself has is found first
}
#else
namespace std {
template <class T, T v> struct integral_constant {
    static constexpr T value = v;
    typedef T value_type;
    __device__ constexpr operator T() const { return v; }
};
template <bool b> using bool_constant = integral_constant<bool, b>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_cv { typedef T type; };
template <class T> struct remove_cv<const T> { typedef T type; };
template <class T> struct remove_cv<volatile T> { typedef T type; };
template <class T> struct remove_cv<const volatile T> { typedef T type; };
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T&> { typedef T type; };
template <class T> struct remove_reference<T&&> { typedef T type; };
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T*> { typedef T type; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> struct decay { typedef remove_cv_t<remove_reference_t<T>> type; };
template <class T> using decay_t = typename decay<T>::type;
template <class...> using void_t = void;
template <class T> T&& declval() noexcept;
#define LANEWISE_IS(NAME, EXPRESSION)                                        \
    template <class T> struct NAME : bool_constant<(EXPRESSION)> {};         \
    template <class T> inline constexpr bool NAME##_v = NAME<T>::value;
template <class T, class... Of> inline constexpr bool lanewise_one_of = (is_same<T, Of>::value || ...);
LANEWISE_IS(is_floating_point, (lanewise_one_of<remove_cv_t<T>, float, double>))
LANEWISE_IS(is_integral, (lanewise_one_of<remove_cv_t<T>, bool, char, signed char, unsigned char, short,
            unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long>))
LANEWISE_IS(is_arithmetic, (is_integral<T>::value || is_floating_point<T>::value))
LANEWISE_IS(is_signed, (is_arithmetic<T>::value && T(-1) < T(0)))
LANEWISE_IS(is_unsigned, (is_integral<T>::value && !(T(-1) < T(0))))
LANEWISE_IS(is_pointer, (!is_same<remove_pointer_t<T>, T>::value))
LANEWISE_IS(is_trivially_copyable, __is_trivially_copyable(T))
LANEWISE_IS(is_empty, __is_empty(T))
LANEWISE_IS(is_enum, __is_enum(T))
LANEWISE_IS(is_class, __is_class(T))
#undef LANEWISE_IS
template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
};
template <class A, class B> __device__ constexpr pair<A, B> make_pair(A a, B b) { return {a, b}; }
template <class T, size_t n> struct array {
    typedef T value_type;
    T elements[n ? n : 1];
    __device__ constexpr T& operator[](size_t i) { return elements[i]; }
    __device__ constexpr const T& operator[](size_t i) const { return elements[i]; }
    __device__ constexpr size_t size() const { return n; }
    __device__ constexpr T* data() { return elements; }
    __device__ constexpr const T* data() const { return elements; }
    __device__ constexpr T* begin() { return elements; }
    __device__ constexpr T* end() { return elements + n; }
    __device__ constexpr const T* begin() const { return elements; }
    __device__ constexpr const T* end() const { return elements + n; }
};
}  // namespace std
#endif
)";
    return text;
}

bool is_of_whole_std(const std::string& message) {
    // NVRTC's words, then clang's.
    static const std::regex said(
        R"re(namespace "std" has no member(?: class)? "(\w+)"|no (?:member|template|type) named '(\w+)' in namespace 'std')re");
    static constexpr auto kBeginnings = std::to_array<std::string_view>({"is_",
                                                                         "has_",
                                                                         "remove_",
                                                                         "add_",
                                                                         "make_",
                                                                         "integer_",
                                                                         "index_sequence",
                                                                         "tuple",
                                                                         "bit_",
                                                                         "countl_",
                                                                         "countr_",
                                                                         "popcount",
                                                                         "plus",
                                                                         "minus",
                                                                         "multiplies",
                                                                         "less",
                                                                         "greater",
                                                                         "equal_to",
                                                                         "logical_",
                                                                         "numeric_limits",
                                                                         "common_type",
                                                                         "invoke",
                                                                         "conjunction",
                                                                         "disjunction",
                                                                         "negation",
                                                                         "underlying_type",
                                                                         "reference_wrapper"});
    static constexpr auto kNames = std::to_array<std::string_view>({"integral_constant",
                                                                    "true_type",
                                                                    "false_type",
                                                                    "bool_constant",
                                                                    "declval",
                                                                    "pair",
                                                                    "array",
                                                                    "complex",
                                                                    "decay",
                                                                    "decay_t",
                                                                    "void_t",
                                                                    "optional",
                                                                    "nullopt",
                                                                    "span",
                                                                    "get",
                                                                    "forward",
                                                                    "move",
                                                                    "exchange",
                                                                    "apply",
                                                                    "ignore",
                                                                    "tie",
                                                                    "rank",
                                                                    "extent",
                                                                    "alignment_of",
                                                                    "aligned_storage",
                                                                    "aligned_storage_t",
                                                                    "initializer_list",
                                                                    "iterator_traits",
                                                                    "real",
                                                                    "imag",
                                                                    "norm",
                                                                    "conj",
                                                                    "arg",
                                                                    "polar",
                                                                    "iota",
                                                                    "accumulate",
                                                                    "gcd",
                                                                    "lcm",
                                                                    "midpoint",
                                                                    "nearbyint",
                                                                    "rint",
                                                                    "lround",
                                                                    "lrint",
                                                                    "log1p",
                                                                    "expm1",
                                                                    "copysign",
                                                                    "signbit",
                                                                    "ldexp",
                                                                    "frexp",
                                                                    "modf",
                                                                    "remainder",
                                                                    "fdim",
                                                                    "tgamma",
                                                                    "lgamma",
                                                                    "nullptr_t",
                                                                    "type_identity"});
    std::smatch found;
    if (!std::regex_search(message, found, said)) return false;
    const std::string name = found[1].matched ? found[1].str() : found[2].str();
    auto begins = [&](std::string_view word) { return name.starts_with(word); };
    return std::any_of(kBeginnings.begin(), kBeginnings.end(), begins) ||
           std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace lanewise
