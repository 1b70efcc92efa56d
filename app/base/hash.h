// A stable 64-bit hash of bytes, for cache keys and content identity. Not cryptographic.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace lanewise {

// FNV-1a, 64 bits. `seed` chains calls: hash(b, hash(a)) hashes a then b.
uint64_t hash(std::string_view bytes, uint64_t seed = 0xcbf29ce484222325ull);

// 16 lower-case hexadecimal digits.
std::string hex(uint64_t value);

}  // namespace lanewise
