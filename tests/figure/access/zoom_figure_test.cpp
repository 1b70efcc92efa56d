// Grid, block and lane: what is marked, what can be hit, that nothing is cut at any width.
#include "figure/access/zoom_figure.h"

#include <gtest/gtest.h>

#include <set>

#include "../drawn.h"
#include "../examples.h"
#include "figure/access/lane_figure.h"

namespace lanewise {
namespace {

std::set<std::string> actions(const Drawing& drawing) {
    std::set<std::string> found;
    for (const HitBox& hit : drawing.hits)
        if (!hit.action.empty()) found.insert(hit.action);
    return found;
}

void expect_sound(const Drawing& drawing, const std::string& name) {
    EXPECT_EQ(cut_texts(drawing, measure_approximately), std::vector<std::string>{}) << name;
    for (const HitBox& hit : drawing.hits) {
        EXPECT_LE(hit.box.x + hit.box.w, drawing.width + 0.5f) << name << ": " << hit.tooltip;
        EXPECT_LE(hit.box.y + hit.box.h, drawing.height + 0.5f) << name << ": " << hit.tooltip;
    }
}

TEST(GridFigure, ShowsASmallGridWhole) {
    Drawing drawing = grid_figure({{5, 4}, {32, 8}, 7, 600}, measure_approximately);
    EXPECT_EQ(20u, actions(drawing).size());
    EXPECT_TRUE(says(drawing, "Block 7 is (2, 1)."));
    EXPECT_TRUE(says(drawing, "20 blocks of 256 threads"));
    EXPECT_FALSE(says(drawing, "the whole grid"));
}

TEST(GridFigure, ShowsThePartAroundTheChosenBlockOfALargeOne) {
    // Block 8 * 128 + 100: 16 x 10 blocks around it, from (92, 3) on, each drawn once.
    Drawing drawing = grid_figure({{128, 128}, {32, 8}, 8 * 128 + 100, 600}, measure_approximately);
    EXPECT_TRUE(says(drawing, "the whole grid"));
    EXPECT_TRUE(actions(drawing).contains("block:" + std::to_string(3 * 128 + 92)));
    EXPECT_TRUE(actions(drawing).contains("block:" + std::to_string(12 * 128 + 107)));
    EXPECT_FALSE(actions(drawing).contains("block:" + std::to_string(3 * 128 + 93 + 16)));
    // The last of the grid has all of its neighbours on one side.
    drawing = grid_figure({{128, 128}, {32, 8}, 128 * 128 - 1, 600}, measure_approximately);
    EXPECT_TRUE(actions(drawing).contains("block:16383"));
}

TEST(GridFigure, IsSoundForEveryGrid) {
    for (Dim3 grid : {Dim3{1}, Dim3{3, 1, 7}, Dim3{100'000}, Dim3{1, 65'535}, Dim3{2048, 2048}})
        for (float width : {300.f, 612.f, 1400.f})
            for (uint64_t chosen : {uint64_t{0}, grid.count() / 2, grid.count() - 1})
                expect_sound(grid_figure({grid, {256}, chosen, width}, measure_approximately),
                             std::to_string(grid.x) + " at " + std::to_string(int(width)));
}

TEST(BlockFigure, ShowsWhichThreadsAreTheWarp) {
    // Rows of 16 threads: a warp is two of them. Warp 2 begins with thread (0, 4).
    Drawing drawing = block_figure({{16, 8}, 2, 5, 600}, measure_approximately);
    std::vector<std::string> lane_0;
    for (const HitBox& hit : drawing.hits)
        if (hit.action == "lane:0") lane_0.push_back(hit.tooltip);
    EXPECT_EQ(std::vector<std::string>{"thread (0, 4): warp 2, lane 0"}, lane_0);
    EXPECT_EQ(32u + 3u, actions(drawing).size());  // its lanes, and the three other warps
    EXPECT_TRUE(says(drawing, "a warp is 2 rows of the block"));
    EXPECT_TRUE(says(drawing, "16 × 8 threads are 4 warps of 32"));
    EXPECT_TRUE(says(block_figure({{64, 2}, 0, -1, 600}, measure_approximately), "within a row"));
    EXPECT_TRUE(
        says(block_figure({{24, 4}, 0, -1, 600}, measure_approximately), "in the middle of rows"));
}

TEST(BlockFigure, IsSoundForEveryBlock) {
    for (Dim3 block : {Dim3{1}, Dim3{32, 32}, Dim3{1024}, Dim3{4, 2}, Dim3{8, 8, 16}, Dim3{33, 3}})
        for (float width : {300.f, 612.f, 1400.f})
            expect_sound(block_figure({block, 0, 3, width}, measure_approximately),
                         std::to_string(block.x) + " at " + std::to_string(int(width)));
}

LaneFigureInput lane_input(const Example& made, int lane, float width) {
    LaneFigureInput input;
    input.block = &made.block;
    input.report = &made.report;
    input.lane = lane;
    input.block_y = 8;
    input.width = width;
    return input;
}

TEST(LaneFigure, ShowsTheNumbersAndTheBytes) {
    Example made = example({.offset = [](uint64_t lane) { return 0x4000 + lane * 4096; }});
    LaneFigureInput input = lane_input(made, 9, 600);
    input.expression = "in[row * cols + col]";
    input.numbers = "in[9 * 1024 + 4096]";
    Drawing drawing = lane_figure(input, measure_approximately);
    EXPECT_TRUE(says(drawing, "Lane 9 of warp 1 is thread (9, 1)."));
    EXPECT_TRUE(says(drawing, "= in[9 * 1024 + 4096]"));
    EXPECT_TRUE(says(drawing, "Loads 4 bytes from in + 0xd000: element 13,312"));
    EXPECT_TRUE(says(drawing, "for all lanes of the access: 128 bytes"));
    EXPECT_TRUE(says(drawing, "wasted: 896 bytes"));  // 32 sectors, 28 bytes of each
    EXPECT_FALSE(says(drawing, "before"));
}

TEST(LaneFigure, SaysWhichSectorsTheBlockAskedForBefore) {
    Example made = example({.offset = [](uint64_t lane) { return lane * 4096; }});
    made.block.accesses.push_back(made.block.accesses[0]);
    LaneFigureInput input = lane_input(made, 3, 600);
    input.access = 1;
    Drawing drawing = lane_figure(input, measure_approximately);
    EXPECT_TRUE(says(drawing, "asked for 1× before"));
    EXPECT_TRUE(says(drawing, "of sectors that this block asked for before: 1,024 bytes"));
}

TEST(LaneFigure, ShowsTheBankAndTheWavefront) {
    NamedBanks named = tile_example(32, 0, 4, true);
    Example made = example(named.access);
    Drawing drawing = lane_figure(lane_input(made, 5, 600), measure_approximately);
    EXPECT_TRUE(says(drawing, "Word 160 lies in bank 0. It is served in wavefront 6 of 32"));
}

TEST(LaneFigure, IsSoundForEveryAccess) {
    for (float width : {300.f, 612.f, 1400.f})
        for (int lane : {0, 17, 31}) {
            for (const NamedWarp& named : warp_examples()) {
                Example made = example(named.access);
                expect_sound(lane_figure(lane_input(made, lane, width), measure_approximately),
                             named.name);
            }
            for (const NamedBanks& named : bank_examples()) {
                Example made = example(named.access);
                expect_sound(lane_figure(lane_input(made, lane, width), measure_approximately),
                             named.name);
            }
        }
    expect_sound(lane_figure({}, measure_approximately), "nothing");
}

}  // namespace
}  // namespace lanewise
