// Decimal numbers as people and our own files write them, in a hundredth of the time that a C library
// without hardware for long doubles takes (emscripten's).
#pragma once
#include <cstdint>

namespace lanewise {

// The number at the begin of `text`, such as 5.568 or -17, and where it ends. Exactly what strtod() gives:
// digits below 2^53 and a power of ten up to 10^22 are exact, and so one division rounds once (Clinger,
// "How to read floating point numbers accurately", 1990). False where it is anything else: more digits,
// an exponent, blanks before it, a word.
inline bool short_decimal(const char* text, double& value, const char*& end) {
    static constexpr double kTens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    constexpr int kMostPlaces = 22, kMostDigits = 19;  // which 64 bits hold
    const bool negative = *text == '-';
    const char* at = text + negative;
    uint64_t digits = 0;
    int count = 0, places = 0;
    auto take = [&](int& counted) {
        for (; *at >= '0' && *at <= '9'; ++at, ++counted)
            if (count + places < kMostDigits) digits = 10 * digits + static_cast<uint64_t>(*at - '0');
    };
    take(count);
    if (count == 0) return false;
    if (*at == '.') {
        ++at;
        take(places);
    }
    const bool goes_on = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
    if (goes_on || count + places > kMostDigits || places > kMostPlaces || digits >= uint64_t{1} << 53)
        return false;
    const double size = static_cast<double>(digits) / kTens[places];
    value = negative ? -size : size;
    end = at;
    return true;
}

}  // namespace lanewise
