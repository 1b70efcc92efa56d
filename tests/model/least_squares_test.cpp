#include "model/least_squares.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

// y = 2 + 3 x through (1, 5), (2, 8), (4, 14).
TEST(LeastSquares, FindsALineThatFits) {
    const Equation equations[] = {{{1, 1}, 5}, {{1, 2}, 8}, {{1, 4}, 14}};
    for (Residual residual : {Residual::absolute, Residual::relative}) {
        std::vector<double> x = least_squares(equations, residual);
        ASSERT_EQ(2u, x.size());
        EXPECT_NEAR(2, x[0], 1e-9);
        EXPECT_NEAR(3, x[1], 1e-9);
    }
}

// One factor for 1 and 4: the mean 2.5; with relative errors x minimises (x - 1)² + (x / 4 - 1)²:
// x (1 + 1/16) = 1 + 1/4, so 20/17.
TEST(LeastSquares, WeighsRelativeErrorsByTheValue) {
    const Equation equations[] = {{{1}, 1}, {{1}, 4}};
    EXPECT_NEAR(2.5, least_squares(equations, Residual::absolute)[0], 1e-12);
    EXPECT_NEAR(20.0 / 17, least_squares(equations, Residual::relative)[0], 1e-12);
}

TEST(LeastSquares, IsEmptyWhereTheEquationsDoNotDecide) {
    const Equation alike[] = {{{1, 2}, 5}, {{2, 4}, 10}};
    EXPECT_TRUE(least_squares(alike, Residual::absolute).empty());
    EXPECT_TRUE(least_squares({}, Residual::absolute).empty());
}

}  // namespace
}  // namespace lanewise
