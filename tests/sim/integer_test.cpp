// Rare integer instructions: carries, fields, permutations, parts of words; comparisons that give
// numbers. Expected values worked by hand from the PTX manual's definitions.
#include <gtest/gtest.h>

#include "run_ptx.h"

namespace lanewise {
namespace {

// a op b op c with %r2, %r3, %r4 as operands
uint32_t of_words(const std::string& operation, const std::string& a, const std::string& b,
                  const std::string& c = "") {
    std::string set = "mov.u32 %r2, " + a + "; mov.u32 %r3, " + b + ";";
    if (!c.empty()) set += "mov.u32 %r4, " + c + ";";
    return word_result(set + operation + " %r1, %r2, %r3" + (c.empty() ? ";" : ", %r4;"));
}

TEST(Carries, GoFromInstructionToInstruction) {
    // 0xffffffff'ffffffff + 1: both words carry
    EXPECT_EQ(1u, word_result("mov.u32 %r2, -1; add.cc.u32 %r3, %r2, 1; addc.cc.u32 %r4, %r2, 0;"
                              "addc.u32 %r1, 0, 0;"));
    // 0x1'00000000 - 1 = 0xffffffff: the upper word loses its one
    EXPECT_EQ(0u, word_result("sub.cc.u32 %r3, 0, 1; subc.u32 %r1, 1, 0;"));
    EXPECT_EQ(0xffffffffu, word_result("sub.cc.u32 %r3, 0, 1; subc.cc.u32 %r4, 0, 0;"
                                       "subc.u32 %r1, 0, 0;"));
    // The carry of a difference: nothing was borrowed.
    EXPECT_EQ(1u, word_result("sub.cc.u32 %r3, 5, 5; addc.u32 %r1, 0, 0;"));
    EXPECT_EQ(0u, word_result("sub.cc.u32 %r3, 5, 6; addc.u32 %r1, 0, 0;"));
    EXPECT_EQ(4u, word_result("add.cc.u32 %r3, 5, 6; subc.u32 %r1, 9, 4;"));
    // 0xffffffff * 0xffffffff = 0xfffffffe'00000001; + 0xffffffff carries into the upper word
    EXPECT_EQ(0xffffffffu, word_result("mov.u32 %r2, -1; mad.lo.cc.u32 %r3, %r2, %r2, %r2;"
                                       "madc.hi.u32 %r1, %r2, %r2, 0;"));
    // signed: -1 * -1 = 1, whose upper word is 0
    EXPECT_EQ(7u, word_result("mov.u32 %r2, -1; mad.hi.cc.s32 %r1, %r2, %r2, 7;"));
    EXPECT_EQ(1u,
              wide_result("mov.u64 %rd3, -1; add.cc.u64 %rd4, %rd3, %rd3; addc.u64 %rd2, 0, 0;"));
}

TEST(Carries, BelongToTheirLane) {
    // lanes 4 and above carry
    auto outcome = run_block(
        "add.cc.u32 %r2, %r0, 0xfffffffc; addc.u32 %r1, 0, 0; cvt.u64.u32 %rd2, %r1;"
        "st.global.u64 [%rd1], %rd2;");
    EXPECT_EQ(0u, outcome.out[3]);
    EXPECT_EQ(1u, outcome.out[4]);
}

TEST(Fields, MasksExtensionsAndSetBits) {
    EXPECT_EQ(1u, word_result("mov.u32 %r2, 0; cnot.b32 %r1, %r2;"));
    EXPECT_EQ(0x12347f80u, of_words("cvt.pack.sat.s8.s32.b32", "300", "-300", "0xab1234"));
    EXPECT_EQ(0x1234ff00u, of_words("cvt.pack.sat.u8.s32.b32", "300", "-300", "0xab1234"));
    EXPECT_EQ(0xfed40007u, of_words("cvt.pack.sat.s16.s32", "-300", "7"));
    EXPECT_EQ(0xffff0000u, of_words("cvt.pack.sat.u16.s32", "70000", "-1"));
    EXPECT_EQ(0u, word_result("mov.u32 %r2, 6; cnot.b32 %r1, %r2;"));
    EXPECT_EQ(0x3f0u, of_words("bmsk.clamp.b32", "4", "6"));
    EXPECT_EQ(0xfffffff0u, of_words("bmsk.clamp.b32", "4", "40"));
    EXPECT_EQ(0u, of_words("bmsk.clamp.b32", "32", "6"));
    EXPECT_EQ(0x3f0u, of_words("bmsk.wrap.b32", "36", "38"));
    EXPECT_EQ(0xfffffffdu, of_words("szext.wrap.s32", "0x5", "3"));  // 101 as a signed number
    EXPECT_EQ(5u, of_words("szext.wrap.u32", "0x15", "3"));
    EXPECT_EQ(0x15u, of_words("szext.clamp.s32", "0x15", "99"));
    EXPECT_EQ(4u, of_words("fns.b32", "0x36", "2", "2"));  // bits 1 2 4 5: from 2 up, the second
    EXPECT_EQ(1u, of_words("fns.b32", "0x36", "4", "-3"));
    EXPECT_EQ(0xffffffffu, of_words("fns.b32", "0x36", "3", "0"));
    EXPECT_EQ(28u, word_result("bfind.shiftamt.u32 %r1, 12;"));  // bit 3 is 28 from the top
}

TEST(Permutations, Modes) {
    const std::string a = "0x33221100", b = "0x77665544";  // byte k of {b, a} is 0x11 * k
    EXPECT_EQ(0x44332211u, of_words("prmt.b32.f4e", a, b, "1"));
    EXPECT_EQ(0x66770011u, of_words("prmt.b32.b4e", a, b, "1"));
    EXPECT_EQ(0x22222222u, of_words("prmt.b32.rc8", a, b, "2"));
    EXPECT_EQ(0x33221111u, of_words("prmt.b32.ecl", a, b, "1"));
    EXPECT_EQ(0x11111100u, of_words("prmt.b32.ecr", a, b, "1"));
    EXPECT_EQ(0x33223322u, of_words("prmt.b32.rc16", a, b, "1"));
}

TEST(Parts, OfWords) {
    EXPECT_EQ(17u, of_words("dp2a.lo.s32.s32", "0x00020003", "0x01ff0504", "-5"));  // 3*4+2*5-5
    EXPECT_EQ(0xfffffffau, of_words("dp2a.hi.s32.s32", "0x00020003", "0x01ff0504", "-5"));
    EXPECT_EQ(0xfffffffcu, of_words("mul24.lo.s32", "0xfffffe", "2"));  // -2 * 2
    EXPECT_EQ(0x1fffffcu, of_words("mul24.lo.u32", "0xfffffe", "2"));
    EXPECT_EQ(0x10000u, of_words("mul24.hi.u32", "0x10000", "0x10000"));
    EXPECT_EQ(9u, of_words("mad24.lo.u32", "2", "3", "3"));
    EXPECT_EQ(0x00010000u, of_words("add.s16x2", "0x0000ffff", "0x00010001"));
    EXPECT_EQ(0xffff0002u, of_words("min.s16x2", "0xffff0003", "0x00010002"));
    EXPECT_EQ(0x00010003u, of_words("max.s16x2", "0xffff0003", "0x00010002"));
    EXPECT_EQ(0x01020300u, of_words("vabsdiff4.u32.u32.u32", "0x05060708", "0x04040408", "0"));
    EXPECT_EQ(16u, of_words("vabsdiff4.u32.u32.u32.add", "0x05060708", "0x04040408", "10"));
}

// Four bytes or two halves at once; without .sat they wrap, with it they stay in the range of d.
TEST(Video, SimdInstructions) {
    const std::string a = "0x01ff7f80", b = "0x01017f80";
    EXPECT_EQ(0x0200fe00u, of_words("vadd4.u32.u32.u32", a, b, "0"));
    EXPECT_EQ(0x02fffeffu, of_words("vadd4.u32.u32.u32.sat", a, b, "0"));
    EXPECT_EQ(0x02007f80u, of_words("vadd4.s32.s32.s32.sat", a, b, "0"));
    EXPECT_EQ(0x8000ffffu, of_words("vsub2.s32.s32.s32.sat", "0x80000001", "0x00010002", "0"));
    EXPECT_EQ(0x0000ffffu, of_words("vsub2.u32.u32.u32", "0x80000001", "0x80000002", "0"));
    EXPECT_EQ(0x02000101u, of_words("vavrg4.u32.u32.u32", "0x01000100", "0x02000002", "0"));
    EXPECT_EQ(0x000000feu, of_words("vavrg4.s32.s32.s32", "0xff", "0xfe", "0"));  // -1, -2: -2
    EXPECT_EQ(0x80ff00feu, of_words("vmin4.s32.s32.s32", "0x80017fff", "0x00ff00fe", "0"));
    EXPECT_EQ(0x0002ffffu, of_words("vmax2.u32.u32.u32", "0x0001ffff", "0x0002fffe", "0"));
    EXPECT_EQ(0x01000000u, of_words("vset4.u32.u32.lt", "0x01020304", "0x02020202", "0"));
    EXPECT_EQ(11u, of_words("vset4.u32.u32.lt.add", "0x01020304", "0x02020202", "10"));
    EXPECT_EQ(11u, of_words("vset2.s32.s32.ge.add", "0xffff0001", "0x00000001", "10"));
    EXPECT_EQ(0x01000001u, of_words("vabsdiff4.s32.s32.s32", "0xff000001", "0x00000002", "0"));
    // -1 - 1 = -2 and 2 - 1: the sum is that of the numbers, not of their bytes
    EXPECT_EQ(9u, of_words("vsub2.s32.s32.s32.add", "0xffff0002", "0x00010001", "10"));
}

// A source register may be wider than the type: the low bits count. -2 and 0xfffe of 0x5'fffffffe.
TEST(Parts, LowBitsOfAWideRegister) {
    const std::string set = "mov.u64 %rd3, 0x5fffffffe;";
    EXPECT_EQ(0xfffffffffffffffeu, wide_result(set + "cvt.s64.s32 %rd2, %rd3;"));
    EXPECT_EQ(0xfffffffeu, wide_result(set + "cvt.u64.u32 %rd2, %rd3;"));
    EXPECT_EQ(0xfffeu, word_result(set + "cvt.u32.u16 %r1, %rd3;"));
    EXPECT_EQ(0xfffffffeu, word_result(set + "cvt.s32.s8 %r1, %rd3;"));
    EXPECT_EQ(0xfeu, word_result(set + "cvt.u8.u32 %r1, %rd3;"));
}

TEST(Parts, WhatIsBelowZero) {
    EXPECT_EQ(3u, of_words("min.relu.s16x2", "0xfffe0005", "0x00010003"));
    EXPECT_EQ(0x00010005u, of_words("max.relu.s16x2", "0xfffe0005", "0x00010003"));
    EXPECT_EQ(0u, of_words("max.relu.s32", "-5", "-7"));
    EXPECT_EQ(4u, of_words("max.relu.s32", "4", "-7"));
}

TEST(Comparisons, GiveNumbers) {
    EXPECT_EQ(0xffffffffu, of_words("set.lt.u32.s32", "-1", "1"));
    EXPECT_EQ(0u, of_words("set.lt.u32.u32", "-1", "1"));
    EXPECT_EQ(0x3f800000u, of_words("set.ne.f32.u32", "2", "1"));
    EXPECT_EQ(0xffffffffu, of_words("set.ltu.s32.f32", "0f7fc00000", "0f3f800000"));  // a NaN
    // halves: 1 < 2 in the lower, 2 < 1 in the upper
    EXPECT_EQ(0x00003c00u, of_words("set.lt.f16x2.f16x2", "0x40003c00", "0x3c004000"));
    EXPECT_EQ(0xffff0000u, of_words("set.gt.u32.f16x2", "0x40003c00", "0x3c004000"));
    EXPECT_EQ(0x3f80u, of_words("set.le.bf16x2.bf16x2", "0x40003f80", "0x3f803f80"));
    EXPECT_EQ(0u, word_result("setp.eq.u32 %p1, 0, 1; set.eq.and.u32.u32 %r1, 5, 5, %p1;"));
    EXPECT_EQ(0xffffffffu,
              word_result("setp.eq.u32 %p1, 0, 1; set.eq.and.u32.u32 %r1, 5, 5, !%p1;"));
}

TEST(Comparisons, OfPairsGiveTwoPredicates) {
    const std::string compare =
        "mov.u32 %r2, 0x40003c00; mov.u32 %r3, 0x3c004000;"
        "setp.lt.f16x2 %p1|%p2, %r2, %r3;";
    EXPECT_EQ(1u, word_result(compare + "selp.u32 %r1, 1, 0, %p1;"));
    EXPECT_EQ(0u, word_result(compare + "selp.u32 %r1, 1, 0, %p2;"));
    EXPECT_EQ(1u, word_result("setp.eq.u32 %p3, 0, 0; mov.b16 %h1, 0x3c00; mov.b16 %h2, 0x4000;"
                              "setp.gt.or.f16 %p1, %h1, %h2, %p3; selp.u32 %r1, 1, 0, %p1;"));
}

TEST(Selections, BySignAndClass) {
    EXPECT_EQ(5u, of_words("slct.u32.s32", "5", "6", "0"));
    EXPECT_EQ(6u, of_words("slct.u32.s32", "5", "6", "-1"));
    EXPECT_EQ(6u, word_result("mov.f32 %f1, 0fbf800000; slct.u32.f32 %r1, 5, 6, %f1;"));
    auto is = [](const std::string& what, const std::string& value) {
        return word_result("mov.f32 %f1, " + value + "; testp." + what +
                           ".f32 %p1, %f1; selp.u32 %r1, 1, 0, %p1;");
    };
    EXPECT_EQ(1u, is("infinite", "0fff800000"));
    EXPECT_EQ(0u, is("finite", "0f7fc00000"));
    EXPECT_EQ(1u, is("notanumber", "0f7fc00000"));
    EXPECT_EQ(1u, is("subnormal", "0f00000001"));
    EXPECT_EQ(1u, is("normal", "0f3f800000"));
    EXPECT_EQ(1u, is("number", "0f7f800000"));
}

}  // namespace
}  // namespace lanewise
