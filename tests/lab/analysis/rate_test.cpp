// Measurements in what their operations count.
#include "lab/analysis/rate.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

Measurement of(const std::string& stage, int64_t rows, int64_t cols, int64_t inner = kNoInner) {
    Measurement m;
    m.stage = stage;
    m.type = "f32";
    m.rows = rows;
    m.cols = cols;
    m.inner = inner;
    return m;
}

TEST(Rate, IsOfBytesWhereTheyAreMoved) {
    Measurement m = of("transpose/30_padded", 4096, 4096);
    m.gb_per_s = 3000;
    m.yardstick.gb_per_s = 4000;
    m.provenance.datasheet_gb_per_s = 4800;
    EXPECT_EQ("transpose", operation_of(m).id);
    EXPECT_EQ(3000, rate_of(m));
    EXPECT_EQ(4000, yardstick_rate_of(m));
    EXPECT_EQ(4800, datasheet_rate_of(m));
    EXPECT_EQ(1234, rate_at(m, 1234));
}

// 2 * 1000^3 operations in 100 us are 20 * 10^12 a second. A, B and C are 12 * 10^6 bytes, so at
// 3 GB/s that takes 4 ms, and 2 * 10^9 operations in 4 ms are 500 * 10^9 a second.
TEST(Rate, IsOfOperationsWhereElementsAreComputedWith) {
    Measurement m = of("matmul/20_shared_tiles", 1000, 1000, 1000);
    m.time_us.median = 100;
    m.yardstick.time_us.median = 50;
    m.gb_per_s = 120;
    m.arithmetic.datasheet_gflop_per_s = 60000;
    EXPECT_EQ("matmul", operation_of(m).id);
    EXPECT_DOUBLE_EQ(20000, rate_of(m));
    EXPECT_DOUBLE_EQ(40000, yardstick_rate_of(m));
    EXPECT_DOUBLE_EQ(60000, datasheet_rate_of(m));
    EXPECT_DOUBLE_EQ(500, rate_at(m, 3));
}

TEST(Rate, OfAnExerciseGoesByItsSides) {
    EXPECT_EQ("transpose", operation_of(of("pitfalls/105_no_padding", 64, 64)).id);
    EXPECT_EQ("matmul", operation_of(of("pitfalls/121_not_cleared", 64, 64, 64)).id);
    Analysis analysis;
    analysis.stage = "pitfalls/121_not_cleared";
    EXPECT_EQ("transpose", operation_of(analysis).id);
    analysis.inner = 0;  // a product of nothing is one
    EXPECT_EQ("matmul", operation_of(analysis).id);
}

TEST(Rate, SaysNothingOfAProductThatIsAllStart) {
    const Operation& matmul = operation_called("matmul");
    EXPECT_TRUE(is_timed_alone(matmul, {32, 32, 32}));
    EXPECT_TRUE(is_timed_alone(matmul, {64, 64, 63}));
    EXPECT_FALSE(is_timed_alone(matmul, {64, 64, 64}));
    EXPECT_FALSE(is_timed_alone(operation_called("transpose"), {32, 32}));
}

TEST(Rate, IsToldInThreeDigits) {
    EXPECT_EQ("0.0123", in_three_digits(0.012345));
    EXPECT_EQ("64.9", in_three_digits(64.94));
    EXPECT_EQ("100", in_three_digits(99.96));
    EXPECT_EQ("100", in_three_digits(100.4));
    EXPECT_EQ("3,185", in_three_digits(3184.5));
}

}  // namespace
}  // namespace lanewise
