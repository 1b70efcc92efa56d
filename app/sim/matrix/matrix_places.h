// Where the elements of mma's matrices lie in the lanes' registers (figures of 9.7.14.5). For this folder.
#pragma once
#include "sim/matrix/matrix.h"

namespace lanewise {

inline const MatrixRows& rows_of(const Op& op) {
    return *reinterpret_cast<const MatrixRows*>(op.immediate);
}

struct MatrixPlace {
    int row, col;
};
// Element i of those that register r of lane n holds, `per` to a register.
inline MatrixPlace place_of_b(int n, int r, int i, int per) {
    return {n % 4 * per + i + r * 4 * per, n / 4};
}
// With f32 a register has one element, with f16 two.
inline MatrixPlace place_of_c(int n, int r) { return {n / 4 + (r >> 1) * 8, n % 4 * 2 + (r & 1)}; }

}  // namespace lanewise
