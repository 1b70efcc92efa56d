// The checker, piece by piece: the order of accesses, the shadow, the messages, the choice of
// blocks.
#include "trace/check/checker.h"

#include <gtest/gtest.h>

#include "run_ptx.h"
#include "trace/both.h"
#include "trace/check/block_order.h"
#include "trace/check/shared_shadow.h"
#include "trace/count/written_bytes.h"
#include "trace/places.h"

namespace lanewise {
namespace {

PastAccess access_by(BlockOrder& order, uint16_t thread) {
    return {order.tick(thread / 32u), 0, thread, 0};
}

TEST(BlockOrder, ABarrierOrdersWarps) {
    BlockOrder order;
    order.start_block();
    PastAccess first = access_by(order, 5);
    EXPECT_FALSE(order.before(first, 1, 5));
    EXPECT_FALSE(order.before(first, 0, 6));
    EXPECT_TRUE(order.before(first, 0, 5));  // its own thread
    order.barrier(0b011, 0);
    EXPECT_TRUE(order.before(first, 1, 5));
    EXPECT_TRUE(order.before(first, 0, 6));
    EXPECT_FALSE(order.before(first, 2, 5));  // was not there
    PastAccess second = access_by(order, 5);
    EXPECT_FALSE(order.before(second, 1, 5));
    EXPECT_EQ(1u, order.progress(second));
    order.barrier(0b110, 0);  // over warp 1, what warp 0 did before the first
    EXPECT_TRUE(order.before(first, 2, 0));
    EXPECT_FALSE(order.before(second, 2, 0));
}

TEST(BlockOrder, AWarpThatHasReturnedCountsAtABarrier) {
    BlockOrder order;
    order.start_block();
    PastAccess first = access_by(order, 0);
    order.barrier(0b110, 0b001);
    EXPECT_TRUE(order.before(first, 2, 9));
}

TEST(BlockOrder, SyncwarpOrdersTheLanesThatItNames) {
    BlockOrder order;
    order.start_block();
    PastAccess by_0 = access_by(order, 0), by_20 = access_by(order, 20);
    order.warp_sync(0, 0xffff);
    EXPECT_TRUE(order.before(by_0, 0, 15));
    EXPECT_FALSE(order.before(by_0, 0, 16));
    EXPECT_FALSE(order.before(by_20, 0, 15));
    order.warp_sync(0, 0x18000);  // lanes 15 and 16: now 16 knows what 15 knew
    EXPECT_TRUE(order.before(by_0, 0, 16));
    EXPECT_FALSE(order.before(by_0, 0, 17));
    order.warp_sync(0, ~0u);
    EXPECT_TRUE(order.before(by_20, 0, 15));
    EXPECT_FALSE(order.before(by_0, 1, 0));  // another warp
}

TEST(SharedShadow, PiecesNarrowToTheAccess) {
    SharedShadow shadow;
    shadow.fit(0, 16, 64);
    EXPECT_EQ(16u, shadow.piece_bytes());
    shadow.at(16).write.thread = 7;
    shadow.fit(4 | 8 | 16, 4, 32);
    EXPECT_EQ(4u, shadow.piece_bytes());
    EXPECT_EQ(0, shadow.at(15).write.thread);
    EXPECT_EQ(7, shadow.at(16).write.thread);
    EXPECT_EQ(7, shadow.at(31).write.thread);
    EXPECT_EQ(0, shadow.at(32).write.thread);
}

TEST(WrittenBytes, KeepsBytesOfOneBlock) {
    WrittenBytes written;
    for (uint64_t i = 0; i < 5000; ++i) written.add(i * 512, 4);  // a line each
    for (uint64_t i = 0; i < 5000; ++i) {
        ASSERT_TRUE(written.holds(i * 512, 4));
        ASSERT_FALSE(written.holds(i * 512, 8));
        ASSERT_FALSE(written.holds(i * 512 + 256, 4));
    }
    written.add(64 + 48, 16);
    EXPECT_TRUE(written.holds(127, 1));
    EXPECT_FALSE(written.holds(48, 1));
    written.start_block();
    EXPECT_FALSE(written.holds(512, 4));
}

TEST(IsChecked, AllOfAFewAndSomeOfMany) {
    auto checked = [](Dim3 grid) {
        uint64_t count = 0;
        for (uint64_t block = 0; block < grid.count(); ++block) count += is_checked(block, grid);
        return count;
    };
    EXPECT_EQ(4096u, checked({64, 64}));
    Dim3 large{128, 128};
    EXPECT_TRUE(is_checked(0, large));
    EXPECT_TRUE(is_checked(127, large));
    EXPECT_TRUE(is_checked(128 * 127, large));
    EXPECT_TRUE(is_checked(128 * 128 - 1, large));
    // 512 rounded to an odd stride, and up to 4 x 33 of the edges
    EXPECT_LT(500u, checked(large));
    EXPECT_GT(512u + 132 + 1, checked(large));
    EXPECT_GT(2000u, checked({1'000'000}));
    EXPECT_GT(6000u, checked({64, 64, 64}));
}

std::vector<Finding> findings_of(const std::string& body, Dim3 block) {
    ptx::Kernel kernel = ptx::parse(kernel_around(".loc 1 7 3\n" + body)).kernels.at(0);
    Machine machine(kernel);
    Memory memory;
    Arguments arguments;
    arguments.add(memory.allocate(block.count() * 8, "out"));
    size_t outputs[] = {0};
    Checker checker(kernel, memory, outputs);
    LaunchShape shape{{2}, block};
    machine.run(shape, arguments, memory, 0, 2, checker);
    Report report;
    const Checker* checkers[] = {&checker};
    add_findings(report, kernel, checkers, shape, memory);
    return report.findings;
}

TEST(Checker, NamesTheArrayAndTheOtherParty) {
    auto findings = findings_of(
        ".shared .align 4 .b8 _ZZ1kPfE4tile[256];\nmov.u64 %rd3, _ZZ1kPfE4tile;\n"
        "mul.wide.u32 %rd4, %r0, 4; add.s64 %rd4, %rd3, %rd4;\nst.shared.u32 [%rd4], %r0;\n"
        ".loc 1 8 5\nld.shared.u32 %r1, [%rd3+252]; st.global.u32 [%rd1], %r1;",
        {64});
    ASSERT_EQ(1u, findings.size());
    EXPECT_EQ("race", findings[0].kind);
    EXPECT_EQ("shared", findings[0].space);
    EXPECT_EQ("kernel.cu", findings[0].file);
    EXPECT_EQ(8, findings[0].line);
    EXPECT_EQ(5, findings[0].column);
    EXPECT_EQ("(0,0)", findings[0].block);
    EXPECT_EQ(
        "race: load of tile + 252 bytes, which thread (63,0) stores at line 7 with no barrier "
        "between; array tile has 256 bytes",
        findings[0].message);
}

TEST(Checker, ARaceOfTwoWarpsIsNamedBeforeOneWithinAWarp) {
    // thread 0 reads what thread 1 stores, thread 33 what thread 0 of the other warp does
    auto findings = findings_of(
        ".shared .align 4 .b8 s[256];\nmov.u64 %rd3, s; mul.wide.u32 %rd4, %r0, 4;\n"
        "add.s64 %rd4, %rd3, %rd4; st.shared.u32 [%rd4], %r0;\n"
        "xor.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r0, 33; selp.b32 %r1, 0, %r1, %p1;\n"
        "mul.wide.u32 %rd5, %r1, 4; add.s64 %rd5, %rd3, %rd5; ld.shared.u32 %r2, [%rd5];",
        {64});
    ASSERT_EQ(1u, findings.size());
    EXPECT_EQ("(33,0)", findings[0].thread);
    EXPECT_EQ(128u, findings[0].count);
    EXPECT_EQ(
        "race: load of s + 0 bytes, which thread (0,0) stores at line 7 with no barrier "
        "between; array s has 256 bytes",
        findings[0].message);
}

TEST(Checker, AVolatileFlagPublishesWhatCameBeforeIt) {
    std::string start =
        ".shared .align 4 .b8 s[8];\nmov.u64 %rd3, s; shr.u32 %r1, %r0, 5;\n"
        "setp.eq.u32 %p1, %r0, 0; setp.eq.u32 %p2, %r0, 32;\n"
        "@%p1 st.shared.u32 [%rd3], 5;\n@%p1 st.";
    std::string read = ".shared.u32 [%rd3+4], 1;\n@%p2 ld.";
    std::string end = ".shared.u32 %r2, [%rd3+4];\n@%p2 ld.shared.u32 %r3, [%rd3];";
    EXPECT_TRUE(findings_of(start + "volatile" + read + "volatile" + end, {64}).empty());
    EXPECT_EQ(1u, findings_of(start + "weak" + read + "weak" + end, {64}).size());
}

TEST(Checker, NamesTheCopyThatNobodyWaitedFor) {
    std::string copy =
        ".shared .align 8 .b8 tile[512];\nmov.u64 %rd3, tile; mul.wide.u32 %rd4, %r0, 8;\n"
        "add.s64 %rd4, %rd3, %rd4; st.global.u64 [%rd1], 1;\n"
        "cp.async.ca.shared.global [%rd4], [%rd1], 8; cp.async.commit_group;\n";
    std::string read = ".loc 1 8 5\nld.shared.u32 %r1, [%rd3+508];";
    auto findings = findings_of(copy + "bar.sync 0;\n" + read, {64});
    ASSERT_EQ(1u, findings.size());
    EXPECT_EQ("race", findings[0].kind);
    EXPECT_EQ(8, findings[0].line);
    EXPECT_EQ(128u, findings[0].count);
    EXPECT_EQ(
        "race: load of tile + 508 bytes, into which the cp.async of thread (63,0) at line 7 may "
        "still be copying: that thread has not waited for it (cp.async.wait_group); array tile has "
        "512 bytes",
        findings[0].message);
    auto no_barrier = findings_of(copy + "cp.async.wait_group 0;\n" + read, {64});
    ASSERT_EQ(1u, no_barrier.size());
    EXPECT_EQ(
        "race: load of tile + 508 bytes, which thread (63,0) stores at line 7 with no barrier "
        "between; array tile has 512 bytes",
        no_barrier[0].message);
    EXPECT_TRUE(findings_of(copy + "cp.async.wait_group 0;\nbar.sync 0;\n" + read, {64}).empty());
}

TEST(Checker, LanesThatReturnAreNotWaitedFor) {
    // lanes 20 to 31 of each warp return; the others exchange over a barrier
    std::string body =
        ".shared .align 4 .b8 s[256];\nmov.u64 %rd3, s; mul.wide.u32 %rd4, %r0, 4;\n"
        "add.s64 %rd4, %rd3, %rd4; st.shared.u32 [%rd4], %r0;\n"
        "and.b32 %r1, %r0, 31; setp.ge.u32 %p1, %r1, 20; @%p1 bra DONE;\nbar.sync 0;\n"
        "ld.shared.u32 %r2, [%rd3+252]; st.global.u64 [%rd1], 7;\nDONE:";
    Outcome outcome = run_block(body, {64});
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_EQ(7u, outcome.out[32]);
    EXPECT_EQ(0u, outcome.out[20]);
    EXPECT_TRUE(findings_of(body, {64}).empty());
}

TEST(BlockOrder, AnMbarrierOrdersInTwoSteps) {
    BlockOrder order;
    order.start_block();
    PastAccess first = access_by(order, 5);
    order.arrive(0, ~0u, 64);
    PastAccess second = access_by(order, 5);
    auto [time, thread] = order.agent_access(64);
    PastAccess copy{time, 0, thread, 0};
    order.pass(1, ~0u, 64);  // the phase before: nothing is known yet
    EXPECT_FALSE(order.before(first, 1, 0));
    order.end_phase(64);
    order.pass(1, 0b100, 64);
    EXPECT_TRUE(order.before(first, 1, 2));
    EXPECT_TRUE(order.before(copy, 1, 2));
    EXPECT_FALSE(order.before(second, 1, 2));
    EXPECT_FALSE(order.before(first, 1, 3));  // another lane has asked
    EXPECT_FALSE(order.before(copy, 2, 2));
    order.warp_sync(1, ~0u);
    EXPECT_TRUE(order.before(first, 1, 3));
    EXPECT_FALSE(order.before(copy, 0, 5));
    order.barrier(0b11, 0);
    EXPECT_TRUE(order.before(copy, 0, 5));
}

TEST(BlockOrder, AProxyFenceCoversWhatItsWarpKnows) {
    BlockOrder order;
    order.start_block();
    PastAccess first = access_by(order, 5), other = access_by(order, 40);
    order.proxy_fence(0);
    PastAccess second = access_by(order, 5);
    order.barrier(0b11, 0);
    EXPECT_TRUE(order.fenced(first, 1));
    EXPECT_FALSE(order.fenced(second, 1));
    EXPECT_FALSE(order.fenced(other, 1));
    order.proxy_fence(1);  // the thread that issues the copy may have the fence as well
    EXPECT_TRUE(order.fenced(second, 1));
    EXPECT_TRUE(order.fenced(other, 1));
    EXPECT_FALSE(order.fenced(other, 0));
}

TEST(Findings, AnIndexBelowZeroBelongsToTheFirstArray) {
    ptx::Kernel kernel;
    kernel.shared = {{"first", 0, 16, 4}, {"second", 16, 16, 4}};
    EXPECT_EQ("first - 4 bytes", shared_place(kernel, {}, 0ull - 4).place);
    EXPECT_EQ("first - 4 bytes", shared_place(kernel, {}, 0xfffffffcull).place);
    EXPECT_EQ("second + 16 bytes", shared_place(kernel, {}, 32).place);
    EXPECT_EQ("array second has 16 bytes", shared_place(kernel, {}, 32).size);
}

TEST(Checker, CountsReadsOfTheOutput) {
    auto findings = findings_of(
        "ld.global.u32 %r1, [%rd1+4]; st.global.u32 [%rd1], %r1;\n"
        "ld.global.u32 %r1, [%rd1];",
        {32});
    ASSERT_EQ(1u, findings.size());
    EXPECT_EQ("uninitialized_global", findings[0].kind);
    EXPECT_EQ(64u, findings[0].count);  // 2 blocks of 32 threads
    EXPECT_EQ(
        "uninitialized load: out + 4 bytes, which nothing in this block has stored; buffer out "
        "has 256 bytes",
        findings[0].message);
}

TEST(Checker, OneFindingForAnUninitializedReadOfAWord) {
    auto findings = findings_of(
        ".shared .align 4 .b8 s[256];\n"
        "mov.u64 %rd3, s; ld.shared.v2.u32 {%r1, %r2}, [%rd3+8];",
        {40});
    ASSERT_EQ(1u, findings.size());
    EXPECT_EQ("uninitialized_shared", findings[0].kind);
    EXPECT_EQ(80u, findings[0].count);  // each of 2 x 40 threads once
    EXPECT_EQ(
        "uninitialized load: s + 8 bytes, which no thread of the block has stored; array s has "
        "256 bytes",
        findings[0].message);
}

TEST(Checker, SameValueIsNoRaceAndAnotherIs) {
    std::string start = ".shared .align 4 .b8 s[8];\nmov.u64 %rd3, s; shr.u32 %r1, %r0, 5;\n";
    EXPECT_TRUE(findings_of(start + "st.shared.u32 [%rd3], 7;", {64}).empty());
    auto warps = findings_of(start + "st.shared.u32 [%rd3], %r1;", {64});  // 0 and 1
    ASSERT_EQ(1u, warps.size());
    EXPECT_EQ(2u, warps[0].count);  // the first lane of warp 1 that stores, in 2 blocks
    auto lanes = findings_of(start + "st.shared.u32 [%rd3], %r0;", {32});
    ASSERT_EQ(1u, lanes.size());
    EXPECT_EQ(
        "race: store to s + 0 bytes, where thread (0,0) stores another value in the same "
        "instruction; either may stay; array s has 8 bytes",
        lanes[0].message);
    EXPECT_EQ("(1,0)", lanes[0].thread);
    EXPECT_EQ(62u, lanes[0].count);
}

}  // namespace
}  // namespace lanewise
