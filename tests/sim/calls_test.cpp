// Calls through pointers, barriers that some only pass by or vote at, and kernels that stop
// themselves.
#include <gtest/gtest.h>

#include <cstring>

#include "run_ptx.h"

namespace lanewise {
namespace {

const std::string kStoreWord = "\ncvt.u64.u32 %rd2, %r1; st.global.u64 [%rd1], %rd2;";

// Two functions of one number, and a table of their addresses.
const std::string kFunctions = R"(
.func (.param .b32 result) plus_one(.param .b32 a) {
  .reg .b32 %x<3>;
  ld.param.u32 %x1, [a]; add.u32 %x2, %x1, 1; st.param.b32 [result], %x2; ret;
}
.func (.param .b32 result) doubled(.param .b32 a) {
  .reg .b32 %x<3>;
  ld.param.u32 %x1, [a]; shl.b32 %x2, %x1, 1; st.param.b32 [result], %x2; ret;
}
.global .align 8 .u64 table[3] = {plus_one, doubled, 5};
)";
// Lane n calls function n % `ways` of the table with n.
std::string call_by_lane(const std::string& ways) {
    return "rem.u32 %r2, %r0, " + ways + R"(; mov.u64 %rd3, table; mul.wide.u32 %rd4, %r2, 8;
        add.s64 %rd3, %rd3, %rd4; ld.global.u64 %rd5, [%rd3];
        { .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %r0;
          proto : .callprototype (.param .b32 _) _ (.param .b32 _);
          call (r0), %rd5, (p0), proto; ld.param.b32 %r1, [r0]; })" +
           kStoreWord;
}

Outcome run_with_functions(const std::string& functions, const std::string& body) {
    std::string text = kernel_around(body);
    text.insert(text.find(".visible"), functions);
    ptx::Kernel kernel = ptx::parse(text).kernels.at(0);
    Machine machine(kernel);
    Memory memory;
    uint64_t out = memory.allocate(32 * 8, "out");
    Outcome outcome;
    machine.run({{1}, {32}}, Arguments().add(out), memory, 0, 1, outcome.seen, {});
    outcome.out.resize(32);
    std::memcpy(outcome.out.data(), memory.buffers()[0].storage, 32 * 8);
    return outcome;
}

TEST(IndirectCalls, EachLaneCallsItsOwn) {
    auto outcome = run_with_functions(kFunctions, call_by_lane("2"));
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_EQ(7u, outcome.out[6]);   // 6 + 1
    EXPECT_EQ(14u, outcome.out[7]);  // 2 * 7
}

TEST(IndirectCalls, APointerToNoFunctionStopsItsLanes) {
    auto outcome = run_with_functions(kFunctions, call_by_lane("3"));
    ASSERT_EQ(10u, outcome.seen.faults.size());  // lanes 2, 5, … 29
    EXPECT_EQ(Fault::Kind::trap, outcome.seen.faults[0].kind);
    EXPECT_EQ(2u, outcome.seen.faults[0].thread);
    EXPECT_NE(std::string::npos, outcome.seen.faults[0].text.find("pointer"));
    EXPECT_EQ(4u, outcome.out[3]);
    EXPECT_EQ(8u, outcome.out[4]);
    EXPECT_EQ(0u, outcome.out[5]);
}

TEST(IndirectCalls, ACallMayBeGuarded) {
    auto outcome = run_with_functions(kFunctions, R"(
        setp.lt.u32 %p1, %r0, 4; mov.u32 %r1, 99;
        { .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %r0;
          @%p1 call (r0), doubled, (p0); @%p1 ld.param.b32 %r1, [r0]; })" +
                                              kStoreWord);
    EXPECT_EQ(6u, outcome.out[3]);
    EXPECT_EQ(99u, outcome.out[4]);
}

TEST(Barriers, CountAndCombineWhatAllBring) {
    // of 96 threads 26 are above 69
    auto outcome =
        run_block("setp.gt.u32 %p1, %r0, 69; bar.red.popc.u32 %r1, 0, %p1;" + kStoreWord, {96});
    EXPECT_EQ(26u, outcome.out[0]);
    EXPECT_EQ(26u, outcome.out[95]);
    EXPECT_EQ(
        70u,
        run_block(
            "setp.gt.u32 %p1, %r0, 69; barrier.cta.red.popc.aligned.u32 %r1, 3, 96, !%p1;" + kStoreWord,
            {96})
            .out[50]);
    auto vote = [](const std::string& how, const std::string& above) {
        return run_block("setp.ge.u32 %p1, %r0, " + above + "; bar.red." + how +
                             ".pred %p2, 0, %p1; selp.u32 %r1, 1, 0, %p2;" + kStoreWord,
                         {64})
            .out[5];
    };
    EXPECT_EQ(1u, vote("and", "0"));
    EXPECT_EQ(0u, vote("and", "1"));
    EXPECT_EQ(1u, vote("or", "63"));
    EXPECT_EQ(0u, vote("or", "64"));
}

// The second warp waits for what the first one stores, which goes on at once.
TEST(Barriers, AWarpMayArriveWithoutWaiting) {
    auto outcome = run_block(R"(
        .shared .align 4 .b8 cell[128]; and.b32 %r3, %r0, 31; shl.b32 %r3, %r3, 2;
        mov.u32 %r4, cell; add.u32 %r3, %r3, %r4; mov.u32 %r1, 1;
        setp.ge.u32 %p1, %r0, 32; @%p1 bra $reads;
        st.shared.u32 [%r3], %r0; bar.arrive 2, 64; bra.uni $join;
        $reads: bar.sync 2, 64; ld.shared.u32 %r1, [%r3];
        $join:)" + kStoreWord,
                             {64});
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_EQ(1u, outcome.out[5]);
    EXPECT_EQ(5u, outcome.out[37]);
}

TEST(Stopping, ATrapEndsItsLanesAlone) {
    auto outcome = run_block("setp.eq.u32 %p1, %r0, 3; @%p1 trap; mov.u32 %r1, 8;" + kStoreWord);
    ASSERT_EQ(1u, outcome.seen.faults.size());
    EXPECT_EQ(Fault::Kind::trap, outcome.seen.faults[0].kind);
    EXPECT_EQ(3u, outcome.seen.faults[0].thread);
    EXPECT_EQ(0u, outcome.out[3]);
    EXPECT_EQ(8u, outcome.out[4]);
}

TEST(Stopping, AnAssertionSaysItsText) {
    auto outcome = run_with_functions(R"(
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 text[6] = {120, 32, 62, 32, 48, 0};
)",
                              R"(setp.ne.u32 %p1, %r0, 9; @%p1 bra $fine;
        { .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;
          mov.u64 %rd3, text; cvta.global.u64 %rd3, %rd3; st.param.b64 [p0], %rd3;
          st.param.b64 [p1], %rd3; st.param.b32 [p2], 12; st.param.b64 [p3], %rd3; st.param.b64 [p4], 1;
          call.uni __assertfail, (p0, p1, p2, p3, p4); }
        $fine: mov.u32 %r1, 1;)" + kStoreWord);
    ASSERT_EQ(1u, outcome.seen.faults.size());
    EXPECT_EQ("assertion failed: x > 0", outcome.seen.faults[0].text);
    EXPECT_EQ(9u, outcome.seen.faults[0].thread);
    EXPECT_EQ(0u, outcome.out[9]);
    EXPECT_EQ(1u, outcome.out[10]);
}

TEST(Hints, ChangeNothing) {
    EXPECT_EQ(7u, word_result("prefetch.global.L2 [%rd0]; prefetchu.L1 [%rd0]; brkpt;"
                              "createpolicy.fractional.L2::evict_last.b64 %rd3, 0f3F800000;"
                              "mov.u32 %r2, 7; st.global.L2::cache_hint.u32 [%rd1], %r2, %rd3;"
                              "ld.global.L2::cache_hint.u32 %r1, [%rd1], %rd3;"));
}

}  // namespace
}  // namespace lanewise
