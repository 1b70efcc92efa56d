// Launches in clusters: where a block stands in its cluster, the shared memories of the others, the
// cluster's barrier and mbarriers between blocks.
#include "sim/run/clusters.h"

#include <gtest/gtest.h>

#include "../cluster_ptx.h"

namespace lanewise {
namespace {

struct Launch {
    explicit Launch(const std::string& text, uint64_t words = 4096)
        : kernel(ptx::parse(text).kernels.at(0)),
          machine(kernel),
          arguments(Arguments().add(memory.allocate(words * 8, "out"))) {}
    Launch& run(Dim3 grid, uint32_t threads = 32, uint64_t instructions = 1'000'000) {
        Machine::Limits limits;
        limits.instructions_per_block = limits.instructions_per_warp = instructions;
        executed = machine.run({grid, {threads}}, arguments, memory, 0, grid.count(), seen, limits);
        return *this;
    }
    uint64_t word(size_t index) const {
        uint64_t word = 0;
        std::memcpy(&word, memory.buffers()[0].storage + 8 * index, 8);
        return word;
    }
    std::vector<uint64_t> words(size_t count) const {
        std::vector<uint64_t> result;
        for (size_t i = 0; i < count; ++i) result.push_back(word(i));
        return result;
    }
    ptx::Kernel kernel;
    Machine machine;
    Memory memory;
    Arguments arguments;
    Recorder seen;
    uint64_t executed = 0;
};

// %rd2 of thread 0 of each block, by the block's number in a grid of one row.
const std::string kStore = R"(
    mov.u32 %r19, %ctaid.x;
    mul.wide.u32 %rd19, %r19, 8;
    add.s64 %rd19, %rd0, %rd19;
    setp.eq.u32 %p9, %r0, 0;
    @%p9 st.global.u64 [%rd19], %rd2;
)";

// A grid of 6 x 4 in clusters of 3 x 2: block (4, 3) is (1, 1) of cluster (1, 1), of rank 1 + 3 * 1.
TEST(Clusters, SpecialRegistersSayWhereABlockStands) {
    std::string body = "mov.u64 %rd2, 0;\n";
    for (const char* name :
         {"%cluster_ctarank", "%cluster_nctarank", "%cluster_ctaid.x", "%cluster_ctaid.y",
          "%cluster_ctaid.z", "%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z",
          "%clusterid.x", "%clusterid.y", "%nclusterid.x", "%nclusterid.y", "%nclusterid.z"})
        body +=
            std::string("mov.u32 %r3, ") + name +
            ";\ncvt.u64.u32 %rd3, %r3;\nmul.lo.s64 %rd2, %rd2, 10;\nadd.s64 %rd2, %rd2, %rd3;\n";
    body += "mov.pred %p1, %is_explicit_cluster;\nselp.u32 %r3, 1, 0, %p1;\n";
    body += R"(
        mul.lo.s64 %rd2, %rd2, 10;
        cvt.u64.u32 %rd3, %r3;
        add.s64 %rd2, %rd2, %rd3;
        mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ctaid.y; mov.u32 %r6, %nctaid.x;
        mad.lo.s32 %r4, %r5, %r6, %r4;
        mul.wide.u32 %rd4, %r4, 8;
        add.s64 %rd4, %rd0, %rd4;
        setp.eq.u32 %p2, %r0, 0;
        @%p2 st.global.u64 [%rd4], %rd2;
    )";
    Launch launch(in_cluster("3, 2, 1", body));
    launch.run({6, 4});
    //         rank count ctaid nctaid clusterid nclusterid explicit
    EXPECT_EQ(4'6'110'321'11'221'1u, launch.word(4 + 3 * 6));
    EXPECT_EQ(6'000'321'00'221'1u, launch.word(0));
    EXPECT_EQ(5'6'210'321'01'221'1u, launch.word(2 + 3 * 6));
    EXPECT_EQ(2'6'200'321'10'221'1u, launch.word(5));
}

// Each thread stores 100 * block + thread, and reads what its neighbour in the next block has: of
// blocks 0 to 5 in clusters of 3, block 1 follows 0, and 0 follows 2.
TEST(Clusters, BlocksReadEachOthersSharedMemory) {
    const std::string store = R"(
        mov.u32 %r3, %ctaid.x;
        mad.lo.s32 %r4, %r3, 100, %r0;
        mul.wide.u32 %rd3, %r0, 4;
        mov.u64 %rd4, tile;
        add.s64 %rd4, %rd4, %rd3;
        st.shared.u32 [%rd4], %r4;
        add.s32 %r5, %r1, 1;
        rem.u32 %r5, %r5, %r2;
    )" + kClusterSync;
    const std::string load[] = {
        "mapa.shared::cluster.u64 %rd5, %rd4, %r5;\nld.shared::cluster.u32 %r6, [%rd5];\n",
        "cvt.u32.u64 %r7, %rd4;\nmapa.shared::cluster.u32 %r7, %r7, %r5;\n"
        "ld.shared::cluster.u32 %r6, [%r7];\n",
        "cvta.shared.u64 %rd5, %rd4;\nmapa.u64 %rd5, %rd5, %r5;\nld.u32 %r6, [%rd5];\n",
        "mapa.shared::cluster.u64 %rd5, %rd4, %r5;\ncvta.shared::cluster.u64 %rd5, %rd5;\n"
        "ld.u32 %r6, [%rd5];\n",
        "cvta.shared.u64 %rd5, %rd4;\nmapa.u64 %rd5, %rd5, %r5;\n"
        "cvta.to.shared::cluster.u64 %rd5, %rd5;\nld.shared::cluster.u32 %r6, [%rd5];\n"};
    const std::string end = kClusterSync + R"(
        mul.wide.u32 %rd6, %r3, 256;
        add.s64 %rd6, %rd1, %rd6;
        cvt.u64.u32 %rd2, %r6;
        st.global.u64 [%rd6], %rd2;
    )";
    for (const std::string& each : load) {
        Launch launch(in_cluster("3", store + each + end));
        launch.run({6});
        EXPECT_TRUE(launch.seen.faults.empty()) << each;
        EXPECT_EQ(100u, launch.word(0)) << each;            // block 0, thread 0: of block 1
        EXPECT_EQ(131u, launch.word(31)) << each;           // thread 31
        EXPECT_EQ(7u, launch.word(2 * 32 + 7)) << each;     // block 2: of block 0
        EXPECT_EQ(405u, launch.word(3 * 32 + 5)) << each;   // block 3: of block 4
        EXPECT_EQ(331u, launch.word(5 * 32 + 31)) << each;  // block 5: of block 3
    }
}

// Lanes of one instruction go to different blocks, their own among them.
TEST(Clusters, LanesOfOneInstructionGoToSeveralBlocks) {
    Launch launch(in_cluster("4", R"(
        mov.u64 %rd4, tile;
        setp.lt.u32 %p1, %r0, 4;
        add.s32 %r3, %r1, 10;
        mad.lo.s32 %r3, %r3, 10, %r0;
        mul.wide.u32 %rd3, %r1, 4;
        add.s64 %rd5, %rd4, %rd3;
    )" + kClusterSync + R"(
        mapa.shared::cluster.u64 %rd5, %rd5, %r0;
        @%p1 st.shared::cluster.u32 [%rd5], %r3;
    )" + kClusterSync + R"(
        ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [tile];
        mad.lo.s32 %r4, %r4, 1000, %r5;
        mad.lo.s32 %r6, %r6, 1000, %r7;
        mul.wide.u32 %rd2, %r4, 1000000;
        cvt.u64.u32 %rd6, %r6;
        add.s64 %rd2, %rd2, %rd6;
    )" + kStore));
    launch.run({4});
    EXPECT_TRUE(launch.seen.faults.empty());
    // Block b has what thread b of each block r stored: 10 * (10 + r) + b.
    EXPECT_EQ(
        (std::vector<uint64_t>{100'110'120'130, 101'111'121'131, 102'112'122'132, 103'113'123'133}),
        launch.words(4));
}

// 32 threads of each of 4 blocks add their rank + 1 to a word of block 2, by atom and by red.
TEST(Clusters, AtomicsReachOtherBlocks) {
    const std::string begin = R"(
        mov.u64 %rd4, tile;
        mov.u32 %r9, 0;
        st.shared.u32 [%rd4], %r9;
        mapa.shared::cluster.u64 %rd5, %rd4, 2;
        add.s32 %r3, %r1, 1;
    )" + kClusterSync;
    const std::string end =
        kClusterSync + "ld.shared.u32 %r5, [%rd4];\ncvt.u64.u32 %rd2, %r5;\n" + kStore;
    for (const char* add :
         {"atom.shared::cluster.add.u32 %r4, [%rd5], %r3;",
          "red.relaxed.cluster.shared::cluster.add.u32 [%rd5], %r3;",
          "cvta.shared::cluster.u64 %rd5, %rd5; atom.add.acq_rel.cluster.u32 %r4, [%rd5], %r3;"}) {
        Launch launch(in_cluster("4", begin + add + end));
        launch.run({4});
        EXPECT_TRUE(launch.seen.faults.empty()) << add;
        EXPECT_EQ((std::vector<uint64_t>{0, 0, 320, 0}), launch.words(4)) << add;
    }
}

TEST(Clusters, AnAddressSaysItsBlock) {
    Launch launch(in_cluster("4", R"(
        mov.u64 %rd4, tile;
        getctarank.shared::cluster.u64 %r3, %rd4;
        mapa.shared::cluster.u64 %rd5, %rd4, 3;
        getctarank.shared::cluster.u64 %r4, %rd5;
        cvta.shared.u64 %rd6, %rd4;
        mapa.u64 %rd7, %rd6, 1;
        getctarank.u64 %r5, %rd7;
        isspacep.shared::cta %p1, %rd7;
        isspacep.shared::cluster %p2, %rd7;
        isspacep.shared::cta %p3, %rd6;
        selp.u32 %r6, 1, 0, %p1;
        selp.u32 %r7, 1, 0, %p2;
        selp.u32 %r8, 1, 0, %p3;
        mad.lo.s32 %r3, %r3, 10, %r4;
        mad.lo.s32 %r3, %r3, 10, %r5;
        mad.lo.s32 %r3, %r3, 10, %r6;
        mad.lo.s32 %r3, %r3, 10, %r7;
        mad.lo.s32 %r3, %r3, 10, %r8;
        cvt.u64.u32 %rd2, %r3;
    )" + kStore));
    launch.run({4});
    // own rank, 3, 1; the address in block 1 is the own one of block 1 alone
    EXPECT_EQ((std::vector<uint64_t>{31'011, 131'111, 231'011, 331'011}), launch.words(4));
}

// Block 0 copies 128 bytes to both blocks at once, or to block 1 alone; each waits for its own.
TEST(Clusters, BulkCopiesGoToOtherBlocks) {
    struct Case {
        const char* copy;
        bool to_first;
    };
    for (const Case& each :
         {Case{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
               "cluster "
               "[%rd4], [%rd0+1024], 128, [%rd5], %h1;",
               true},
          Case{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%rd6], [%rd0+1024], 128, [%rd7];",
               false}}) {
        Launch launch(in_cluster("2", std::string(R"(
            mov.u64 %rd4, tile;
            add.s64 %rd5, %rd4, 512;
            mapa.shared::cluster.u64 %rd6, %rd4, 1;
            mapa.shared::cluster.u64 %rd7, %rd5, 1;
            setp.eq.u32 %p1, %r0, 0;
            setp.eq.and.u32 %p3, %r1, 0, %p1;
            mov.b16 %h1, 3;
            mul.lo.s32 %r3, %r1, 128;
            @%p1 mbarrier.init.shared.b64 [%rd5], 1;
            @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%rd5], )") +
                                          (each.to_first ? "128;\n" : "%r3;\n") + kClusterSync +
                                          "@%p3 " + each.copy + R"(
            $again:
            mbarrier.try_wait.parity.shared.b64 %p4, [%rd5], 0;
            @!%p4 bra $again;
            ld.shared.u64 %rd2, [tile+40];
        )" + kClusterSync + kStore));
        for (uint64_t i = 0; i < 16; ++i) {
            uint64_t value = 1000 + i;
            std::memcpy(launch.memory.buffers()[0].storage + 1024 + 8 * i, &value, 8);
        }
        launch.run({2});
        EXPECT_TRUE(launch.seen.faults.empty()) << each.copy;
        EXPECT_EQ((std::vector<uint64_t>{each.to_first ? 1005u : 0u, 1005}), launch.words(2));
        size_t reads = 0;
        for (const auto& access : launch.seen.accesses)
            reads +=
                access.event.kind == AccessKind::bulk_copy && access.event.space == Space::global;
        EXPECT_EQ(1u, reads);  // once, however many blocks it goes to
    }
}

// Each block puts 100 * rank + k into word k of the first 64 bytes of its tile. Thread 0 then copies the
// first 32 of them to the place 256 bytes on in the next block's tile, whose mbarrier stands at 512.
const std::string kCopyToNext = R"(
    mov.u64 %rd4, tile;
    setp.eq.u32 %p1, %r0, 0;
    mul.wide.u32 %rd3, %r0, 4;
    add.s64 %rd3, %rd4, %rd3;
    mad.lo.s32 %r3, %r1, 100, %r0;
    setp.lt.u32 %p2, %r0, 16;
    @%p2 st.shared.u32 [%rd3], %r3;
    add.s64 %rd5, %rd4, 512;
    add.s32 %r4, %r1, 1;
    rem.u32 %r4, %r4, %r2;
    add.s64 %rd6, %rd4, 256;
    mapa.shared::cluster.u64 %rd6, %rd6, %r4;
    mapa.shared::cluster.u64 %rd7, %rd5, %r4;
    mov.u32 %r5, 32;
    @%p1 mbarrier.init.shared.b64 [%rd5], 1;
    @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%rd5], 32;
    fence.proxy.async.shared::cta;
)" + kClusterSync;
const std::string kSharedCopy =
    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes ";
const std::string kAwaitMine = R"(
    $again:
    mbarrier.try_wait.parity.shared.b64 %p4, [%rd5], 0;
    @!%p4 bra $again;
)";

// Words 6 and 7 of block 1's are 106 and 107, and come to block 2 of 3.
TEST(Clusters, BulkCopiesGoFromSharedMemoryToAnotherBlocks) {
    Launch launch(in_cluster("3", kCopyToNext + "@%p1 " + kSharedCopy +
                                      "[%rd6], [%rd4], %r5, [%rd7];\n" + kAwaitMine +
                                      "ld.shared.u64 %rd2, [tile+280];\n" + kClusterSync + kStore));
    launch.run({6});
    EXPECT_TRUE(launch.seen.faults.empty());
    const uint64_t high = 1ull << 32;
    EXPECT_EQ((std::vector<uint64_t>{207 * high + 206, 7 * high + 6, 107 * high + 106,
                                     207 * high + 206, 7 * high + 6, 107 * high + 106}),
              launch.words(6));
    // One read and one write of two pieces each, in every block.
    size_t reads = 0, writes = 0;
    for (const auto& access : launch.seen.accesses) {
        if (access.event.kind != AccessKind::bulk_copy) continue;
        EXPECT_EQ(Space::shared, access.event.space);
        EXPECT_EQ(3u, access.event.mask);
        EXPECT_EQ(access.event.is_store ? 256u : 0u, access.addresses[0]);
        (access.event.is_store ? writes : reads) += 1;
    }
    EXPECT_EQ(6u, reads);
    EXPECT_EQ(6u, writes);
}

// What is there when the copy is issued is what comes, whatever its block stores later.
TEST(Clusters, ABulkCopyFromSharedMemoryMayStayAtHome) {
    Launch launch(in_cluster("1", kCopyToNext + "@%p1 " + kSharedCopy +
                                      "[%rd6], [%rd4], %r5, [%rd7];\n@%p2 st.shared.u32 [%rd3], 9;\n" +
                                      kAwaitMine + "ld.shared.u64 %rd2, [tile+280];\n" + kStore));
    launch.run({1});
    EXPECT_TRUE(launch.seen.faults.empty());
    EXPECT_EQ(7ull << 32 | 6, launch.word(0));
}

// Nobody waits for these copies.
TEST(Clusters, BulkCopiesFromSharedMemoryThatGoWrong) {
    auto faults = [](const std::string& operands) {
        Launch launch(in_cluster("2", kCopyToNext + "setp.eq.and.u32 %p3, %r1, 0, %p1;\n" + operands +
                                          "\n@%p3 " + kSharedCopy +
                                          "[%rd6], [%rd4], %r5, [%rd7];\n" + kClusterSync));
        launch.run({2});
        return launch.seen.faults;
    };
    EXPECT_TRUE(faults("").empty());
    auto one = faults("mapa.shared::cluster.u64 %rd7, %rd5, 0;");
    ASSERT_EQ(1u, one.size());
    EXPECT_EQ(Fault::Kind::out_of_bounds, one[0].kind);
    EXPECT_EQ(
        "bulk copy to the shared memory of block 1 of the cluster, and its mbarrier lies in that of "
        "block 0; give the mbarrier of the block that it goes to (mapa)",
        one[0].text);
    one = faults("mapa.shared::cluster.u64 %rd4, %rd4, 1;");
    ASSERT_EQ(1u, one.size());
    EXPECT_EQ(
        "bulk copy from the shared memory of block 1 of the cluster; a bulk copy reads the shared "
        "memory of its own block only",
        one[0].text);
    EXPECT_FALSE(one[0].is_store);
    one = faults("mapa.shared::cluster.u64 %rd6, %rd4, 3;");
    ASSERT_EQ(1u, one.size());
    EXPECT_EQ(
        "bulk copy to the shared memory of block 3 of the cluster, which has 2 blocks, 0 to 1",
        one[0].text);
    one = faults("mov.u32 %r5, 24;");
    ASSERT_EQ(1u, one.size());
    EXPECT_EQ(Fault::Kind::misaligned, one[0].kind);
    one = faults("mov.u32 %r5, 784;");  // from 256 on there are 768
    ASSERT_EQ(1u, one.size());
    EXPECT_EQ(Fault::Kind::out_of_bounds, one[0].kind);
    EXPECT_EQ(256u, one[0].address);
    EXPECT_TRUE(one[0].is_store);
    one = faults("add.s64 %rd4, %rd4, 8;");
    ASSERT_EQ(1u, one.size());
    EXPECT_EQ(Fault::Kind::misaligned, one[0].kind);
    EXPECT_FALSE(one[0].is_store);
    // Block 0 has returned when block 1 copies to it.
    Launch late(in_cluster("2", kCopyToNext + "setp.eq.u32 %p3, %r1, 0;\n@%p3 bra $out;\n@%p1 " +
                                    kSharedCopy + "[%rd6], [%rd4], %r5, [%rd7];\n$out:\n"));
    late.run({2});
    ASSERT_EQ(1u, late.seen.faults.size());
    EXPECT_EQ(1u, late.seen.faults[0].block);
    EXPECT_NE(std::string::npos, late.seen.faults[0].text.find("which has returned"));
}

// Each of 3 blocks arrives at the mbarrier of block 1, which waits for all three.
TEST(Clusters, BlocksArriveAtAnMbarrierOfAnother) {
    const std::string body = R"(
        setp.eq.u32 %p1, %r0, 0;
        setp.eq.u32 %p2, %r1, 1;
        mov.u64 %rd4, tile;
        @%p1 mbarrier.init.shared.b64 [%rd4], 3;
        mapa.shared::cluster.u64 %rd5, %rd4, 1;
        add.s64 %rd6, %rd5, 8;
    )" + kClusterSync + R"(
        add.s32 %r3, %r1, 5;
        mul.wide.u32 %rd7, %r1, 4;
        add.s64 %rd6, %rd6, %rd7;
        @%p1 st.shared::cluster.u32 [%rd6], %r3;
        @%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%rd5];
        mov.u64 %rd2, 0;
        @!%p2 bra $done;
        $again:
        mbarrier.try_wait.parity.shared.b64 %p3, [%rd4], 0;
        @!%p3 bra $again;
        ld.shared.u32 %r4, [tile+8];
        ld.shared.u32 %r5, [tile+12];
        ld.shared.u32 %r6, [tile+16];
        mad.lo.s32 %r4, %r4, 10, %r5;
        mad.lo.s32 %r4, %r4, 10, %r6;
        cvt.u64.u32 %rd2, %r4;
        $done:
    )" + kClusterSync + kStore;
    Launch launch(in_cluster("3", body));
    launch.run({3}, 64);
    EXPECT_TRUE(launch.seen.faults.empty());
    EXPECT_EQ((std::vector<uint64_t>{0, 567, 0}), launch.words(3));
}

// Block 0 asks a flag of its own until block 1 has set it; by a load and by a swap.
TEST(Clusters, ABlockThatAsksAgainAndAgainLetsOthersRun) {
    for (const char* ask :
         {"ld.volatile.shared.u32 %r4, [%rd4];", "ld.acquire.cluster.shared::cta.u32 %r4, [%rd4];",
          "atom.shared.exch.b32 %r4, [%rd4], 0;"}) {
        const std::string body = R"(
            mov.u64 %rd4, tile;
            mapa.shared::cluster.u64 %rd5, %rd4, 0;
            setp.eq.u32 %p1, %r1, 1;
            setp.ne.u32 %p4, %r0, 0;
            mov.u32 %r3, 7;
            mov.u32 %r4, 0;
        )" + kClusterSync + R"(
            @%p4 bra $done;
            @%p1 st.release.cluster.shared::cluster.u32 [%rd5], %r3;
            @%p1 bra $done;
            $again:
        )" + ask + R"(
            setp.eq.u32 %p2, %r4, 0;
            @%p2 bra $again;
            $done:
        )" + kClusterSync + "cvt.u64.u32 %rd2, %r4;\n" +
                                 kStore;
        Launch launch(in_cluster("2", body));
        launch.run({2});
        EXPECT_TRUE(launch.seen.faults.empty()) << ask;
        EXPECT_EQ((std::vector<uint64_t>{7, 0}), launch.words(2)) << ask;
    }
}

// What a block does between its arrival and its wait needs nobody; phases do not run into each other.
TEST(Clusters, ArrivingIsNotWaiting) {
    Launch launch(in_cluster("2", R"(
        mov.u64 %rd4, tile;
        mov.u32 %r3, 0;
        mov.u32 %r7, 0;
        xor.b32 %r5, %r1, 1;
        mapa.shared::cluster.u64 %rd5, %rd4, %r5;
        $loop:
        mad.lo.s32 %r4, %r1, 100, %r3;
        st.shared.u32 [%rd4], %r4;
        barrier.cluster.arrive.release;
        add.s32 %r3, %r3, 1;
        barrier.cluster.wait.acquire;
        ld.shared::cluster.u32 %r6, [%rd5];
        add.s32 %r7, %r7, %r6;
        barrier.cluster.arrive.relaxed;
        barrier.cluster.wait;
        setp.lt.u32 %p1, %r3, 5;
        @%p1 bra $loop;
        cvt.u64.u32 %rd2, %r7;
    )" + kStore));
    launch.run({2}, 96);
    EXPECT_TRUE(launch.seen.faults.empty());
    // 100 + 101 + … + 104, and 0 + 1 + … + 4
    EXPECT_EQ((std::vector<uint64_t>{510, 10}), launch.words(2));
}

// Threads that have returned count as arrived, as on a card.
TEST(Clusters, ABlockThatHasReturnedKeepsNobodyWaiting) {
    Launch launch(in_cluster("4", R"(
        setp.eq.u32 %p1, %r1, 2;
        @%p1 ret;
    )" + kClusterSync + "mov.u64 %rd2, 9;\n" +
                                      kStore));
    launch.run({4}, 64);
    EXPECT_TRUE(launch.seen.faults.empty());
    EXPECT_EQ((std::vector<uint64_t>{9, 9, 0, 9}), launch.words(4));
}

TEST(Clusters, ABarrierThatSomeBlockNeverReachesIsADeadlock) {
    // Block 1 waits for an mbarrier at which nobody arrives.
    Launch launch(in_cluster("2", R"(
        mov.u64 %rd4, tile;
        setp.eq.u32 %p1, %r1, 0;
        mbarrier.init.shared.b64 [%rd4], 32;
        @%p1 bra $meet;
        $again:
        mbarrier.try_wait.parity.shared.b64 %p2, [%rd4], 0;
        @!%p2 bra $again;
        $meet:
    )" + kClusterSync));
    launch.run({2});
    ASSERT_EQ(1u, launch.seen.faults.size());
    EXPECT_EQ(Fault::Kind::deadlock, launch.seen.faults[0].kind);
    EXPECT_EQ(
        "2 of the 2 blocks of a cluster wait for each other for ever, block 0 here; some thread "
        "of block 1 of the cluster has not come to the cluster's barrier; every thread of every "
        "block must come to each cluster.sync()",
        launch.seen.faults[0].text);
    EXPECT_EQ(0u, launch.seen.faults[0].block);
}

// A flag that nobody ever sets.
TEST(Clusters, ABlockThatAsksForEverIsFoundOut) {
    Launch launch(in_cluster("2", R"(
        $again:
        ld.volatile.shared.u32 %r4, [tile];
        setp.eq.u32 %p2, %r4, 0;
        @%p2 bra $again;
    )"));
    launch.run({2}, 32, 100'000);
    ASSERT_FALSE(launch.seen.faults.empty());
    EXPECT_EQ(Fault::Kind::runaway, launch.seen.faults[0].kind);
}

std::vector<Fault> faults_of(const std::string& body, uint32_t blocks = 2) {
    Launch launch(in_cluster(std::to_string(blocks), "mov.u64 %rd4, tile;\n" + body));
    launch.run({blocks});
    return launch.seen.faults;
}

TEST(Clusters, WhatIsNotThereIsAFault) {
    const std::string first = "setp.eq.u32 %p1, %r0, 0;\nsetp.eq.and.u32 %p1, %r1, 0, %p1;\n";
    // No such block.
    auto faults = faults_of(kClusterSync + first +
                            "mapa.shared::cluster.u64 %rd5, %rd4, 2;\n"
                            "@%p1 ld.shared::cluster.u32 %r4, [%rd5];\n" +
                            kClusterSync);
    ASSERT_EQ(1u, faults.size());
    EXPECT_EQ(Fault::Kind::out_of_bounds, faults[0].kind);
    EXPECT_EQ("load of the shared memory of block 2 of the cluster, which has 2 blocks, 0 to 1",
              faults[0].text);
    // Behind the end of its shared memory, of 1,024 bytes.
    faults = faults_of(kClusterSync + first +
                       "mapa.shared::cluster.u64 %rd5, %rd4, 1;\n"
                       "@%p1 st.shared::cluster.u32 [%rd5+1024], %r4;\n" +
                       kClusterSync);
    ASSERT_EQ(1u, faults.size());
    EXPECT_EQ(1024u, faults[0].address);
    EXPECT_TRUE(faults[0].is_store);
    faults = faults_of(kClusterSync + first +
                       "mapa.shared::cluster.u64 %rd5, %rd4, 1;\n"
                       "@%p1 atom.shared::cluster.add.u32 %r4, [%rd5+6], %r4;\n" +
                       kClusterSync);
    ASSERT_EQ(1u, faults.size());
    EXPECT_EQ(Fault::Kind::misaligned, faults[0].kind);
    // A block that has returned: block 1 reads what block 0 had.
    faults = faults_of(kClusterSync +
                       "xor.b32 %r5, %r1, 1;\nmapa.shared::cluster.u64 %rd5, %rd4, %r5;\n"
                       "setp.eq.u32 %p1, %r0, 0;\n@%p1 ld.shared::cluster.u32 %r4, [%rd5];\n");
    ASSERT_EQ(1u, faults.size());
    EXPECT_EQ(1u, faults[0].block);
    EXPECT_NE(std::string::npos, faults[0].text.find("cluster.sync() at the end"));
    // One that has not begun.
    faults = faults_of("mapa.shared::cluster.u64 %rd5, %rd4, 1;\n" + first +
                       "@%p1 ld.shared::cluster.u32 %r4, [%rd5];\n" + kClusterSync);
    ASSERT_EQ(1u, faults.size());
    EXPECT_NE(std::string::npos, faults[0].text.find("may not have begun"));
}

std::string refusal(const std::string& size, Dim3 grid, const std::string& more = "") {
    std::string text = in_cluster(size, "");
    text.insert(text.find("\n{"), more);
    ptx::Kernel kernel = ptx::parse(text).kernels.at(0);
    try {
        check_clusters({grid, {32}}, kernel);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Clusters, ThatNoCardLaunchesAreRefused) {
    EXPECT_EQ("", refusal("2, 2", {4, 2}));
    EXPECT_EQ("", refusal("16", {16}));
    EXPECT_EQ(
        "the launch is refused: a cluster of 17 x 1 x 1 blocks; it may have 1 to 8, and on some "
        "cards 16",
        refusal("17", {17}));
    EXPECT_EQ(
        "the launch is refused: a grid of 6 x 3 x 1 blocks in clusters of 2 x 2 x 1; each side of "
        "the "
        "grid must be a multiple of the cluster's",
        refusal("2, 2", {6, 3}));
    EXPECT_EQ(
        "the launch is refused: a cluster of 4 x 1 x 1 blocks; the kernel says that it has at most "
        "2 "
        "(.maxclusterrank)",
        refusal("4", {4}, "\n.maxclusterrank 2"));
}

// The number of threads and the way that blocks are asked for change nothing; who asks for one block
// hears of that one.
TEST(Clusters, OneBlockIsHeardOfAlone) {
    const std::string body = R"(
        mov.u64 %rd4, tile;
        mapa.shared::cluster.u64 %rd5, %rd4, 0;
        st.shared.u32 [%rd4], %r0;
    )" + kClusterSync + "ld.shared::cluster.u32 %r4, [%rd5];\n" +
                             kClusterSync + "cvt.u64.u32 %rd2, %r4;\n" + kStore;
    Launch launch(in_cluster("2", body));
    launch.executed =
        launch.machine.run({{8}, {32}}, launch.arguments, launch.memory, 5, 6, launch.seen);
    ASSERT_FALSE(launch.seen.accesses.empty());
    // its own store to shared memory, and that to global memory; the other block's is not its own
    EXPECT_EQ(2u, launch.seen.accesses.size());
    for (const auto& access : launch.seen.accesses) EXPECT_EQ(5u, access.event.block);
    Launch whole(in_cluster("2", body));
    whole.run({8});
    EXPECT_EQ(whole.executed, 8 * launch.executed);
}

}  // namespace
}  // namespace lanewise
