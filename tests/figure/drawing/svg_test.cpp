// A drawing as SVG text.
#include "figure/drawing/svg.h"

#include <gtest/gtest.h>

namespace lanewise {

static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

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
                    "style=\"fill:#ffffff;fill-opacity:0.5;stroke:#"));
    EXPECT_TRUE(has(text, "stroke-dasharray:4 3"));
}

TEST(Svg, AlignsAtTheBoxesEdge) {
    // Baseline: the box's middle, 5, plus 0.36 of the size.
    EXPECT_TRUE(has(svg(sample(), palette("light"), "t"),
                    "<text x=\"40\" y=\"8.6\" class=\"m\" font-size=\"10\" text-anchor=\"end\""));
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

// Two rows of three cells in one colour: what touches is one shape, the others strokes of one path.
TEST(Svg, CellsOfOneColourAreOnePath) {
    Drawing drawing;
    drawing.width = drawing.height = 40;
    for (float y : {0.f, 10.f})
        for (float x : {0.f, 10.f, 25.f}) drawing.rect({x, y, 10, 10}, Fill::bank(3, 0.5f));
    std::string text = svg_for_page(drawing, "t");
    EXPECT_TRUE(has(text, "d=\"M25 0h10v20h-10z\"")) << text;
    EXPECT_TRUE(has(text, "fill-opacity:0.5"));
    Drawing apart;
    apart.width = apart.height = 40;
    for (float y : {0.f, 20.f}) apart.rect({5, y, 10, 10}, Fill::bank(3));
    EXPECT_TRUE(has(svg_for_page(apart, "t"), "d=\"M5 5h10M5 25h10\"")) << svg_for_page(apart, "t");
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

TEST(Svg, TextsOnOneLineAreOneElement) {
    Drawing drawing;
    drawing.width = drawing.height = 40;
    for (int i = 0; i < 3; ++i)
        drawing.text({static_cast<float>(10 * i), 0, 10, 10}, std::to_string(i), 10,
                     Fill::of(Ink::text));
    EXPECT_TRUE(has(svg(drawing, palette("light"), "t"),
                    "<text y=\"8.6\"><tspan x=\"0\">0</tspan><tspan x=\"10\">1</tspan>"));
}

TEST(Svg, AFileFollowsTheReadersThemeByItself) {
    std::string text = svg_for_both_themes(sample(), "t");
    std::string light = "--b3:", dark = "@media screen and (prefers-color-scheme:dark){:root{";
    EXPECT_TRUE(has(text, light) && has(text, dark) && has(text, "stroke:var(--b3)")) << text;
    EXPECT_FALSE(has(text, "say &quot;this&quot;"));  // an image shows no tooltip
    EXPECT_FALSE(has(text, "--b4:"));
}

}  // namespace lanewise
