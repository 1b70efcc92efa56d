// A drawing as SVG text.
#include "figure/drawing/svg.h"

#include <gtest/gtest.h>

#include "../../has.h"

namespace lanewise {

static Drawing sample() {
    Drawing drawing;
    drawing.width = 40;
    drawing.height = 20;
    drawing.rect({1, 2, 3.5f, 4}, Fill::of(Ink::background, 0.5f), Fill::bank(3), 2).dashed = true;
    drawing.text({0, 0, 40, 10}, "a < b & c", 10, Fill::of(Ink::text), Align::right, Font::mono);
    drawing.hit({0, 0, 5, 5}, "say \"this\"", "lane:1");
    return drawing;
}

TEST(Svg, EscapesTextAndTooltips) {
    std::string text = svg(sample(), palette("light"), "A <title>");
    EXPECT_TRUE(has(text, ">a &lt; b &amp; c</text>"));
    EXPECT_TRUE(has(text, "<title>say &quot;this&quot;</title>"));
    EXPECT_TRUE(has(text, "aria-label=\"A &lt;title&gt;\""));
    EXPECT_EQ(escaped(std::string("a\x01") + "b"), "ab");
}

TEST(Svg, WritesFillStrokeAndDashes) {
    std::string text = svg(sample(), palette("light"), "t");
    EXPECT_TRUE(has(text,
                    "<rect x=\"1\" y=\"2\" width=\"3.5\" height=\"4\" rx=\"2\" "
                    "style=\"fill:#ffffff;stroke:#"))
        << text;
    EXPECT_TRUE(has(text, " fill-opacity=\"0.5\" stroke-dasharray=\"4 3\"/>"));
}

TEST(Svg, AlignsAtTheBoxesEdge) {
    // Baseline: the box's middle, 5, plus 0.36 of the size.
    std::string text = svg(sample(), palette("light"), "t");
    EXPECT_TRUE(has(text, "<text x=\"40\" y=\"8.6\" class=\"m\" style=\"fill:#")) << text;
    EXPECT_TRUE(has(text, " font-size=\"10\" text-anchor=\"end\">"));
}

TEST(Svg, NamesTheFontsWithFallbacks) {
    std::string text = svg(sample(), palette("light"), "t");
    EXPECT_TRUE(has(text, ".m{font-family:'JetBrains Mono','DejaVu Sans Mono',monospace}"));
    EXPECT_TRUE(has(text, "font-family:Inter,'DejaVu Sans',sans-serif"));
}

TEST(Svg, OnAPageColoursAreVariablesThatTheStyleDefines) {
    std::string page = svg_for_page(sample(), "t"), css = css_variables(palette("light"));
    EXPECT_TRUE(has(page, "fill:var(--background)"));
    EXPECT_TRUE(has(page, "stroke:var(--bank-3)"));
    EXPECT_TRUE(has(css, "--background:#ffffff;"));
    EXPECT_TRUE(has(css, "--bank-3:#"));
    EXPECT_TRUE(has(css, "--padding:#"));
}

static Drawing forty_square() {
    Drawing drawing;
    drawing.width = drawing.height = 40;
    return drawing;
}

TEST(Svg, BoxesOfOneColourThatTouchAreOneShape) {
    Drawing drawing = forty_square();
    for (float y : {0.f, 10.f})
        for (float x : {0.f, 10.f, 25.f}) drawing.rect({x, y, 10, 10}, Fill::bank(3, 0.5f));
    std::string text = svg_for_page(drawing, "t");
    EXPECT_TRUE(has(text, "fill-opacity=\"0.5\" d=\"M0 0H20V20H0M25 0H35V20H25\"/>")) << text;
}

// A diagonal of a tile: each cell a step to the right of a stroke as wide as a row, in whole numbers.
TEST(Svg, CellsOfALatticeAreStrokesOfWholeSteps) {
    Drawing drawing = forty_square();
    drawing.width = drawing.height = 140;
    for (int i = 0; i < 8; ++i) {
        float step = 12.64f * static_cast<float>(i);
        drawing.rect({5 + step, 3 + step, 12.64f, 12.64f}, Fill::bank(3));
    }
    std::string text = svg_for_page(drawing, "t");
    EXPECT_TRUE(has(text, "transform=\"translate(5 9.32)scale(12.64 12.64)\"")) << text;
    EXPECT_TRUE(has(text, "d=\"M0 0H1M1 1H2M2 2H3M3 3H4M4 4H5M5 5H6M6 6H7M7 7H8\"")) << text;
}

TEST(Svg, LinesThatGoOnAreOneAndEachStartsAtTheNearerEnd) {
    Drawing drawing = forty_square();
    for (float x : {10.f, 20.5f})
        for (float y : {0.f, 15.f}) drawing.line({x, y}, {x, y + 15}, Fill::of(Ink::grid));
    std::string text = svg_for_page(drawing, "t");
    EXPECT_TRUE(has(text, "d=\"M10 0V30m10.5 0V0\"")) << text;
}

// The words of a bank in twelve wavefronts: 3.5 wide, so that the stroke's middle is at 11.75; from 0 to the
// last one's end, 11 * 8 + 6 = 94.
static Drawing twelve_boxes(float alpha) {
    Drawing drawing = forty_square();
    drawing.height = 100;
    for (int i = 0; i < 12; ++i)
        drawing.rect({10, 8 * static_cast<float>(i), 3.5f, 6}, Fill::bank(3, alpha));
    return drawing;
}

TEST(Svg, EqualBoxesAtEqualDistancesAreOneDashedStroke) {
    std::string text = svg_for_page(twelve_boxes(1), "t");
    EXPECT_TRUE(has(text, "style=\"fill:none;stroke:var(--bank-3)\" stroke-width=\"3.5\" "
                          "stroke-dasharray=\"6 2\" d=\"M11.75 0v94\"/>"))
        << text;
    EXPECT_EQ(text.find("<path"), text.rfind("<path"));
    // A stroke has an opacity of its own: what is pale stays filled.
    text = svg_for_page(twelve_boxes(0.5f), "t");
    EXPECT_TRUE(has(text, "fill-opacity=\"0.5\"") && !has(text, "stroke-dasharray")) << text;
}

TEST(Svg, WhatBreaksTheStepIsNoPartOfTheDashes) {
    Drawing drawing = twelve_boxes(1);
    drawing.shapes[11].box.y += 1;  // M10 89H13.5V95H10
    std::string text = svg_for_page(drawing, "t");
    EXPECT_TRUE(has(text, "stroke-dasharray=\"6 2\" d=\"M11.75 0v86\"/>")) << text;
    EXPECT_TRUE(has(text, "style=\"fill:var(--bank-3)\" d=\"M10 89h3.5v6H10\"/>")) << text;
}

TEST(Svg, EqualLinesAtEqualDistancesAreDashesOfTheirOwnWidth) {
    for (bool across : {false, true}) {
        Drawing drawing = forty_square();
        drawing.width = drawing.height = 200;
        for (int row = 0; row < 16; ++row)
            for (float beside : {3.f, 20.f}) {
                float begin = 11 * static_cast<float>(row);
                Point from{beside, begin}, to{beside, begin + 10};
                if (across) std::swap(from.x, from.y), std::swap(to.x, to.y);
                drawing.line(from, to, Fill::of(Ink::grid), 2);
            }
        std::string text = svg_for_page(drawing, "t");
        EXPECT_TRUE(has(text, across ? "stroke-width=\"2\" stroke-dasharray=\"10 1\" d=\"M0 3h175M0 20h175\"/>"
                                     : "stroke-width=\"2\" stroke-dasharray=\"10 1\" d=\"M3 0v175M20 0v175\"/>"))
            << text;
    }
}

TEST(Svg, AMinusPartsNumbersAndNoZeroLeads) {
    Drawing drawing = forty_square();
    drawing.polyline({{10, 20}, {13.26f, 19.66f}, {13.26f, 25}}, Fill::of(Ink::grid));
    std::string text = svg_for_page(drawing, "t");
    EXPECT_TRUE(has(text, "d=\"M10 20l3.3-.3V25\"")) << text;
}

// What lies over another shape is painted after it, whatever it looks like.
TEST(Svg, ShapesOfOneLookJoinOnlyWhereThePictureStaysTheSame) {
    Drawing drawing;
    drawing.width = drawing.height = 40;
    drawing.rect({0, 0, 10, 10}, Fill::bank(1));
    drawing.rect({5, 5, 10, 10}, Fill::bank(2));
    drawing.rect({8, 8, 10, 10}, Fill::bank(1));    // over the second: not with the first
    drawing.rect({30, 30, 10, 10}, Fill::bank(1));  // with the third
    std::string text = svg_for_page(drawing, "t");
    size_t first = text.find("--bank-1"), second = text.find("--bank-2");
    size_t third = text.find("--bank-1", first + 1);
    ASSERT_NE(std::string::npos, third);
    EXPECT_LT(first, second);
    EXPECT_LT(second, third);
    EXPECT_EQ(std::string::npos, text.find("--bank-1", third + 1));
}

// Each number lies on a cell of a colour of its own: cells first, then all numbers as one element.
TEST(Svg, LabelsOfManyCellsAreOneElement) {
    Drawing drawing = forty_square();
    for (int i = 0; i < 3; ++i) {
        Box box{static_cast<float>(10 * i), 0, 10, 10};
        drawing.rect(box, Fill::lane(i), Fill::none(), 2);
        drawing.text(box, std::to_string(i), 10, Fill::of(Ink::text));
    }
    std::string text = svg(drawing, palette("light"), "t");
    EXPECT_TRUE(has(text, "><tspan x=\"0\">0</tspan><tspan x=\"10\">1</tspan>")) << text;
    EXPECT_EQ(text.find("<text"), text.rfind("<text"));
}

// Drawn into one path, two such boxes would be as pale where they overlap as elsewhere.
TEST(Svg, PaleShapesThatOverlapStayTwo) {
    Drawing drawing = forty_square();
    for (float x : {0.f, 5.f}) drawing.rect({x, 0, 10, 10}, Fill::bank(3, 0.5f));
    std::string text = svg_for_page(drawing, "t");
    EXPECT_NE(text.find("<path"), text.rfind("<path")) << text;
}

// One rule a colour, whether it fills or outlines.
TEST(Svg, AFileNamesEachColourOnce) {
    Drawing drawing = forty_square();
    drawing.rect({0, 0, 9, 9}, Fill::bank(3), Fill::bank(3), 2);
    drawing.rect({10, 0, 9, 9}, Fill::none(), Fill::bank(3), 2);
    drawing.rect({20, 0, 9, 9}, Fill::bank(3), Fill::bank(4), 2);
    std::string text = svg_for_both_themes(drawing, "t");
    EXPECT_TRUE(has(text, "rx=\"2\" class=\"b3 s\"/>")) << text;
    EXPECT_TRUE(has(text, "rx=\"2\" class=\"o b3\"/>")) << text;
    EXPECT_TRUE(has(text, "rx=\"2\" class=\"b3 sb4\"/>")) << text;
    EXPECT_TRUE(has(text, "<style>*{fill:currentColor}.o,.o *{fill:none}.o{stroke:currentColor}"
                          ".s{stroke:currentColor}.b3{color:#"))
        << text;
    EXPECT_TRUE(has(text, ".sb4{stroke:#") && !has(text, ".sb3{")) << text;
}

// Colours are classes, which every program that shows SVG knows; of both themes, where it knows them.
TEST(Svg, AFileFollowsTheReadersThemeByItself) {
    std::string text = svg_for_both_themes(sample(), "t");
    std::string dark = "@media screen and (prefers-color-scheme:dark){";
    EXPECT_TRUE(has(text, ".sb3{stroke:#") && has(text, dark)) << text;
    EXPECT_TRUE(has(text, "rx=\"2\" class=\"i0 sb3\"")) << text;
    EXPECT_FALSE(has(text, "var(--"));
    EXPECT_FALSE(has(text, "say &quot;this&quot;"));  // an image shows no tooltip
    EXPECT_FALSE(has(text, ".sb4{"));
}

}  // namespace lanewise
