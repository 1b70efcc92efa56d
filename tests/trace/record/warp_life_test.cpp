// A warp's life, put together by hand: what it holds, where its chapters are, and which moment of
// another setting stands beside which.
#include "trace/record/warp_life.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

using Kind = TracedMark::Kind;

// Instructions: 0 global load, 1 shared store, 2 shared load, 3 global store.
Report four_instructions() {
    Report report;
    for (int i = 0; i < 4; ++i) {
        InstructionReport instruction;
        instruction.space = i == 0 || i == 3 ? Space::global : Space::shared;
        instruction.is_store = i == 1 || i == 3;
        instruction.line = 10 + i;
        report.instructions.push_back(instruction);
    }
    return report;
}

struct Life {
    BlockTrace block;
    // "l", "s" (to shared), "r" (of shared), "w"; digits are the warp.
    explicit Life(const std::string& accesses) {
        for (size_t i = 0; i + 1 < accesses.size(); i += 2) {
            TracedAccess access;
            access.instruction = static_cast<uint32_t>(std::string("lsrw").find(accesses[i]));
            access.warp = static_cast<uint32_t>(accesses[i + 1] - '0');
            access.sectors = 32, access.sectors_ideal = 4;
            access.wavefronts = 2, access.wavefronts_ideal = 1;
            block.accesses.push_back(access);
        }
    }
    std::vector<LifeStep> of(uint32_t warp) const {
        return warp_life(block, four_instructions(), warp);
    }
};

std::string moments(const std::vector<LifeStep>& life) {
    std::string text;
    for (const LifeStep& step : life) text += (step.chapter ? "|" : " ") + name_of(step);
    return text;
}

// Two warps whose accesses alternate; each loads and stores twice, waits, reads and writes twice.
Life tiled() {
    Life life("l0s0l0s0l1s1l1s1r0w0r0w0r1w1r1w1");
    life.block.marks = {{Kind::barrier, 0, 8, 20}, {Kind::barrier, 1, 8, 20}};
    return life;
}

TEST(WarpLife, HoldsOneWarpsAccessesAndBarriersInOrder) {
    std::vector<LifeStep> life = tiled().of(1);
    EXPECT_EQ("|load|store to tile load store to tile|sync|read|write read write",
              moments(life));
    ASSERT_EQ(9u, life.size());
    EXPECT_EQ(4, life[0].access);
    EXPECT_EQ(0, life[0].row);
    EXPECT_EQ(1, life[2].row);  // the second global one
    EXPECT_EQ(1, life[3].row);  // the second shared one
    EXPECT_EQ(2, life[5].row);  // the third shared one: the first read
    EXPECT_EQ(20, life[4].line);
    EXPECT_EQ(-1, life[4].access);
    EXPECT_EQ(32, life[0].cost);
    EXPECT_EQ(4, life[0].ideal);
    EXPECT_EQ(2, life[1].cost);
    EXPECT_TRUE(tiled().of(2).empty());
}

TEST(WarpLife, KeepsABarrierBehindTheLastAccess) {
    Life life("l0");
    life.block.marks = {{Kind::async_copy, 0, 0, 3}, {Kind::barrier, 0, 1, 4}};
    EXPECT_EQ("|asynchronous copy|load|sync", moments(life.of(0)));
}

TEST(WarpLife, EachRoundBetweenBarriersHasItsOwnChapters) {
    Life life("l0l0s0r0l0s0r0");
    life.block.marks = {
        {Kind::barrier, 0, 3, 5}, {Kind::barrier, 0, 4, 6}, {Kind::barrier, 0, 6, 5}};
    EXPECT_EQ("|load load|store to tile|sync|read|sync|load|store to tile|sync|read",
              moments(life.of(0)));
}

TEST(WarpLife, StepsFromChapterToChapter) {
    std::vector<LifeStep> life = tiled().of(0);  // chapters at 0, 1, 4, 5, 6 of 9
    EXPECT_EQ(1, next_chapter(life, 0));
    EXPECT_EQ(4, next_chapter(life, 1));
    EXPECT_EQ(4, next_chapter(life, 2));
    EXPECT_EQ(8, next_chapter(life, 6));  // no more: the end
    EXPECT_EQ(6, previous_chapter(life, 8));
    EXPECT_EQ(1, previous_chapter(life, 4));
    EXPECT_EQ(0, previous_chapter(life, 1));
    EXPECT_EQ(0, previous_chapter(life, 0));
}

TEST(WarpLife, FindsTheSameMomentOfAnotherSetting) {
    std::vector<LifeStep> life = tiled().of(0);
    // The other loads all before it stores, and four times: moments at 0-3, 4-7, sync 8, 9 …
    Life other("l0l0l0l0s0s0s0s0r0w0");
    other.block.marks = {{Kind::barrier, 0, 8, 20}};
    std::vector<LifeStep> there = other.of(0);
    EXPECT_EQ(1, same_step(life, 2, there));  // the second load
    EXPECT_EQ(5, same_step(life, 3, there));  // the second store to the tile
    EXPECT_EQ(8, same_step(life, 4, there));  // the barrier
    EXPECT_EQ(9, same_step(life, 7, there));  // the second read: it has only one
    EXPECT_EQ(-1, same_step(life, 7, Life("l0w0").of(0)));
    EXPECT_EQ(-1, same_step(life, 9, there));  // no such step
}

}  // namespace
}  // namespace lanewise
