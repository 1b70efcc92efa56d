// The least multiple of a unit that is not below a number, as sizes and alignments are rounded.
#pragma once
#include <type_traits>

namespace lanewise {

// value >= 0, unit > 0, and their sum fits Number.
template <typename Number>
constexpr Number round_up(Number value, std::type_identity_t<Number> unit) {
    return (value + unit - 1) / unit * unit;
}

}  // namespace lanewise
