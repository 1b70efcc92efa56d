// The timeline of a block as a picture: where segments lie, what is told by place, shape and
// height, what the pointer finds, and how closely it looks.
#include "figure/flow/timeline_figure.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanewise {
namespace {

TimelineSegment segment(Moment moment, uint64_t begin, int cost, int ideal, int index) {
    TimelineSegment made;
    made.step.moment = moment;
    made.step.access = moment == Moment::barrier ? -1 : 0;
    made.step.line = 18;
    made.step.cost = cost;
    made.step.ideal = ideal;
    made.index = index;
    made.begin = begin;
    made.end = begin + static_cast<uint64_t>(cost);
    return made;
}

// Warp 0: a load of 4 sectors, a wait of 6 ticks, a read of 32 wavefronts where 1 would do, a write
// of 8 sectors. Warp 1: a store to the tile of 10 wavefronts, where 10 are needed.
BlockTimeline two_warps() {
    BlockTimeline made;
    made.warps.resize(2);
    made.warps[0] = {segment(Moment::load, 0, 4, 4, 0), segment(Moment::barrier, 4, 6, 0, 1),
                     segment(Moment::shared_load, 10, 32, 1, 2),
                     segment(Moment::store, 42, 8, 8, 3)};
    made.warps[1] = {segment(Moment::shared_store, 0, 10, 10, 0)};
    made.ticks = 50;
    return made;
}

// 59 points of names and edge, then 10 points a tick.
constexpr float kTen = 559;

TimelineFigureInput input_of(const BlockTimeline& timeline, float width = kTen) {
    TimelineFigureInput input;
    input.timeline = &timeline;
    input.width = width;
    input.height = 200;
    return input;
}

const HitBox* hit(const Drawing& drawing, const std::string& action) {
    for (const HitBox& each : drawing.hits)
        if (each.action == action) return &each;
    return nullptr;
}
int texts(const Drawing& drawing, const std::string& text) {
    return static_cast<int>(std::count_if(drawing.shapes.begin(), drawing.shapes.end(),
                                          [&](const Shape& s) { return s.text == text; }));
}
// Filled with this ink, within the rows, at this x.
std::vector<Box> boxes(const Drawing& drawing, Ink ink, float x) {
    std::vector<Box> found;
    for (const Shape& s : drawing.shapes)
        if (s.kind == Shape::Kind::rect && s.fill.kind == Fill::Kind::ink && s.fill.ink == ink &&
            s.box.y > 50 && s.box.x <= x && s.box.x + s.box.w > x)
            found.push_back(s.box);
    return found;
}

TEST(TimelineFigure, ATickIsAsWideAsTheRestOfTheWidthAllows) {
    BlockTimeline timeline = two_warps();
    Drawing drawing = timeline_figure(input_of(timeline), measure_approximately);
    ASSERT_TRUE(hit(drawing, "moment:0:2"));
    EXPECT_FLOAT_EQ(58 + 100, hit(drawing, "moment:0:2")->box.x);
    EXPECT_FLOAT_EQ(320, hit(drawing, "moment:0:2")->box.w);
    EXPECT_EQ("warp 0: read, line 18: 32 wavefronts, ideal 1", hit(drawing, "moment:0:2")->tooltip);
    EXPECT_EQ("warp 0: sync, line 18: waits 6 ticks", hit(drawing, "moment:0:1")->tooltip);
    EXPECT_TRUE(hit(drawing, "moment:1:0"));
    EXPECT_TRUE(hit(drawing, "warp:1"));
    EXPECT_EQ(1, texts(drawing, "warp 1"));
}

// Global memory above the middle, shared memory below; what costs too much is higher and orange;
// a store is framed, which is why its inside is faint.
TEST(TimelineFigure, PlaceShapeAndHeightTell) {
    BlockTimeline timeline = two_warps();
    Drawing drawing = timeline_figure(input_of(timeline), measure_approximately);
    std::vector<Box> load = boxes(drawing, Ink::load, 58 + 20);
    std::vector<Box> read = boxes(drawing, Ink::warn, 58 + 200);
    ASSERT_EQ(2u, load.size());  // warp 0's load, warp 1's store to the tile
    ASSERT_EQ(1u, read.size());
    EXPECT_LT(load[0].y + load[0].h, read[0].y);
    EXPECT_GT(read[0].h, load[0].h * 1.5f);
    EXPECT_GT(load[1].y, read[0].y + read[0].h);
    int framed = 0;
    for (const Shape& s : drawing.shapes)
        framed += s.stroke.kind == Fill::Kind::ink && s.stroke.ink == Ink::load && s.box.y > 50 &&
                  s.box.y < 150 && s.fill.alpha < 0.5f;
    EXPECT_EQ(2, framed);  // the write and the store to the tile
    EXPECT_TRUE(boxes(drawing, Ink::warn, 58 + 20).empty());
}

// 54 ticks, of which 4 + 1 + 8 + 10 = 23 are needed: 31 of 54 are 57 %.
TEST(TimelineFigure, TheHeadlineSaysWhatIsInVainAndWhere) {
    BlockTimeline timeline = two_warps();
    const char* words =
        "57 % of the ticks are wasted, most of them in line 18: read takes 32 wavefronts where 1 "
        "would do.";
    EXPECT_EQ(words, words_of(waste_of(timeline)));
    Drawing drawing = timeline_figure(input_of(timeline, 900), measure_approximately);
    EXPECT_EQ(1, texts(drawing, words));
    const Shape* needed = nullptr;
    const Shape* vain = nullptr;
    for (const Shape& s : drawing.shapes) {
        if (s.kind != Shape::Kind::rect || s.box.y > 30) continue;
        if (s.fill.ink == Ink::load) needed = &s;
        if (s.fill.ink == Ink::warn) vain = &s;
    }
    ASSERT_TRUE(needed && vain);
    EXPECT_NEAR(900.0 * 23 / 54, needed->box.w, 0.1);
    EXPECT_NEAR(900.0 * 31 / 54, vain->box.w, 0.1);

    timeline.warps[0].erase(timeline.warps[0].begin() + 2);
    EXPECT_EQ("Every access of this block costs as little as it can.",
              words_of(waste_of(timeline)));
}

TEST(TimelineFigure, TheChosenSegmentHasAFrame) {
    BlockTimeline timeline = two_warps();
    TimelineFigureInput input = input_of(timeline);
    auto frames = [&] {
        Drawing drawing = timeline_figure(input, measure_approximately);
        return std::count_if(drawing.shapes.begin(), drawing.shapes.end(), [](const Shape& s) {
            return s.stroke.kind == Fill::Kind::ink && s.stroke.ink == Ink::accent;
        });
    };
    EXPECT_EQ(0, frames());
    input.index = 2;
    EXPECT_EQ(1, frames());
    input.from = 43, input.to = 50;  // it lies to the left
    EXPECT_EQ(0, frames());
    input.warp = 7;  // which is not there
    EXPECT_EQ(0, frames());
}

TEST(TimelineFigure, ThePointerFindsWhatLiesUnderIt) {
    BlockTimeline timeline = two_warps();
    TimelineFigureInput input = input_of(timeline);
    Drawing drawing = timeline_figure(input, measure_approximately);
    const Box& row = hit(drawing, "moment:0:2")->box;
    TimelineSpot spot = timeline_at(input, {58 + 101, row.y + 3});
    EXPECT_EQ(0, spot.warp);
    EXPECT_NEAR(10.1, spot.tick, 1e-3);
    ASSERT_TRUE(spot.segment);
    EXPECT_EQ(2, spot.segment->index);
    EXPECT_EQ(-1, timeline_at(input, {300, row.y + row.h + 1}).warp);  // between two rows
    EXPECT_EQ(-1, timeline_at(input, {300, 10}).warp);
    EXPECT_EQ(-1, timeline_at(input, {20, row.y + 3}).warp);  // the name
    const Box& second = hit(drawing, "moment:1:0")->box;
    EXPECT_EQ(1, timeline_at(input, {300, second.y + 3}).warp);
    EXPECT_EQ(nullptr, timeline_at(input, {300, second.y + 3}).segment);  // it is done by then
    EXPECT_NEAR(0.1, ticks_per_point(input), 1e-6);
}

TEST(TimelineFigure, TheWheelKeepsWhatIsUnderThePointer) {
    BlockTimeline timeline = two_warps();
    TickWindow whole{0, 50};
    EXPECT_EQ((TickWindow{15, 40}), zoomed(timeline, whole, 30, 0.5));  // 30 at 60 % of both
    EXPECT_EQ((TickWindow{0, 50}), zoomed(timeline, {15, 40}, 30, 4));
    TickWindow nearest = zoomed(timeline, whole, 0, 0.001);
    EXPECT_EQ((TickWindow{0, 8}), nearest);
    EXPECT_EQ((TickWindow{5, 30}), dragged(timeline, {15, 40}, 10));
    EXPECT_EQ((TickWindow{25, 50}), dragged(timeline, {15, 40}, -90));
    EXPECT_EQ((TickWindow{0, 25}), dragged(timeline, {15, 40}, 90));
}

// 120,000 accesses of 8 warps: a column of pixels shows how many of its ticks are wasted.
TEST(TimelineFigure, NarrowSegmentsBecomeOne) {
    BlockTimeline timeline;
    timeline.warps.resize(8);
    for (auto& warp : timeline.warps)
        for (int i = 0; i < 15'000; ++i)
            warp.push_back(segment(Moment::shared_load, warp.empty() ? 0 : warp.back().end,
                                   i < 7500 ? 1
                                   : i % 2  ? 3
                                            : 1,
                                   1, i));
    timeline.ticks = timeline.warps[0].back().end;  // 7500 + 7500 * 2 = 22,500
    ASSERT_EQ(22'500u, timeline.ticks);
    Drawing drawing = timeline_figure(input_of(timeline, 900), measure_approximately);
    EXPECT_LT(drawing.shapes.size(), 400u);
    EXPECT_LT(drawing.hits.size(), 20u);
    // One run without waste, then runs whose warning part is two ticks of four: half a track.
    std::vector<Box> good = boxes(drawing, Ink::load, 100);
    EXPECT_EQ(8u, good.size());
    EXPECT_TRUE(boxes(drawing, Ink::warn, 100).empty());
    std::vector<Box> mixed = boxes(drawing, Ink::warn, 700);
    ASSERT_EQ(8u, mixed.size());
    EXPECT_NEAR(0.5 / 0.58, mixed[0].h / good[0].h, 0.02);
}

TEST(TimelineFigure, IsSoundAtEveryWidthAndForEveryBlock) {
    BlockTimeline many;
    many.warps.resize(32);
    for (auto& warp : many.warps)
        for (int i = 0; i < 40; ++i)
            warp.push_back(segment(static_cast<Moment>(i % 6), warp.empty() ? 0 : warp.back().end,
                                   i % 33 + 1, 1, i));
    many.ticks = many.warps[0].back().end;
    BlockTimeline two = two_warps(), none, idle;
    idle.warps.resize(3);
    for (const BlockTimeline* timeline : {&many, &two, &none, &idle})
        for (float width : {300.f, 560.f, 1400.f})
            for (float height : {0.f, 300.f, 2000.f}) {
                TimelineFigureInput input = input_of(*timeline, width);
                input.height = height;
                input.index = 0;
                Drawing drawing = timeline_figure(input, measure_approximately);
                EXPECT_EQ(cut_texts(drawing, measure_approximately), std::vector<std::string>{});
                for (const Shape& s : drawing.shapes)
                    EXPECT_LE(s.box.x + s.box.w, width + 0.5f) << s.text;
            }
    EXPECT_EQ(TimelineSpot{}.warp, timeline_at(input_of(none), {100, 100}).warp);
}

}  // namespace
}  // namespace lanewise
