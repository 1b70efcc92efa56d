// Directed rounding by hand: values worked out on paper, and many thousands that a host with directed
// rounding of its own gives the same bits for.
#include "sim/warp/directed.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <random>

namespace lanewise {
namespace {

constexpr Modes::Rounding kDirections[] = {Modes::rz, Modes::rm, Modes::rp};

TEST(Directed, SumsOnPaper) {
    // 1 + 2^-25 lies between 1 and 1 + 2^-23.
    EXPECT_EQ(rounded_sum<float>(exact_sum(1, 0x1p-25), true, Modes::rz), 1.0f);
    EXPECT_EQ(rounded_sum<float>(exact_sum(1, 0x1p-25), true, Modes::rm), 1.0f);
    EXPECT_EQ(rounded_sum<float>(exact_sum(1, 0x1p-25), true, Modes::rp), 1.0f + 0x1p-23f);
    EXPECT_EQ(rounded_sum<float>(exact_sum(-1, -0x1p-25), false, Modes::rm), -1.0f - 0x1p-23f);
    EXPECT_EQ(rounded_sum<float>(exact_sum(-1, -0x1p-25), false, Modes::rz), -1.0f);
    EXPECT_EQ(rounded_sum<double>(exact_sum(1, 0x1p-1074), true, Modes::rp), 1 + 0x1p-52);
    EXPECT_EQ(rounded_sum<double>(exact_sum(1, -0x1p-1074), false, Modes::rz), 1 - 0x1p-53);
}

TEST(Directed, WhatIsTooLargeStaysFiniteInward) {
    constexpr double kMost = std::numeric_limits<double>::max();
    EXPECT_EQ(rounded_sum<double>(exact_sum(kMost, kMost), true, Modes::rz), kMost);
    EXPECT_EQ(rounded_sum<double>(exact_sum(kMost, kMost), true, Modes::rm), kMost);
    EXPECT_EQ(rounded_sum<double>(exact_sum(kMost, kMost), true, Modes::rp), HUGE_VAL);
    EXPECT_EQ(rounded<float>(exact_product(-0x1p100, 0x1p100), Modes::rz),
              -std::numeric_limits<float>::max());
    EXPECT_EQ(rounded<float>(exact_product(-0x1p100, 0x1p100), Modes::rm), -HUGE_VALF);
}

TEST(Directed, WhatIsTooSmallIsTheLeastOutward) {
    EXPECT_EQ(rounded<float>(exact_product(0x1p-100, 0x1p-100), Modes::rp), 0x1p-149f);
    EXPECT_EQ(rounded<float>(exact_product(0x1p-100, 0x1p-100), Modes::rm), 0.0f);
    EXPECT_EQ(rounded<double>(exact_product(0x1p-700, -0x1p-700), Modes::rm), -0x1p-1074);
    EXPECT_TRUE(std::signbit(rounded<double>(exact_product(0x1p-700, -0x1p-700), Modes::rz)));
}

TEST(Directed, AThirdIsNeverExact) {
    EXPECT_EQ(rounded<float>(exact_quotient(1, 3), Modes::rz), 0x1.555554p-2f);
    EXPECT_EQ(rounded<float>(exact_quotient(1, 3), Modes::rp), 0x1.555556p-2f);
    EXPECT_EQ(rounded<float>(exact_root(2), Modes::rm), 0x1.6a09e6p0f);
    EXPECT_EQ(rounded<float>(exact_root(2), Modes::rp), 0x1.6a09e8p0f);
    EXPECT_EQ(rounded<float>(exact_root(4), Modes::rp), 2.0f);
}

TEST(Directed, AnExactZeroIsNegativeOnlyDownward) {
    EXPECT_TRUE(std::signbit(rounded_sum<float>(exact_sum(1, -1), false, Modes::rm)));
    EXPECT_FALSE(std::signbit(rounded_sum<float>(exact_sum(1, -1), false, Modes::rp)));
    EXPECT_FALSE(std::signbit(rounded_sum<float>(exact_sum(0, 0), true, Modes::rm)));
}

TEST(Directed, IntegersThatHaveTooManyBits) {
    EXPECT_EQ(rounded<float>(exact_integer(false, 0x1000001), Modes::rz), 0x1p24f);
    EXPECT_EQ(rounded<float>(exact_integer(false, 0x1000001), Modes::rp), 0x1.000002p24f);
    EXPECT_EQ(rounded<double>(exact_integer(false, ~uint64_t{0}), Modes::rz), 0x1.fffffffffffffp63);
    EXPECT_EQ(rounded<double>(exact_integer(true, ~uint64_t{0}), Modes::rm), -0x1p64);
}

#ifndef __EMSCRIPTEN__  // which names directions that it does not round in
// Numbers of all sizes, and those at the ends of what there is.
template <class C, class Bits>
C any(std::mt19937_64& random) {
    constexpr C kSpecial[] = {0,
                              C{-0.0},
                              1,
                              -1,
                              std::numeric_limits<C>::max(),
                              std::numeric_limits<C>::denorm_min(),
                              -std::numeric_limits<C>::min(),
                              std::numeric_limits<C>::infinity(),
                              static_cast<C>(0.1)};
    uint64_t draw = random();
    if (draw % 8 == 0) return kSpecial[draw / 8 % std::size(kSpecial)];
    if (draw % 8 < 4)
        return static_cast<C>(
            std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(draw / 8 % 80) - 90));
    return std::bit_cast<C>(static_cast<Bits>(random()));
}

template <class C, class F>
C by_host(Modes::Rounding rounding, F f) {
    std::fesetround(rounding == Modes::rz   ? FE_TOWARDZERO
                    : rounding == Modes::rm ? FE_DOWNWARD
                                            : FE_UPWARD);
    volatile C result = f();
    std::fesetround(FE_TONEAREST);
    return result;
}

template <class C, class Bits>
void agrees_with_the_host(int count) {
    std::mt19937_64 random(21);
    for (int i = 0; i < count; ++i) {
        volatile C a = any<C, Bits>(random), b = any<C, Bits>(random), c = any<C, Bits>(random);
        if (i % 5 == 0) c = -a * b;
        C x = a, y = b, z = c;
        bool both = !std::signbit(x) && !std::signbit(y);
        bool fused = std::signbit(x) == std::signbit(y) && !std::signbit(z);
        for (Modes::Rounding to : kDirections) {
            const std::pair<C, C> pairs[] = {
                {rounded_sum<C>(exact_sum(x, y), both, to), by_host<C>(to, [&] { return a + b; })},
                {rounded<C>(exact_product(x, y), to), by_host<C>(to, [&] { return a * b; })},
                {rounded<C>(exact_quotient(x, y), to), by_host<C>(to, [&] { return a / b; })},
                {rounded<C>(exact_root(x), to), by_host<C>(to, [&] { return std::sqrt(C{a}); })},
                {rounded_sum<C>(exact_fused(x, y, z), fused, to),
                 by_host<C>(to, [&] { return std::fma(C{a}, C{b}, C{c}); })}};
            for (size_t which = 0; which < std::size(pairs); ++which) {
                auto [mine, hosts] = pairs[which];
                if (mine != mine && hosts != hosts) continue;
                ASSERT_EQ(std::bit_cast<Bits>(mine), std::bit_cast<Bits>(hosts))
                    << "operation " << which << ", rounding " << to << ", of " << std::hexfloat
                    << double{x} << ", " << double{y} << ", " << double{z};
            }
        }
    }
}

TEST(Directed, FloatsAgreeWithTheHost) { agrees_with_the_host<float, uint32_t>(50'000); }
TEST(Directed, DoublesAgreeWithTheHost) { agrees_with_the_host<double, uint64_t>(50'000); }

TEST(Directed, ConversionsAgreeWithTheHost) {
    std::mt19937_64 random(22);
    for (int i = 0; i < 50'000; ++i) {
        volatile double v = any<double, uint64_t>(random);
        volatile uint64_t n = random() >> (random() % 64);
        for (Modes::Rounding to : kDirections) {
            float narrow = by_host<float>(to, [&] { return static_cast<float>(v); });
            if (narrow == narrow) {
                ASSERT_EQ(rounded<float>(Exactly{v}, to), narrow) << double{v};
            }
            ASSERT_EQ(rounded<float>(exact_integer(false, n), to),
                      by_host<float>(to, [&] { return static_cast<float>(n); }))
                << uint64_t{n};
            ASSERT_EQ(
                rounded<double>(exact_integer(true, n), to),
                by_host<double>(to, [&] { return static_cast<double>(-static_cast<__int128>(n)); }))
                << uint64_t{n};
        }
    }
}
#endif

}  // namespace
}  // namespace lanewise
