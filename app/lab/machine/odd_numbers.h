// The input of a sum: odd whole numbers from -7 to 7, in an order that looks random and is always the
// same. Floats and halves hold them, and every sum of so many of them as fit a card stays far below
// 2^24, so that floats add them without rounding: in whatever order a kernel adds, its result is
// exactly the same. An element that is left out or taken twice changes it.
#pragma once
#include <cstdint>

namespace lanewise {

// The bits of one of eight are those of the element's number, well mixed (splitmix64, Steele, Lea,
// Flood, OOPSLA 2014).
inline int odd_number(uint64_t index) {
    uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return 2 * static_cast<int>((z ^ z >> 31) >> 61) - 7;
}

// The same as a float or a half, in its bits.
inline uint32_t odd_float(int number) {
    static constexpr uint32_t kFloats[] = {0x3f800000, 0x40400000, 0x40a00000, 0x40e00000};
    uint32_t sign = number < 0 ? 0x80000000u : 0;
    return sign | kFloats[(number < 0 ? -number : number) / 2];
}
inline uint16_t odd_half(int number) {
    static constexpr uint16_t kHalves[] = {0x3c00, 0x4200, 0x4500, 0x4700};
    return static_cast<uint16_t>((number < 0 ? 0x8000 : 0) |
                                 kHalves[(number < 0 ? -number : number) / 2]);
}

}  // namespace lanewise
