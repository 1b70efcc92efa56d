// What lies between two drawings: what moves, what fades, what stands still; and that a knob of the
// padded tile moves each lane.
#include "figure/drawing/motion.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../examples.h"
#include "figure/drawing/moving_svg.h"

namespace lanewise {
namespace {

Shape& add_mark(Drawing& drawing, float x, uint32_t mark) {
    Shape& shape = drawing.rect({x, 0, 10, 10}, Fill::of(Ink::load));
    shape.mark = mark;
    return shape;
}

const Shape& at_x(const Drawing& drawing, float x) {
    for (const Shape& shape : drawing.shapes)
        if (std::abs(shape.box.x - x) < 0.01f) return shape;
    static const Shape none;
    return none;
}

TEST(Motion, AMarkMovesAndTheRestFades) {
    Drawing from, to;
    from.width = to.width = 200;
    add_mark(from, 0, 1);
    add_mark(from, 25, 2);  // leaves
    from.text({100, 0, 50, 10}, "stays", 10);
    add_mark(to, 80, 1);
    add_mark(to, 40, 3);  // comes
    to.text({100, 0, 50, 10}, "stays", 10);
    Motion motion(from, to);
    ASSERT_TRUE(motion.moves());
    Drawing quarter = motion.at(0.25f);
    ASSERT_EQ(4u, quarter.shapes.size());
    EXPECT_FLOAT_EQ(1, at_x(quarter, 0.25f * 80).fill.alpha);
    EXPECT_FLOAT_EQ(0.75f, at_x(quarter, 25).fill.alpha);
    EXPECT_FLOAT_EQ(0.25f, at_x(quarter, 40).fill.alpha);
    EXPECT_FLOAT_EQ(1, at_x(quarter, 100).fill.alpha);
    EXPECT_FLOAT_EQ(1, at_x(motion.at(1), 80).fill.alpha);
    EXPECT_FLOAT_EQ(0, at_x(motion.at(1), 25).fill.alpha);
}

// As an SVG: what moves says from where, what fades has its class, what stays is written once.
TEST(MovingSvg, MovesFadesAndStands) {
    Drawing from, to;
    from.width = 200;
    to.width = 120;
    from.height = to.height = 40;
    add_mark(from, 0, 1);
    add_mark(to, 80, 1);
    add_mark(from, 25, 2);  // leaves
    add_mark(to, 40, 3);    // comes
    for (Drawing* each : {&from, &to}) each->text({100, 0, 50, 10}, "stays", 10);
    const Motion::Parts parts = Motion(from, to).parts();
    EXPECT_EQ(1u, parts.still.shapes.size());
    EXPECT_EQ(1u, parts.leaving.shapes.size());
    EXPECT_EQ(1u, parts.entering.shapes.size());
    ASSERT_EQ(1u, parts.moved.size());
    EXPECT_FLOAT_EQ(0, parts.moved[0].before.box.x);
    EXPECT_FLOAT_EQ(80, parts.moved[0].after.box.x);

    const std::string text = moving_svg(from, to, palette("light"), "Lanes & banks");
    auto count = [&](const std::string& word) {
        size_t found = 0;
        for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
        return found;
    };
    EXPECT_EQ(1u, count("viewBox=\"0 0 200 40\""));  // as large as both need
    EXPECT_EQ(1u, count("class=\"go\" style=\"--m:translate(-80px,0px) scale(1,1);"
                        "transform-origin:80px 0px\""));
    EXPECT_EQ(1u, count("<g class=\"one\">"));
    EXPECT_EQ(1u, count("<g class=\"two\">"));
    EXPECT_EQ(1u, count(">stays<"));
    EXPECT_EQ(1u, count("prefers-reduced-motion"));
    EXPECT_EQ(1u, count("<title>Lanes &amp; banks</title>"));
}

// Another colour fades on the way, and another size is a scale: from 20 wide to 10 is 2 at the start.
TEST(MovingSvg, AnotherColourAndSizeGoOver) {
    Drawing from, to;
    add_mark(from, 0, 1).box.w = 20;
    add_mark(to, 50, 1).fill = Fill::of(Ink::store);
    const std::string text = moving_svg(from, to, palette("light"), "");
    EXPECT_NE(text.npos, text.find("--m:translate(-50px,0px) scale(2,1);"));
    EXPECT_NE(text.npos, text.find("<g class=\"one\">"));
    EXPECT_NE(text.npos, text.find("<g class=\"two\">"));
}

TEST(Motion, StandsStillWhereNoMarkHasMoved) {
    Drawing from, to;
    add_mark(from, 0, 1);
    add_mark(to, 0, 1);
    to.text({50, 0, 20, 10}, "new words alone", 10);
    EXPECT_FALSE(Motion(from, to).moves());
    EXPECT_FALSE(Motion(from, from).moves());
    EXPECT_FALSE(Motion({}, to).moves());
}

// A mark may have several shapes: the n-th of a kind goes to the n-th.
TEST(Motion, PairsTheShapesOfAMarkInOrder) {
    Drawing from, to;
    add_mark(from, 0, 1);
    add_mark(from, 10, 1);
    add_mark(to, 100, 1);
    add_mark(to, 200, 1);
    Drawing half = Motion(from, to).at(0.5f);
    ASSERT_EQ(2u, half.shapes.size());
    EXPECT_FLOAT_EQ(50, half.shapes[0].box.x);
    EXPECT_FLOAT_EQ(105, half.shapes[1].box.x);
}

TEST(Motion, EasesOut) {
    EXPECT_FLOAT_EQ(0, eased(-1));
    EXPECT_FLOAT_EQ(0.875f, eased(0.5));  // 1 - 0.5^3
    EXPECT_FLOAT_EQ(1, eased(1));
    EXPECT_FLOAT_EQ(1, eased(7));
    EXPECT_GE(kMotionSeconds, 0.12);
    EXPECT_LE(kMotionSeconds, 0.35);
}

// PAD from 0 to 1: 32 lanes leave one bank's queue for a row of the banks.
TEST(Motion, AKnobMovesEachLaneToItsBank) {
    NamedBanks narrow = tile_example(32, 0, 4, true), wide = tile_example(32, 1, 4, true);
    Example a = example(narrow.access), b = example(wide.access);
    BankFigureInput first = bank_input(narrow, a, 600), second = bank_input(wide, b, 600);
    first.most_wavefronts = second.most_wavefronts = 32;
    Drawing from = bank_figure(first, measure_approximately);
    Drawing to = bank_figure(second, measure_approximately);
    Motion motion(from, to);
    EXPECT_TRUE(motion.moves());
    auto places = [](const Drawing& drawing) {
        std::vector<Box> boxes(33);
        for (const Shape& s : drawing.shapes)
            if (s.mark >= 1 && s.mark <= 32 && s.kind == Shape::Kind::rect) boxes[s.mark] = s.box;
        return boxes;
    };
    std::vector<Box> before = places(from), half = places(motion.at(0.5f)), after = places(to);
    for (size_t mark = 1; mark <= 32; ++mark) {
        EXPECT_GT(before[mark].w, 0) << mark;
        EXPECT_NEAR((before[mark].x + after[mark].x) / 2, half[mark].x, 0.01) << mark;
        EXPECT_NEAR((before[mark].y + after[mark].y) / 2, half[mark].y, 0.01) << mark;
    }
    EXPECT_FLOAT_EQ(before[1].x, before[32].x);  // one queue
    EXPECT_FLOAT_EQ(after[1].y, after[32].y);    // one row
}

TEST(Motion, ALaneKeepsItsRibbonFromOneSettingToTheOther) {
    std::vector<NamedWarp> all = warp_examples();
    Example a = example(all[0].access), b = example(all[3].access);
    Drawing from = warp_figure(warp_input(all[0], a, 900), measure_approximately);
    Drawing to = warp_figure(warp_input(all[3], b, 900), measure_approximately);
    EXPECT_TRUE(Motion(from, to).moves());
    int ribbons = 0;
    for (const Shape& s : to.shapes) ribbons += s.kind == Shape::Kind::polygon && s.mark > 0;
    EXPECT_EQ(32, ribbons);
}

}  // namespace
}  // namespace lanewise
