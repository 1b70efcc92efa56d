// What blocks do to each other where they wait for each other: the barrier orders it, and nothing else
// does.
#include <gtest/gtest.h>

#include <deque>

#include "../../sim/grid_ptx.h"
#include "../../sim/run_ptx.h"
#include "sim/run/together.h"
#include "trace/check/checker.h"

namespace lanewise {
namespace {

// Thread 0 of each of 3 blocks does `first`, then `second`: to or from out[block], out[block + 1 mod 3].
const std::string kPlaces = R"(
    mov.u32 %r1, %ctaid.x;
    mul.wide.u32 %rd3, %r1, 8;
    add.s64 %rd3, %rd0, %rd3;
    add.s32 %r2, %r1, 1;
    setp.eq.u32 %p1, %r2, 3;
    selp.b32 %r2, 0, %r2, %p1;
    mul.wide.u32 %rd4, %r2, 8;
    add.s64 %rd4, %rd0, %rd4;
    cvt.u64.u32 %rd5, %r1;
    setp.eq.u32 %p2, %r0, 0;
)";
const std::string kStoreMine = "@%p2 st.global.u64 [%rd3], %rd5;\n";
const std::string kLoadNext = "@%p2 ld.global.u64 %rd6, [%rd4];\n";
const std::string kStoreNext = "@%p2 st.global.u64 [%rd4], %rd5;\n";

std::vector<Finding> found(const std::string& body, int threads = 1) {
    ptx::Kernel kernel = ptx::parse(kernel_around(kPlaces + body)).kernels.at(0);
    Memory memory;
    uint64_t out = memory.allocate(64, "data");
    std::deque<Checker> checkers;
    std::vector<Observer*> by_block;
    std::vector<const Checker*> all;
    for (int i = 0; i < 3; ++i) {
        checkers.emplace_back(kernel, memory, std::span<const size_t>(), 1024);
        by_block.push_back(&checkers.back());
        all.push_back(&checkers.back());
    }
    LaunchShape shape{{3}, {64}};
    run_together(kernel, shape, Arguments().add(out), memory, by_block, threads, {});
    Report report;
    add_findings(report, kernel, all, shape, memory);
    return report.findings;
}

TEST(GridOrder, IsWhatTheBarrierMakes) {
    for (int threads : {1, 3}) {
        EXPECT_TRUE(found(kStoreMine + grid_sync("a") + kLoadNext, threads).empty());
        // Each block stores to both in turn, one barrier between.
        EXPECT_TRUE(found(kStoreMine + grid_sync("a") + kStoreNext, threads).empty());
        EXPECT_TRUE(found(kLoadNext + grid_sync("a") + kStoreMine, threads).empty());
    }
}

TEST(GridOrder, IsMissingWithoutIt) {
    std::vector<Finding> load = found(kStoreMine + kLoadNext + grid_sync("a"));
    ASSERT_EQ(1u, load.size());
    EXPECT_EQ("block_order", load[0].kind);
    EXPECT_NE(std::string::npos, load[0].message.find("load of data"));
    EXPECT_NE(std::string::npos, load[0].message.find("with no grid.sync() between"));
    EXPECT_EQ(6u, load[0].count);  // three loads of two words
    // Different values to the same word; after the barrier, too.
    for (const std::string& body :
         {kStoreMine + kStoreNext + grid_sync("a"), grid_sync("a") + kStoreMine + kStoreNext}) {
        std::vector<Finding> store = found(body);
        ASSERT_EQ(1u, store.size());
        EXPECT_NE(std::string::npos, store[0].message.find("stores another value"));
    }
}

// Two barriers: what is done before the first is ordered before what is done after the second, and
// a word that is loaded in one part and stored in the next is nobody's fault.
TEST(GridOrder, HoldsOverManyBarriers) {
    std::string loop = kLoadNext + grid_sync("a") + kStoreMine + grid_sync("b") + kLoadNext +
                       grid_sync("c") + kStoreNext;
    EXPECT_TRUE(found(loop, 2).empty());
    EXPECT_EQ(1u, found(loop + kLoadNext + kStoreMine, 2).size());
}

}  // namespace
}  // namespace lanewise
