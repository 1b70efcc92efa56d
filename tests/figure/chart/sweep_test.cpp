// The heat map of a sweep: shares, the missing setting, the best one.
#include "figure/chart/sweep_figure.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanewise {
namespace {

SweepFigureInput sweep() {
    SweepFigureInput input;
    input.cells = {{16, 4, 1000, "a", "set:1"},
                   {32, 4, 3000, "b", "set:2"},
                   {32, 8, 2000, "c", "set:3"}};  // 16, 8 is not there
    input.copy_gb_per_s = 4000;
    input.caption = "Recorded on a card";
    return input;
}

size_t texts(const Drawing& drawing, const std::string& words) {
    return static_cast<size_t>(
        std::count_if(drawing.shapes.begin(), drawing.shapes.end(), [&](const Shape& shape) {
            return shape.kind == Shape::Kind::text && shape.text == words;
        }));
}

TEST(Sweep, SaysSharesOfTheCopy) {
    Drawing drawing = sweep_figure(sweep(), measure_approximately);
    for (const char* share : {"25", "75", "50"}) EXPECT_EQ(1u, texts(drawing, share)) << share;
    EXPECT_EQ(3u, drawing.hits.size());  // nothing to point at where nothing was measured
    SweepFigureInput alone = sweep();
    alone.copy_gb_per_s = 0;
    drawing = sweep_figure(alone, measure_approximately);
    for (const char* share : {"33", "100", "67"}) EXPECT_EQ(1u, texts(drawing, share)) << share;
}

TEST(Sweep, OutlinesTheFastestAlone) {
    Drawing drawing = sweep_figure(sweep(), measure_approximately);
    auto outlined =
        std::count_if(drawing.shapes.begin(), drawing.shapes.end(), [](const Shape& shape) {
            return shape.kind == Shape::Kind::rect && shape.stroke.kind == Fill::Kind::ink &&
                   shape.stroke.ink == Ink::good;
        });
    EXPECT_EQ(1, outlined);
}

TEST(Sweep, FitsItsWidth) {
    for (float width : {240.0f, 450.0f, 900.0f}) {
        SweepFigureInput input = sweep();
        input.width = width;
        Drawing drawing = sweep_figure(input, measure_approximately);
        EXPECT_EQ(std::vector<std::string>(), cut_texts(drawing, measure_approximately)) << width;
    }
}

// 32, 8 twice: without padding a quarter as fast.
TEST(Sweep, AThirdKnobMakesAMapForEachOfItsValues) {
    SweepFigureInput input = sweep();
    for (SweepCell& cell : input.cells) cell.map = 1;
    input.cells.push_back({32, 8, 500, "d", "set:4", 0});
    input.map = "PAD";
    for (float width : {240.0f, 419.0f, 420.0f, 900.0f}) {
        input.width = width;
        Drawing drawing = sweep_figure(input, measure_approximately);
        EXPECT_EQ(1u, texts(drawing, "PAD = 0"));
        EXPECT_EQ(1u, texts(drawing, "PAD = 1"));
        EXPECT_EQ(1u, texts(drawing, "50"));  // 2,000 of 4,000
        EXPECT_EQ(1u, texts(drawing, "12"));  // 500 of them: of the same copy
        EXPECT_EQ(4u, drawing.hits.size());
        EXPECT_EQ(std::vector<std::string>(), cut_texts(drawing, measure_approximately)) << width;
        ASSERT_EQ("d", drawing.hits[0].tooltip);  // PAD = 0 comes first
        bool side_by_side = width >= 420;         // 200 for each, and 20 between them
        EXPECT_EQ(side_by_side, drawing.hits[0].box.x < drawing.hits[1].box.x - 100) << width;
    }
}

TEST(Sweep, RoomMakesCellsHigherUpToALimit) {
    SweepFigureInput input = sweep();
    float least = sweep_figure(input, measure_approximately).height;
    input.height = 10000;
    EXPECT_FLOAT_EQ(least + 2 * (64 - 30), sweep_figure(input, measure_approximately).height);
}

TEST(Sweep, SaysThatThereIsNone) {
    Drawing drawing = sweep_figure({}, measure_approximately);
    EXPECT_EQ(1u, texts(drawing, "No sweep was measured at this shape."));
}

}  // namespace
}  // namespace lanewise
