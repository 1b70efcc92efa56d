// Atomics, votes, matches, reductions and indexed branches; lanes that meet from diverged paths,
// and lanes or warps that wait for each other in a loop.
#include <gtest/gtest.h>

#include "../run_ptx.h"

namespace lanewise {
namespace {

const std::string kStore = "\nst.global.u64 [%rd1], %rd2;";
const std::string kStoreWord = "\ncvt.u64.u32 %rd2, %r1;" + kStore;

uint64_t lane_result(const std::string& body, size_t lane) {
    return run_block(body + kStoreWord).out[lane];
}

// What 32 lanes with values of their own make of a shared word that holds `before`.
uint32_t combined(const std::string& operation, const std::string& before,
                  const std::string& operand) {
    return word_result(".shared .align 8 .b8 cell[8]; mov.u32 %r3, " + before +
                       "; st.shared.u32 [cell], %r3; " + operand + " red.shared." + operation +
                       " [cell], %r2; ld.shared.u32 %r1, [cell];");
}

TEST(Atomics, EveryOperation) {
    const std::string lane = "mov.u32 %r2, %r0;";
    EXPECT_EQ(501u, combined("add.u32", "5", lane));  // 0 + … + 31 = 496
    EXPECT_EQ(31u, combined("max.u32", "5", lane));
    EXPECT_EQ(0u, combined("min.u32", "5", lane));
    EXPECT_EQ(0xfffffff0u, combined("min.s32", "5", "sub.u32 %r2, 15, %r0;"));  // 15 - 31 = -16
    EXPECT_EQ(15u, combined("max.s32", "-1", "sub.u32 %r2, 15, %r0;"));
    EXPECT_EQ(0xf0u, combined("and.b32", "0xff", "mov.u32 %r2, 0xf0;"));
    EXPECT_EQ(0xffffffffu, combined("or.b32", "0", "shl.b32 %r2, 1, %r0;"));
    EXPECT_EQ(0u, combined("xor.b32", "0", lane));               // each bit in 16 of 32 numbers
    EXPECT_EQ(2u, combined("inc.u32", "0", "mov.u32 %r2, 9;"));  // 32 steps of ten: 0 … 9
    EXPECT_EQ(8u, combined("dec.u32", "0", "mov.u32 %r2, 9;"));
    EXPECT_EQ(0x42000000u, combined("add.f32", "0", "mov.b32 %r2, 0f3F800000;"));  // 32 x 1
}

TEST(Atomics, GiveTheValueBeforeInLaneOrder) {
    auto outcome = run_block("atom.global.add.u32 %r1, [%rd0+128], 2;" + kStoreWord);
    for (size_t n = 0; n < 16; ++n) EXPECT_EQ(2 * n, outcome.out[n]);
    const MemoryEvent& event = outcome.seen.accesses.at(0).event;
    EXPECT_EQ(AccessKind::atomic, event.kind);
    EXPECT_EQ(Space::global, event.space);
    EXPECT_FALSE(event.is_store);
    EXPECT_EQ(kAllLanes, event.mask);
    EXPECT_EQ(4, event.bytes_per_lane);
}

TEST(Atomics, SwapsAndWideOnes) {
    // only lane 0 finds 0 there
    EXPECT_EQ(1u, lane_result(".shared .align 8 .b8 c[8]; add.u32 %r2, %r0, 1;"
                              "atom.shared.cas.b32 %r1, [c], 0, %r2;",
                              7));
    EXPECT_EQ(0u, lane_result(".shared .align 8 .b8 c[8]; add.u32 %r2, %r0, 1;"
                              "atom.shared.cas.b32 %r1, [c], 0, %r2;",
                              0));
    EXPECT_EQ(6u, lane_result(".shared .align 8 .b8 c[8];"
                              "atom.shared.exch.b32 %r1, [c], %r0;",
                              7));
    auto wide = run_block(
        ".shared .align 8 .b8 c[8]; mov.u64 %rd3, 0x100000000;"
        "red.shared.add.u64 [c], %rd3; ld.shared.u64 %rd2, [c];" +
        kStore);
    EXPECT_EQ(0x2000000000u, wide.out[0]);
    auto twice = run_block(
        ".shared .align 8 .b8 c[8]; mov.f64 %fd1, 0d3FF0000000000000;"
        "red.shared.add.f64 [c], %fd1; ld.shared.u64 %rd2, [c];" +
        kStore);
    EXPECT_EQ(0x4040000000000000u, twice.out[0]);  // 32
}

TEST(Atomics, DenormalsAreFlushedInGlobalMemoryOnly) {
    const std::string add = ".add.f32 %f1, [%rd3], 0f00400000; ";
    EXPECT_EQ(0u, run_block("mov.u64 %rd3, %rd0; @%p0 ret; atom.global" + add +
                            "ld.global.u32 %r1, [%rd0];" + kStoreWord)
                      .out[5]);
    EXPECT_EQ(0x02800000u, word_result(".shared .align 8 .b8 c[8]; mov.u64 %rd3, c; atom.shared" +
                                       add + "ld.shared.u32 %r1, [c];"));  // 32 x 2^-127
}

// Both elements of each lane's pair; the second goes down. One access of eight bytes a lane.
TEST(Atomics, OfVectors) {
    auto outcome = run_block(
        "mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0fBF000000; mov.u64 %rd2, 0x4000000040400000;"
        "st.global.u64 [%rd1], %rd2; atom.global.v2.f32.add {%f3, %f4}, [%rd1], {%f1, %f2};"
        "red.global.add.noftz.v4.f16x2 [%rd0], {0, 0, 0, 0};");
    for (uint64_t word : outcome.out) EXPECT_EQ(0x3FC0000040800000u, word);  // 3 + 1, 2 - 0.5
    const MemoryEvent& event = outcome.seen.accesses.at(1).event;
    EXPECT_EQ(AccessKind::atomic, event.kind);
    EXPECT_EQ(8, event.bytes_per_lane);
    EXPECT_EQ(16, outcome.seen.accesses.at(2).event.bytes_per_lane);
}

// A load, and compare-and-swaps of the word until every lane has had its way.
TEST(Atomics, OfTwoBytesAreLoops) {
    auto masks = [](const std::string& address, const std::string& addend) {
        auto outcome = run_block(
            "mul.wide.u32 %rd3, %r0, 2; add.s64 %rd3, %rd0, %rd3;"
            "mov.b16 %h1, " +
            addend + "; atom.global.add.noftz.f16 %h2, [" + address + "], %h1;");
        std::vector<uint32_t> result;
        for (const auto& access : outcome.seen.accesses) {
            bool is_first = result.empty();
            EXPECT_EQ(is_first ? AccessKind::plain : AccessKind::atomic, access.event.kind);
            EXPECT_FALSE(access.event.is_store);
            result.push_back(access.event.mask);
        }
        result.push_back(static_cast<uint32_t>(outcome.out[0]));
        return result;
    };
    const std::string one = "0x3c00";
    EXPECT_EQ((std::vector{kAllLanes, kAllLanes, 0x3c00u}), masks("%rd1", one));
    EXPECT_EQ((std::vector{kAllLanes, kAllLanes, 0xaaaaaaaau, 0x3c003c00u}), masks("%rd3", one));
    std::vector<uint32_t> same = masks("%rd0", one);
    ASSERT_EQ(1u + 32 + 1, same.size());
    EXPECT_EQ(kAllLanes, same[1]);
    EXPECT_EQ(0x80000000u, same[32]);
    EXPECT_EQ(0x5000u, same[33]);                                            // 32
    EXPECT_EQ((std::vector{kAllLanes, kAllLanes, 0u}), masks("%rd0", "0"));  // nothing changes
}

TEST(Atomics, AreCheckedAsStores) {
    auto outcome = run_block("red.global.add.u32 [%rd0+256], 1; red.global.add.u32 [%rd0+2], 1;");
    ASSERT_EQ(64u, outcome.seen.faults.size());
    EXPECT_EQ(Fault::Kind::out_of_bounds, outcome.seen.faults[0].kind);
    EXPECT_TRUE(outcome.seen.faults[0].is_store);
    EXPECT_EQ(Fault::Kind::misaligned, outcome.seen.faults[32].kind);
    EXPECT_TRUE(outcome.seen.accesses.empty());
}

TEST(Votes, OverTheLanesThatTakePart) {
    const std::string odd = "and.b32 %r2, %r0, 1; setp.eq.u32 %p1, %r2, 1; ";
    EXPECT_EQ(0xaaaaaaaau, lane_result(odd + "vote.sync.ballot.b32 %r1, %p1, -1;", 0));
    EXPECT_EQ(0x55555555u, lane_result(odd + "vote.sync.ballot.b32 %r1, !%p1, -1;", 0));
    auto vote = [&](const std::string& set, const std::string& mode) {
        return lane_result(
            set + "vote.sync." + mode + ".pred %p2, %p1, -1; selp.b32 %r1, 1, 0, %p2;", 9);
    };
    EXPECT_EQ(0u, vote(odd, "all"));
    EXPECT_EQ(1u, vote(odd, "any"));
    EXPECT_EQ(0u, vote(odd, "uni"));
    EXPECT_EQ(1u, vote("setp.eq.u32 %p1, %r0, 99; ", "uni"));
    EXPECT_EQ(0xfu, lane_result("mov.u32 %r1, 0; setp.ge.u32 %p1, %r0, 4; @%p1 bra $over;"
                                "activemask.b32 %r1; $over:",
                                2));
}

TEST(Votes, MatchAndReduce) {
    const std::string third = "rem.u32 %r2, %r0, 3; ";
    EXPECT_EQ(0x49249249u, lane_result(third + "match.any.sync.b32 %r1, %r2, -1;", 3));
    EXPECT_EQ(0u, lane_result(third + "match.all.sync.b32 %r1|%p1, %r2, -1;", 3));
    EXPECT_EQ(0xffffffffu, lane_result("match.all.sync.b32 %r1|%p1, 5, -1;", 3));
    EXPECT_EQ(496u, lane_result("redux.sync.add.s32 %r1, %r0, -1;", 3));
    EXPECT_EQ(0xfffffff0u,
              lane_result("sub.u32 %r2, 15, %r0; redux.sync.min.s32 %r1, %r2, -1;", 0));
    EXPECT_EQ(31u, lane_result("redux.sync.max.u32 %r1, %r0, -1;", 0));
    EXPECT_EQ(31u, lane_result("redux.sync.or.b32 %r1, %r0, -1;", 0));
    EXPECT_EQ(0u, lane_result("elect.sync %r1|%p1, -1;", 9));
}

TEST(Integers, RareOnes) {
    EXPECT_EQ(12u, word_result("bfind.u32 %r1, 0x1fff;"));
    EXPECT_EQ(0xffffffffu, word_result("bfind.s32 %r1, -1;"));
    EXPECT_EQ(3u, word_result("bfind.s32 %r1, -16;"));  // ~(-16) = 15
    EXPECT_EQ(15u, word_result("sad.s32 %r1, -5, 5, 5;"));
    EXPECT_EQ(75u, word_result("mov.u32 %r2, 0x01020304; mov.u32 %r3, 0x05060708;"
                               "dp4a.u32.u32 %r1, %r2, %r3, 5;"));  // 5 + 12 + 21 + 32 + 5
    EXPECT_EQ(0xfffffffcu, word_result("mov.u32 %r2, -1; mov.u32 %r3, 0x01010101;"
                                       "dp4a.s32.u32 %r1, %r2, %r3, 0;"));
}

TEST(IndexedBranch, EachLaneGoesItsWayAndAllMeet) {
    auto outcome = run_block(R"(
        and.b32 %r2, %r0, 3; mov.u64 %rd2, 0;
        $ways: .branchtargets $a, $b, $join, $c;
        brx.idx %r2, $ways;
        $a: mov.u64 %rd2, 10; bra.uni $join;
        $b: mov.u64 %rd2, 20; bra.uni $join;
        $c: mov.u64 %rd2, 40;
        $join: add.s64 %rd2, %rd2, 1;)" +
                             kStore);
    EXPECT_EQ(11u, outcome.out[4]);
    EXPECT_EQ(21u, outcome.out[5]);
    EXPECT_EQ(1u, outcome.out[6]);
    EXPECT_EQ(41u, outcome.out[7]);
    EXPECT_EQ(1u, outcome.seen.accesses.size());
}

// Odd and even lanes add to their number on paths of their own, and sum up the neighbour's in one
// shuffle that both reach.
TEST(Convergence, AShuffleThatOnlySomeHaveReachedWaits) {
    // the upper half goes round a loop first; bra into the loop's middle keeps the paths apart
    auto outcome = run_block(R"(
        mov.u32 %r3, 0; setp.lt.u32 %p1, %r0, 16;
        $again: @%p1 bra $meet;
        add.u32 %r3, %r3, 1; setp.ge.u32 %p1, %r3, 3; bra.uni $again;
        $meet: shfl.sync.idx.b32 %r1, %r3, 20, 31, -1;)" +
                             kStoreWord);
    EXPECT_EQ(3u, outcome.out[2]);
    EXPECT_EQ(3u, outcome.out[20]);
}

// A barrier of the warp in each arm of an if: lanes 0-15 see what 16-31 wrote before it.
TEST(Convergence, WarpBarriersInBothArmsMeet) {
    auto outcome = run_block(R"(
        .shared .align 4 .b8 cell[8];
        mov.u32 %r1, 0; setp.lt.u32 %p1, %r0, 16; @%p1 bra $low;
        mov.u32 %r2, 7; st.shared.u32 [cell], %r2; bar.warp.sync -1; bra.uni $join;
        $low: bar.warp.sync -1; ld.shared.u32 %r1, [cell];
        $join:)" + kStoreWord);
    EXPECT_EQ(7u, outcome.out[0]);
    auto other = run_block(R"(
        .shared .align 4 .b8 cell[8];
        mov.u32 %r1, 0; setp.ge.u32 %p1, %r0, 16; @%p1 bra $high;
        bar.warp.sync -1; ld.shared.u32 %r1, [cell]; bra.uni $join;
        $high: mov.u32 %r2, 7; st.shared.u32 [cell], %r2; bar.warp.sync -1;
        $join:)" + kStoreWord);
    EXPECT_EQ(7u, other.out[0]);
}

TEST(Convergence, AMaskNamesThoseWhoMeet) {
    // each half shuffles for itself, on its own path
    auto outcome = run_block(R"(
        setp.lt.u32 %p1, %r0, 16; @%p1 bra $low;
        shfl.sync.idx.b32 %r1, %r0, 17, 31, 0xffff0000; bra.uni $join;
        $low: shfl.sync.idx.b32 %r1, %r0, 3, 31, 0xffff;
        $join:)" + kStoreWord);
    EXPECT_EQ(3u, outcome.out[0]);
    EXPECT_EQ(17u, outcome.out[31]);
}

// Lane 0 waits for a flag that lane 31 of its warp sets on the path that waits meanwhile.
TEST(Progress, ALaneMayWaitForAnotherOfItsWarp) {
    for (const char* first : {"0", "31"}) {
        auto outcome = run_block(std::string(R"(
            .shared .align 4 .b8 flag[4];
            mov.u64 %rd2, 0; setp.ne.u32 %p1, %r0, )") +
                                     first + R"(; @%p1 bra $setters;
            $spin: ld.volatile.shared.u32 %r1, [flag]; setp.eq.u32 %p2, %r1, 0; @%p2 bra $spin;
            mov.u64 %rd2, 5; bra.uni $join;
            $setters: st.volatile.shared.u32 [flag], 1;
            $join: add.s64 %rd2, %rd2, 1;)" +
                                     kStore,
                                 {32}, 100'000);
        EXPECT_TRUE(outcome.seen.faults.empty());
        EXPECT_EQ(6u, outcome.out[std::stoul(first)]);
        EXPECT_EQ(1u, outcome.out[7]);
    }
}

// A lock taken lane by lane: the lane that holds it must get on while the others try.
TEST(Progress, ALockWithinAWarp) {
    auto outcome = run_block(R"(
        .shared .align 4 .b8 lock[4]; .shared .align 4 .b8 count[4];
        $try: atom.shared.cas.b32 %r2, [lock], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra $try;
        ld.shared.u32 %r3, [count]; add.u32 %r3, %r3, 1; st.shared.u32 [count], %r3;
        atom.shared.exch.b32 %r2, [lock], 0;
        bar.sync 0; ld.shared.u32 %r1, [count];)" +
                                 kStoreWord,
                             {64}, 10'000'000);
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_EQ(64u, outcome.out[0]);
    EXPECT_EQ(64u, outcome.out[63]);
}

TEST(Progress, AWarpMayWaitForAnother) {
    auto outcome = run_block(R"(
        .shared .align 4 .b8 flag[4];
        mov.u64 %rd2, 3; setp.ge.u32 %p1, %r0, 32; @%p1 bra $setters;
        $spin: ld.volatile.shared.u32 %r1, [flag]; setp.eq.u32 %p2, %r1, 0; @%p2 bra $spin;
        bra.uni $join;
        $setters: st.volatile.shared.u32 [flag], 1;
        $join: )" + kStore,
                             {64}, 100'000);
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_EQ(3u, outcome.out[0]);
}

// Tiles of eight lanes, each of which names only its own: they vote among themselves.
TEST(Vote, OfTilesIsTheirOwn) {
    auto out = run_block(
                   "shr.u32 %r1, %r0, 3; shl.b32 %r2, %r1, 3; shl.b32 %r3, 255, %r2;"
                   "setp.lt.u32 %p1, %r0, 13; vote.sync.any.pred %p2, %p1, %r3;"
                   "vote.sync.ballot.b32 %r4, %p1, %r3; selp.u32 %r5, 1, 0, %p2;"
                   "mov.b64 %rd2, {%r4, %r5}; st.global.u64 [%rd1], %rd2;")
                   .out;
    EXPECT_EQ(0x1000000ffull, out[0]);
    EXPECT_EQ(0x100001f00ull, out[15]);
    EXPECT_EQ(0u, out[16]);
    EXPECT_EQ(0u, out[31]);
}

// Of lane - 40: -40 to -9.
TEST(Redux, OfFloats) {
    const std::string set =
        "cvt.rn.f32.u32 %f2, %r0; sub.rn.f32 %f2, %f2, 0f42200000; setp.eq.u32 %p1, %r0, 3;";
    auto result = [&](const std::string& operation) {
        return word_result(set + operation + " %f1, %f2, -1; mov.b32 %r1, %f1;", 7);
    };
    EXPECT_EQ(0xc2200000u, result("redux.sync.min.f32"));
    EXPECT_EQ(0xc1100000u, result("redux.sync.max.f32"));
    EXPECT_EQ(0x41100000u, result("redux.sync.min.abs.f32"));
    EXPECT_EQ(0x42200000u, result("redux.sync.max.abs.NaN.f32"));
    const std::string with_nan = "@%p1 mov.f32 %f2, 0f7FC00000;";
    EXPECT_EQ(0xc1100000u, result(with_nan + "redux.sync.max.f32"));
    EXPECT_EQ(0x7fffffffu, result(with_nan + "redux.sync.max.NaN.f32"));
    EXPECT_EQ(0x7fffffffu, result("mov.f32 %f2, 0f7FC00000; redux.sync.min.f32"));
}

TEST(IsSpace, OfParametersAndOfTheCluster) {
    EXPECT_EQ(6u, word_result("mov.b64 %rd3, k_param_0; cvta.param.u64 %rd4, %rd3;"
                              "isspacep.param %p1, %rd4; isspacep.shared::cluster %p2, %rd4;"
                              ".shared .align 4 .b8 s[4]; mov.u64 %rd5, s;"
                              "cvta.shared.u64 %rd5, %rd5; isspacep.shared::cluster %p3, %rd5;"
                              "selp.u32 %r1, 2, 0, %p1; @%p2 add.u32 %r1, %r1, 1;"
                              "@%p3 add.u32 %r1, %r1, 4;"));
}

}  // namespace
}  // namespace lanewise
