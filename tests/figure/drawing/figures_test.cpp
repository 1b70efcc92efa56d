// Every figure at every width that a window gives it: no text is cut, every coordinate is a number,
// everything stays inside.
#include "figure/drawing/figures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "../drawn.h"
#include "../examples.h"

namespace lanewise {
namespace {

constexpr float kWidths[] = {360, 500, 900, 1400};

bool is_sound(const Drawing& drawing, const Box& box) {
    return box.w >= 0 && box.h >= 0 && inside(drawing, box);
}

void expect_sound(const Drawing& drawing, float width, const std::string& name) {
    SCOPED_TRACE(name + " at " + std::to_string(int(width)));
    EXPECT_FLOAT_EQ(drawing.width, width);
    EXPECT_GT(drawing.height, 0);
    EXPECT_EQ(cut_texts(drawing, measure_approximately), std::vector<std::string>{});
    for (const Shape& shape : drawing.shapes) {
        if (shape.points.empty()) {
            EXPECT_TRUE(is_sound(drawing, shape.box)) << shape.text;
        }
        for (Point p : shape.points) EXPECT_TRUE(is_sound(drawing, {p.x, p.y, 0, 0}));
        if (shape.kind == Shape::Kind::text) {
            EXPECT_GE(shape.size, 8) << shape.text;
        }
    }
    for (const HitBox& hit : drawing.hits) EXPECT_TRUE(is_sound(drawing, hit.box)) << hit.tooltip;
}

int actions(const Drawing& drawing, const std::string& prefix) {
    std::set<std::string> found;
    for (const HitBox& hit : drawing.hits)
        if (hit.action.starts_with(prefix)) found.insert(hit.action);
    return static_cast<int>(found.size());
}

TEST(WarpFigure, IsSoundAtEveryWidth) {
    for (const NamedWarp& named : warp_examples()) {
        Example made = example(named.access);
        for (float width : kWidths)
            expect_sound(warp_figure(warp_input(named, made, width), measure_approximately), width,
                         named.name);
    }
}

TEST(WarpFigure, EveryLaneAndEveryTouchedSectorCanBeHit) {
    for (const NamedWarp& named : warp_examples()) {
        Example made = example(named.access);
        Drawing drawing = warp_figure(warp_input(named, made, 900), measure_approximately);
        EXPECT_EQ(actions(drawing, "lane:"), 32) << named.name;
        EXPECT_EQ(actions(drawing, "sector:"), made.block.accesses[0].sectors) << named.name;
    }
}

TEST(BankFigure, IsSoundAtEveryWidth) {
    for (const NamedBanks& named : bank_examples()) {
        Example made = example(named.access);
        for (float width : kWidths)
            expect_sound(bank_figure(bank_input(named, made, width), measure_approximately), width,
                         named.name);
    }
}

// Side by side where there is little room, the words above one must not be higher than above the other.
TEST(BankFigure, BeginsItsQueueAtOneHeightWhereItIsBrief) {
    auto top_of_queue = [](int pad) {
        NamedBanks named = tile_example(32, pad, 4, true);
        Example made = example(named.access);
        BankFigureInput input = bank_input(named, made, 200);
        input.is_brief = true;
        Drawing drawing = bank_figure(input, measure_approximately);
        float top = 1e9f;
        for (const HitBox& hit : drawing.hits)
            if (hit.action.starts_with("lane:")) top = std::min(top, hit.box.y);
        return top;
    };
    EXPECT_FLOAT_EQ(top_of_queue(0), top_of_queue(1));
}

TEST(BankFigure, DrawsSharedMemoryWithoutATile) {
    NamedBanks named = tile_example(32, 0, 4, true);
    named.tile.rows = named.tile.cols = named.tile.pitch = 0;
    Example made = example(named.access);  // 4,224 bytes: 33 rows of 32 words
    for (float width : kWidths)
        expect_sound(bank_figure(bank_input(named, made, width), measure_approximately), width,
                     "no tile");
}

TEST(Figures, SayWhatIsMissingInsteadOfFailing) {
    NamedBanks named = tile_example(32, 0, 4, true);
    Example made = example(named.access);
    WarpFigureInput warp;
    warp.block = &made.block;
    warp.report = &made.report;  // a shared access is nothing for the warp microscope
    expect_sound(warp_figure(warp, measure_approximately), 900, "wrong space");
    BankFigureInput banks;
    expect_sound(bank_figure(banks, measure_approximately), 450, "nothing");
    BankFigureInput beyond = bank_input(named, made, 450);
    beyond.access = 1;
    expect_sound(bank_figure(beyond, measure_approximately), 450, "beyond the last");
}

TEST(LadderFigure, IsSoundAtEveryWidthFullHalfAndEmpty) {
    for (float width : kWidths) {
        LadderFigureInput full = ladder_example(width), bare = full, empty = full;
        for (LadderBar& bar : bare.bars) bar.gb_per_s = bar.low = bar.high = 0;
        bare.copy_gb_per_s = 0;
        empty.bars.clear();
        empty.copy_gb_per_s = empty.datasheet_gb_per_s = 0;
        expect_sound(ladder_figure(full, measure_approximately), width, "full");
        expect_sound(ladder_figure(bare, measure_approximately), width, "bare");
        expect_sound(ladder_figure(empty, measure_approximately), width, "empty");
    }
    EXPECT_EQ(actions(ladder_figure(ladder_example(500), measure_approximately), "stage:"), 7);
}

TEST(LadderFigure, NeverCallsASpeedNothing) {
    LadderFigureInput input = ladder_example(500);
    input.copy_gb_per_s = 10'000;
    auto says = [&](double gb_per_s, const std::string& percent) {
        input.bars[0].gb_per_s = gb_per_s;
        input.bars[0].share = 0;
        Drawing drawing = ladder_figure(input, measure_approximately);
        return std::any_of(drawing.shapes.begin(), drawing.shapes.end(),
                           [&](const Shape& shape) { return shape.text == percent; });
    };
    EXPECT_TRUE(says(40, "0.4 %"));
    EXPECT_TRUE(says(96, "1 %"));
    EXPECT_TRUE(says(5999, "60 %"));
}

}  // namespace
}  // namespace lanewise
