// What expressions call n: the elements of a matrix.
#pragma once
#include <cstdint>

#include "base/error.h"

namespace lanewise {

// rows * cols. Throws Error(bad_input) where that does not fit 64 bits.
inline int64_t element_count(int64_t rows, int64_t cols) {
    int64_t elements = 0;
    if (__builtin_mul_overflow(rows, cols, &elements))
        throw Error(Status::bad_input,
                    "n, which is rows * cols, does not fit 64 bits: choose a smaller size");
    return elements;
}

}  // namespace lanewise
