// The table of operations, group by group: each case is one instruction whose result was worked out
// by hand. Every host instruction set that this machine runs is tested where it matters (below).
#include <gtest/gtest.h>

#include "../run_ptx.h"
#include "sim/operation/operations.h"

namespace lanewise {
namespace {

struct Case {
    uint64_t expected;
    const char* body;  // leaves its result in %r1 (word) or %rd2 (wide)
};

void check_words(const std::vector<Case>& cases) {
    for (const Case& c : cases) EXPECT_EQ(c.expected, word_result(c.body)) << c.body;
}
void check_wides(const std::vector<Case>& cases) {
    for (const Case& c : cases) EXPECT_EQ(c.expected, wide_result(c.body)) << c.body;
}

TEST(IntegerArithmetic, WrapsAndKeepsSigns) {
    check_words({
        {0x80000000, "add.s32 %r1, 2147483647, 1;"},
        {0xffffffff, "sub.u32 %r1, 3, 4;"},
        {0xfffffffe, "mul.lo.s32 %r1, 2147483647, 2;"},
        {0xffffffff, "mul.hi.s32 %r1, -1, 5;"},
        {4, "mul.hi.u32 %r1, -1, 5;"},
        {25, "mad.lo.s32 %r1, 4, 5, 5;"},
        {6, "mad.hi.u32 %r1, -1, 5, 2;"},
        {0xfffffffd, "div.s32 %r1, -7, 2;"},  // toward zero
        {0x7ffffffc, "div.u32 %r1, -7, 2;"},
        {0xffffffff, "div.s32 %r1, 5, 0;"},  // all ones, as the hardware
        {0xffffffff, "div.u32 %r1, 5, 0;"},
        {0x80000000, "div.s32 %r1, -2147483648, -1;"},
        {0xffffffff, "rem.s32 %r1, -7, 2;"},  // the dividend's sign
        {1, "rem.u32 %r1, -7, 2;"},
        {0, "rem.s32 %r1, -2147483648, -1;"},
        {7, "neg.s32 %r1, -7;"},
        {7, "abs.s32 %r1, -7;"},
        {0xffffffff, "min.s32 %r1, -1, 1;"},
        {1, "min.u32 %r1, -1, 1;"},
        {1, "max.s32 %r1, -1, 1;"},
        {0xffffffff, "max.u32 %r1, -1, 1;"},
    });
    check_wides({
        {0xfffffffffffffffa, "mul.wide.s32 %rd2, -2, 3;"},
        {0x2fffffffa, "mul.wide.u32 %rd2, -2, 3;"},
        {0xfffffffffffffffb, "mov.u64 %rd3, 1; mad.wide.s32 %rd2, -2, 3, %rd3;"},
        {0x8000000000000000, "add.s64 %rd2, 9223372036854775807, 1;"},
        {1, "mul.lo.s64 %rd2, -1, -1;"},
        {0xfffffffffffffffe, "mul.hi.u64 %rd2, -1, -1;"},
        {0, "mul.hi.s64 %rd2, -1, -1;"},
        {0xffffffffffffffff, "div.s64 %rd2, 5, 0;"},
        {0xfffffffffffffffd, "div.s64 %rd2, -7, 2;"},
    });
}

TEST(IntegerArithmetic, SixteenBits) {
    check_words({
        {0x8000, "add.s16 %h1, 32767, 1; cvt.u32.u16 %r1, %h1;"},
        {0xffff8000, "add.s16 %h1, 32767, 1; cvt.s32.s16 %r1, %h1;"},
        {0xffff, "mov.u16 %h2, -1; mul.hi.s16 %h1, %h2, 21846; cvt.u32.u16 %r1, %h1;"},
        {0xfffffffe, "mul.wide.s16 %r1, -1, 2;"},
        {0x1fffe, "mul.wide.u16 %r1, -1, 2;"},
        {0xffff, "mov.u16 %h2, 4; div.s16 %h1, %h2, -4; cvt.u32.u16 %r1, %h1;"},
    });
}

TEST(Bits, FieldsAndCounts) {
    check_words({
        {0xcd, "mov.u32 %r2, 0x12abcdef; bfe.u32 %r1, %r2, 8, 8;"},
        {0xffffffcd, "mov.u32 %r2, 0x12abcdef; bfe.s32 %r1, %r2, 8, 8;"},
        {0, "bfe.u32 %r1, -1, 4, 0;"},
        {0xf, "bfe.u32 %r1, -1, 28, 8;"},         // beyond the top: zeros
        {0xffffffff, "bfe.s32 %r1, -1, 40, 8;"},  // and signs
        {0x1234ff78, "mov.u32 %r2, 0x12345678; bfi.b32 %r1, 255, %r2, 8, 8;"},
        {0x12345678, "mov.u32 %r2, 0x12345678; bfi.b32 %r1, 255, %r2, 32, 8;"},
        {8, "popc.b32 %r1, 0x0ff00;"},
        {16, "clz.b32 %r1, 0x0ff00;"},
        {32, "clz.b32 %r1, 0;"},
        {64, "mov.u64 %rd2, 0; clz.b64 %r1, %rd2;"},
        {0x80000000, "brev.b32 %r1, 1;"},
    });
}

// {b, a} are bytes 7 … 0: 11 22 33 44 55 66 77 88
TEST(Bits, BytePermute) {
    const std::string ab = "mov.u32 %r2, 0x55667788; mov.u32 %r3, 0x11223344; ";
    EXPECT_EQ(0x55667788u, word_result(ab + "prmt.b32 %r1, %r2, %r3, 0x3210;"));
    EXPECT_EQ(0x33445566u, word_result(ab + "prmt.b32 %r1, %r2, %r3, 0x5432;"));
    EXPECT_EQ(0xff008888u, word_result(ab + "prmt.b32 %r1, %r2, %r3, 0x8f00;"));  // signs
}

TEST(Logic, AndShifts) {
    check_words({
        {0x0f, "and.b32 %r1, 0xff, 0x0f;"},
        {0xff, "or.b32 %r1, 0xf0, 0x0f;"},
        {0xf0, "xor.b32 %r1, 0xff, 0x0f;"},
        {0xffffff00, "not.b32 %r1, 0xff;"},
        {0x80000000, "shl.b32 %r1, 1, 31;"},
        {0, "shl.b32 %r1, 1, 32;"},
        {0xffffffff, "shr.s32 %r1, -8, 40;"},
        {0xfffffffe, "shr.s32 %r1, -8, 2;"},
        {0x3ffffffe, "shr.u32 %r1, -8, 2;"},
        {0, "shr.u32 %r1, -8, 32;"},
        {0x23456789,
         "mov.u32 %r2, 0x90000000; mov.u32 %r3, 0x12345678; shf.l.wrap.b32 %r1, %r2, %r3, 4;"},
        {0x89000000,
         "mov.u32 %r2, 0x90000000; mov.u32 %r3, 0x12345678; shf.r.clamp.b32 %r1, %r2, %r3, 4;"},
        {0x96, "lop3.b32 %r1, 0xf0, 0xcc, 0xaa, 0x96;"},  // a table of itself: xor of three
    });
    check_wides({
        {1ull << 63, "mov.u64 %rd3, 1; shl.b64 %rd2, %rd3, 63;"},
        {0, "mov.u64 %rd3, 1; shl.b64 %rd2, %rd3, 64;"},
        {~0ull, "mov.u64 %rd3, -2; shr.s64 %rd2, %rd3, 70;"},
    });
}

TEST(Comparison, SignsAndCombinations) {
    auto holds = [](const std::string& setp) {
        return word_result(setp + " selp.b32 %r1, 1, 0, %p1;") == 1;
    };
    EXPECT_TRUE(holds("setp.lt.s32 %p1, -1, 1;"));
    EXPECT_FALSE(holds("setp.lt.u32 %p1, -1, 1;"));
    EXPECT_TRUE(holds("setp.hi.u32 %p1, -1, 1;"));
    EXPECT_TRUE(holds("setp.ge.s64 %p1, 5, 5;"));
    EXPECT_TRUE(holds("setp.ne.b16 %p1, 5, 6;"));
    EXPECT_FALSE(holds("setp.eq.s32 %p2, 1, 1; setp.lt.and.s32 %p1, 1, 2, !%p2;"));
    EXPECT_TRUE(holds("setp.eq.s32 %p2, 1, 1; setp.gt.or.s32 %p1, 1, 2, %p2;"));
    EXPECT_TRUE(holds("setp.eq.s32 %p2|%p1, 1, 2;"));  // the second is the opposite
    EXPECT_TRUE(holds("setp.eq.s32 %p2, 1, 1; setp.eq.s32 %p3, 1, 2; xor.pred %p1, %p2, %p3;"));
    EXPECT_FALSE(holds("setp.eq.s32 %p2, 1, 1; not.pred %p1, %p2;"));
    EXPECT_TRUE(holds("mov.pred %p1, -1;"));
    EXPECT_FALSE(holds("setp.eq.s32 %p1, 1, 1; mov.pred %p1, 0;"));
    // 0f7FC00000 is not a number
    EXPECT_FALSE(holds("mov.f32 %f1, 0f7FC00000; setp.ne.f32 %p1, %f1, %f1;"));
    EXPECT_TRUE(holds("mov.f32 %f1, 0f7FC00000; setp.neu.f32 %p1, %f1, %f1;"));
    EXPECT_FALSE(holds("mov.f32 %f1, 0f7FC00000; setp.le.f32 %p1, %f1, 0f3F800000;"));
    EXPECT_TRUE(holds("mov.f32 %f1, 0f7FC00000; setp.leu.f32 %p1, %f1, 0f3F800000;"));
}

TEST(Floats, ArithmeticAndConversion) {
    check_words({
        {0x40400000, "add.f32 %f1, 0f3F800000, 0f40000000; mov.b32 %r1, %f1;"},  // 1 + 2
        {0x40C00000, "mul.f32 %f1, 0f40000000, 0f40400000; mov.b32 %r1, %f1;"},  // 2 * 3
        {0x40E00000, "fma.rn.f32 %f1, 0f40000000, 0f40400000, 0f3F800000; mov.b32 %r1, %f1;"},
        {0x3F000000, "div.rn.f32 %f1, 0f3F800000, 0f40000000; mov.b32 %r1, %f1;"},
        {0x3F800000, "mov.f32 %f2, 0f7FC00000; min.f32 %f1, %f2, 0f3F800000; mov.b32 %r1, %f1;"},
        {0x3F800000, "abs.f32 %f1, 0fBF800000; mov.b32 %r1, %f1;"},
        {0xC0400000, "cvt.rn.f32.s32 %f1, -3; mov.b32 %r1, %f1;"},
        {0xfffffffe, "cvt.rzi.s32.f32 %r1, 0fC0200000;"},  // -2.5
        {0xfffffffd, "cvt.rmi.s32.f32 %r1, 0fC0200000;"},
        {2, "cvt.rni.s32.f32 %r1, 0f40200000;"},  // 2.5: to even
        {3, "cvt.rpi.s32.f32 %r1, 0f40200000;"},
        {0, "cvt.rzi.u32.f32 %r1, 0fC0200000;"},  // saturates
        {0x7fffffff, "cvt.rzi.s32.f32 %r1, 0f7F800000;"},
        {0x3F800000, "cvt.rn.f32.f64 %f1, 0d3FF0000000000000; mov.b32 %r1, %f1;"},
        {0x40000000, "cvt.rmi.f32.f32 %f1, 0f40200000; mov.b32 %r1, %f1;"},  // floor stays a float
    });
    check_wides({{0x4000000000000000, "cvt.f64.f32 %fd1, 0f40000000; mov.b64 %rd2, %fd1;"}});
}

TEST(Conversion, BetweenIntegers) {
    check_words({
        {0xffffff80, "mov.u32 %r2, 0x180; cvt.s32.s8 %r1, %r2;"},
        {0x80, "mov.u32 %r2, 0x180; cvt.u32.u8 %r1, %r2;"},
        {0x9abcdef0, "mov.u64 %rd3, 0x123456789abcdef0; cvt.u32.u64 %r1, %rd3;"},
    });
    check_wides({
        {0xffffffffffffffff, "cvt.s64.s32 %rd2, -1;"},
        {0xffffffff, "cvt.u64.u32 %rd2, -1;"},
    });
}

TEST(Moves, PackAndUnpack) {
    EXPECT_EQ(0x0000000200000001u, wide_result("mov.b64 %rd2, {1, 2};"));
    EXPECT_EQ(2u, word_result("mov.u64 %rd3, 0x200000001; mov.b64 {%r2, %r1}, %rd3;"));
    EXPECT_EQ(0x00020001u, word_result("mov.u16 %h1, 1; mov.u16 %h2, 2; mov.b32 %r1, {%h1, %h2};"));
    EXPECT_EQ(7u,
              word_result("mov.u32 %r2, 0x00070001; mov.b32 {_, %h2}, %r2; cvt.u32.u16 %r1, %h2;"));
}

TEST(Moves, SpecialRegisters) {
    EXPECT_EQ(5u, word_result("mov.u32 %r1, %laneid;", 5));
    EXPECT_EQ(0x20u, word_result("mov.u32 %r1, %lanemask_eq;", 5));
    EXPECT_EQ(0x1fu, word_result("mov.u32 %r1, %lanemask_lt;", 5));
    EXPECT_EQ(0xffffffc0u, word_result("mov.u32 %r1, %lanemask_gt;", 5));
    // 3 x 4 x 5 threads: number 35 is (2, 3, 2), in warp 1
    auto at_35 = [](const std::string& name) {
        return run_block(
                   "mov.u32 %r3, %tid.y; mov.u32 %r4, %tid.z; mov.u32 %r5, %ntid.x;"
                   "mov.u32 %r6, %ntid.y; mad.lo.u32 %r7, %r4, %r6, %r3;"
                   "mad.lo.u32 %r7, %r7, %r5, %r0; mul.wide.u32 %rd3, %r7, 8;"
                   "add.s64 %rd3, %rd0, %rd3; mov.u32 %r1, " +
                       name + "; st.global.u32 [%rd3], %r1;",
                   {3, 4, 5})
            .out[35];
    };
    EXPECT_EQ(2u, at_35("%tid.x"));
    EXPECT_EQ(3u, at_35("%tid.y"));
    EXPECT_EQ(2u, at_35("%tid.z"));
    EXPECT_EQ(1u, at_35("%warpid"));
    EXPECT_EQ(3u, at_35("%laneid"));
}

TEST(Shuffle, AllModes) {
    auto shuffled = [](const std::string& mode, const std::string& by, const std::string& c,
                       size_t lane) {
        return word_result("mul.lo.u32 %r2, %r0, 10; shfl.sync." + mode + ".b32 %r1|%p1, %r2, " +
                               by + ", " + c + ", -1; @!%p1 add.u32 %r1, %r1, 1;",
                           lane);
    };
    EXPECT_EQ(70u, shuffled("bfly", "1", "31", 6));
    EXPECT_EQ(60u, shuffled("idx", "6", "31", 30));
    EXPECT_EQ(40u, shuffled("up", "2", "0", 6));
    EXPECT_EQ(11u, shuffled("up", "2", "0", 1));  // out of range: its own, predicate false
    EXPECT_EQ(80u, shuffled("down", "2", "31", 6));
    EXPECT_EQ(311u, shuffled("down", "2", "31", 31));
    EXPECT_EQ(71u, shuffled("down", "2", "0x1807", 7));  // segments of 8 lanes (mask 24)
    EXPECT_EQ(100u, shuffled("idx", "2", "0x181f", 9));  // lane 2 of its segment
}

TEST(Guards, LeaveTheOtherLanesAlone) {
    auto out = run_block(
                   "setp.lt.u32 %p1, %r0, 3; mov.u64 %rd2, 1; @%p1 mov.u64 %rd2, 2;"
                   "@!%p1 add.s64 %rd2, %rd2, 10; st.global.u64 [%rd1], %rd2;")
                   .out;
    EXPECT_EQ(2u, out[2]);
    EXPECT_EQ(11u, out[3]);
}

// What cannot be interpreted although it is known gets a sentence on what to do.
TEST(Decode, SaysWhyWhereItKnows) {
    auto message = [](const std::string& body) {
        try {
            run_block(".loc 1 12 5\n" + body);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_EQ(
        "kernel.cu:12: only textures and surfaces of one or two dimensions are interpreted, by their "
        "objects (tex1Dfetch, tex1D, tex2D, surf1Dread, surf2Dwrite); not layers, cubes, gathers or "
        "gradients: tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {%f1, %f2, %f3, %f3}] (PTX line "
        "17)",
        message("tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {%f1, %f2, %f3, %f3}];"));
    EXPECT_NE(std::string::npos,
              message("suld.b.3d.b32.trap {%r1}, [%rd2, {%r1, %r1, %r1, %r1}];").find("surfaces"));
    EXPECT_NE(std::string::npos, message("mov.u32 %r1, %envreg7;").find("the driver"));
    EXPECT_EQ("no error", message("mov.u32 %r1, WARP_SZ;"));
}

TEST(Decode, NamesWhatItDoesNotKnow) {
    auto message = [](const std::string& body) {
        try {
            run_block(".loc 1 12 5\n" + body);
        } catch (const Error& error) {
            EXPECT_EQ(Status::bad_input, error.status());
            return std::string(error.what());
        }
        return std::string("no error");
    };
    for (const char* body :
         {"frobnicate.s32 %r1, %r2;", "add.e4m3 %h1, %h2, %h3;", "add.s32 %r1, %rd2, %r3;",
          "add.s32 %r1, %r2;", "ld.global.v3.u32 %r1, [%rd0];", "mov.u32 %r1, %nothing;",
          "mov.u64 %rd1, nowhere;", "cvt.rn.s32.pred %r1, %r2;", "st.param.u32 [k_param_0], %r1;",
          "ld.param.u64 %rd3, [k_param_0+4];", "bra %r1;",
          "ld.shared.v4.u64 {%rd1,%rd2,%rd3,%rd4}, [%rd0];"}) {
        std::string text = message(body);
        EXPECT_NE(std::string::npos, text.find("kernel.cu:12")) << text;
        EXPECT_NE(std::string::npos, text.find(std::string(body).substr(0, 6))) << text;
    }
}

// The same results from every instruction set that the host runs: a few operations of each shape,
// with all lanes and with some.
TEST(InstructionSets, Agree) {
#if defined(__x86_64__)
    std::vector<const Operations*> sets = {&operations_baseline()};
    if (__builtin_cpu_supports("avx2")) sets.push_back(&operations_avx2());
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        sets.push_back(&operations_avx512());
    if (sets.size() == 1) GTEST_SKIP() << "this machine has the baseline only";
    struct Probe {
        const char* name;
        Type type, second;
    };
    for (const Probe& probe :
         {Probe{"mul.hi", Type::s64, Type::none}, Probe{"div", Type::s32, Type::none},
          Probe{"shr", Type::s16, Type::none}, Probe{"mad.lo", Type::u64, Type::none},
          Probe{"setp.lt", Type::s64, Type::none}, Probe{"fma", Type::f64, Type::none},
          Probe{"cvt", Type::s64, Type::s8}, Probe{"bfe", Type::s32, Type::none}}) {
        for (uint32_t lanes : {kAllLanes, 0x0f0f1234u}) {
            std::vector<std::vector<std::byte>> results;
            for (const Operations* set : sets) {
                alignas(64) std::array<std::byte, 6 * kWideRow> state;
                for (size_t i = 0; i < state.size(); i += 4) {
                    uint32_t word = unique_word(static_cast<uint32_t>(i));
                    std::memcpy(&state[i], &word, 4);
                }
                Warp warp;
                warp.state = state.data();
                warp.lanes = lanes;
                Op op;
                op.d = 0, op.a = kWideRow, op.b = 2 * kWideRow, op.c = 3 * kWideRow;
                op.d2 = 4 * kWideRow;
                const OpcodeRow* operation = set->find(probe.name);
                ASSERT_NE(nullptr, operation);
                operation->select(probe.type, probe.second)(warp, op);
                results.emplace_back(state.begin(), state.end());
                EXPECT_EQ(results[0], results.back()) << probe.name << " on " << set->name;
            }
        }
    }
#else
    GTEST_SKIP() << "there is one instruction set here";
#endif
}

}  // namespace
}  // namespace lanewise
