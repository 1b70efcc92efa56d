// What products of matrices are made of, for every instruction set that this machine runs: sums in
// order, rounded each time; halves and sums between registers and doubles.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/operation/operations.h"

namespace lanewise {
namespace {

std::vector<const Operations*> all_that_run() {
    std::vector<const Operations*> all = {&operations_baseline()};
#if defined(__x86_64__)
    if (operations().name != "baseline") all.push_back(&operations_avx2());
    if (operations().name == "avx512") all.push_back(&operations_avx512());
#endif
    return all;
}

TEST(MatrixSteps, AddProductsRowByColumn) {
    // (1 2; 3 4) * (5 6 7; 8 9 10) = (21 24 27; 47 54 61), each on top of 100
    const double a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8, 9, 10};
    for (const Operations* host : all_that_run()) {
        double sums[] = {100, 100, 100, -1, 100, 100, 100, -1};
        host->matrices.add_products(sums, 4, a, b, 2, 3, 2);
        const double expected[] = {121, 124, 127, -1, 147, 154, 161, -1};
        for (size_t i = 0; i < 8; ++i) EXPECT_EQ(expected[i], sums[i]) << host->name << " " << i;
    }
}

// 2^53 + 1 rounds to 2^53, so 2^53 + 1 + 1 - 2^53 is 0 in this order, and would be 2 if the ones
// were added first. In every column, those that are done side by side and the rest.
TEST(MatrixSteps, RoundAfterEachTerm) {
    constexpr size_t kColumns = 77, kRows = 13, kDepth = 4;
    const double terms[kDepth] = {0x1p53, 1, 1, -0x1p53};
    std::vector<double> a(kRows * kDepth), b(kDepth * kColumns, 1), sums(kRows * kColumns);
    for (size_t i = 0; i < a.size(); ++i) a[i] = terms[i % kDepth];
    for (size_t col = 1; col < kColumns; col += 2)  // odd columns leave the first term out
        b[col] = 0;
    for (const Operations* host : all_that_run()) {
        std::fill(sums.begin(), sums.end(), 0.0);
        host->matrices.add_products(sums.data(), kColumns, a.data(), b.data(), kRows, kColumns,
                                    kDepth);
        for (size_t i = 0; i < sums.size(); ++i)
            ASSERT_EQ(i % kColumns % 2 == 0 ? 0 : 2 - 0x1p53, sums[i]) << host->name << " " << i;
    }
}

TEST(MatrixSteps, WidenEveryHalf) {
    struct Case {
        uint16_t bits;
        double half, brain;
    };
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const Case cases[] = {{0x3c00, 1, 0x1p-7},
                          {0xc000, -2, -2},
                          {0x0001, 0x1p-24, 0x1p-133},
                          {0x03ff, 1023 * 0x1p-24, 0x1.fep-120},
                          {0x7bff, 65504, 0x1.fep120},
                          {0x7c00, kInfinity, 0x1p121},
                          {0xfc00, -kInfinity, -0x1p121},
                          {0x7f80, NAN, kInfinity},
                          {0x7fff, NAN, NAN}};
    for (const Operations* host : all_that_run())
        for (bool brain : {false, true})
            for (const Case& c : cases) {
                std::vector<uint16_t> bits(19, c.bits);  // both in vectors and alone
                std::vector<double> wide(bits.size());
                host->matrices.widen_halves(bits.data(), wide.data(), bits.size(), brain);
                double expected = brain ? c.brain : c.half;
                for (double value : wide)
                    if (std::isnan(expected))
                        EXPECT_TRUE(std::isnan(value)) << host->name << " " << c.bits;
                    else
                        EXPECT_EQ(expected, value) << host->name << " " << c.bits;
            }
}

TEST(MatrixSteps, SumsLieTwoColumnsToALane) {
    std::array<uint32_t, 32> even, odd;
    for (uint32_t lane = 0; lane < 32; ++lane) {
        even[lane] = std::bit_cast<uint32_t>(static_cast<float>(lane));
        odd[lane] = std::bit_cast<uint32_t>(static_cast<float>(lane) + 0.5f);
    }
    for (const Operations* host : all_that_run()) {
        double tile[8 * 10];
        host->matrices.read_sums(even.data(), odd.data(), tile, 10);
        EXPECT_EQ(0, tile[0]);
        EXPECT_EQ(0.5, tile[1]);
        EXPECT_EQ(3.5, tile[7]);          // row 0, column 7: lane 3
        EXPECT_EQ(30, tile[7 * 10 + 4]);  // row 7, column 4: lane 7 * 4 + 2
        tile[0] = 1 + 0x1p-30;            // rounds to 1
        tile[1] = NAN;
        tile[7 * 10 + 7] = 0x1p200;
        std::array<uint32_t, 32> even_back, odd_back;
        host->matrices.write_sums(tile, 10, even_back.data(), odd_back.data());
        EXPECT_EQ(0x3f800000u, even_back[0]) << host->name;
        EXPECT_EQ(0x7fffffffu, odd_back[0]);  // the hardware's one NaN
        EXPECT_EQ(0x7f800000u, odd_back[31]);
        EXPECT_EQ(even[30], even_back[30]);
        EXPECT_EQ(odd[17], odd_back[17]);
    }
}

}  // namespace
}  // namespace lanewise
