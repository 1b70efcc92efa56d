#include "base/hash.h"

namespace lanewise {

uint64_t hash(std::string_view bytes, uint64_t seed) {
    uint64_t value = seed;
    for (char byte : bytes) {
        value ^= static_cast<unsigned char>(byte);
        value *= 0x100000001b3ull;
    }
    return value;
}

std::string hex(uint64_t value) {
    std::string digits(16, '0');
    for (size_t i = 16; i-- > 0; value >>= 4) digits[i] = "0123456789abcdef"[value & 15];
    return digits;
}

}  // namespace lanewise
