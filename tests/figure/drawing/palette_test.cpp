// Every theme is readable (WCAG 2.1 AA), and its hues are told apart as well as 32 can be.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "figure/drawing/drawing.h"

namespace lanewise {

static Color ink(const Palette& p, Ink which) { return p.resolve(Fill::of(which)); }

TEST(Palette, ContrastOfBlackOnWhiteIs21) {
    EXPECT_NEAR(contrast({0, 0, 0, 255}, {255, 255, 255, 255}), 21, 1e-9);
    EXPECT_NEAR(contrast({119, 119, 119, 255}, {255, 255, 255, 255}), 4.48, 0.01);  // #777
}

TEST(Palette, TextInksReadOnBackgroundAndPanel) {
    const Ink texts[] = {Ink::text, Ink::text_dim, Ink::accent, Ink::good,      Ink::warn,
                         Ink::bad,  Ink::load,     Ink::store,  Ink::datasheet, Ink::copy};
    for (const std::string& theme : palette_names())
        for (Ink text : texts)
            for (Ink under : {Ink::background, Ink::panel}) {
                const Palette& p = palette(theme);
                EXPECT_GE(contrast(ink(p, text), ink(p, under)), 4.5)
                    << theme << ", ink " << static_cast<int>(text) << " on "
                    << static_cast<int>(under);
            }
}

TEST(Palette, TextReadsOnEveryHue) {
    for (const std::string& theme : palette_names()) {
        const Palette& p = palette(theme);
        for (int i = 0; i < 32; ++i) {
            EXPECT_GE(contrast(ink(p, Ink::text_on_fill), p.banks[i]), 7) << theme << " bank " << i;
            EXPECT_GE(contrast(ink(p, Ink::text_on_fill), p.lanes[i]), 7) << theme << " lane " << i;
        }
    }
}

// What a bank figure prints on a cell that the access does not touch: text at 0.75 on hue at 0.3.
TEST(Palette, DimmedBankNumbersStillRead) {
    for (const std::string& theme : palette_names()) {
        const Palette& p = palette(theme);
        for (int i = 0; i < 32; ++i) {
            Color under = blend(p.resolve(Fill::bank(i, 0.3f)), ink(p, Ink::background));
            Color over = blend(p.resolve(Fill::of(Ink::text, 0.75f)), under);
            EXPECT_GE(contrast(over, under), 4.5) << theme << " bank " << i;
        }
    }
}

static double distance(Color a, Color b) { return std::hypot(a.r - b.r, a.g - b.g, a.b - b.b); }

TEST(Palette, NeighbouringBanksDifferAndTheCircleCloses) {
    for (const std::string& theme : palette_names()) {
        const Palette& p = palette(theme);
        for (int i = 0; i < 32; ++i) {
            EXPECT_GT(distance(p.banks[i], p.banks[(i + 1) % 32]), 4) << theme << " bank " << i;
            EXPECT_GT(distance(p.banks[i], p.banks[(i + 16) % 32]), 60) << theme << " bank " << i;
        }
        EXPECT_GT(distance(p.lanes[0], p.lanes[31]), 100) << theme;
    }
}

TEST(Palette, AlphaAndNamesAreKept) {
    EXPECT_EQ(palette("dark").resolve(Fill::of(Ink::text, 0.5f)).a, 128);
    EXPECT_EQ(palette("dark").resolve(Fill::none()).a, 0);
    EXPECT_THROW(palette("beige"), Error);
}

}  // namespace lanewise
