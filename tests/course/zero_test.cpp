// Lesson zero, by hand: which thread copies which element, and which sectors and banks its warp
// asks. What the pictures show comes from these very accesses. Needs the compiler.
#include <gtest/gtest.h>

#include "../shipped_stages.h"
#include "course/catalogue.h"
#include "course/lesson_lint.h"
#include "lab/analysis/analysis.h"

namespace lanewise {
namespace {

Picture picture_at_64(const std::string& stage, const KnobValues& turned, uint64_t block = 0) {
    Job job;
    job.stage = shipped_stages().find(stage);
    job.knobs = default_knobs(job.stage);
    for (const auto& [name, value] : turned) job.knobs[name] = value;
    job.type = "f32";
    job.rows = job.cols = 64;
    return trace_block(job, block);
}

// The accesses of warp `warp` that load from (or store to) this space, in order.
std::vector<TracedAccess> accesses(const Picture& picture, uint32_t warp, Space space,
                                   bool is_store) {
    std::vector<TracedAccess> found;
    for (const TracedAccess& each : picture.block.accesses) {
        const InstructionReport& of = picture.report.instructions[each.instruction];
        if (each.warp == warp && of.space == space && of.is_store == is_store)
            found.push_back(each);
    }
    return found;
}

TEST(LessonZero, AThreadOfTheFirstScreenWaitsOnceForEachOfItsNumbers) {
    // Lane 3 of the only warp: elements 3, 35, 67, … 227 of 256.
    std::vector<TracedAccess> loads =
        accesses(picture_at_64("zero/01_cpu_and_gpu", {}), 0, Space::global, false);
    ASSERT_EQ(8u, loads.size());
    for (size_t turn = 0; turn < loads.size(); ++turn)
        EXPECT_EQ(4 * (3 + 32 * turn), loads[turn].addresses[3]);
    Picture wide = picture_at_64("zero/01_cpu_and_gpu", {{"THREADS", 256}, {"ITEMS", 1}});
    EXPECT_EQ(8u, wide.block.warps);
    EXPECT_EQ(1u, accesses(wide, 7, Space::global, false).size());
}

// Thread 40 of block 2 is lane 8 of warp 1: element 2 * 64 + 40 = 168.
TEST(LessonZero, ThreadFortyOfBlockTwoCopiesElement168) {
    Picture picture = picture_at_64("zero/03_grid_block_warp", {}, 2);
    for (bool store : {false, true})
        EXPECT_EQ(4u * 168, accesses(picture, 1, Space::global, store).at(0).addresses[8]);
}

// Elements 0, 2, … 62: bytes 0 to 251, eight sectors, of which half of the bytes are used.
TEST(LessonZero, AtStrideTwoAWarpTouchesEightSectors) {
    const struct {
        int64_t stride, offset;
        int sectors;
    } cases[] = {{1, 0, 4}, {2, 0, 8}, {4, 0, 16}, {8, 0, 32}, {1, 1, 5}, {1, 8, 4}};
    for (const auto& one : cases) {
        Picture picture = picture_at_64("zero/05_sectors_and_lines",
                                        {{"STRIDE", one.stride}, {"OFFSET", one.offset}}, 1);
        const TracedAccess load = accesses(picture, 0, Space::global, false).at(0);
        EXPECT_EQ(one.sectors, load.sectors) << one.stride << ", " << one.offset;
        // Block 1 begins at element 256 - OFFSET.
        EXPECT_EQ(4u * static_cast<uint64_t>(256 - one.offset + 5 * one.stride % 256 +
                                             5 * one.stride / 256),
                  load.addresses[5]);
    }
}

// Lanes meet in one bank as often as 32 and the stride have a common factor.
TEST(LessonZero, AtStrideTwoTwoLanesMeetInABank) {
    for (auto [stride, wavefronts] :
         {std::pair{1, 1}, {2, 2}, {3, 1}, {4, 4}, {8, 8}, {16, 16}, {31, 1}, {32, 32}}) {
        Picture picture = picture_at_64("zero/06_banks", {{"STRIDE", stride}});
        for (bool store : {false, true})
            EXPECT_EQ(wavefronts, accesses(picture, 0, Space::shared, store).at(0).wavefronts)
                << stride;
    }
}

TEST(LessonZero, TheDetourIsTwoAccessesOfSharedMemory) {
    Picture with = picture_at_64("zero/04_memory_levels", {});
    EXPECT_EQ(1u, accesses(with, 0, Space::shared, true).size());
    EXPECT_EQ(1u, accesses(with, 0, Space::shared, false).size());
    Picture without = picture_at_64("zero/04_memory_levels", {{"SHARED", 0}, {"HELD", 4}});
    EXPECT_EQ(0u, accesses(without, 0, Space::shared, true).size());
    EXPECT_EQ(4u, accesses(without, 0, Space::global, false).size());
}

// Six screens, in front of everything, each with a way on; the last leads to the first course.
TEST(LessonZero, LeadsFromScreenToScreenAndIntoTheFirstCourse) {
    const std::vector<Stage>& stages = shipped_stages().stages();
    for (size_t i = 0; i < 6; ++i) {
        EXPECT_TRUE(is_first_step(stages[i])) << stages[i].id;
        EXPECT_FALSE(is_rung(stages[i]));
        Lesson lesson = read_lesson(lesson_path(shipped_stages(), stages[i]), stages[i].id);
        std::string last;
        for (const LessonBlock& block : lesson.blocks)
            for (const LessonRun& run : block.runs)
                if (run.link.starts_with("stage:")) last = run.link;
        EXPECT_EQ("stage:" + stages[i + 1].id, last);
    }
    EXPECT_EQ("transpose/00_copy", stages[6].id);
    EXPECT_TRUE(is_rung(stages[6]));
}

// "01" is no rung's number, and "02" is the wide copy's, not the multiprocessor's.
TEST(LessonZero, LeavesTheNumbersToTheLadders) {
    EXPECT_EQ("transpose/02_copy_wide", shipped_stages().find("02").id);
    EXPECT_EQ("transpose/05_strided", shipped_stages().find("05").id);
    EXPECT_EQ("zero/06_banks", shipped_stages().find("06_banks").id);
}

}  // namespace
}  // namespace lanewise
