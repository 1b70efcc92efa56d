// The normal equations, solved by elimination: few unknowns, all of a size.
#include "model/least_squares.h"

#include <algorithm>
#include <cmath>

namespace lanewise {
namespace {

using Row = std::vector<double>;  // as many coefficients as unknowns, then the right-hand side

std::vector<Row> normal_equations(std::span<const Equation> equations, Residual residual,
                                  size_t unknowns) {
    std::vector<Row> normal(unknowns, Row(unknowns + 1));
    for (const Equation& e : equations) {
        double weight = residual == Residual::relative ? 1 / (e.value * e.value) : 1;
        for (size_t i = 0; i < unknowns; ++i) {
            for (size_t j = 0; j < unknowns; ++j)
                normal[i][j] += weight * e.factors[i] * e.factors[j];
            normal[i][unknowns] += weight * e.factors[i] * e.value;
        }
    }
    return normal;
}

}  // namespace

std::vector<double> least_squares(std::span<const Equation> equations, Residual residual) {
    constexpr double kDependent = 1e-12;  // of the largest coefficient
    if (equations.empty()) return {};
    size_t unknowns = equations.front().factors.size();
    std::vector<Row> rows = normal_equations(equations, residual, unknowns);
    double largest = 0;
    for (size_t i = 0; i < unknowns; ++i) largest = std::max(largest, std::fabs(rows[i][i]));
    for (size_t i = 0; i < unknowns; ++i) {
        size_t pivot = i;
        for (size_t r = i + 1; r < unknowns; ++r)
            if (std::fabs(rows[r][i]) > std::fabs(rows[pivot][i])) pivot = r;
        std::swap(rows[i], rows[pivot]);
        if (std::fabs(rows[i][i]) <= kDependent * largest) return {};
        for (size_t r = 0; r < unknowns; ++r) {
            double times = r == i ? 0 : rows[r][i] / rows[i][i];
            for (size_t c = i; c <= unknowns; ++c) rows[r][c] -= times * rows[i][c];
        }
    }
    std::vector<double> x;
    for (size_t i = 0; i < unknowns; ++i) x.push_back(rows[i][unknowns] / rows[i][i]);
    return x;
}

}  // namespace lanewise
