// What the C++ library of the distribution's emscripten (libc++ 13) lacks of C++20 and this program
// uses. Every file that is compiled for the browser begins with it; a newer library has it all.
#pragma once
#ifdef __cplusplus
#include <version>
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000
#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <locale.h>
#include <memory>
#include <string>
#include <type_traits>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, from);
}

template <class T>
unique_ptr<T> make_unique_for_overwrite(size_t count) {
    return unique_ptr<T>(new remove_extent_t<T>[count]);
}

// Of a decimal number, as long as it goes; the C locale is the only one in a browser.
template <class Float, enable_if_t<is_floating_point_v<Float>, int> = 0>
from_chars_result from_chars(const char* first, const char* last, Float& value) {
    if (first == last || *first == '+' || *first == ' ') return {first, errc::invalid_argument};
    string text(first, last);
    char* end = nullptr;
    double number = strtod(text.c_str(), &end);
    if (end == text.c_str()) return {first, errc::invalid_argument};
    value = static_cast<Float>(number);
    return {first + (end - text.c_str()), errc()};
}

// There is one thread.
template <class T>
class atomic_ref {
  public:
    explicit atomic_ref(T& value) : value_(value) {}
    bool compare_exchange_strong(T& expected, T desired, memory_order) {
        bool equal = value_ == expected;
        (equal ? value_ : expected) = equal ? desired : value_;
        return equal;
    }

  private:
    T& value_;
};

namespace ranges {
template <class Range, class T>
auto find(Range&& range, const T& value) {
    return std::find(begin(range), end(range), value);
}
template <class Range, class Test>
auto find_if(Range&& range, Test test) {
    return std::find_if(begin(range), end(range), test);
}
}  // namespace ranges

}  // namespace std
#endif
#endif
