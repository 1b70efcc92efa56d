// mbarriers: counts, phases, waits that give way to other warps, and waits that nobody ends.
#include "sim/async/mbarrier.h"

#include <gtest/gtest.h>

#include "../run_ptx.h"

namespace lanewise {
namespace {

const std::string kBarrier = ".shared .align 8 .b64 bar[4]; mov.u64 %rd3, bar;";
// thread 0 makes the barrier, the whole block knows it
std::string barrier_of(const std::string& count) {
    return kBarrier + "setp.eq.u32 %p9, %r0, 0; @%p9 mbarrier.init.shared::cta.b64 [%rd3], " +
           count + "; bar.sync 0;";
}
// %rd2 = 1 where %p1
const std::string kResult = "selp.b64 %rd2, 1, 0, %p1;" + kStoreWide;

TEST(Mbarrier, KeepsItsCountsIn64Bits) {
    Mbarrier barrier{5, 3, -4096, true};
    Mbarrier again = unpacked(packed(barrier));
    EXPECT_EQ(5u, again.expected);
    EXPECT_EQ(3u, again.pending);
    EXPECT_EQ(-4096, again.bytes);
    EXPECT_TRUE(again.parity);
    EXPECT_EQ(0xfffffu, unpacked(packed({0xfffff, 0xfffff, 0xfffff, false})).pending);
    EXPECT_EQ(0xfffff, unpacked(packed({0xfffff, 0xfffff, 0xfffff, false})).bytes);
}

TEST(Mbarrier, APhaseEndsWithTheLastArrival) {
    std::string ask = "mbarrier.test_wait.parity.shared.b64 %p1, [%rd3], 0;" + kResult;
    EXPECT_EQ(0u, run_block(barrier_of("2") + ask, {1}).out[0]);
    std::string arrive = "mbarrier.arrive.shared.b64 _, [%rd3];";
    EXPECT_EQ(0u, run_block(barrier_of("2") + arrive + ask, {1}).out[0]);
    EXPECT_EQ(1u, run_block(barrier_of("2") + arrive + arrive + ask, {1}).out[0]);
    EXPECT_EQ(
        1u,
        run_block(barrier_of("5") + "mbarrier.arrive.shared.b64 _, [%rd3], 5;" + ask, {1}).out[0]);
    // the phase before the first one is over from the start
    EXPECT_EQ(1u, run_block(barrier_of("2") +
                                "mbarrier.test_wait.parity.shared.b64 %p1, [%rd3], 1;" + kResult,
                            {1})
                      .out[0]);
    // 32 lanes arrive one by one: after 64 arrivals of 32 the second phase is over
    EXPECT_EQ(0u, run_block(barrier_of("32") + arrive + arrive + ask).out[31]);
    EXPECT_EQ(1u, run_block(barrier_of("32") + arrive + ask).out[31]);
}

TEST(Mbarrier, StatesSayWhichPhase) {
    std::string body = barrier_of("1") +
                       "mbarrier.arrive.shared.b64 %rd4, [%rd3];"  // ends phase 0
                       "mbarrier.test_wait.shared.b64 %p1, [%rd3], %rd4;" +
                       kResult;
    EXPECT_EQ(1u, run_block(body, {1}).out[0]);
    body = barrier_of("3") +
           "mbarrier.arrive.noComplete.shared.b64 %rd4, [%rd3], 2;"
           "mbarrier.try_wait.shared.b64 %p1, [%rd3], %rd4;" +
           kResult;
    EXPECT_EQ(0u, run_block(body, {1}).out[0]);
    // as it was before the arrival
    body = barrier_of("7") +
           "mbarrier.arrive.shared.b64 _, [%rd3], 2; mbarrier.arrive.shared.b64 %rd4, [%rd3];"
           "mbarrier.pending_count.b64 %r1, %rd4; cvt.u64.u32 %rd2, %r1;" +
           kStoreWide;
    EXPECT_EQ(5u, run_block(body, {1}).out[0]);
}

TEST(Mbarrier, BytesCountToo) {
    std::string ask =
        "mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 %p1, [%rd3], 0;" + kResult;
    std::string expect = "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%rd3], 96;";
    std::string complete = "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%rd3], ";
    EXPECT_EQ(0u, run_block(barrier_of("1") + expect + ask, {1}).out[0]);
    EXPECT_EQ(0u, run_block(barrier_of("1") + expect + complete + "64;" + ask, {1}).out[0]);
    EXPECT_EQ(1u,
              run_block(barrier_of("1") + expect + complete + "64;" + complete + "32;" + ask, {1})
                  .out[0]);
    // bytes may come before they are expected
    EXPECT_EQ(1u, run_block(barrier_of("1") + complete + "96;" + expect + ask, {1}).out[0]);
    EXPECT_EQ(0u, run_block(barrier_of("1") +
                                "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 "
                                "[%rd3], 8; mbarrier.arrive.shared.b64 _, [%rd3];" +
                                ask,
                            {1})
                      .out[0]);
}

TEST(Mbarrier, WhoDropsIsNotExpectedAgain) {
    // 2 are expected; one drops, the other arrives twice
    std::string arrive = "mbarrier.arrive.shared.b64 _, [%rd3];";
    std::string body = barrier_of("2") + "mbarrier.arrive_drop.shared.b64 _, [%rd3];" + arrive;
    std::string ask = "mbarrier.test_wait.parity.shared.b64 %p1, [%rd3], 1;" + kResult;
    EXPECT_EQ(0u, run_block(body + ask, {1}).out[0]);
    EXPECT_EQ(1u, run_block(body + arrive + ask, {1}).out[0]);
}

TEST(Mbarrier, GenericAddressesAndFaults) {
    std::string body = barrier_of("1") +
                       "cvta.shared.u64 %rd4, %rd3;"
                       "mbarrier.arrive.b64 _, [%rd4];"
                       "mbarrier.test_wait.parity.b64 %p1, [%rd4], 0;" +
                       kResult;
    EXPECT_EQ(1u, run_block(body, {1}).out[0]);
    Outcome astray = run_block(barrier_of("1") +
                                   "mbarrier.arrive.shared.b64 _, [%rd3+4];"
                                   "mbarrier.arrive.shared.b64 _, [%rd3+32];",
                               {1});
    ASSERT_EQ(2u, astray.seen.faults.size());
    EXPECT_EQ(Fault::Kind::misaligned, astray.seen.faults[0].kind);
    EXPECT_EQ(Fault::Kind::out_of_bounds, astray.seen.faults[1].kind);
    EXPECT_EQ(32u, astray.seen.faults[1].address);
}

// A loop as inline assembly has it.
const std::string kWait =
    "{\n.reg .pred P1;\nWAIT:\nmbarrier.try_wait.parity.shared.b64 P1, [%rd3], %r9, 1000;\n"
    "@P1 bra DONE;\nbra WAIT;\nDONE:\n}\n";

TEST(Mbarrier, AWaitGivesWayToOtherWarps) {
    // warp 0 waits for warp 3, which stores a word for it; four rounds
    std::string body =
        barrier_of("1") +
        ".shared .align 4 .b32 word; mov.u32 %r9, 0; mov.u64 %rd2, 0; shr.u32 %r2, %r0, 5;"
        "setp.eq.u32 %p1, %r0, 96; setp.eq.u32 %p2, %r2, 0; mov.u32 %r3, 0;\nAGAIN:\n"
        "@!%p2 bra OTHER;\n" +
        kWait +
        "ld.shared.u32 %r4, [word]; cvt.u64.u32 %rd4, %r4; add.u64 %rd2, %rd2, %rd4;\nOTHER:\n"
        "add.u32 %r5, %r3, 10;"
        "@%p1 st.shared.u32 [word], %r5; @%p1 mbarrier.arrive.shared.b64 _, [%rd3];\n"
        "bar.sync 1;\nxor.b32 %r9, %r9, 1; add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 4;\n"
        "@%p3 bra AGAIN;\n" +
        kStoreWide;
    Outcome outcome = run_block(body, {128});
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_EQ(10u + 11 + 12 + 13, outcome.out[5]);
}

TEST(Mbarrier, LanesOfOneWarpWaitForEachOther) {
    // lane 0 arrives behind a branch that the waiting lanes come to first
    std::string body = barrier_of("1") +
                       "mov.u32 %r9, 0; setp.ne.u32 %p1, %r0, 0;\n"
                       "@%p1 bra ASK;\n"
                       "mbarrier.arrive.shared.b64 _, [%rd3];\nbra END;\nASK:\n" +
                       kWait + "END: mov.u64 %rd2, 1;" + kStoreWide;
    Outcome outcome = run_block(body);
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_EQ(1u, outcome.out[7]);
    std::string turned = barrier_of("1") +
                         "mov.u32 %r9, 0; setp.eq.u32 %p1, %r0, 0;\n"
                         "@%p1 bra TELL;\n" +
                         kWait +
                         "bra END;\nTELL:\nmbarrier.arrive.shared.b64 _, [%rd3];\n"
                         "END: mov.u64 %rd2, 1;" +
                         kStoreWide;
    outcome = run_block(turned);
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_EQ(1u, outcome.out[7]);
}

TEST(Mbarrier, AWaitThatNobodyEndsIsADeadlock) {
    Outcome outcome = run_block(barrier_of("65") +
                                    "mov.u32 %r9, 0;"
                                    "mbarrier.arrive.shared.b64 _, [%rd3];" +
                                    kWait,
                                {64});
    ASSERT_EQ(1u, outcome.seen.faults.size());
    EXPECT_EQ(Fault::Kind::deadlock, outcome.seen.faults[0].kind);
    EXPECT_GT(20'000u, outcome.executed);
    // the others wait at a barrier for those that ask
    outcome = run_block(barrier_of("1") +
                            "mov.u32 %r9, 0; shr.u32 %r2, %r0, 5;"
                            "setp.eq.u32 %p1, %r2, 1;\n@%p1 bra END;\n" +
                            kWait + "END:\nbar.sync 0;",
                        {64});
    ASSERT_EQ(1u, outcome.seen.faults.size());
    EXPECT_EQ(Fault::Kind::deadlock, outcome.seen.faults[0].kind);
}

TEST(Mbarrier, AnArrivalByCopiesThatAreDone) {
    // every thread's copy and arrival; with .noinc the count includes it
    std::string copy =
        ".shared .align 8 .b64 tile[32]; st.global.u64 [%rd1], 77; mov.u64 %rd4, tile;"
        "mul.wide.u32 %rd5, %r0, 8; add.s64 %rd4, %rd4, %rd5; mov.u32 %r9, 0;"
        "cp.async.ca.shared.global [%rd4], [%rd1], 8;";
    std::string read = "ld.shared.u64 %rd2, [%rd4];" + kStoreWide;
    std::string tracked = barrier_of("32") + copy +
                          "cp.async.mbarrier.arrive.noinc.shared.b64 [%rd3];" + kWait + read;
    EXPECT_EQ(77u, run_block(tracked).out[9]);
    std::string also = barrier_of("32") + copy +
                       "cp.async.mbarrier.arrive.shared.b64 [%rd3];"
                       "mbarrier.arrive.shared.b64 _, [%rd3];" +
                       kWait + read;
    EXPECT_EQ(77u, run_block(also).out[9]);
    // a copy behind the arrival is not tracked by it
    std::string untracked = barrier_of("32") + "cp.async.mbarrier.arrive.noinc.shared.b64 [%rd3];" +
                            copy + kWait + read;
    EXPECT_EQ(0u, run_block(untracked).out[9]);
}

}  // namespace
}  // namespace lanewise
