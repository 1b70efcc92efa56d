// Linear least squares for a handful of unknowns.
#pragma once
#include <span>
#include <vector>

namespace lanewise {

// One equation: sum of factors[i] * x[i] is to be `value`.
struct Equation {
    std::vector<double> factors;
    double value = 0;
};

enum class Residual {
    absolute,  // the squares of sum - value are least
    relative,  // the squares of sum / value - 1; no value is 0
};

// x. All equations have as many factors, and at least as many are independent: otherwise the
// result is empty.
std::vector<double> least_squares(std::span<const Equation> equations, Residual residual);

}  // namespace lanewise
