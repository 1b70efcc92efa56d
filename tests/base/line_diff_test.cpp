// Expected values worked by hand.
#include "base/line_diff.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

// "=a -b +c": each line with its kind.
std::string in_short(const std::vector<DiffLine>& lines) {
    std::string text;
    for (const DiffLine& line : lines) {
        if (!text.empty()) text += ' ';
        text += "=-+"[static_cast<int>(line.kind)] + line.text;
    }
    return text;
}

TEST(LineDiff, EqualTextsHaveNoChange) {
    EXPECT_EQ("=a =b", in_short(line_diff("a\nb\n", "a\nb\n")));
    EXPECT_TRUE(line_diff("", "").empty());
}

TEST(LineDiff, ALineChangedIsRemovedThenAdded) {
    EXPECT_EQ("=a -b +x =c", in_short(line_diff("a\nb\nc\n", "a\nx\nc\n")));
}

TEST(LineDiff, EndsAreFound) {
    EXPECT_EQ("+x =a =b", in_short(line_diff("a\nb\n", "x\na\nb\n")));
    EXPECT_EQ("=a =b -c", in_short(line_diff("a\nb\nc\n", "a\nb\n")));
    EXPECT_EQ("-a -b", in_short(line_diff("a\nb\n", "")));
    EXPECT_EQ("+a", in_short(line_diff("", "a\n")));
}

// Repeated lines: the common head and tail may not overlap.
TEST(LineDiff, RepeatedLinesCountOnce) {
    EXPECT_EQ("=a =a +a", in_short(line_diff("a\na\n", "a\na\na\n")));
    EXPECT_EQ("=a -a", in_short(line_diff("a\na\n", "a\n")));
}

TEST(LineDiff, TheFewestLinesChange) {
    EXPECT_EQ("-a =b =c +d =e", in_short(line_diff("a\nb\nc\ne\n", "b\nc\nd\ne\n")));
}

TEST(LineDiff, NumbersAreThoseOfEachText) {
    std::vector<DiffLine> lines = line_diff("a\nb\nc\n", "a\nc\n");
    ASSERT_EQ(3u, lines.size());
    EXPECT_EQ((DiffLine{DiffLine::Kind::same, 1, 1, "a"}), lines[0]);
    EXPECT_EQ((DiffLine{DiffLine::Kind::removed, 2, 0, "b"}), lines[1]);
    EXPECT_EQ((DiffLine{DiffLine::Kind::same, 3, 2, "c"}), lines[2]);
}

TEST(LineDiff, TextsOfManyLinesAreBounded) {
    std::string one, other;
    for (int i = 0; i < 20'000; ++i) {
        one += "a" + std::to_string(i) + "\n";
        other += "b" + std::to_string(i) + "\n";
    }
    EXPECT_EQ(40'000u, line_diff(one, other).size());
}

}  // namespace
}  // namespace lanewise
