#include "trace/record/block_life.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

// Two warps: each loads and stores to the tile; a barrier; each reads and writes.
struct TwoWarps {
    Report report;
    BlockTrace block;
    TwoWarps() {
        for (auto [space, store] : {std::pair{Space::global, false},
                                    {Space::shared, true},
                                    {Space::shared, false},
                                    {Space::global, true}}) {
            InstructionReport instruction;
            instruction.space = space;
            instruction.is_store = store;
            instruction.line = 10 + static_cast<int>(report.instructions.size());
            report.instructions.push_back(instruction);
        }
        block.warps = 2;
        for (uint32_t half : {0u, 2u})
            for (uint32_t warp : {0u, 1u})
                for (uint32_t i : {half, half + 1}) access(i, warp);
        for (uint32_t warp : {0u, 1u})
            block.marks.push_back({TracedMark::Kind::barrier, warp, 4, 15});
    }
    void access(uint32_t instruction, uint32_t warp) {
        TracedAccess made;
        made.instruction = instruction;
        made.warp = warp;
        made.mask = 0x3;
        made.addresses.assign(32, 0);
        made.addresses[0] = 4 * (10 + warp);  // of rows of 10: element (1, warp)
        made.addresses[1] = 4 * (30 + warp);  // (3, warp)
        made.buffer = instruction == 0 ? 0 : instruction == 3 ? 1 : -1;
        made.sectors = made.sectors_ideal = 2;
        block.accesses.push_back(made);
    }
};

TEST(BlockLife, IsTheLifeOfAllWarpsWithOneBarrier) {
    TwoWarps made;
    BlockLife life = block_life(made.block, made.report);
    ASSERT_EQ(9u, life.steps.size());
    std::vector<uint32_t> warps = {0, 0, 1, 1, 2, 0, 0, 1, 1};  // two leave the barrier
    EXPECT_EQ(warps, life.warps);
    EXPECT_EQ(Moment::barrier, life.steps[4].moment);
    EXPECT_EQ(15, life.steps[4].line);
    EXPECT_EQ(Moment::shared_load, life.steps[5].moment);
    std::vector<bool> chapters;
    for (const LifeStep& step : life.steps) chapters.push_back(step.chapter);
    EXPECT_EQ((std::vector<bool>{true, true, false, false, true, true, true, false, false}),
              chapters);
    EXPECT_TRUE(block_life({}, {}).steps.empty());
}

TEST(BlockLife, FindsThePartOfAMatrix) {
    TwoWarps made;
    EXPECT_EQ((TouchedBox{1, 0, 3, 2}), touched_box(made.block, made.report, 0, 10, 4));
    // As bytes of rows of 40: the same rows, and the four bytes of each element.
    EXPECT_EQ((TouchedBox{1, 0, 3, 8}), touched_box(made.block, made.report, 0, 40, 1));
    EXPECT_EQ(TouchedBox{}, touched_box(made.block, made.report, 7, 10, 4));
}

}  // namespace
}  // namespace lanewise
