// Workers, multiprocessor and levels: hand-worked counts of marks, and nothing cut at any width.
#include "figure/machine/machine_figure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../drawn.h"

namespace lanewise {
namespace {

bool hints(const Drawing& drawing, const std::string& words) {
    return std::any_of(drawing.hits.begin(), drawing.hits.end(), [&](const HitBox& hit) {
        return hit.tooltip.find(words) != std::string::npos;
    });
}

size_t rects(const Drawing& drawing, Fill::Kind kind) {
    return static_cast<size_t>(
        std::count_if(drawing.shapes.begin(), drawing.shapes.end(), [&](const Shape& shape) {
            return shape.kind == Shape::Kind::rect && shape.fill.kind == kind;
        }));
}

WorkersFigureInput workers(uint64_t numbers, uint32_t threads, uint32_t waits) {
    return {numbers, threads, waits, 600, "A card, measured", 600, 0};
}

// 32 threads that fetch 8 numbers each: 256 * 600 = 153,600 clocks alone, 8 * 600 together.
TEST(WorkersFigure, PutsAloneAndTogetherOnOneAxis) {
    Drawing drawing = workers_figure(workers(256, 32, 8), measure_approximately);
    EXPECT_TRUE(hints(drawing, "256 waits = 153,600 clocks"));
    EXPECT_TRUE(hints(drawing, "warp 0: 32 threads, 8 waits = 4,800 clocks"));
    EXPECT_EQ(32u, rects(drawing, Fill::Kind::lane));
    for (const Shape& shape : drawing.shapes)
        if (shape.fill.kind == Fill::Kind::lane) {
            EXPECT_NEAR(598 * 8 / 256.0, shape.box.w, 0.1);
        }
}

TEST(WorkersFigure, HasARowForEachWarp) {
    Drawing drawing = workers_figure(workers(256, 256, 1), measure_approximately);
    EXPECT_EQ(8u * 32, rects(drawing, Fill::Kind::lane));
    EXPECT_TRUE(hints(drawing, "warp 7: 32 threads, 1 wait = 600 clocks"));
    // The last warp of 40 threads has eight.
    drawing = workers_figure(workers(40, 40, 1), measure_approximately);
    EXPECT_EQ(40u, rects(drawing, Fill::Kind::lane));
    EXPECT_TRUE(hints(drawing, "warp 1: 8 threads"));
}

TEST(WorkersFigure, SaysWhatIsNotKnown) {
    WorkersFigureInput input = workers(256, 32, 8);
    input.latency_clocks = 0;
    Drawing drawing = workers_figure(input, measure_approximately);
    EXPECT_TRUE(says(drawing, "not known"));
    EXPECT_FALSE(hints(drawing, "clocks"));
    EXPECT_TRUE(says(workers_figure({}, measure_approximately), "loads nothing"));
}

// 7 blocks of 8 warps: 56 of 64 squares.
TEST(MultiprocessorFigure, HasASquareForEachWarp) {
    MultiprocessorFigureInput input{"A card", 132, 64, 7, 8, {}, 600, 0};
    input.bars = {{"shared memory", 33'792, 233'472, true, "231 of 228 KB", "hint"}};
    Drawing drawing = multiprocessor_figure(input, measure_approximately);
    EXPECT_EQ(56u, rects(drawing, Fill::Kind::bank));
    EXPECT_EQ(8, std::count_if(drawing.hits.begin(), drawing.hits.end(), [](const HitBox& hit) {
                  return hit.tooltip == "room for a warp, empty";
              }));
    EXPECT_TRUE(hints(drawing, "warp 7 of block 6 on this multiprocessor"));
    EXPECT_FALSE(hints(drawing, "of block 7 "));
    EXPECT_TRUE(says(drawing, "132 multiprocessors"));
    input.blocks = 0;
    EXPECT_TRUE(says(multiprocessor_figure(input, measure_approximately), "Not even one"));
}

// Lane 8 of warp 1 in block 2, of 64 threads: element 2 * 64 + 32 + 8 = 168.
TEST(LaunchFigure, PutsGridBlockAndLaneTogether) {
    LaunchFigureInput input{{64}, {64}, 2, 1, 8, "i", "2 * 64 + 40", 168, 600, 0};
    Drawing drawing = launch_figure(input, measure_approximately);
    EXPECT_TRUE(says(drawing, "Lane 8 of warp 1 in block 2 copies element 168."));
    EXPECT_TRUE(says(drawing, "= 2 * 64 + 40"));
    auto acts = [&](const std::string& action) {
        return std::any_of(drawing.hits.begin(), drawing.hits.end(),
                           [&](const HitBox& hit) { return hit.action == action; });
    };
    EXPECT_TRUE(acts("block:2") && acts("warp:0") && acts("lane:8"));
}

// Each ten times as many clocks is a quarter of the axis further on.
TEST(LevelsFigure, IsLogarithmic) {
    EXPECT_FLOAT_EQ(0, share_of_axis(1));
    EXPECT_FLOAT_EQ(0.25f, share_of_axis(10));
    EXPECT_FLOAT_EQ(0.75f, share_of_axis(1000));
    EXPECT_FLOAT_EQ(1, share_of_axis(1e6));
    EXPECT_FLOAT_EQ(0, share_of_axis(0));
}

TEST(LevelsFigure, LightsWhatTheKernelNames) {
    LevelsFigureInput input{
        {{"Registers", "256 KB", 4, true}, {"L2", "60 MB", 283, false}, {"DRAM", "", 0, true}},
        "A card, measured",
        600,
        0};
    Drawing drawing = levels_figure(input, measure_approximately);
    EXPECT_TRUE(hints(drawing, "4 clocks, this kernel names it"));
    EXPECT_TRUE(hints(drawing, "L2   60 MB: 283 clocks"));
    EXPECT_FALSE(hints(drawing, "283 clocks, this kernel"));
    EXPECT_TRUE(says(drawing, "not in this card's profile"));
    EXPECT_TRUE(hints(drawing, "latency not measured on this card"));
}

TEST(MachineFigures, FitEveryWidthAndHeight) {
    MultiprocessorFigureInput room{"NVIDIA GeForce RTX 3080 (10 GB)", 68, 48, 3, 8, {}, 0, 0};
    room.bars = {{"shared memory", 33'792, 102'400, true, "99 of 100 KB", "hint"}};
    LevelsFigureInput levels{{{"Shared memory", "228 KB for a multiprocessor", 0, true},
                              {"L2", "60 MB for the whole card", 283, false}},
                             "Latencies: carried over from NVIDIA H200, not measured on this card.",
                             0,
                             0};
    for (float width : {300.f, 612.f, 1400.f})
        for (float height : {0.f, 300.f, 900.f}) {
            WorkersFigureInput input = workers(2048, 256, 8);
            input.width = room.width = levels.width = width;
            input.height = room.height = levels.height = height;
            LaunchFigureInput launch{{16'384},          {256},  100,   7,     31, "i",
                                     "100 * 256 + 255", 25'855, width, height};
            EXPECT_EQ(
                std::vector<std::string>{},
                cut_texts(launch_figure(launch, measure_approximately), measure_approximately));
            for (const Drawing& drawing : {workers_figure(input, measure_approximately),
                                           multiprocessor_figure(room, measure_approximately),
                                           levels_figure(levels, measure_approximately)})
                EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately))
                    << width << " x " << height;
        }
}

}  // namespace
}  // namespace lanewise
