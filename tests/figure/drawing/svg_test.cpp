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
                    "<text class=\"m\" x=\"40\" y=\"8.6\" font-size=\"10\" text-anchor=\"end\""));
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

}  // namespace lanewise
