// Widths without a font, and what counts as cut.
#include <gtest/gtest.h>

#include "figure/drawing/drawing.h"

namespace lanewise {

// Advances from the fonts' own hmtx tables: Inter Regular 'i' 238, 'W' 949, digits' widest 643;
// JetBrains Mono 600 each (1/1000 em, rounded up).
TEST(MeasureApproximately, IsNeverNarrowerThanTheFonts) {
    EXPECT_NEAR(measure_approximately("iW", 10, Font::text), 2.38 + 9.49, 1e-4);
    EXPECT_NEAR(measure_approximately("4", 10, Font::text), 6.43, 1e-4);
    EXPECT_NEAR(measure_approximately("iW", 10, Font::mono), 12, 1e-4);
    EXPECT_NEAR(measure_approximately("W", 10, Font::bold), 10.36, 1e-4);
}

TEST(MeasureApproximately, CountsCharactersNotBytes) {
    EXPECT_FLOAT_EQ(measure_approximately("…", 10, Font::mono), 6);
    EXPECT_FLOAT_EQ(measure_approximately("…", 10, Font::text), 10);
}

static std::vector<std::string> cut(Box box, const std::string& text) {
    Drawing drawing;
    drawing.width = 100;
    drawing.height = 100;
    drawing.text(box, text, 10, Fill::of(Ink::text), Align::left, Font::mono);
    return cut_texts(drawing, measure_approximately);
}

TEST(CutTexts, WantsWidthHeightAndTheDrawingsEdges) {
    EXPECT_TRUE(cut({0, 0, 24, 10}, "abcd").empty());
    EXPECT_EQ(cut({0, 0, 23, 10}, "abcd"), std::vector<std::string>{"abcd"});  // 4 x 6 = 24 wide
    EXPECT_EQ(cut({0, 0, 24, 9}, "abcd").size(), 1u);
    EXPECT_EQ(cut({80, 0, 24, 10}, "abcd").size(), 1u);
    EXPECT_EQ(cut({0, -1, 24, 10}, "abcd").size(), 1u);
    EXPECT_TRUE(cut({0, 0, 0, 0}, "").empty());
}

TEST(Drawing, AddMovesShapesPointsAndHits) {
    Drawing small, large;
    small.rect({1, 2, 3, 4}, Fill::of(Ink::text));
    small.line({0, 0}, {5, 5}, Fill::of(Ink::text));
    small.hit({1, 1, 1, 1}, "here", "lane:1");
    large.add(small, {10, 20});
    EXPECT_FLOAT_EQ(large.shapes[0].box.x, 11);
    EXPECT_FLOAT_EQ(large.shapes[0].box.y, 22);
    EXPECT_FLOAT_EQ(large.shapes[1].points[1].y, 25);
    EXPECT_TRUE(large.hits[0].box.contains({11.5f, 21.5f}));
    EXPECT_EQ(large.hits[0].action, "lane:1");
}

TEST(Drawing, FramedAddsTheMarginOnEverySide) {
    Drawing drawing;
    drawing.width = 30;
    drawing.height = 20;
    Drawing whole = framed(drawing, 5);
    EXPECT_FLOAT_EQ(whole.width, 40);
    EXPECT_FLOAT_EQ(whole.height, 30);
    EXPECT_FLOAT_EQ(whole.shapes[0].box.w, 40);
}

}  // namespace lanewise
