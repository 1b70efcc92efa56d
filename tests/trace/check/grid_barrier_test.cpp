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
const std::string kGridPlaces = R"(
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
const std::string kGridStoreMine = "@%p2 st.global.u64 [%rd3], %rd5;\n";
const std::string kGridLoadNext = "@%p2 ld.global.u64 %rd6, [%rd4];\n";
const std::string kGridStoreNext = "@%p2 st.global.u64 [%rd4], %rd5;\n";

std::vector<Finding> found_in_grid(const std::string& body, int threads = 1) {
    ptx::Kernel kernel = ptx::parse(kernel_around(kGridPlaces + body)).kernels.at(0);
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
        EXPECT_TRUE(found_in_grid(kGridStoreMine + grid_sync("a") + kGridLoadNext, threads).empty());
        // Each block stores to both in turn, one barrier between.
        EXPECT_TRUE(found_in_grid(kGridStoreMine + grid_sync("a") + kGridStoreNext, threads).empty());
        EXPECT_TRUE(found_in_grid(kGridLoadNext + grid_sync("a") + kGridStoreMine, threads).empty());
    }
}

TEST(GridOrder, IsMissingWithoutIt) {
    std::vector<Finding> load = found_in_grid(kGridStoreMine + kGridLoadNext + grid_sync("a"));
    ASSERT_EQ(1u, load.size());
    EXPECT_EQ("block_order", load[0].kind);
    EXPECT_NE(std::string::npos, load[0].message.find("load of data"));
    EXPECT_NE(std::string::npos, load[0].message.find("with no grid.sync() between"));
    EXPECT_EQ(6u, load[0].count);  // three loads of two words
    // Different values to the same word; after the barrier, too.
    for (const std::string& body :
         {kGridStoreMine + kGridStoreNext + grid_sync("a"), grid_sync("a") + kGridStoreMine + kGridStoreNext}) {
        std::vector<Finding> store = found_in_grid(body);
        ASSERT_EQ(1u, store.size());
        EXPECT_NE(std::string::npos, store[0].message.find("stores another value"));
    }
}

// Two barriers: what is done before the first is ordered before what is done after the second, and
// a word that is loaded in one part and stored in the next is nobody's fault.
TEST(GridOrder, HoldsOverManyBarriers) {
    std::string loop = kGridLoadNext + grid_sync("a") + kGridStoreMine + grid_sync("b") + kGridLoadNext +
                       grid_sync("c") + kGridStoreNext;
    EXPECT_TRUE(found_in_grid(loop, 2).empty());
    EXPECT_EQ(1u, found_in_grid(loop + kGridLoadNext + kGridStoreMine, 2).size());
}

}  // namespace
}  // namespace lanewise
