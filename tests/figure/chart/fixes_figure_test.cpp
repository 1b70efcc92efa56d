// What was tried as rows: how long each is, what it says, and which is no choice.
#include "figure/chart/fixes_figure.h"

#include <gtest/gtest.h>

#include "../drawn.h"

namespace lanewise {
namespace {

FixesFigureInput tried() {
    FixesFigureInput input;
    input.rows = {{"PAD = 1", "", 10, true},
                  {"Its loop is unrolled", "", 40, false},
                  {"ROWS = 4", "", 50, false},
                  {"TILE = 64", "its result is wrong", 0, false},
                  {"TILE = 16", "its result is wrong", 0, false}};
    input.before_us = 40;
    input.card = "NVIDIA H200";
    input.width = 418;  // of which a row has 400 for its bar
    return input;
}

// The slowest takes 50 us and 400 points: 8 points a microsecond.
TEST(FixesFigure, ABarIsAsLongAsTheChangedLaunchTakes) {
    const Drawing drawing = fixes_figure(tried(), measure_approximately);
    std::vector<float> good, outlined;
    for (const Shape& s : drawing.shapes) {
        if (s.kind != Shape::Kind::rect || s.box.h != 12) continue;
        if (s.fill.kind == Fill::Kind::ink && s.fill.ink == Ink::good) good.push_back(s.box.w);
        if (s.stroke.kind == Fill::Kind::ink && s.stroke.ink == Ink::good)
            outlined.push_back(s.box.w);
    }
    EXPECT_EQ((std::vector<float>{80}), good);
    EXPECT_EQ((std::vector<float>{240}), outlined);  // what it saves of the 320 of before
    for (const char* words :
         {"PAD = 1 is fastest: 10.0 µs instead of 40.0 µs.", "As it is", "40.0 µs",
          "10.0 µs  -75 %", "40.0 µs  the same", "50.0 µs  +25 %"})
        EXPECT_TRUE(has_text(drawing, words)) << words;
}

TEST(FixesFigure, ARowIsPressedUnlessItIsNoChoice) {
    const Drawing drawing = fixes_figure(tried(), measure_approximately);
    std::vector<std::string> actions;
    for (const auto& hit : drawing.hits) actions.push_back(hit.action);
    EXPECT_EQ((std::vector<std::string>{"", "fix:0", "fix:1", "fix:2"}), actions);
    std::string said;
    for (const Shape& s : drawing.shapes) said += s.text + " ";
    EXPECT_NE(std::string::npos, said.find("Left out, as its result is wrong: TILE = 64; TILE"))
        << said;
}

TEST(FixesFigure, SaysWhereNothingHelps) {
    FixesFigureInput input = tried();
    input.rows = {{"Its loop is unrolled", "", 40, false}};
    EXPECT_TRUE(has_text(fixes_figure(input, measure_approximately), "Nothing that was tried is faster."));
    input.rows.clear();
    EXPECT_TRUE(has_text(fixes_figure(input, measure_approximately), "There is nothing to try here."));
    input.before_us = 0;
    EXPECT_FALSE(fixes_figure(input, measure_approximately).shapes.empty());
}

TEST(FixesFigure, IsSoundAtEveryWidth) {
    FixesFigureInput input = tried();
    input.rows[0].title = "Each row of a_tile_with_a_long_name is one element longer";
    for (float width : {260.f, 420.f, 1000.f}) {
        input.width = width;
        EXPECT_EQ(std::vector<std::string>{},
                  cut_texts(fixes_figure(input, measure_approximately), measure_approximately));
    }
}

}  // namespace
}  // namespace lanewise
