// The strip of a warp's life: where each step lies, what is drawn for it, that nothing is cut; and
// how wavefronts come about in the picture of the banks.
#include "figure/access/life_figure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../examples.h"
#include "figure/drawing/svg.h"

namespace lanewise {
namespace {

LifeStep step(Moment moment, int cost = 1, int ideal = 1) {
    LifeStep made;
    made.moment = moment;
    made.access = moment == Moment::barrier || moment == Moment::other ? -1 : 0;
    made.line = 38;
    made.cost = cost;
    made.ideal = ideal;
    return made;
}

// 4 loads and stores to the tile in turn, a barrier, 4 reads and writes in turn.
std::vector<LifeStep> tiled() {
    std::vector<LifeStep> life;
    for (int i = 0; i < 4; ++i) {
        life.push_back(step(Moment::load, 4, 4));
        life.push_back(step(Moment::shared_store));
    }
    life.push_back(step(Moment::barrier));
    for (int i = 0; i < 4; ++i) {
        life.push_back(step(Moment::shared_load, 32, 1));
        life.push_back(step(Moment::store, 4, 4));
    }
    for (size_t chapter : {0, 1, 8, 9, 10}) life[chapter].chapter = true;
    return life;
}

int texts(const Drawing& drawing, const std::string& text) {
    return static_cast<int>(std::count_if(drawing.shapes.begin(), drawing.shapes.end(),
                                          [&](const Shape& s) { return s.text == text; }));
}

TEST(LifeFigure, NamesEveryChapterOnce) {
    std::vector<LifeStep> life = tiled();
    Drawing drawing = life_figure({&life, 560}, measure_approximately);
    for (const char* name : {"load", "store to tile", "sync", "read", "write"})
        EXPECT_EQ(1, texts(drawing, name)) << name;
    std::vector<std::string> steps;
    for (const HitBox& hit : drawing.hits)
        if (hit.box.y >= kLifeTop) steps.push_back(hit.action);
    EXPECT_EQ(17u, steps.size());
    EXPECT_EQ("step:16", steps.back());
}

TEST(LifeFigure, AStepLiesWhereThePointerFindsIt) {
    // 46 points of names, then 17 cells of (386 - 46) / 17 = 20 points.
    EXPECT_FLOAT_EQ(46, life_span(17, 386, 0).x0);
    EXPECT_FLOAT_EQ(66, life_span(17, 386, 0).x1);
    EXPECT_FLOAT_EQ(386, life_span(17, 386, 16).x1);
    EXPECT_EQ(0, life_step_at(17, 386, 46));
    EXPECT_EQ(0, life_step_at(17, 386, -10));
    EXPECT_EQ(3, life_step_at(17, 386, 110));
    EXPECT_EQ(16, life_step_at(17, 386, 386));
    EXPECT_EQ(16, life_step_at(17, 386, 9000));
    EXPECT_EQ(0, life_step_at(0, 386, 200));
}

TEST(LifeFigure, TheWasteOfAnAccessIsItsHeight) {
    std::vector<LifeStep> life = {step(Moment::load, 4, 4), step(Moment::load, 32, 4),
                                  step(Moment::load, 128, 4)};
    Drawing drawing = life_figure({&life, 400}, measure_approximately);
    std::vector<float> heights;
    for (const Shape& shape : drawing.shapes)
        if (shape.fill.kind == Fill::Kind::ink && shape.fill.ink == Ink::load)
            heights.push_back(shape.box.h);
    ASSERT_EQ(3u, heights.size());
    // 40 % of 15 points; 3 doublings of 5 of the rest; all of it.
    EXPECT_FLOAT_EQ(6, heights[0]);
    EXPECT_FLOAT_EQ(6 + 9 * 0.6f, heights[1]);
    EXPECT_FLOAT_EQ(15, heights[2]);
}

LifeStep mark(TracedMark::Kind kind, bool to_shared = true) {
    LifeStep made = step(Moment::other, 8, 4);
    made.mark = kind;
    made.copy = to_shared ? 0 : 1;
    return made;
}

int dashed(const Drawing& drawing) {
    return static_cast<int>(std::count_if(drawing.shapes.begin(), drawing.shapes.end(),
                                          [](const Shape& s) { return s.dashed; }));
}

// cp.async is filled, a bulk copy framed; both stand across the seam, and say so below. Only what
// has no place of its own is dashed.
TEST(LifeFigure, CopiesHaveACellOfTheirOwn) {
    using Kind = TracedMark::Kind;
    std::vector<LifeStep> life = {mark(Kind::async_copy), mark(Kind::bulk_copy),
                                  mark(Kind::bulk_copy, false), mark(Kind::copy_done)};
    BlockTrace block;
    block.copies.resize(2);
    block.copies[1].to_shared = false;
    Drawing drawing = life_figure({&life, 600, true, &block}, measure_approximately);
    EXPECT_EQ(0, dashed(drawing));
    std::vector<Shape> across;
    for (const Shape& shape : drawing.shapes) {
        float top = shape.box.y, bottom = shape.box.y + shape.box.h;
        bool in_strip = top >= kLifeTop && bottom <= kLifeTop + kLifeHeight;
        if (in_strip && top < kLifeTop + 14 && bottom > kLifeTop + 18) across.push_back(shape);
    }
    ASSERT_EQ(3u, across.size());
    // Twice the ideal: one doubling of five of the 9 points above 6; then 2 to the seam, and 6.
    EXPECT_FLOAT_EQ(6 + 9 / 5.f + 2 + 6, across[0].box.h);
    EXPECT_EQ(Fill::Kind::none, across[0].stroke.kind);
    EXPECT_EQ(Ink::load, across[1].stroke.ink);
    EXPECT_EQ(Ink::store, across[2].stroke.ink);
    for (const char* words : {"asynchronous copy to shared memory", "bulk copy to shared memory",
                              "bulk copy from shared memory", "a copy has arrived"})
        EXPECT_EQ(1, texts(drawing, words)) << words;
    EXPECT_GT(drawing.height, kLifeTop + kLifeHeight + 10);
    // No room for words: as high as one of plain accesses.
    EXPECT_FLOAT_EQ(kLifeTop + kLifeHeight + 1,
                    life_figure({&life, 600, false}, measure_approximately).height);

    life = {mark(Kind::mbarrier), mark(Kind::matrix), mark(Kind::mbarrier)};
    drawing = life_figure({&life, 600}, measure_approximately);
    EXPECT_EQ(3, dashed(drawing));
    EXPECT_EQ(1, texts(drawing, "mbarrier, matrix load"));
    std::vector<LifeStep> plain = tiled();
    EXPECT_FLOAT_EQ(kLifeTop + kLifeHeight + 1,
                    life_figure({&plain, 600}, measure_approximately).height);
}

TEST(LifeFigure, IsSoundAtEveryWidthAndLength) {
    using Kind = TracedMark::Kind;
    std::vector<std::vector<LifeStep>> lives = {
        tiled(), {}, {step(Moment::other)}, {mark(Kind::bulk_copy), mark(Kind::copy_done)}};
    lives.emplace_back();
    for (int i = 0; i < 20'000; ++i) {
        lives.back().push_back(step(i % 3 ? Moment::shared_load : Moment::barrier, i % 33 + 1, 1));
        lives.back().back().chapter = i % 40 == 0;
    }
    for (const auto& life : lives)
        for (float width : {300.f, 560.f, 1400.f}) {
            Drawing drawing = life_figure({&life, width}, measure_approximately);
            EXPECT_EQ(cut_texts(drawing, measure_approximately), std::vector<std::string>{});
            EXPECT_LT(drawing.shapes.size(), 4000u) << life.size();
            for (const HitBox& hit : drawing.hits)
                EXPECT_LE(hit.box.x + hit.box.w, width + 0.5f) << hit.action;
        }
}

TEST(LifeFigure, SaysAStepInWords) {
    EXPECT_EQ("read, line 38: 32 wavefronts, ideal 1", words_of(step(Moment::shared_load, 32, 1)));
    EXPECT_EQ("write, line 38: 1 sector, ideal 1", words_of(step(Moment::store)));
    EXPECT_EQ("sync, line 38", words_of(step(Moment::barrier)));
}

// A column of an unpadded tile: 32 wavefronts of one lane each.
TEST(BankFigure, ComesAboutWavefrontByWavefront) {
    NamedBanks named = tile_example(32, 0, 4, true);
    Example made = example(named.access);
    Drawing drawing = bank_figure(bank_input(named, made, 600), measure_approximately);
    auto lane_numbers = [&](int at) {
        int count = 0;
        for (const Shape& shape : drawing.shapes)
            count += shape.from > 0 && shape.kind == Shape::Kind::text && shape.stands(at);
        return count;
    };
    // In the tile and in the row of its wavefront.
    EXPECT_EQ(0, lane_numbers(0));
    EXPECT_EQ(2, lane_numbers(1));
    EXPECT_EQ(2 * 20, lane_numbers(20));
    EXPECT_EQ(2 * 32, lane_numbers(kAtRest));
    // What marks the wavefront that is being served is gone at rest.
    int passing = 0;
    for (const Shape& shape : drawing.shapes)
        passing += shape.until != kAtRest && shape.stands(5) && !shape.stands(kAtRest);
    EXPECT_EQ(1 + 27, passing);  // the frame of one lane, and the 27 that still wait
}

// Three stand side by side in a small window.
TEST(BankFigure, IsWholeInAThirdOfASmallWindow) {
    for (const NamedBanks& named : bank_examples()) {
        Example made = example(named.access);
        Drawing drawing = bank_figure(bank_input(named, made, 190), measure_approximately);
        EXPECT_EQ(cut_texts(drawing, measure_approximately), std::vector<std::string>{})
            << named.name;
    }
    for (const NamedWarp& named : warp_examples()) {
        Example made = example(named.access);
        Drawing drawing = warp_figure(warp_input(named, made, 190), measure_approximately);
        EXPECT_EQ(cut_texts(drawing, measure_approximately), std::vector<std::string>{})
            << named.name;
    }
}

TEST(Svg, ShowsADrawingAtRest) {
    Drawing drawing;
    drawing.width = drawing.height = 10;
    drawing.text({0, 0, 10, 10}, "passing", 8).until = 3;
    drawing.text({0, 0, 10, 10}, "lasting", 8).from = 3;
    std::string text = svg(drawing, palette("dark"), "A drawing");
    EXPECT_EQ(std::string::npos, text.find("passing"));
    EXPECT_NE(std::string::npos, text.find("lasting"));
}

}  // namespace
}  // namespace lanewise
