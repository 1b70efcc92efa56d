// Floats with every modifier, conversions and half precision: results worked out by hand, the
// edges included.
#include <gtest/gtest.h>

#include "run_ptx.h"

namespace lanewise {
namespace {

struct Case {
    uint64_t expected;
    const char* body;  // leaves its result in %r1, %f1, %h1 (words) or %rd2, %fd1 (wides)
};
void check_floats(const std::vector<Case>& cases) {
    for (const Case& c : cases)
        EXPECT_EQ(c.expected, word_result(std::string(c.body) + " mov.b32 %r1, %f1;")) << c.body;
}
void check_doubles(const std::vector<Case>& cases) {
    for (const Case& c : cases)
        EXPECT_EQ(c.expected, wide_result(std::string(c.body) + " mov.b64 %rd2, %fd1;")) << c.body;
}
void check_halves(const std::vector<Case>& cases) {
    for (const Case& c : cases)
        EXPECT_EQ(c.expected, word_result(std::string(c.body) + " cvt.u32.u16 %r1, %h1;"))
            << c.body;
}
void check_words(const std::vector<Case>& cases) {
    for (const Case& c : cases) EXPECT_EQ(c.expected, word_result(c.body)) << c.body;
}
void check_wides(const std::vector<Case>& cases) {
    for (const Case& c : cases) EXPECT_EQ(c.expected, wide_result(c.body)) << c.body;
}

// 1 + 2^-24 lies between 3F800000 and 3F800001, in the middle
TEST(Floats, Rounding) {
    check_floats({
        {0x3F800000, "add.rn.f32 %f1, 0f3F800000, 0f33800000;"},
        {0x3F800000, "add.rz.f32 %f1, 0f3F800000, 0f33800000;"},
        {0x3F800001, "add.rp.f32 %f1, 0f3F800000, 0f33800000;"},
        {0x3F800000, "add.rm.f32 %f1, 0f3F800000, 0f33800000;"},
        {0xBF800001, "sub.rm.f32 %f1, 0fBF800000, 0f33800000;"},
        {0x3EAAAAAB, "div.rn.f32 %f1, 0f3F800000, 0f40400000;"},  // 1 / 3
        {0x3EAAAAAA, "div.rz.f32 %f1, 0f3F800000, 0f40400000;"},
        {0x3EAAAAAB, "rcp.rn.f32 %f1, 0f40400000;"},
        {0x3EAAAAAA, "rcp.rm.f32 %f1, 0f40400000;"},
        {0x3FB504F3, "sqrt.rn.f32 %f1, 0f40000000;"},
        {0x3FB504F4, "sqrt.rp.f32 %f1, 0f40000000;"},
        {0x7F7FFFFF, "mul.rz.f32 %f1, 0f7F7FFFFF, 0f40000000;"},  // never infinite toward 0
        {0x7F800000, "mul.rn.f32 %f1, 0f7F7FFFFF, 0f40000000;"},
        // (1 + 2^-22)^2 - 1 = 2^-21 + 2^-44: one rounding, not two
        {0x35000001, "fma.rn.f32 %f1, 0f3F800002, 0f3F800002, 0fBF800000;"},
    });
    check_doubles({
        {0x3FD5555555555555, "div.rn.f64 %fd1, 0d3FF0000000000000, 0d4008000000000000;"},
        {0x3FD5555555555556, "div.rp.f64 %fd1, 0d3FF0000000000000, 0d4008000000000000;"},
        {0x3FF6A09E667F3BCD, "sqrt.rn.f64 %fd1, 0d4000000000000000;"},
        {0x3FF6A09E667F3BCC, "sqrt.rz.f64 %fd1, 0d4000000000000000;"},
        {0x3CB0000000000000,
         "fma.rn.f64 %fd1, 0d3FF0000000000000, 0d3FF0000000000001, 0dBFF0000000000000;"},
    });
}

TEST(Floats, NanInfinitiesAndSignedZeros) {
    check_floats({
        {0x7FFFFFFF, "add.f32 %f1, 0f7F800000, 0fFF800000;"},  // the hardware's one NaN
        {0x7FFFFFFF, "add.f32 %f1, 0fFFC12345, 0f3F800000;"},
        {0x7FFFFFFF, "mul.f32 %f1, 0f00000000, 0fFF800000;"},
        {0x7FFFFFFF, "div.rn.f32 %f1, 0f00000000, 0f80000000;"},
        {0xFF800000, "div.rn.f32 %f1, 0f3F800000, 0f80000000;"},
        {0x7FFFFFFF, "sqrt.rn.f32 %f1, 0fBF800000;"},
        {0x80000000, "sqrt.rn.f32 %f1, 0f80000000;"},
        {0x7FFFFFFF, "fma.rn.f32 %f1, 0f7F800000, 0f3F800000, 0fFF800000;"},
        {0x80000000, "add.f32 %f1, 0f80000000, 0f80000000;"},
        {0x00000000, "add.f32 %f1, 0f80000000, 0f00000000;"},
        {0x80000000, "neg.f32 %f1, 0f00000000;"},
        {0x00000000, "abs.f32 %f1, 0f80000000;"},
        {0x80000000, "min.f32 %f1, 0f00000000, 0f80000000;"},
        {0x00000000, "max.f32 %f1, 0f80000000, 0f00000000;"},
        {0x7FFFFFFF, "max.f32 %f1, 0f7FC00000, 0f7FC00001;"},
        {0x3F800000, "max.f32 %f1, 0f7FC00000, 0f3F800000;"},
        {0x7FFFFFFF, "max.NaN.f32 %f1, 0f7FC00000, 0f3F800000;"},
    });
    check_doubles({
        {0x8000000000000000, "min.f64 %fd1, 0d0000000000000000, 0d8000000000000000;"},
        {0x7FF0000000000000, "div.rn.f64 %fd1, 0d3FF0000000000000, 0d0000000000000000;"},
    });
}

// 00400000 is denormal: 2^-127
TEST(Floats, FlushAndSaturate) {
    check_floats({
        {0x00800000, "add.f32 %f1, 0f00400000, 0f00400000;"},
        {0x00000000, "add.ftz.f32 %f1, 0f00400000, 0f00400000;"},
        {0x00400000, "mul.f32 %f1, 0f00800000, 0f3F000000;"},
        {0x00000000, "mul.ftz.f32 %f1, 0f00800000, 0f3F000000;"},
        {0x80000000, "mul.ftz.f32 %f1, 0f80800000, 0f3F000000;"},
        {0x3F800000, "add.sat.f32 %f1, 0f3F800000, 0f3F800000;"},
        {0x00000000, "add.sat.f32 %f1, 0fBF800000, 0f00000000;"},
        {0x00000000, "mul.sat.f32 %f1, 0f7F800000, 0f00000000;"},  // NaN gives 0
        {0x3F000000, "fma.rn.ftz.sat.f32 %f1, 0f3F000000, 0f3F800000, 0f00400000;"},
    });
    check_words({
        {0x7FFFFFFF, "add.sat.s32 %r1, 2147483647, 1;"},
        {0x80000000, "sub.sat.s32 %r1, -2147483648, 1;"},
        {1, "setp.eq.ftz.f32 %p1, 0f00400000, 0f80000000; selp.b32 %r1, 1, 0, %p1;"},
        {0, "setp.eq.f32 %p1, 0f00400000, 0f80000000; selp.b32 %r1, 1, 0, %p1;"},
    });
}

TEST(Floats, ApproximationsWhereTheyAreExact) {
    check_floats({
        {0x41000000, "ex2.approx.ftz.f32 %f1, 0f40400000;"},  // 2^3
        {0x7F800000, "ex2.approx.f32 %f1, 0f43000000;"},      // 2^128
        {0x00000000, "ex2.approx.f32 %f1, 0fFF800000;"},
        {0x40400000, "lg2.approx.f32 %f1, 0f41000000;"},
        {0xFF800000, "lg2.approx.f32 %f1, 0f00000000;"},
        {0x7FFFFFFF, "lg2.approx.f32 %f1, 0fBF800000;"},
        {0x00000000, "sin.approx.f32 %f1, 0f00000000;"},
        {0x3F800000, "cos.approx.f32 %f1, 0f00000000;"},
        {0x7FFFFFFF, "cos.approx.ftz.f32 %f1, 0f7F800000;"},
        {0x3F000000, "rsqrt.approx.f32 %f1, 0f40800000;"},
        {0x7F800000, "rsqrt.approx.f32 %f1, 0f00000000;"},
        {0xFF800000, "rcp.approx.ftz.f32 %f1, 0f80000000;"},
        {0x3F000000, "div.full.f32 %f1, 0f3F800000, 0f40000000;"},
        {0x00000000, "div.approx.f32 %f1, 0f7F000000, 0f7F000000;"},  // divisor over 2^126
        {0x7FFFFFFF, "div.approx.f32 %f1, 0f7F800000, 0f7F000000;"},
        {0x3F800000, "tanh.approx.f32 %f1, 0f7F800000;"},
    });
    check_doubles({
        {0x3FD5555500000000, "rcp.approx.ftz.f64 %fd1, 0d4008000000000000;"},  // upper half only
        {0x3FE0000000000000, "rsqrt.approx.f64 %fd1, 0d4010000000000000;"},
    });
}

TEST(Conversion, RoundsClampsAndFlushes) {
    check_floats({
        // 2^24 + 1 and 2^24 + 3: in the middle between two floats
        {0x4B800000, "cvt.rn.f32.s32 %f1, 16777217;"},
        {0x4B800002, "cvt.rn.f32.s32 %f1, 16777219;"},
        {0x4B800001, "cvt.rp.f32.s32 %f1, 16777217;"},
        {0x4B800001, "cvt.rz.f32.u32 %f1, 16777219;"},
        {0xCB800001, "cvt.rm.f32.s32 %f1, -16777217;"},
        {0x5F800000, "mov.u64 %rd3, -1; cvt.rn.f32.u64 %f1, %rd3;"},
        {0x5F7FFFFF, "mov.u64 %rd3, -1; cvt.rz.f32.u64 %f1, %rd3;"},
        {0x3DCCCCCD, "mov.f64 %fd2, 0d3FB999999999999A; cvt.rn.f32.f64 %f1, %fd2;"},  // 0.1
        {0x3DCCCCCC, "mov.f64 %fd2, 0d3FB999999999999A; cvt.rz.f32.f64 %f1, %fd2;"},
        {0x7F800000, "mov.f64 %fd2, 0d47F0000000000000; cvt.rn.f32.f64 %f1, %fd2;"},
        {0x3F800000, "cvt.sat.f32.f32 %f1, 0f40000000;"},
        {0x00000000, "cvt.sat.f32.f32 %f1, 0f7FC00000;"},
        {0x00000000, "cvt.ftz.f32.f32 %f1, 0f00400000;"},
        {0x40000000, "cvt.rni.f32.f32 %f1, 0f40200000;"},
    });
    check_words({
        {0, "cvt.rni.s32.f32 %r1, 0f7FC00000;"},
        {0xff, "cvt.rzi.u8.f32 %r1, 0f43C80000;"},  // 400
        {0xffffff80, "cvt.rzi.s8.f32 %r1, 0fC3C80000;"},
        {0xff, "mov.u32 %r2, 300; cvt.sat.u8.s32 %r1, %r2;"},
        {0, "mov.u32 %r2, -5; cvt.sat.u8.s32 %r1, %r2;"},
        {0xffffff80, "mov.u32 %r2, -300; cvt.sat.s8.s32 %r1, %r2;"},
        {0x7fffffff, "mov.u32 %r2, -1; cvt.sat.s32.u32 %r1, %r2;"},
        {0x80000000, "mov.f64 %fd2, 0d7FF8000000000000; cvt.rzi.s32.f64 %r1, %fd2;"},
        {0xffffffff, "mov.f64 %fd2, 0d41F0000000000000; cvt.rzi.u32.f64 %r1, %fd2;"},
        {0, "cvt.rzi.ftz.u32.f32 %r1, 0f00400000;"},
    });
    check_wides({
        {0x8000000000000000, "cvt.rzi.s64.f32 %rd2, 0f7FC00000;"},
        {0x8000000000000000, "cvt.rzi.u64.f32 %rd2, 0f7FC00000;"},
        {0x7fffffffffffffff, "cvt.rzi.s64.f32 %rd2, 0f7F800000;"},
        {0xffffffffffffffff, "cvt.rzi.u64.f32 %rd2, 0f7F800000;"},
        {0, "cvt.rzi.u64.f32 %rd2, 0fBF800000;"},
    });
}

TEST(Half, ConversionsRoundOnce) {
    check_halves({
        {0x3C00, "cvt.rn.f16.f32 %h1, 0f3F800000;"},
        {0x7BFF, "cvt.rn.f16.f32 %h1, 0f477FE000;"},  // 65504, the largest
        {0x7BFF, "cvt.rn.f16.f32 %h1, 0f477FEFFF;"},  // below the middle to 65536
        {0x7C00, "cvt.rn.f16.f32 %h1, 0f477FF000;"},
        {0x7BFF, "cvt.rz.f16.f32 %h1, 0f7F000000;"},
        {0xFC00, "cvt.rm.f16.f32 %h1, 0fFF000000;"},
        {0x0001, "cvt.rn.f16.f32 %h1, 0f33800000;"},  // 2^-24, the smallest
        {0x0000, "cvt.rn.f16.f32 %h1, 0f33000000;"},  // half of it: to even
        {0x0001, "cvt.rp.f16.f32 %h1, 0f00000001;"},
        {0x8000, "cvt.rn.f16.f32 %h1, 0f80000000;"},
        {0x7FFF, "cvt.rn.f16.f32 %h1, 0fFFC00000;"},
        {0x3555, "cvt.rn.f16.f64 %h1, 0d3FD5555555555555;"},      // 1/3
        {0x6800, "mov.u32 %r2, 2049; cvt.rn.f16.s32 %h1, %r2;"},  // 2048, to even
        {0x6802, "mov.u32 %r2, 2051; cvt.rn.f16.s32 %h1, %r2;"},
        {0x3F80, "cvt.rn.bf16.f32 %h1, 0f3F800000;"},
        {0x3F80, "cvt.rn.bf16.f32 %h1, 0f3F808000;"},  // the middle: to even
        {0x3F82, "cvt.rn.bf16.f32 %h1, 0f3F818000;"},
    });
    check_floats({
        {0x3F800000, "mov.b16 %h2, 0x3C00; cvt.f32.f16 %f1, %h2;"},
        {0x33800000, "mov.b16 %h2, 1; cvt.f32.f16 %f1, %h2;"},
        {0xFF800000, "mov.b16 %h2, 0xFC00; cvt.f32.f16 %f1, %h2;"},
        {0x3F810000, "mov.b16 %h2, 0x3F81; cvt.f32.bf16 %f1, %h2;"},
    });
    check_words({
        {0x3C004000, "cvt.rn.f16x2.f32 %r1, 0f3F800000, 0f40000000;"},  // the first is the upper
        {3, "mov.b16 %h2, 0x4300; cvt.rzi.s32.f16 %r1, %h2;"},          // 3.5
        {4, "mov.b16 %h2, 0x4300; cvt.rni.s32.f16 %r1, %h2;"},
    });
}

TEST(Half, Arithmetic) {
    const std::string one = "mov.b16 %h2, 0x3C00; mov.b16 %h3, ";
    auto half = [&](const std::string& h3, const std::string& body) {
        return word_result(one + h3 + "; " + body + " cvt.u32.u16 %r1, %h1;");
    };
    EXPECT_EQ(0x4000u, half("0x3C00", "add.f16 %h1, %h2, %h3;"));
    EXPECT_EQ(0x3C00u, half("0x1000", "add.f16 %h1, %h2, %h3;"));  // 1 + 2^-11: to even
    EXPECT_EQ(0xBC00u, half("0x4000", "sub.f16 %h1, %h2, %h3;"));
    EXPECT_EQ(0x7C00u, half("0x7BFF", "add.f16 %h1, %h3, %h3;"));
    EXPECT_EQ(0x0000u, half("0x0001", "mul.ftz.f16 %h1, %h2, %h3;"));
    EXPECT_EQ(0x0001u, half("0x0001", "mul.f16 %h1, %h2, %h3;"));
    EXPECT_EQ(0xBC00u, half("0x4000", "neg.f16 %h1, %h2;"));
    EXPECT_EQ(0x3C00u, half("0xBC00", "abs.f16 %h1, %h3;"));
    EXPECT_EQ(0x3C00u, half("0x7E00", "max.f16 %h1, %h2, %h3;"));
    EXPECT_EQ(0x7FFFu, half("0x7E00", "max.NaN.f16 %h1, %h2, %h3;"));
    EXPECT_EQ(0x0000u, half("0xBC00", "fma.rn.relu.f16 %h1, %h2, %h3, %h3;"));
    // 1 x 1 + 2^-11 lies in the middle, a little more does not: 1 + 2^-11 + 2^-24
    EXPECT_EQ(0x3C01u, word_result("mov.b16 %h2, 0x3C01; mov.b16 %h3, 0x1000; mov.b16 %h4, 0x3C00;"
                                   "fma.rn.f16 %h1, %h2, %h3, %h4; cvt.u32.u16 %r1, %h1;"));
    EXPECT_EQ(0x3C000000u + 0x4200u,
              word_result("mov.b32 %r2, 0x38003C00; mov.b32 %r3, 0x38004000;"
                          "add.f16x2 %r1, %r2, %r3;"));  // {0.5 + 0.5, 1 + 2}
    EXPECT_EQ(0x44004600u,
              word_result("mov.b32 %r2, 0x40004000; mov.b32 %r3, 0x3C003C00; mov.b32 %r4, "
                          "0x40004400; fma.rn.f16x2 %r1, %r2, %r3, %r4;"));  // {2+2, 2+4}
    EXPECT_EQ(0x4040u, word_result("mov.b16 %h2, 0x3F80; mov.b16 %h3, 0x4000;"
                                   "fma.rn.bf16 %h1, %h2, %h3, %h2; cvt.u32.u16 %r1, %h1;"));
    EXPECT_EQ(1u, word_result("mov.b16 %h2, 0x3C00; mov.b16 %h3, 0xBC00;"
                              "setp.gt.f16 %p1, %h2, %h3; selp.b32 %r1, 1, 0, %p1;"));
}

TEST(F32, DecimalNumbersAreOfTheInstructionsType) {
    EXPECT_EQ(0x3E800000u,
              word_result("add.f32 %f1, 0.5, 0.25; sub.f32 %f1, %f1, 0.5; mov.b32 %r1, %f1;"));
    EXPECT_EQ(0x3FE0'0000'0000'0000u, wide_result("mov.f64 %fd1, 0.5; mov.b64 %rd2, %fd1;"));
}

// 1 + 2^-11 + 2^-35 in one step: the double sum keeps the last bit that decides.
TEST(Half, FmaIsNotRoundedTwice) {
    // 2^-14 x (2^-21 scaled) is not representable: 0x0001 (2^-24) x 0x1000 (2^-11) = 2^-35
    EXPECT_EQ(0x3C00u, word_result("mov.b16 %h2, 0x0001; mov.b16 %h3, 0x1000; mov.b16 %h4, 0x3C00;"
                                   "fma.rn.f16 %h1, %h2, %h3, %h4; cvt.u32.u16 %r1, %h1;"));
    // 0x0001 x 0x0001 = 2^-48 more than 1 + 2^-11 would be: toward plus infinity it shows
    EXPECT_EQ(0x7BFFu, word_result("mov.b16 %h2, 0x0001; mov.b16 %h3, 0x8001; mov.b16 %h4, 0x7BFF;"
                                   "fma.rn.f16 %h1, %h2, %h3, %h4; cvt.u32.u16 %r1, %h1;"));
}

// (1 + 2^-12)^2 is 1 + 2^-11 + 2^-24, of which f32 keeps 1 + 2^-11: fused, the difference of two
// such products has the part that is lost otherwise.
TEST(Contraction, FusesAProductThatNothingElseUses) {
    const std::string products =
        "mov.f32 %f0, 0f3F800800; mul.f32 %f2, %f0, %f0; mul.f32 %f3, %f0, %f0;";
    auto result = [&](const std::string& body) { return word_result(products + body); };
    constexpr uint32_t kLost = 0x33800000;  // 2^-24
    EXPECT_EQ(kLost, result("sub.f32 %f1, %f2, %f3; mov.b32 %r1, %f1;"));
    // the second, where the first is used once more
    EXPECT_EQ(0x80000000 | kLost,
              result("sub.f32 %f1, %f2, %f3; mov.b32 %r1, %f1; mov.f32 %f4, %f2;"));
    EXPECT_EQ(0u, result("sub.f32 %f1, %f2, %f3; mov.b32 %r1, %f1; add.f32 %f4, %f2, %f3;"));
    EXPECT_EQ(0u, result("sub.rn.f32 %f1, %f2, %f3; mov.b32 %r1, %f1;"));
    EXPECT_EQ(0u, result("$there: sub.f32 %f1, %f2, %f3; mov.b32 %r1, %f1; "
                         "setp.ne.u32 %p1, 0, 0; @%p1 bra $there;"));
    // a factor that is no more what it was
    EXPECT_EQ(0x80000000 | kLost,
              result("mov.f32 %f5, %f0; mul.f32 %f4, %f5, %f5; mov.f32 %f5, 0f00000000;"
                     "sub.f32 %f1, %f4, %f3; mov.b32 %r1, %f1; mov.f32 %f6, %f2;"));
}

// 1, 2 and 3, 4: two floats in a register of 64 bits
TEST(Float, TwoAtOnce) {
    const std::string set =
        "mov.u64 %rd3, 0x400000003f800000; mov.u64 %rd4, 0x4080000040400000;"
        "mov.u64 %rd5, 0x3f8000003f000000;";
    EXPECT_EQ(0x40c0000040800000u, wide_result(set + "add.rn.f32x2 %rd2, %rd3, %rd4;"));  // 4, 6
    EXPECT_EQ(0xc0000000c0000000u, wide_result(set + "sub.rn.f32x2 %rd2, %rd3, %rd4;"));  // -2
    EXPECT_EQ(0x4100000040400000u, wide_result(set + "mul.rn.f32x2 %rd2, %rd3, %rd4;"));  // 3, 8
    // 1 * 3 + 0.5 and 2 * 4 + 1
    EXPECT_EQ(0x4110000040600000u, wide_result(set + "fma.rn.f32x2 %rd2, %rd3, %rd4, %rd5;"));
    // 1 + 2^-24 rounds up only upwards
    const std::string tiny = "mov.u64 %rd4, 0x3380000033800000; mov.u64 %rd3, 0x3f8000003f800000;";
    EXPECT_EQ(0x3f8000013f800001u, wide_result(tiny + "add.rp.f32x2 %rd2, %rd3, %rd4;"));
    EXPECT_EQ(0x3f8000003f800000u, wide_result(tiny + "add.rn.f32x2 %rd2, %rd3, %rd4;"));
}

TEST(Float, TheLeastOfThree) {
    const std::string set =
        "mov.f32 %f2, 0f3F800000; mov.f32 %f3, 0f40A00000;"   // 1, 5
        "mov.f32 %f4, 0f40400000; mov.f32 %f5, 0f7FC00000;";  // 3, NaN
    auto result = [&](const std::string& operation) {
        return word_result(set + operation + "; mov.b32 %r1, %f1;");
    };
    EXPECT_EQ(0x40a00000u, result("max.f32 %f1, %f2, %f3, %f4"));
    EXPECT_EQ(0x3f800000u, result("min.f32 %f1, %f3, %f4, %f2"));
    EXPECT_EQ(0x40400000u, result("min.f32 %f1, %f5, %f3, %f4"));
    EXPECT_EQ(0x7fffffffu, result("min.NaN.f32 %f1, %f2, %f3, %f5"));
}

}  // namespace
}  // namespace lanewise
