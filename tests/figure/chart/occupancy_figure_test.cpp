#include "figure/chart/occupancy_figure.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanewise {
namespace {

// Six blocks of 8 warps and 10,240 registers on an sm_90.
OccupancyFigureInput six_blocks(float width) {
    OccupancyFigureInput input;
    input.bars = {{"warps", 8, 64, false, "48 of 64", "8 warps a block"},
                  {"blocks", 1, 32, false, "6 of 32", ""},
                  {"registers", 10'240, 65'536, true, "61,440 of 65,536", "full first"}};
    input.blocks = 6;
    input.caption = "6 blocks, 48 warps of 64 (75 %)";
    input.width = width;
    return input;
}

std::vector<Box> boxes(const Drawing& drawing, Ink ink) {
    std::vector<Box> found;
    for (const Shape& shape : drawing.shapes)
        if (shape.kind == Shape::Kind::rect && shape.fill.ink == ink && shape.box.h == 14)
            found.push_back(shape.box);
    return found;
}

TEST(OccupancyFigure, FitsEveryWidth) {
    for (float width : {360.f, 500.f, 560.f, 900.f, 1400.f}) {
        Drawing drawing = occupancy_figure(six_blocks(width), measure_approximately);
        EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately)) << width;
        EXPECT_FLOAT_EQ(width, drawing.width);
        EXPECT_EQ(3u, drawing.hits.size());
        for (const Shape& shape : drawing.shapes) EXPECT_LE(shape.box.x + shape.box.w, width);
    }
}

// 6 boxes a row; those of the warps take 48 / 64 of the bar, those of the registers 61,440 /
// 65,536, and only there what is left, 4,096, is hatched: 1 / 16 of the bar.
TEST(OccupancyFigure, DrawsABoxPerBlockToScale) {
    Drawing drawing = occupancy_figure(six_blocks(900), measure_approximately);
    std::vector<Box> plain = boxes(drawing, Ink::model), full = boxes(drawing, Ink::warn),
                     rest = boxes(drawing, Ink::wasted);
    ASSERT_EQ(12u, plain.size());
    ASSERT_EQ(6u, full.size());
    ASSERT_EQ(1u, rest.size());
    float bar = rest[0].w * 16, left = plain[0].x;
    EXPECT_NEAR(left + bar * 5 * 8 / 64, plain[5].x, 0.01);
    EXPECT_NEAR(left + bar * 5 * 10'240 / 65'536, full[5].x, 0.01);
    EXPECT_NEAR(left + bar * 61'440 / 65'536, rest[0].x, 0.01);
}

TEST(OccupancyFigure, IsWordsWithoutLimits) {
    Drawing drawing = occupancy_figure({}, measure_approximately);
    EXPECT_TRUE(std::any_of(drawing.shapes.begin(), drawing.shapes.end(), [](const Shape& s) {
        return s.text == "The card's limits are not known.";
    }));
}

}  // namespace
}  // namespace lanewise
