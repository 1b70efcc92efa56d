// The timeline of a block, put together by hand: where each segment lies, who waits for whom, and
// what is in vain.
#include "trace/record/block_timeline.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

using Kind = TracedMark::Kind;

// Instructions: 0 global load, 1 shared store, 2 shared load, 3 global store; lines 10 to 13.
struct TimedBlock {
    Report report;
    BlockTrace block;
    explicit TimedBlock(uint32_t warps) {
        block.warps = warps;
        for (int i = 0; i < 4; ++i) {
            InstructionReport instruction;
            instruction.space = i == 0 || i == 3 ? Space::global : Space::shared;
            instruction.is_store = i == 1 || i == 3;
            instruction.line = 10 + i;
            report.instructions.push_back(instruction);
        }
    }
    void access(uint32_t instruction, uint32_t warp, int cost, int ideal) {
        TracedAccess made;
        made.instruction = instruction;
        made.warp = warp;
        made.sectors = made.wavefronts = cost;
        made.sectors_ideal = made.wavefronts_ideal = ideal;
        block.accesses.push_back(made);
    }
    void mark(Kind kind, uint32_t warp, int line = 20) {
        block.marks.push_back({kind, warp, block.accesses.size(), line});
    }
    BlockTimeline timeline() const { return block_timeline(block, report); }
};

std::vector<std::pair<uint64_t, uint64_t>> spans(const BlockTimeline& timeline, size_t warp) {
    std::vector<std::pair<uint64_t, uint64_t>> all;
    for (const TimelineSegment& each : timeline.warps[warp]) all.emplace_back(each.begin, each.end);
    return all;
}
using Spans = std::vector<std::pair<uint64_t, uint64_t>>;

// Warp 0: 4 sectors; warp 1: 8 sectors and 2 wavefronts. Both wait; warp 0 reads with 32
// wavefronts, warp 1 writes 4 sectors.
TimedBlock two_warps() {
    TimedBlock made(2);
    made.access(0, 0, 4, 4);
    made.access(0, 1, 8, 4);
    made.access(1, 1, 2, 1);
    made.mark(Kind::barrier, 0);
    made.mark(Kind::barrier, 1);
    made.access(2, 0, 32, 1);
    made.access(3, 1, 4, 4);
    return made;
}

TEST(BlockTimeline, ATickIsASectorOrAWavefrontAndABarrierLastsUntilAllHaveCome) {
    BlockTimeline timeline = two_warps().timeline();
    ASSERT_EQ(2u, timeline.warps.size());
    // Warp 1 comes at tick 10 and stays for one: warp 0 waits from 4 to 11.
    EXPECT_EQ((Spans{{0, 4}, {4, 11}, {11, 43}}), spans(timeline, 0));
    EXPECT_EQ((Spans{{0, 8}, {8, 10}, {10, 11}, {11, 15}}), spans(timeline, 1));
    EXPECT_EQ(43u, timeline.ticks);
    EXPECT_EQ(Moment::barrier, timeline.warps[0][1].step.moment);
    EXPECT_EQ(2, timeline.warps[0][2].index);
}

// Each warp's segments are its life, moment by moment: the scrubber and the timeline agree.
TEST(BlockTimeline, HoldsTheLivesOfAllWarps) {
    TimedBlock made = two_warps();
    BlockTimeline timeline = made.timeline();
    for (uint32_t warp : {0u, 1u}) {
        std::vector<LifeStep> life = warp_life(made.block, made.report, warp);
        ASSERT_EQ(life.size(), timeline.warps[warp].size());
        for (size_t i = 0; i < life.size(); ++i) {
            const LifeStep& step = timeline.warps[warp][i].step;
            EXPECT_EQ(life[i].moment, step.moment);
            EXPECT_EQ(life[i].access, step.access);
            EXPECT_EQ(life[i].cost, step.cost);
            EXPECT_EQ(life[i].chapter, step.chapter);
        }
    }
}

// Two barriers with nothing between them are two; a barrier of some warps leaves the others alone.
TEST(BlockTimeline, TellsBarriersApart) {
    TimedBlock made(3);
    made.access(0, 1, 5, 4);
    for (uint32_t warp : {0u, 1u, 0u, 1u}) made.mark(Kind::barrier, warp);
    made.access(0, 2, 4, 4);
    BlockTimeline timeline = made.timeline();
    EXPECT_EQ((Spans{{0, 6}, {6, 7}}), spans(timeline, 0));
    EXPECT_EQ((Spans{{0, 5}, {5, 6}, {6, 7}}), spans(timeline, 1));
    EXPECT_EQ((Spans{{0, 4}}), spans(timeline, 2));
}

TEST(BlockTimeline, WhatHasNoCostLastsATick) {
    TimedBlock made(1);
    made.mark(Kind::atomic, 0);
    made.mark(Kind::matrix, 0);
    made.access(0, 0, 0, 0);  // of no lane
    EXPECT_EQ((Spans{{0, 1}, {1, 2}, {2, 3}}), spans(made.timeline(), 0));
    EXPECT_EQ(0u, block_timeline({}, {}).ticks);
}

TEST(BlockTimeline, FindsWhatLiesUnderATick) {
    BlockTimeline timeline = two_warps().timeline();
    EXPECT_EQ(0, segment_at(timeline, 0, 0)->index);
    EXPECT_EQ(0, segment_at(timeline, 0, 3.9)->index);
    EXPECT_EQ(1, segment_at(timeline, 0, 4)->index);
    EXPECT_EQ(2, segment_at(timeline, 0, 42.5)->index);
    EXPECT_EQ(nullptr, segment_at(timeline, 0, 43));
    EXPECT_EQ(nullptr, segment_at(timeline, 1, 15));
    EXPECT_EQ(nullptr, segment_at(timeline, 0, -1));
    EXPECT_EQ(nullptr, segment_at(timeline, 2, 0));
}

// Accesses: 4 + 8 + 2 + 32 + 4 = 50 ticks, of which 4 + 4 + 1 + 1 + 4 = 14 are needed.
TEST(BlockTimeline, SaysWhatIsInVainAndWhere) {
    TimelineWaste waste = waste_of(two_warps().timeline());
    EXPECT_EQ(50u, waste.ticks);
    EXPECT_EQ(36u, waste.in_vain());
    EXPECT_EQ(12, waste.line);  // the shared load
    EXPECT_EQ(31u, waste.line_in_vain);
    EXPECT_EQ(32, waste.worst.cost);
    EXPECT_EQ(0u, waste.warp);
    EXPECT_EQ(2, waste.index);

    TimedBlock ideal(1);
    ideal.access(0, 0, 4, 4);
    EXPECT_EQ(0u, waste_of(ideal.timeline()).in_vain());
    EXPECT_EQ(-1, waste_of(ideal.timeline()).index);
}

}  // namespace
}  // namespace lanewise
