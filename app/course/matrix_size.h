// The size of what a stage works on: the one type for it, in what is asked, answered, chosen, kept and
// linked to.
#pragma once
#include <cstdint>

namespace lanewise {

inline constexpr int64_t kNoInner = -1;

struct MatrixSize {
    int64_t rows = 0, cols = 0;  // M and N of a product
    // K of a product; kNoInner where the operation has no inner side, or nobody said it.
    int64_t inner = kNoInner;
    int64_t batch = 1;  // matrices at once
    bool operator==(const MatrixSize&) const = default;
};

}  // namespace lanewise
