// Published beside ours: where both lie, what is said of those that cannot be placed.
#include <gtest/gtest.h>

#include <algorithm>

#include "figure/chart/pairs_figure.h"

namespace lanewise {
namespace {

PairsFigureInput three_pairs(float width) {
    PairsFigureInput input;
    input.caption = "Recorded on NVIDIA Test";
    input.axis = "% of the card's datasheet";
    input.unit = " %";
    input.mark = 100;
    input.mark_words = "datasheet";
    input.rows = {
        {"Padded tile", "NVIDIA A100", 80, 60, "1,710 GB/s", "3,185 GB/s", false, "both",
         "stage:a"},
        {"Float4, turned while loading", "NVIDIA RTX", 120, 40, "1,800 GB/s", "2,000 GB/s", true,
         "a quarter is moved", ""},
        {"Naive", "a card that is not named", 0, 10, "42 GB/s", "524 GB/s", false, "no card", ""}};
    input.nothing = "Nobody published anything.";
    input.width = width;
    return input;
}

size_t diamonds(const Drawing& drawing) {
    return static_cast<size_t>(
        std::count_if(drawing.shapes.begin(), drawing.shapes.end(), [](const Shape& shape) {
            return shape.kind == Shape::Kind::polygon && shape.fill.ink == Ink::published;
        }));
}

}  // namespace

TEST(PairsFigure, IsSoundAtEveryWidth) {
    for (float width : {360.0f, 639.0f, 640.0f, 900.0f, 1600.0f}) {
        Drawing drawing = pairs_figure(three_pairs(width), measure_approximately);
        EXPECT_FLOAT_EQ(width, drawing.width);
        EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately)) << width;
        for (const Shape& shape : drawing.shapes)
            for (Point p : shape.points) {
                EXPECT_TRUE(p.x >= 0 && p.x <= width) << p.x;
                EXPECT_TRUE(p.y >= 0 && p.y <= drawing.height) << p.y;
            }
        EXPECT_EQ(4u, drawing.hits.size());  // the datasheet's line, and three rows
    }
}

TEST(PairsFigure, PlacesBothOnOneAxis) {
    Drawing drawing = pairs_figure(three_pairs(900), measure_approximately);
    EXPECT_EQ(2u, diamonds(drawing));  // the third's share is not known
    std::vector<float> dots, tips;
    for (const Shape& shape : drawing.shapes) {
        if (shape.kind == Shape::Kind::rect && shape.fill.ink == Ink::recorded && shape.radius == 5)
            dots.push_back(shape.box.x + 5);
        if (shape.kind == Shape::Kind::polygon && shape.fill.ink == Ink::published)
            tips.push_back(shape.points[1].x);
    }
    ASSERT_EQ(3u, dots.size());
    ASSERT_EQ(2u, tips.size());
    float per_percent = (dots[0] - dots[1]) / 20;  // 60 and 40
    EXPECT_GT(per_percent, 0);
    EXPECT_NEAR(20 * per_percent, tips[0] - dots[0], 0.01);  // 80 against 60
    EXPECT_NEAR(80 * per_percent, tips[1] - dots[1], 0.01);  // 120 against 40
    EXPECT_NEAR(50 * per_percent, dots[0] - dots[2], 0.01);
}

TEST(PairsFigure, NamesWholeWhatFits) {
    PairsFigureInput input = three_pairs(900);
    input.rows[0].of = std::string(75, 'x');  // more than a third of the width
    auto says_whole = [&] {
        Drawing drawing = pairs_figure(input, measure_approximately);
        return std::any_of(drawing.shapes.begin(), drawing.shapes.end(),
                           [&](const Shape& shape) { return shape.text == input.rows[0].of; });
    };
    EXPECT_TRUE(says_whole());
    input.rows[0].of = std::string(500, 'x');
    EXPECT_FALSE(says_whole());
}

TEST(PairsFigure, ANarrowOneNamesItsAxisInItsFirstLine) {
    PairsFigureInput input = three_pairs(500);
    EXPECT_EQ("Recorded on NVIDIA Test. Axis: % of the card's datasheet",
              pairs_figure(input, measure_approximately).shapes.at(0).text);
    input.caption.clear();
    EXPECT_EQ("Axis: % of the card's datasheet",
              pairs_figure(input, measure_approximately).shapes.at(0).text);
}

TEST(PairsFigure, WithoutRowsItSaysSo) {
    PairsFigureInput input = three_pairs(500);
    input.rows.clear();
    Drawing drawing = pairs_figure(input, measure_approximately);
    ASSERT_EQ(1u, drawing.shapes.size());
    EXPECT_EQ("Nobody published anything.", drawing.shapes[0].text);
}

}  // namespace lanewise
