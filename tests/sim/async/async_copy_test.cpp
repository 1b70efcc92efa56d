// cp.async: when its bytes arrive in shared memory, and what observers are told.
#include <gtest/gtest.h>

#include "../run_ptx.h"

namespace lanewise {
namespace {

// Each thread's own 8 bytes of out hold 100 + thread and are copied into the tile, which holds
// 7s before.
const std::string kStart =
    ".shared .align 16 .b8 tile[2048]; add.u32 %r1, %r0, 100; cvt.u64.u32 %rd2, %r1;"
    "st.global.u64 [%rd1], %rd2; mul.wide.u32 %rd3, %r0, 8; mov.u64 %rd4, tile;"
    "add.s64 %rd3, %rd4, %rd3; st.shared.u64 [%rd3], 7; st.shared.u64 [%rd3+1024], 7;";
const std::string kCopy = "cp.async.ca.shared.global [%rd3], [%rd1], 8;";
const std::string kSecondCopy = "cp.async.ca.shared::cta.global [%rd3+1024], [%rd1], 8;";
const std::string kRead = "ld.shared.u64 %rd2, [%rd3];";
const std::string kReadSecond = "ld.shared.u64 %rd2, [%rd3+1024];";

uint64_t read_after(const std::string& body) { return wide_result(kStart + body, 3); }

TEST(AsyncCopy, ArrivesAtTheWaitAndNotBefore) {
    EXPECT_EQ(7u, read_after(kCopy + kRead));
    EXPECT_EQ(7u, read_after(kCopy + "cp.async.commit_group;" + kRead));
    EXPECT_EQ(103u, read_after(kCopy + "cp.async.commit_group; cp.async.wait_group 0;" + kRead));
    EXPECT_EQ(103u, read_after(kCopy + "cp.async.wait_all;" + kRead));
}

TEST(AsyncCopy, WaitsForAllButTheNewestGroups) {
    std::string two = kCopy + "cp.async.commit_group;" + kSecondCopy + "cp.async.commit_group;";
    EXPECT_EQ(103u, read_after(two + "cp.async.wait_group 1;" + kRead));
    EXPECT_EQ(7u, read_after(two + "cp.async.wait_group 1;" + kReadSecond));
    EXPECT_EQ(7u, read_after(two + "cp.async.wait_group 2;" + kRead));
    EXPECT_EQ(103u, read_after(two + "cp.async.wait_group 0;" + kReadSecond));
    // an empty group counts, an open one is not waited for
    EXPECT_EQ(103u,
              read_after(two + "cp.async.commit_group; cp.async.wait_group 1;" + kReadSecond));
    EXPECT_EQ(7u, read_after(kCopy + "cp.async.wait_group 0;" + kRead));
}

TEST(AsyncCopy, GroupsBelongToTheThread) {
    // only even threads commit, so only theirs is waited for
    std::string body = kStart + kCopy +
                       "and.b32 %r2, %r0, 1; setp.eq.u32 %p1, %r2, 0;"
                       "@%p1 cp.async.commit_group; cp.async.wait_group 0;" +
                       kRead + "st.global.u64 [%rd1], %rd2;";
    auto out = run_block(body).out;
    EXPECT_EQ(104u, out[4]);
    EXPECT_EQ(7u, out[5]);
}

TEST(AsyncCopy, SourceIsReadAtTheIssue) {
    EXPECT_EQ(103u, read_after(kCopy + "st.global.u64 [%rd1], 9; cp.async.wait_all;" + kRead));
}

TEST(AsyncCopy, IgnoredAndShortSourcesAreZeros) {
    EXPECT_EQ(0u, read_after("setp.eq.u32 %p1, %r0, 3;"
                             "cp.async.ca.shared.global.L2::128B [%rd3], [%rd1], 8, %p1;"
                             "cp.async.wait_all;" +
                             kRead));
    EXPECT_EQ(103u, read_after("setp.eq.u32 %p1, %r0, 3; mov.b64 %rd9, 0;"
                               "cp.async.ca.shared.global.L2::cache_hint "
                               "[%rd3], [%rd1], 8, !%p1, %rd9; cp.async.wait_all;" +
                               kRead));
    EXPECT_EQ(103u % 256, read_after("mov.u32 %r5, 1; cp.async.ca.shared.global [%rd3], [%rd1], 8,"
                                     "%r5; cp.async.wait_all;" +
                                     kRead));
}

TEST(AsyncCopy, IsForgottenWithItsBlock) {
    ptx::Kernel kernel =
        ptx::parse(kernel_around(kStart +
                                 "mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 0;"
                                 "@%p1 cp.async.ca.shared.global [%rd3], [%rd1], 8;"
                                 "cp.async.wait_group 0;" +
                                 kRead + "st.global.u64 [%rd1], %rd2;"))
            .kernels.at(0);
    Memory memory;
    Arguments arguments;
    arguments.add(memory.allocate(256, "out"));
    Recorder seen;
    Machine(kernel).run({{2}, {32}}, arguments, memory, 0, 2, seen);
    uint64_t third;
    std::memcpy(&third, memory.buffers()[0].storage + 24, 8);
    EXPECT_EQ(7u, third);
}

struct Completions : Recorder {
    void on_copy_complete(const MemoryEvent& event, std::optional<uint32_t>) override {
        done.push_back({event, *event.addresses});
        accesses_before.push_back(accesses.size());
    }
    std::vector<Access> done;
    std::vector<size_t> accesses_before;
};

TEST(AsyncCopy, ObserversHearOfTheEnd) {
    std::string body = kStart + kCopy + kSecondCopy + "cp.async.wait_all;" + kRead;
    ptx::Kernel kernel = ptx::parse(kernel_around(body)).kernels.at(0);
    Memory memory;
    Arguments arguments;
    arguments.add(memory.allocate(20 * 8, "out"));
    Completions seen;
    Machine(kernel).run({{1}, {20}}, arguments, memory, 0, 1, seen);
    ASSERT_EQ(2u, seen.done.size());
    EXPECT_EQ(1024u + 24, seen.done[1].addresses[3]);
    EXPECT_EQ(0xfffffu, seen.done[1].event.mask);
    EXPECT_EQ(8, seen.done[0].event.bytes_per_lane);
    EXPECT_EQ("cp", kernel.instructions[seen.done[0].event.instruction].parts[0]);
    // after a global store, two shared ones and the copies' loads and stores; before the read
    EXPECT_EQ(7u, seen.accesses_before[0]);
    EXPECT_EQ(8u, seen.accesses.size());
}

TEST(AsyncCopy, ALoopThatNeverWaitsKeepsABoundedNumber) {
    std::string body = kStart + "mov.u32 %r2, 0;\nAGAIN:\n" + kCopy +
                       "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5000; @%p1 bra AGAIN;" + kRead;
    EXPECT_EQ(103u, wide_result(body, 3));  // the oldest have been finished
}

}  // namespace
}  // namespace lanewise
