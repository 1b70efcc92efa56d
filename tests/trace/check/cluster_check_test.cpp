// What is found of blocks that reach into each other's shared memory.
#include "trace/check/cluster_check.h"

#include <gtest/gtest.h>

#include <deque>

#include "../../sim/cluster_ptx.h"
#include "sim/run/clusters.h"
#include "trace/both.h"
#include "trace/count/counter.h"

namespace lanewise {
namespace {

// %rd4 is the thread's own word of the block's tile, %rd5 the same of the next block, %r3 the number
// 100 * rank + thread. %p1: the first thread of the block; %p2: one of the first block.
const std::string kPlaces = R"(
    mul.wide.u32 %rd3, %r0, 4;
    mov.u64 %rd4, tile;
    add.s64 %rd4, %rd4, %rd3;
    add.s32 %r4, %r1, 1;
    rem.u32 %r4, %r4, %r2;
    mapa.shared::cluster.u64 %rd5, %rd4, %r4;
    mad.lo.s32 %r3, %r1, 100, %r0;
    setp.eq.u32 %p1, %r0, 0;
    setp.eq.u32 %p2, %r1, 0;
)";
const std::string kStoreMine = "st.shared.u32 [%rd4], %r3;\n";
const std::string kLoadMine = "ld.shared.u32 %r5, [%rd4];\n";
const std::string kStoreNext = "st.shared::cluster.u32 [%rd5], %r3;\n";
const std::string kLoadNext = "ld.shared::cluster.u32 %r5, [%rd5];\n";

std::vector<Finding> found_in_cluster(const std::string& body, uint32_t blocks = 3, uint32_t threads = 64) {
    ptx::Kernel kernel =
        ptx::parse(in_cluster(std::to_string(blocks), kPlaces + body)).kernels.at(0);
    Memory memory;
    uint64_t out = memory.allocate(4096, "data");
    LaunchShape shape{{blocks}, {threads}};
    std::deque<Counter> counters;
    std::deque<Checker> checkers;
    std::deque<Both> both;
    std::vector<Observer*> faults, by_rank;
    std::vector<Checker*> all;
    for (uint32_t rank = 0; rank < blocks; ++rank) {
        all.push_back(&checkers.emplace_back(kernel, memory, std::span<const size_t>(), 1024));
        faults.push_back(&both.emplace_back(counters.emplace_back(kernel), checkers.back()));
    }
    ClusterCheck check(kernel, all, faults);
    for (uint32_t rank = 0; rank < blocks; ++rank)
        by_rank.push_back(&both.emplace_back(*faults[rank], check.of_block(rank)));
    const DecodedKernel decoded = decode(kernel);
    Arguments arguments;
    arguments.add(out);
    ClusterRunner runner(kernel, decoded, shape, arguments, memory, by_rank, &check, {});
    runner.run(0);
    std::vector<const Counter*> counted;
    std::vector<const Checker*> checked;
    for (const Counter& one : counters) counted.push_back(&one);
    for (const Checker& one : checkers) checked.push_back(&one);
    Report report = merge(kernel, counted, shape, memory);
    add_findings(report, kernel, checked, shape, memory);
    return report.findings;
}

TEST(ClusterCheck, BarriersOrderWhatBlocksDo) {
    EXPECT_TRUE(found_in_cluster(kStoreMine + kClusterSync + kLoadNext + kClusterSync).empty());
    EXPECT_TRUE(found_in_cluster(kClusterSync + kStoreNext + kClusterSync + kLoadMine).empty());
    EXPECT_TRUE(found_in_cluster(kStoreMine + kClusterSync + kLoadNext + kClusterSync + kStoreMine +
                                 kClusterSync + kLoadNext + kClusterSync)
                    .empty());
    // What is done between the arrival and the wait is the block's own.
    EXPECT_TRUE(found_in_cluster(kStoreMine +
                                 "barrier.cluster.arrive.release;\nadd.s32 %r6, %r3, 1;\n"
                                 "barrier.cluster.wait.acquire;\n" +
                                 kLoadNext + kClusterSync)
                    .empty());
}

TEST(ClusterCheck, TheLastBarrierIsMissing) {
    // Every block reads the next one; and the first block alone, before the others have left.
    for (const std::string& load : {kLoadNext, "@%p2 " + kLoadNext}) {
        std::vector<Finding> all = found_in_cluster(kStoreMine + kClusterSync + load);
        ASSERT_EQ(1u, all.size()) << load;
        EXPECT_EQ("out_of_bounds", all[0].kind);
        EXPECT_EQ("shared", all[0].space);
        EXPECT_NE(std::string::npos, all[0].message.find("cluster.sync() at the end"))
            << all[0].message;
    }
}

TEST(ClusterCheck, TheFirstBarrierIsMissing) {
    std::vector<Finding> all = found_in_cluster(kStoreNext + kClusterSync + kLoadMine);
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ("out_of_bounds", all[0].kind);
    EXPECT_NE(std::string::npos, all[0].message.find("may not have begun; call cluster.sync()"));
}

// Each block copies the first 128 bytes of its tile to the place 256 bytes on in the next block's, and
// that block's mbarrier, 512 bytes on, is told of it.
const std::string kBeforeCopy = R"(
    mov.u64 %rd10, tile;
    add.s64 %rd11, %rd10, 256;
    mapa.shared::cluster.u64 %rd11, %rd11, %r4;
    add.s64 %rd12, %rd10, 512;
    mapa.shared::cluster.u64 %rd13, %rd12, %r4;
    @%p1 mbarrier.init.shared.b64 [%rd12], 1;
    @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%rd12], 128;
    setp.lt.u32 %p5, %r0, 32;
)";
const std::string kFill = "@%p5 st.shared.u32 [%rd4], %r3;\nfence.proxy.async.shared::cta;\n";
const std::string kCopy =
    "@%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%rd11], [%rd10], "
    "128, [%rd13];\n";
const std::string kAwaitCopy =
    "$again:\nmbarrier.try_wait.parity.shared.b64 %p6, [%rd12], 0;\n@!%p6 bra $again;\n";
const std::string kLoadCopied = "@%p5 ld.shared.u32 %r5, [%rd4+256];\n";

TEST(ClusterCheck, BulkCopiesBetweenBlocks) {
    const std::string begin = kBeforeCopy + kFill + kClusterSync;
    EXPECT_TRUE(found_in_cluster(begin + kCopy + kAwaitCopy + kLoadCopied + kClusterSync).empty());
    // And the source is free once all have what they wait for.
    EXPECT_TRUE(found_in_cluster(begin + kCopy + kAwaitCopy + kClusterSync + kStoreMine + kClusterSync).empty());

    // The load does not wait.
    const std::string there = "@%p5 st.shared.u32 [%rd4+256], %r3;\n";
    std::vector<Finding> all =
        found_in_cluster(kBeforeCopy + there + kFill + kClusterSync + kCopy + kLoadCopied + kAwaitCopy + kClusterSync);
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ("race", all[0].kind);
    EXPECT_NE(std::string::npos, all[0].message.find("load of tile + 256 bytes")) << all[0].message;
    // Block 0 reads what was there, and no barrier says so to the last block, which alone copies.
    const std::string last = "setp.eq.and.u32 %p7, %r1, 2, %p1;\n";
    const std::string by_last =
        "@%p7 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%rd11], [%rd10], "
        "128, [%rd13];\n@!%p2 bra $others;\n" +
        kAwaitCopy + "$others:\n";
    all = found_in_cluster(kBeforeCopy + there + kFill + kClusterSync + last + kLoadCopied + by_last +
                           kClusterSync);
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ("race", all[0].kind);
    EXPECT_NE(std::string::npos, all[0].message.find("with no cluster.sync() or mbarrier between"))
        << all[0].message;
    // The source is stored into while it may be read, by the thread that copies.
    all = found_in_cluster(begin + kCopy + "@%p1 " + kStoreMine + kAwaitCopy + kClusterSync);
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ("race", all[0].kind);
    EXPECT_NE(std::string::npos,
              all[0].message.find("may still be reading: no thread of the block that it goes to has "
                                  "found the phase of its mbarrier over"))
        << all[0].message;
    // No fence between the stores and the copy of them.
    all = found_in_cluster(kBeforeCopy + kStoreMine + kClusterSync + kCopy + kAwaitCopy + kClusterSync);
    ASSERT_EQ(1u, all.size());
    EXPECT_NE(std::string::npos, all[0].message.find("with no fence.proxy.async between"));
    // The block that it goes to does not wait for it: it may have returned.
    all = found_in_cluster(begin + kCopy);
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ("out_of_bounds", all[0].kind);
    EXPECT_NE(std::string::npos, all[0].message.find("may have returned by then")) << all[0].message;
    // It waits, and the block whose memory is read may have returned by then: all of them, of which the
    // first leaves when its own copy has come; and block 1 alone, which nobody copies to.
    const std::string by_one = "setp.eq.and.u32 %p7, %r1, 1, %p1;\n"
                               "@%p7 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                               "[%rd11], [%rd10], 128, [%rd13];\n"
                               "setp.ne.u32 %p7, %r1, 2;\n@%p7 bra $end;\n" +
                               kAwaitCopy + "$end:\n";
    for (const std::string& copies : {kCopy + kAwaitCopy, by_one}) {
        all = found_in_cluster(begin + copies);
        ASSERT_EQ(1u, all.size()) << copies;
        EXPECT_EQ("out_of_bounds", all[0].kind);
        EXPECT_NE(std::string::npos, all[0].message.find("may have returned before all is read"))
            << all[0].message;
        EXPECT_TRUE(found_in_cluster(begin + copies + kClusterSync).empty()) << copies;
    }
    // And it may not have begun: then it waits for ever, which is said as well.
    all = found_in_cluster(kBeforeCopy + kFill + kCopy + kAwaitCopy + kClusterSync);
    bool is_found = false;
    for (const Finding& one : all) is_found |= one.message.find("may not have begun") != std::string::npos;
    EXPECT_TRUE(is_found);
}

TEST(ClusterCheck, RacesBetweenBlocks) {
    // Nothing between the store and the neighbour's load.
    std::vector<Finding> all = found_in_cluster(kClusterSync + kStoreMine + kLoadNext + kClusterSync, 2, 32);
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ("race", all[0].kind);
    EXPECT_EQ(
        "race: load of tile + 0 bytes of block (1,0), which thread (0,0) of block (1,0) stores at "
        "line 0 with no cluster.sync() or mbarrier between; array tile has 1024 bytes",
        all[0].message);
    // The load comes first, and the next store does not wait for it.
    all = found_in_cluster(kStoreMine + kClusterSync + kLoadNext + "add.s32 %r3, %r3, 7;\n" + kStoreMine +
                           kClusterSync);
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ("race", all[0].kind);
    EXPECT_NE(std::string::npos, all[0].message.find("race: store to tile")) << all[0].message;
    // Two blocks store to a third one.
    const std::string to_last = "mapa.shared::cluster.u64 %rd6, %rd4, 2;\n";
    const std::string others = "setp.lt.u32 %p3, %r1, 2;\n@%p3 ";
    all = found_in_cluster(to_last + kClusterSync + others + "st.shared::cluster.u32 [%rd6], %r3;\n" +
                           kClusterSync);
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ("race", all[0].kind);
    // The same value.
    EXPECT_TRUE(found_in_cluster(to_last + kClusterSync + others + "st.shared::cluster.u32 [%rd6], %r0;\n" +
                                 kClusterSync)
                    .empty());
}

TEST(ClusterCheck, AtomicsMeetEachOtherAndNothingElse) {
    const std::string zero = "mov.u32 %r6, 0;\nst.shared.u32 [%rd4], %r6;\n";
    const std::string add = "red.shared::cluster.add.u32 [%rd5], %r3;\n";
    const std::string add_mine = "red.shared.add.u32 [%rd4], %r3;\n";
    EXPECT_TRUE(found_in_cluster(zero + kClusterSync + add + add_mine + kClusterSync + kLoadMine).empty());
    std::vector<Finding> all = found_in_cluster(zero + kClusterSync + add + kLoadMine + kClusterSync);
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ("race", all[0].kind);
}

// As in Clusters.BlocksArriveAtAnMbarrierOfAnother: what the others stored before they arrived is
// known to all warps that have found the phase over.
TEST(ClusterCheck, MbarriersOrderBlocks) {
    auto body = [](const std::string& wait) {
        return R"(
            mov.u64 %rd6, tile;
            add.s64 %rd7, %rd6, 512;
            @%p1 mbarrier.init.shared.b64 [%rd7], 3;
            mapa.shared::cluster.u64 %rd8, %rd7, 0;
            mul.wide.u32 %rd9, %r1, 4;
            mapa.shared::cluster.u64 %rd6, %rd6, 0;
            add.s64 %rd6, %rd6, %rd9;
        )" + kClusterSync +
               R"(
            @%p1 st.shared::cluster.u32 [%rd6], %r3;
            @%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%rd8];
            @!%p2 bra $done;
        )" + wait +
               R"(
            ld.shared.u32 %r5, [tile+8];
            $done:
        )" + kClusterSync;
    };
    const std::string wait =
        "$again:\nmbarrier.try_wait.parity.shared.b64 %p4, [%rd7], 0;\n@!%p4 bra $again;\n";
    EXPECT_TRUE(found_in_cluster(body(wait)).empty());
    std::vector<Finding> all = found_in_cluster(body(""));
    ASSERT_FALSE(all.empty());  // nobody has stored it yet, or at least nobody knows
    for (const Finding& finding : all)
        EXPECT_TRUE(finding.kind == "race" || finding.kind == "uninitialized_shared")
            << finding.kind;
}

// The block's own threads are looked at as ever.
TEST(ClusterCheck, WarpsOfOneBlockStillRace) {
    const std::string opposite =
        "sub.u32 %r6, 63, %r0;\nmul.wide.u32 %rd6, %r6, 4;\nmov.u64 %rd7, tile;\nadd.s64 %rd6, "
        "%rd7, %rd6;\n";
    const std::string load = opposite + "ld.shared.u32 %r5, [%rd6];\n";
    EXPECT_TRUE(found_in_cluster(kStoreMine + kClusterSync + load).empty());
    std::vector<Finding> all = found_in_cluster(kClusterSync + kStoreMine + load);
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ("race", all[0].kind);
    EXPECT_EQ(std::string::npos, all[0].message.find("cluster.sync()"));
}

// Blocks of one cluster hand words of global memory to each other.
TEST(ClusterCheck, TheBarrierOrdersGlobalMemoryToo) {
    const std::string places = R"(
        mul.wide.u32 %rd6, %r1, 8;
        add.s64 %rd6, %rd0, %rd6;
        mul.wide.u32 %rd7, %r4, 8;
        add.s64 %rd7, %rd0, %rd7;
    )";
    const std::string store = "@%p1 st.global.u32 [%rd6], %r3;\n",
                      load = "@%p1 ld.global.u32 %r5, [%rd7];\n";
    EXPECT_TRUE(found_in_cluster(places + store + kClusterSync + load + kClusterSync).empty());
    std::vector<Finding> all = found_in_cluster(places + store + load + kClusterSync);
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ("block_order", all[0].kind);
}

}  // namespace
}  // namespace lanewise
