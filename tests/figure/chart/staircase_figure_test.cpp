// The staircase at every width: nothing is cut, everything lies inside, higher is dearer.
#include <gtest/gtest.h>

#include "../drawn.h"
#include "figure/drawing/figures.h"

namespace lanewise {
namespace {

StaircaseFigureInput stairs(float width) {
    StaircaseFigureInput input;
    for (int n = 1; n <= 32; ++n)
        input.points.push_back(
            {double(n), 23.0 + 2 * n, 22.0 + 2 * n, 25.0 + 2 * n, 4, false, false, 0, "made up"});
    input.points.push_back({32, 88, 87, 90, 4, false, true, 28, "line 28: ld.shared.f32"});
    input.lines = {{4, false, 23, 2, "4-byte loads", "4-byte loads: 25.0 cycles, 2.00 of them"},
                   {16, true, 40, 3, "16-byte stores", "16-byte stores: 52.0 cycles"}};
    input.caption = "Recorded on NVIDIA H200, 2026-11-21: one warp, each access waiting.";
    input.width = width;
    return input;
}

}  // namespace

TEST(StaircaseFigure, IsSoundAtEveryWidth) {
    for (float width : {360.0f, 500.0f, 900.0f, 1400.0f}) {
        Drawing drawing = staircase_figure(stairs(width), measure_approximately);
        EXPECT_FLOAT_EQ(width, drawing.width);
        EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately));
        for (const Shape& shape : drawing.shapes) {
            if (shape.points.empty()) {
                EXPECT_TRUE(inside(drawing, shape.box)) << shape.text;
            }
            for (Point p : shape.points)
                EXPECT_TRUE(inside(drawing, {p.x, p.y, 0, 0})) << p.x << " " << p.y;
        }
        for (const HitBox& hit : drawing.hits) EXPECT_TRUE(inside(drawing, hit.box));
    }
}

TEST(StaircaseFigure, RisesToTheRightAndNamesTheStagesLine) {
    Drawing drawing = staircase_figure(stairs(560), measure_approximately);
    ASSERT_EQ(33u, drawing.hits.size());
    for (size_t i = 1; i < 32; ++i) {
        EXPECT_GT(drawing.hits[i].box.x, drawing.hits[i - 1].box.x);
        EXPECT_LT(drawing.hits[i].box.y, drawing.hits[i - 1].box.y);
    }
    EXPECT_EQ("line:28", drawing.hits[32].action);  // on top of the others
    EXPECT_EQ("", drawing.hits[0].action);
}

TEST(StaircaseFigure, WithoutStepsItSaysSo) {
    Drawing drawing = staircase_figure({}, measure_approximately);
    ASSERT_EQ(1u, drawing.shapes.size());
    EXPECT_EQ("No staircase was taken.", drawing.shapes[0].text);
    StaircaseFigureInput flat = stairs(400);
    for (StaircasePoint& point : flat.points) point.cycles = point.low = point.high = 30;
    EXPECT_EQ(33u, staircase_figure(flat, measure_approximately).hits.size());
}

}  // namespace lanewise
