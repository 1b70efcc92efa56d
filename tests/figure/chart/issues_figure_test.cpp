// Issues as cards: what each says, how long its bar is, and which is framed.
#include "figure/chart/issues_figure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../drawn.h"

namespace lanewise {
namespace {

IssuesFigureInput two_issues() {
    IssuesFigureInput input;
    input.rows = {{"32-way bank conflict", 18, 30, 10, "Pad the row by one word."},
                  {"Warps wait at barriers", 0, 4, 36, ""}};
    input.time_us = 40;
    input.card = "NVIDIA H200";
    input.width = 422;  // of which a card has 400 for its bar
    return input;
}

std::vector<float> widths(const Drawing& drawing, Ink ink) {
    std::vector<float> found;
    for (const Shape& s : drawing.shapes)
        if (s.kind == Shape::Kind::rect && s.fill.kind == Fill::Kind::ink && s.fill.ink == ink)
            found.push_back(s.box.w);
    return found;
}

// 30 and 4 of 40 us: three quarters and a tenth of 400 points.
TEST(IssuesFigure, ABarIsWhatAnIssueAddsToTheLaunch) {
    Drawing drawing = issues_figure(two_issues(), measure_approximately);
    EXPECT_EQ((std::vector<float>{300, 40}), widths(drawing, Ink::warn));
    EXPECT_EQ((std::vector<float>{100, 360}), widths(drawing, Ink::useful));
    for (const char* words : {"32-way bank conflict", "line 18", "+30.0 µs", "10.0 µs without it", "+4.00 µs",
                              "Pad the row by one word.", "the whole kernel"})
        EXPECT_TRUE(has_text(drawing, words)) << words;
    ASSERT_EQ(2u, drawing.hits.size());
    EXPECT_EQ("line:18", drawing.hits[0].action);
    EXPECT_EQ("", drawing.hits[1].action);
    EXPECT_LT(drawing.hits[0].box.y + drawing.hits[0].box.h, drawing.hits[1].box.y);
}

TEST(IssuesFigure, TheChosenLineIsFramed) {
    IssuesFigureInput input = two_issues();
    auto framed = [&] {
        Drawing drawing = issues_figure(input, measure_approximately);
        return std::count_if(drawing.shapes.begin(), drawing.shapes.end(), [](const Shape& s) {
            return s.stroke.kind == Fill::Kind::ink && s.stroke.ink == Ink::accent;
        });
    };
    EXPECT_EQ(0, framed());
    input.line = 18;
    EXPECT_EQ(1, framed());
}

TEST(IssuesFigure, SaysThatThereIsNothing) {
    IssuesFigureInput input = two_issues();
    input.rows.clear();
    EXPECT_TRUE(has_text(issues_figure(input, measure_approximately),
                         "The model finds nothing that this kernel loses."));
    EXPECT_FALSE(issues_figure({}, measure_approximately).shapes.empty());
    EXPECT_EQ("0.35 µs", in_microseconds(0.35));
    EXPECT_EQ("41.2 µs", in_microseconds(41.24));
    EXPECT_EQ("1234 µs", in_microseconds(1234.4));
}

// What the work itself needs is a card, too, but not what is lost, and not what the heading is about.
TEST(IssuesFigure, WhatTheWorkNeedsIsNotLost) {
    IssuesFigureInput input = two_issues();
    input.rows[0].avoidable = false;
    Drawing drawing = issues_figure(input, measure_approximately);
    EXPECT_EQ((std::vector<float>{40}), widths(drawing, Ink::warn));
    input.width = 2000;  // a line each
    EXPECT_TRUE(has_text(issues_figure(input, measure_approximately),
                         "4.00 µs of 40.0 µs would be saved without the costliest issue."));
    input.rows[1].avoidable = false;
    EXPECT_TRUE(has_text(issues_figure(input, measure_approximately),
                         "The model finds nothing that this kernel loses."));
}

TEST(IssuesFigure, SaysTheRangeAndWhatIsLeft) {
    IssuesFigureInput input = two_issues();
    input.width = 2000;
    input.low_us = 30;
    input.high_us = 55.5;
    input.about = "Limited by latency.";
    input.below = {"6.00 µs are left."};
    Drawing drawing = issues_figure(input, measure_approximately);
    EXPECT_TRUE(has_text(drawing,
                         "40.0 µs in all, between 30.0 µs and 55.5 µs, as the model has it for NVIDIA "
                         "H200. Limited by latency."));
    EXPECT_TRUE(has_text(drawing, "6.00 µs are left."));
    input.instead = "The model of time does not know wgmma.";
    drawing = issues_figure(input, measure_approximately);
    EXPECT_TRUE(has_text(drawing, input.instead));
    EXPECT_FALSE(has_text(drawing, "6.00 µs are left."));
}

TEST(IssuesFigure, IsSoundAtEveryWidth) {
    IssuesFigureInput input = two_issues();
    input.low_us = 30, input.high_us = 50;
    input.about = "Limited by atomics on few words. The range comes from 51 measured launches.";
    input.below = {"Without all of them at once, 6.00 µs are left, and nobody knows why these are."};
    input.rows[0].title = "Blocks walk the memory in short runs and in an order that nobody chose";
    for (float width : {260.f, 420.f, 1000.f}) {
        input.width = width;
        Drawing drawing = issues_figure(input, measure_approximately);
        EXPECT_EQ(cut_texts(drawing, measure_approximately), std::vector<std::string>{});
    }
}

}  // namespace
}  // namespace lanewise
