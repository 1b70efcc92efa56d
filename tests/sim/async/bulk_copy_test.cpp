// cp.async.bulk: ranges between global and shared memory; when they arrive, and their faults.
#include <gtest/gtest.h>

#include "../run_ptx.h"

namespace lanewise {
namespace {

// Thread t stores 100 + t at out[t]; then thread 0 makes a barrier of one arrival.
const std::string kBulkStart =
    ".shared .align 128 .b8 tile[1024]; .shared .align 8 .b64 bar; mov.u64 %rd3, tile;"
    "mov.u64 %rd4, bar; add.u32 %r1, %r0, 100; cvt.u64.u32 %rd2, %r1; st.global.u64 [%rd1], %rd2;"
    "mul.wide.u32 %rd5, %r0, 8; add.s64 %rd5, %rd3, %rd5; setp.eq.u32 %p1, %r0, 0;"
    "@%p1 mbarrier.init.shared::cta.b64 [%rd4], 1; bar.sync 0;";
const std::string kBulkWait =
    "{\n.reg .pred P;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 P, [%rd4], 0;\n"
    "@!P bra AGAIN;\n}\n";
// 128 bytes from out[8] on to tile[32…]
const std::string kLoad =
    "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%rd4], 128;"
    "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
    "[%rd3+32], [%rd0+64], 128, [%rd4];";
const std::string kBulkResult = "ld.shared.u64 %rd2, [%rd5]; st.global.u64 [%rd1], %rd2;";

TEST(BulkCopy, ArrivesWhenItsBarrierIsAsked) {
    Outcome outcome = run_block(kBulkStart + kLoad + kBulkWait + kBulkResult);
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_EQ(0u, outcome.out[3]);
    EXPECT_EQ(108u, outcome.out[4]);
    EXPECT_EQ(123u, outcome.out[19]);
    EXPECT_EQ(0u, outcome.out[20]);
    EXPECT_EQ(0u, run_block(kBulkStart + kLoad + "bar.sync 0;" + kBulkResult).out[4]);
}

TEST(BulkCopy, EventsAreOfPiecesAndNotOfLanes) {
    Outcome outcome = run_block(kBulkStart + kLoad + kBulkWait);
    std::vector<Recorder::Access> bulk;
    for (const auto& access : outcome.seen.accesses)
        if (access.event.kind == AccessKind::bulk_copy) bulk.push_back(access);
    ASSERT_EQ(2u, bulk.size());
    EXPECT_EQ(Space::global, bulk[0].event.space);
    EXPECT_FALSE(bulk[0].event.is_store);
    EXPECT_EQ(Space::shared, bulk[1].event.space);
    EXPECT_TRUE(bulk[1].event.is_store);
    EXPECT_EQ(0xffu, bulk[1].event.mask);  // eight pieces of 16 bytes
    EXPECT_EQ(16, bulk[1].event.bytes_per_lane);
    EXPECT_EQ(0, bulk[1].event.issuing_lane);
    EXPECT_EQ(32u + 7 * 16, bulk[1].addresses[7]);
}

TEST(BulkCopy, BytesThatAreNotExpectedKeepThePhaseOpen) {
    std::string more = kLoad;
    more.replace(more.find("], 128;"), 7, "], 144;");
    Outcome outcome = run_block(kBulkStart + more + kBulkWait + kBulkResult);
    ASSERT_EQ(1u, outcome.seen.faults.size());
    EXPECT_EQ(Fault::Kind::deadlock, outcome.seen.faults[0].kind);
}

// tile = 200 + t, then 64 bytes of it to out[16…23]
const std::string kBulkStore =
    "add.u64 %rd2, %rd2, 100; st.shared.u64 [%rd5], %rd2; fence.proxy.async.shared::cta;"
    "bar.sync 0; @%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd0+128], [%rd3+16], 64;"
    "@%p1 cp.async.bulk.commit_group;";

TEST(BulkCopy, StoresWhenItsGroupIsWaitedFor) {
    std::string read =
        "ld.global.u64 %rd6, [%rd0+128]; mov.u64 %rd2, %rd6;"
        "st.global.u64 [%rd0+8], %rd6;";
    Outcome late = run_block(kBulkStart + kBulkStore + "@%p1 cp.async.bulk.wait_group 0;" + read);
    EXPECT_EQ(202u, late.out[1]);
    EXPECT_EQ(202u, late.out[16]);
    EXPECT_EQ(209u, late.out[23]);
    EXPECT_EQ(124u, late.out[24]);
    for (const char* wait :
         {"", "cp.async.bulk.wait_group.read 0;", "cp.async.bulk.wait_group 1;"}) {
        Outcome early = run_block(kBulkStart + kBulkStore + wait + read);
        EXPECT_EQ(116u, early.out[1]);
        EXPECT_EQ(202u, early.out[16]);  // by the end of the block
    }
}

TEST(BulkCopy, TheSourceMayBeReadUntilThen) {
    std::string overwrite = "bar.sync 0; st.shared.u64 [%rd5], 7;";
    EXPECT_EQ(7u, run_block(kBulkStart + kBulkStore + overwrite).out[16]);
    EXPECT_EQ(
        202u,
        run_block(kBulkStart + kBulkStore + "@%p1 cp.async.bulk.wait_group.read 0;" + overwrite).out[16]);
}

std::vector<Fault> faults_of(const std::string& load) {
    return run_block(kBulkStart +
                     "@%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes " + load)
        .seen.faults;
}

TEST(BulkCopy, FaultsAreReportedOnce) {
    auto faults = faults_of("[%rd3+8], [%rd0], 32, [%rd4];");
    ASSERT_EQ(1u, faults.size());
    EXPECT_EQ(Fault::Kind::misaligned, faults[0].kind);
    EXPECT_EQ(Space::shared, faults[0].space);
    EXPECT_EQ(16, faults[0].bytes);
    EXPECT_EQ(8u, faults[0].address);
    faults = faults_of("[%rd3], [%rd0+8], 32, [%rd4];");
    ASSERT_EQ(1u, faults.size());
    EXPECT_EQ(Space::global, faults[0].space);
    EXPECT_FALSE(faults[0].is_store);
    ASSERT_EQ(1u, faults_of("[%rd3], [%rd0], 24, [%rd4];").size());
    faults = faults_of("[%rd3], [%rd0+192], 128, [%rd4];");  // out has 256 bytes
    ASSERT_EQ(1u, faults.size());
    EXPECT_EQ(Fault::Kind::out_of_bounds, faults[0].kind);
    EXPECT_EQ(0x7000'0000'0100u, faults[0].address);
    faults = faults_of("[%rd3+1008], [%rd0], 128, [%rd4];");  // over bar, and beyond it
    ASSERT_EQ(1u, faults.size());
    EXPECT_EQ(Space::shared, faults[0].space);
    EXPECT_EQ(1024u, faults[0].address);
}

TEST(BulkCopy, WhatHasNoEffectIsAccepted) {
    Outcome outcome = run_block(
        kBulkStart +
        "createpolicy.fractional.L2::evict_first.b64 %rd9, 1.0;"
        "cp.async.bulk.prefetch.L2.global [%rd0], 64; griddepcontrol.wait;"
        "griddepcontrol.launch_dependents; mapa.shared::cluster.u64 %rd3, %rd3, 0;"
        "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;"
        "mov.u32 %r5, %cluster_nctarank;"
        "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%rd4], 128;"
        "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%rd3], [%rd0], 128, [%rd4], %rd9;" +
        kBulkWait + "ld.shared.u64 %rd2, [%rd5]; cvt.u64.u32 %rd6, %r5; add.u64 %rd2, %rd2, %rd6;" +
        "st.global.u64 [%rd1], %rd2;");
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_EQ(106u, outcome.out[5]);
}

// Two warps in a cluster of one block: each thread reads what its opposite stored before.
TEST(Cluster, OfOneBlockWaitsForItsWarps) {
    auto out = run_block(
                   ".shared .align 4 .b8 tile[256]; mov.u64 %rd3, tile; mul.wide.u32 %rd4, %r0, 4;"
                   "add.u64 %rd5, %rd3, %rd4; st.shared::cluster.u32 [%rd5], %r0;"
                   "barrier.cluster.arrive; barrier.cluster.wait;"
                   "sub.u32 %r2, 63, %r0; mul.wide.u32 %rd4, %r2, 4; add.u64 %rd5, %rd3, %rd4;"
                   "mapa.shared::cluster.u64 %rd5, %rd5, 0; ld.shared::cluster.u32 %r1, [%rd5];"
                   "cvt.u64.u32 %rd2, %r1; st.global.u64 [%rd1], %rd2;",
                   {64})
                   .out;
    for (uint64_t n = 0; n < 64; ++n) EXPECT_EQ(63 - n, out[n]);
}

TEST(BulkCopy, ReductionsAreNamed) {
    try {
        run_block(kBulkStart +
                  "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd0], [%rd3], 16;");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string::npos, std::string(error.what()).find("cp.reduce.async.bulk.global"));
    }
}

}  // namespace
}  // namespace lanewise
