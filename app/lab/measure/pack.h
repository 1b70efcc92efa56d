// A kernel's arguments as the driver takes them: one behind the other, each at its own alignment.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "base/round_up.h"

namespace lanewise {

template <typename T>
void pack(std::vector<std::byte>& bytes, T value) {
    bytes.resize(round_up(bytes.size(), alignof(T)));
    auto raw = std::as_bytes(std::span(&value, 1));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
}

}  // namespace lanewise
