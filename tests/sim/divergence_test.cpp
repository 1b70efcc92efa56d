// Branches, loops, early returns, barriers: what the lanes do where they do not all do the same.
#include <gtest/gtest.h>

#include "run_ptx.h"

namespace lanewise {
namespace {

TEST(Divergence, NestedIfs) {
    // (n < 16 ? (n < 8 ? 1 : 2) : 3) + 10 where all meet again
    auto outcome = run_block(R"(
        setp.ge.u32 %p1, %r0, 16;  @%p1 bra $outer;
        setp.ge.u32 %p2, %r0, 8;   @%p2 bra $inner;
        mov.u64 %rd2, 1;           bra.uni $join;
        $inner: mov.u64 %rd2, 2;   bra.uni $join;
        $outer: mov.u64 %rd2, 3;
        $join: add.s64 %rd2, %rd2, 10;)" +
                             kStoreWide);
    EXPECT_EQ(11u, outcome.out[7]);
    EXPECT_EQ(12u, outcome.out[8]);
    EXPECT_EQ(13u, outcome.out[16]);
    ASSERT_EQ(1u, outcome.seen.accesses.size());  // all lanes store at once
    EXPECT_EQ(kAllLanes, outcome.seen.accesses[0].event.mask);
    // 4 before, 4 + 2 + 1 + 2 + 1 + 1 in the paths, 1 + 1 + 1 together
    EXPECT_EQ(4u + 4 + 2 + 1 + 1 + 1 + 1 + 1 + 1, outcome.executed);
}

TEST(Divergence, LoopsOfDifferentLength) {
    // lane n goes round n + 1 times
    auto outcome = run_block(R"(
        mov.u64 %rd2, 0; mov.u32 %r1, 0;
        $loop: add.s64 %rd2, %rd2, 3; add.u32 %r1, %r1, 1;
        setp.le.u32 %p1, %r1, %r0; @%p1 bra $loop;)" +
                             kStoreWide);
    for (size_t n = 0; n < 32; ++n) EXPECT_EQ(3 * (n + 1), outcome.out[n]);
    EXPECT_EQ(1u, outcome.seen.accesses.size());
    EXPECT_EQ(4u + 2 + 32 * 4 + 1 + 1, outcome.executed);
}

// As behind a call through a pointer without a barrier in the machine code: who waits at
// __syncwarp() goes on together, who comes last by itself, and all together behind __syncthreads().
TEST(Divergence, LanesStayApartUntilTheyWaitForEachOther) {
    auto outcome = run_block(R"(
        mov.u64 %rd2, 7; rem.u32 %r1, %r0, 3;
        setp.ne.u32 %p1, %r1, 0; @%p1 bra.apart $second; bra.uni $behind;
        $second: setp.ne.u32 %p2, %r1, 1; @%p2 bra.apart $third; bra.uni $behind;
        $third: mov.u64 %rd2, 9;
        $behind:)" + kStoreWide + "bar.warp.sync -1;" +
                             kStoreWide + "bar.sync 0;" + kStoreWide);
    EXPECT_EQ(7u, outcome.out[1]);
    EXPECT_EQ(9u, outcome.out[2]);
    const uint32_t first = 0x49249249, second = 0x92492492, third = 0x24924924;
    std::vector<uint32_t> masks;
    for (const auto& access : outcome.seen.accesses) masks.push_back(access.event.mask);
    EXPECT_EQ((std::vector<uint32_t>{first, second, third, third, first | second, kAllLanes}),
              masks);
    EXPECT_TRUE(outcome.seen.faults.empty());
}

TEST(Divergence, EarlyReturn) {
    auto outcome = run_block("mov.u64 %rd2, 5; setp.lt.u32 %p1, %r0, 4; @%p1 ret;" + kStoreWide);
    EXPECT_EQ(0u, outcome.out[3]);
    EXPECT_EQ(5u, outcome.out[4]);
    EXPECT_EQ(0xfffffff0u, outcome.seen.accesses.at(0).event.mask);
}

TEST(Divergence, ReturnInsideALoopInsideAnIf) {
    // odd lanes loop and return after n turns; even lanes go straight on
    auto outcome = run_block(R"(
        mov.u64 %rd2, 1; mov.u32 %r1, 0;
        and.b32 %r2, %r0, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra $even;
        $loop: setp.eq.u32 %p2, %r1, %r0; @%p2 bra $leave;
        add.u32 %r1, %r1, 1; bra.uni $loop;
        $leave: cvt.u64.u32 %rd2, %r1; st.global.u64 [%rd1], %rd2; ret;
        $even: )" + kStoreWide);
    EXPECT_EQ(1u, outcome.out[6]);
    EXPECT_EQ(7u, outcome.out[7]);
    EXPECT_EQ(31u, outcome.out[31]);
    EXPECT_EQ(2u, outcome.seen.accesses.size());
}

// In two turns of a loop lane 0, then lane 1, returns within an if that only lanes 0 to 15 enter;
// behind it all that are left store together.
TEST(Divergence, ReturnInsideAnIfInsideALoop) {
    auto outcome = run_block(R"(
        mov.u64 %rd2, 1; mov.u32 %r1, 0;
        $loop: setp.ge.u32 %p1, %r0, 16; @%p1 bra $join;
        setp.eq.u32 %p2, %r0, %r1; @%p2 bra $leave;
        add.s64 %rd2, %rd2, 1;
        $join: st.global.u64 [%rd1], %rd2;
        add.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, 2; @%p3 bra $loop;
        $leave: ret;)");
    EXPECT_EQ(0u, outcome.out[0]);
    EXPECT_EQ(2u, outcome.out[1]);
    EXPECT_EQ(3u, outcome.out[2]);
    EXPECT_EQ(1u, outcome.out[16]);
    ASSERT_EQ(2u, outcome.seen.accesses.size());
    EXPECT_EQ(0xfffffffeu, outcome.seen.accesses[0].event.mask);
    EXPECT_EQ(0xfffffffcu, outcome.seen.accesses[1].event.mask);
}

std::vector<uint32_t> masks_of(const Outcome& outcome) {
    std::vector<uint32_t> masks;
    for (const auto& access : outcome.seen.accesses) masks.push_back(access.event.mask);
    return masks;
}

// As before with a break in place of the return: those that left wait behind the loop.
TEST(Divergence, BreakInsideAnIfInsideALoop) {
    auto outcome = run_block(R"(
        mov.u64 %rd2, 1; mov.u32 %r1, 0;
        $loop: setp.ge.u32 %p1, %r0, 16; @%p1 bra $join;
        setp.eq.u32 %p2, %r0, %r1; @%p2 bra $out;
        add.s64 %rd2, %rd2, 1;
        $join: st.global.u64 [%rd1], %rd2;
        add.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, 2; @%p3 bra $loop;
        $out: add.s64 %rd2, %rd2, 100;)" +
                             kStoreWide);
    EXPECT_EQ((std::vector{0xfffffffeu, 0xfffffffcu, kAllLanes}), masks_of(outcome));
    EXPECT_EQ(101u, outcome.out[0]);
    EXPECT_EQ(102u, outcome.out[1]);
    EXPECT_EQ(103u, outcome.out[2]);
    EXPECT_EQ(101u, outcome.out[16]);
}

// The lanes that leave do something of their own (found = …) before they meet the others.
TEST(Divergence, BreakByAWayOfItsOwn) {
    auto outcome = run_block(R"(
        mov.u64 %rd2, 1; mov.u32 %r1, 0;
        $loop: setp.ge.u32 %p1, %r0, 16; @%p1 bra $join;
        setp.eq.u32 %p2, %r0, %r1; @%p2 bra $found;
        add.s64 %rd2, %rd2, 1;
        $join: st.global.u64 [%rd1], %rd2;
        add.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, 2; @%p3 bra $loop;
        bra.uni $out;
        $found: mov.u64 %rd2, 50; st.global.u64 [%rd1], %rd2;
        $out: add.s64 %rd2, %rd2, 100;)" +
                             kStoreWide);
    EXPECT_EQ((std::vector{1u, 0xfffffffeu, 2u, 0xfffffffcu, kAllLanes}), masks_of(outcome));
    EXPECT_EQ(150u, outcome.out[0]);
    EXPECT_EQ(150u, outcome.out[1]);
    EXPECT_EQ(103u, outcome.out[2]);
}

// Lane 2 a + b leaves both loops in turn b of turn a; lane 16 + a only the inner one, in turn 1,
// and may be back. Lanes 18 and up, which do neither, meet the others behind the inner loop, not at
// $join: there ptxas sets no barrier.
TEST(Divergence, BreaksOutOfOneLoopAndOutOfTwo) {
    auto outcome = run_block(R"(
        mov.u64 %rd2, 1; mov.u32 %r1, 0;
        $outer: mov.u32 %r2, 0;
        $inner: setp.ge.u32 %p1, %r0, 18; @%p1 bra $join;
        mad.lo.u32 %r3, %r1, 2, %r2; setp.eq.u32 %p2, %r0, %r3; @%p2 bra $out;
        add.u32 %r4, %r1, 16; setp.eq.u32 %p4, %r0, %r4;
        setp.eq.and.u32 %p5, %r2, 1, %p4; @%p5 bra $next;
        add.s64 %rd2, %rd2, 1;
        $join: st.global.u64 [%rd1], %rd2;
        add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 2; @%p3 bra $inner;
        $next: st.global.u64 [%rd1], %rd2;
        add.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, 2; @%p3 bra $outer;
        $out: add.s64 %rd2, %rd2, 100;)" +
                             kStoreWide);
    EXPECT_EQ((std::vector{0x3fffeu, 0x2fffcu,        // lane 0, 1 out; 16 apart
                           0xfffc0000u, 0xfffc0000u,  // the others, twice
                           0xfffffffcu,               // all that are in the outer loop
                           0x3fff8u, 0x1fff0u, 0xfffc0000u, 0xfffc0000u, 0xfffffff0u, kAllLanes}),
              masks_of(outcome));
    EXPECT_EQ(101u, outcome.out[0]);
    EXPECT_EQ(102u, outcome.out[1]);
    EXPECT_EQ(104u, outcome.out[3]);
    EXPECT_EQ(105u, outcome.out[4]);
    EXPECT_EQ(104u, outcome.out[16]);
    EXPECT_EQ(101u, outcome.out[18]);
}

// Odd lanes go on with the next turn at once (continue), one lane at a time breaks: the others
// begin each turn together.
TEST(Divergence, LanesMeetAtTheNextTurn) {
    auto outcome = run_block(R"(
        mov.u64 %rd2, 1; mov.u32 %r1, 0; and.b32 %r2, %r0, 1; setp.ne.u32 %p1, %r2, 0;
        $loop: st.global.u64 [%rd1], %rd2;
        add.u32 %r1, %r1, 1; setp.ge.u32 %p3, %r1, 3; @%p3 bra $out;
        @%p1 bra $loop;
        setp.eq.u32 %p2, %r0, %r1; @%p2 bra $out;
        add.s64 %rd2, %rd2, 1; bra.uni $loop;
        $out: add.s64 %rd2, %rd2, 100;)" +
                             kStoreWide);
    EXPECT_EQ((std::vector{kAllLanes, kAllLanes, 0xfffffffbu, kAllLanes}), masks_of(outcome));
    EXPECT_EQ(102u, outcome.out[2]);
    EXPECT_EQ(103u, outcome.out[4]);
    EXPECT_EQ(101u, outcome.out[5]);
}

// case 2 (lanes 0 to 7) falls into case 3 (8 to 15), all others have a case of their own, and each
// ends by itself: cases 2 and 3 store together what they have in common.
TEST(Divergence, ACaseThatFallsIntoTheNext) {
    auto outcome = run_block(R"(
        setp.lt.u32 %p1, %r0, 8; @%p1 bra $two;
        setp.ge.u32 %p2, %r0, 16; @%p2 bra $other;
        mov.u64 %rd2, 3; bra.uni $tail;
        $other: mov.u64 %rd2, 9; st.global.u64 [%rd1], %rd2; bra.uni $end;
        $two: mov.u64 %rd2, 2;
        $tail: add.s64 %rd2, %rd2, 10; st.global.u64 [%rd1], %rd2;
        $end: ret;)");
    EXPECT_EQ(12u, outcome.out[7]);
    EXPECT_EQ(13u, outcome.out[8]);
    EXPECT_EQ(9u, outcome.out[16]);
    ASSERT_EQ(2u, outcome.seen.accesses.size());
    EXPECT_EQ(0xffff0000u, outcome.seen.accesses[0].event.mask);
    EXPECT_EQ(0x0000ffffu, outcome.seen.accesses[1].event.mask);
}

// Lane n leaves in turn n, and is waited for by nobody: both do together what they do then.
TEST(Divergence, AWayOutOfALoopIsGoneTogether) {
    auto outcome = run_block(R"(
        mov.u64 %rd2, 1; mov.u32 %r1, 0;
        $loop: setp.eq.u32 %p2, %r0, %r1; @%p2 bra $found;
        add.s64 %rd2, %rd2, 1; st.global.u64 [%rd1], %rd2;
        add.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, 2; @%p3 bra $loop;
        bra.uni $out;
        $found: add.s64 %rd2, %rd2, 50; st.global.u64 [%rd1], %rd2;
        $out: add.s64 %rd2, %rd2, 100;)" +
                             kStoreWide);
    EXPECT_EQ((std::vector{0xfffffffeu, 0xfffffffcu, 3u, kAllLanes}), masks_of(outcome));
    EXPECT_EQ(151u, outcome.out[0]);
    EXPECT_EQ(152u, outcome.out[1]);
    EXPECT_EQ(103u, outcome.out[2]);
}

// Lanes 0 to 7 skip what the two cases of the others have in common: those do it together.
TEST(Divergence, CasesComeTogetherBeforeTheLanesThatSkip) {
    auto outcome = run_block(R"(
        mov.u64 %rd2, 1; setp.lt.u32 %p1, %r0, 8; setp.ge.u32 %p2, %r0, 16; @%p2 bra $other;
        @%p1 bra $join;
        mov.u64 %rd2, 3; st.global.u64 [%rd1], %rd2; bra.uni $tail;
        $other: mov.u64 %rd2, 4; st.global.u64 [%rd1], %rd2;
        $tail: add.s64 %rd2, %rd2, 10; st.global.u64 [%rd1], %rd2;
        $join: add.s64 %rd2, %rd2, 100;)" +
                             kStoreWide);
    EXPECT_EQ((std::vector{0x0000ff00u, 0xffff0000u, 0xffffff00u, kAllLanes}), masks_of(outcome));
    EXPECT_EQ(101u, outcome.out[7]);
    EXPECT_EQ(113u, outcome.out[8]);
    EXPECT_EQ(114u, outcome.out[16]);
}

TEST(Divergence, ThreadsBeyondTheBlockDoNothing) {
    auto outcome = run_block("mov.u64 %rd2, 1;" + kStoreWide, {40});
    ASSERT_EQ(2u, outcome.seen.accesses.size());
    EXPECT_EQ(0xffu, outcome.seen.accesses[1].event.mask);
    EXPECT_EQ(1, outcome.seen.accesses[1].event.warp);
}

// A register that only some lanes wrote is 0 in the others, in every block.
TEST(Divergence, RegistersNeverWrittenAreZero) {
    auto outcome = run_block("setp.lt.u32 %p1, %r0, 4; @%p1 mov.u64 %rd2, 9;" + kStoreWide, {64});
    EXPECT_EQ(9u, outcome.out[3]);
    EXPECT_EQ(0u, outcome.out[4]);
}

const std::string kShared =
    ".shared .align 4 .b8 tile[512];\nmul.lo.u32 %r9, %r0, 4; cvt.u64.u32 %rd8, %r9;"
    "mov.u64 %rd9, tile; add.s64 %rd8, %rd9, %rd8;\n";

TEST(Barrier, LaterWarpsAreSeen) {
    // thread n reads what thread 127 - n wrote
    auto outcome = run_block(kShared + R"(
        st.shared.u32 [%rd8], %r0;
        bar.sync 0;
        mov.u32 %r2, 127; sub.s32 %r2, %r2, %r0; mul.wide.s32 %rd3, %r2, 4; add.s64 %rd3, %rd9, %rd3;
        ld.shared.u32 %rd2, [%rd3];)" +
                                 kStoreWide,
                             {128});
    for (size_t n = 0; n < 128; ++n) EXPECT_EQ(127 - n, outcome.out[n]);
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_EQ(508u, outcome.seen.accesses[4].addresses[0]);  // warp 0's load comes fifth
}

TEST(Barrier, ExitedThreadsDoNotCount) {
    auto outcome = run_block(
        "mov.u64 %rd2, 1; setp.ge.u32 %p1, %r0, 40; @%p1 ret; bar.sync 0;" + kStoreWide, {128});
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_EQ(1u, outcome.out[39]);
    EXPECT_EQ(0u, outcome.out[40]);
}

TEST(Barrier, ReachedBySomeLanesOnlyIsAFault) {
    auto outcome = run_block(
        "setp.ge.u32 %p1, %r0, 40; @%p1 bra $over; bar.sync 0; $over: mov.u64 %rd2, 1;" + kStoreWide,
        {64});
    ASSERT_EQ(1u, outcome.seen.faults.size());
    EXPECT_EQ(Fault::Kind::divergent_barrier, outcome.seen.faults[0].kind);
    EXPECT_EQ(32u, outcome.seen.faults[0].thread);
    EXPECT_EQ(1u, outcome.out[63]);  // the kernel goes on
}

TEST(Barrier, WaitingForEachOtherIsADeadlock) {
    auto outcome =
        run_block("setp.ge.u32 %p1, %r0, 32; selp.b32 %r1, 1, 2, %p1; bar.sync %r1;", {64});
    ASSERT_EQ(1u, outcome.seen.faults.size());
    EXPECT_EQ(Fault::Kind::deadlock, outcome.seen.faults[0].kind);
}

TEST(Barrier, NamedWithACount) {
    // warps 0 and 1 meet at barrier 1; warps 2 and 3 never come
    auto outcome = run_block(
        "mov.u64 %rd2, 1; setp.ge.u32 %p1, %r0, 64; @%p1 bra $over; bar.sync 1, 64;"
        "$over: bar.sync 0;" +
            kStoreWide,
        {128});
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_EQ(1u, outcome.out[0]);
}

TEST(Runaway, IsStoppedByTheBudget) {
    auto outcome = run_block("$loop: bra.uni $loop;", {32}, 1000);
    ASSERT_EQ(1u, outcome.seen.faults.size());
    EXPECT_EQ(Fault::Kind::runaway, outcome.seen.faults[0].kind);
    EXPECT_EQ(1000u, outcome.executed);
}

// A register that is read before it is written holds 0 in every block, whatever the block before
// left in it and however many registers there are.
TEST(Registers, OfManyHoldNothingFromTheBlockBefore) {
    ptx::Kernel kernel = ptx::parse(kernel_around(".reg .b32 %x<9000>;\n"
                                                  "add.u32 %x8999, %x8999, 5;\n"
                                                  "mov.u32 %r1, %ctaid.x;\n"
                                                  "mul.wide.u32 %rd2, %r1, 4;\n"
                                                  "add.s64 %rd2, %rd2, %rd0;\n"
                                                  "st.global.u32 [%rd2], %x8999;\n"))
                             .kernels.at(0);
    Memory memory;
    uint64_t out = memory.allocate(8, "out");
    Recorder seen;
    Machine(kernel).run({{2}, {1}}, Arguments().add(out), memory, 0, 2, seen);
    uint32_t written[2];
    std::memcpy(written, memory.buffers()[0].storage, sizeof written);
    EXPECT_EQ(5u, written[0]);
    EXPECT_EQ(5u, written[1]);
}

// 32 warps in turns of 4,096 instructions, 100 of them before the block's budget ends.
TEST(Runaway, AFullBlockIsStoppedByItsOwnBudget) {
    for (const char* loop : {"$loop: bra.uni $loop;", "$loop: bar.sync 0; bra.uni $loop;"}) {
        ptx::Kernel kernel = ptx::parse(kernel_around(loop)).kernels.at(0);
        Memory memory;
        uint64_t out = memory.allocate(8, "out");
        Recorder seen;
        uint64_t executed = Machine(kernel).run({{1}, {1024}}, Arguments().add(out), memory, 0, 1,
                                                seen, {.instructions_per_block = 409'600});
        ASSERT_EQ(1u, seen.faults.size());
        EXPECT_EQ(Fault::Kind::runaway, seen.faults[0].kind);
        EXPECT_LE(409'600u, executed);
        EXPECT_GT(409'600u + 32 * 4096, executed);
    }
}

// An access takes eight of the budget of 409,600: a turn of 4,096 instructions takes 18,432, and
// with the 23rd it is used up.
TEST(Runaway, AccessesAreChargedForMore) {
    ptx::Kernel kernel =
        ptx::parse(kernel_around("$loop: ld.global.u32 %r1, [%rd0]; bra.uni $loop;")).kernels.at(0);
    Memory memory;
    uint64_t out = memory.allocate(8, "out");
    Recorder seen;
    uint64_t executed = Machine(kernel).run({{1}, {1024}}, Arguments().add(out), memory, 0, 1, seen,
                                            {.instructions_per_block = 409'600});
    ASSERT_EQ(1u, seen.faults.size());
    EXPECT_EQ(Fault::Kind::runaway, seen.faults[0].kind);
    EXPECT_EQ(12u * 4096, executed);  // 17 for a load, 1 for a branch
}

}  // namespace
}  // namespace lanewise
