#include <gtest/gtest.h>

#include "../drawn.h"
#include "figure/drawing/figures.h"

namespace lanewise {
namespace {

WaterfallFigureInput three_steps(float width) {
    WaterfallFigureInput input;
    input.peak_name = "datasheet";
    input.peak_gb_per_s = 4800;
    input.steps = {{"what a copy reaches", 4200, "reads and writes take turns"},
                   {"shared-memory wavefronts of a tile without padding", 2100, ""},
                   {"launch", 2100, ""}};
    input.measured_gb_per_s = 2000;
    input.caption = "Modelled for NVIDIA H200, 8192 x 8192 f32";
    input.width = width;
    return input;
}

TEST(WaterfallFigure, FitsEveryWidth) {
    for (float width : {360.f, 500.f, 560.f, 900.f, 1400.f}) {
        Drawing drawing = waterfall_figure(three_steps(width), measure_approximately);
        EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately)) << width;
        EXPECT_FLOAT_EQ(width, drawing.width);
        for (const Shape& shape : drawing.shapes)
            for (Point p : shape.points) {
                EXPECT_GE(p.x, 0) << width;
                EXPECT_LE(p.x, width);
            }
        EXPECT_EQ(4u, drawing.hits.size());
    }
}

TEST(WaterfallFigure, SaysWhatEachStepTakesAway) {
    Drawing drawing = waterfall_figure(three_steps(900), measure_approximately);
    for (const char* words : {"4,800", "4,200", "-600", "2,100", "-2,100",
                              "measured, 2,000 GB/s; the model is 5 % above"})
        EXPECT_TRUE(says(drawing, words)) << words;
    EXPECT_EQ("what a copy reaches: reads and writes take turns", drawing.hits[1].tooltip);
}

// Three rows lose something or nothing; the bars' ends stand as the rates do.
TEST(WaterfallFigure, DrawsBarsToScale) {
    Drawing drawing = waterfall_figure(three_steps(900), measure_approximately);
    std::vector<Box> bars;
    for (const Shape& shape : drawing.shapes)
        if (shape.kind == Shape::Kind::rect && shape.fill.ink == Ink::model && shape.box.h == 14)
            bars.push_back(shape.box);
    ASSERT_EQ(4u, bars.size());
    EXPECT_NEAR(4200.f / 4800, bars[1].w / bars[0].w, 1e-4);
    EXPECT_NEAR(0.5f, bars[2].w / bars[1].w, 1e-4);
    EXPECT_FLOAT_EQ(bars[2].w, bars[3].w);
}

TEST(WaterfallFigure, IsWordsWithoutAModel) {
    EXPECT_TRUE(says(waterfall_figure({}, measure_approximately), "There is no model."));
}

}  // namespace
}  // namespace lanewise
