// The heat map of a sweep: shares, the missing setting, the best one.
#include "figure/sweep_figure.h"

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

TEST(Sweep, SaysThatThereIsNone) {
    Drawing drawing = sweep_figure({}, measure_approximately);
    EXPECT_EQ(1u, texts(drawing, "No sweep was measured at this shape."));
}

}  // namespace
}  // namespace lanewise
