// Where the bytes go as a picture: how wide each pipe is, what of it arrives, what is said.
#include "figure/flow/bytes_figure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../drawn.h"

namespace lanewise {
namespace {

using L = BytesLevel;

BytesPipe pipe(L from, L to, double useful, double vain = 0, int line = 0) {
    BytesPipe made;
    made.from = from;
    made.to = to;
    made.useful = useful;
    made.vain = vain;
    made.line = line;
    return made;
}

BytesFigureInput strided() {
    BytesFigureInput input;
    input.pipes = {pipe(L::l1, L::registers, 1000), pipe(L::registers, L::l1, 1000, 7000, 26),
                   pipe(L::l2, L::l1, 1000)};
    input.width = 900;
    input.height = 300;
    return input;
}

// The middle of a pipe is as high as what arrives, its sheath as high as the rest.
struct Seen {
    float useful = 0, vain = 0;
};
Seen seen_at(const Drawing& drawing, const HitBox& where) {
    Seen seen;
    for (const Shape& s : drawing.shapes) {
        float top = s.box.y, height = s.box.h, left = s.box.x;
        if (s.kind == Shape::Kind::polygon) {
            auto [low, high] =
                std::minmax_element(s.points.begin(), s.points.end(),
                                    [](const Point& a, const Point& b) { return a.y < b.y; });
            top = low->y, height = high->y - low->y;
            left = std::min_element(s.points.begin(), s.points.end(),
                                    [](const Point& a, const Point& b) { return a.x < b.x; })
                       ->x;
        } else if (s.kind != Shape::Kind::rect) {
            continue;
        }
        if (!where.box.contains({left + 2, top + height / 2}) || s.fill.kind != Fill::Kind::ink)
            continue;
        if (s.fill.ink == Ink::useful) seen.useful = std::max(seen.useful, height);
        if (s.fill.ink == Ink::warn) seen.vain += height;
    }
    return seen;
}

TEST(BytesFigure, APipeIsAsWideAsItsBytes) {
    Drawing drawing = bytes_figure(strided(), measure_approximately);
    const HitBox* store = hit_beginning(drawing, "Registers to L1");
    const HitBox* load = hit_beginning(drawing, "L1 to the registers");
    ASSERT_TRUE(store && load);
    EXPECT_EQ("line:26", store->action);
    EXPECT_EQ("Registers to L1: 7.8 KiB, 6.8 KiB of it wasted", store->tooltip);
    EXPECT_LT(load->box.y, store->box.y);  // towards the lanes above, away from them below
    Seen stored = seen_at(drawing, *store), loaded = seen_at(drawing, *load);
    EXPECT_GT(stored.useful, 4);
    EXPECT_NEAR(7, stored.vain / stored.useful, 0.05);
    EXPECT_NEAR(stored.useful, loaded.useful, 0.05);
    EXPECT_EQ(0, loaded.vain);
}

TEST(BytesFigure, SaysWhatIsInVainFirst) {
    EXPECT_EQ("88 % of what goes from the registers to L1 is wasted: line 26.",
              words_of(strided()));
    BytesFigureInput fine = strided();
    fine.pipes[1].vain = 5;  // less than a hundredth
    EXPECT_EQ("No byte is wasted.", words_of(fine));
    EXPECT_EQ(nullptr, worst_pipe(fine));
    EXPECT_EQ("This launch moves no bytes.", words_of({}));
    BytesFigureInput all = strided();
    all.pipes[1] = pipe(L::shared, L::registers, 1, 1000);
    EXPECT_EQ("over 99 % of what goes from shared memory to the registers is wasted.",
              words_of(all));
}

TEST(BytesFigure, TellsTheWaysApart) {
    EXPECT_TRUE(pipe(L::memory, L::l2, 1).is_load());
    EXPECT_TRUE(pipe(L::l1, L::registers, 1).is_load());
    EXPECT_TRUE(pipe(L::shared, L::registers, 1).is_load());
    EXPECT_FALSE(pipe(L::registers, L::shared, 1).is_load());
    EXPECT_FALSE(pipe(L::registers, L::l1, 1).is_load());
    EXPECT_FALSE(pipe(L::l2, L::memory, 1).is_load());
}

// What nobody counts is fainter, and says so; what runs past the registers lies over the boxes.
TEST(BytesFigure, SaysWhatIsNotCounted) {
    BytesFigureInput input = strided();
    input.pipes.push_back(pipe(L::memory, L::l2, 1000));
    auto faint = [&] {
        Drawing drawing = bytes_figure(input, measure_approximately);
        return std::count_if(drawing.shapes.begin(), drawing.shapes.end(), [](const Shape& s) {
            return s.fill.kind == Fill::Kind::ink && s.fill.ink == Ink::useful && s.fill.alpha < 1;
        });
    };
    EXPECT_EQ(0, faint());
    input.pipes.back().at_least = true;
    EXPECT_GT(faint(), 0);
    float before = bytes_figure(input, measure_approximately).height;
    input.height = 0;
    input.pipes.push_back(pipe(L::l2, L::shared, 1000));
    Drawing drawing = bytes_figure(input, measure_approximately);
    EXPECT_TRUE(hit_beginning(drawing, "L2 to shared memory"));
    EXPECT_GT(before, 0);
}

TEST(BytesFigure, IsSoundAtEveryWidthAndHeight) {
    BytesFigureInput all = strided(), none, huge = strided();
    all.pipes.push_back(pipe(L::memory, L::l2, 1000));
    all.pipes.push_back(pipe(L::l2, L::shared, 1000));
    all.pipes.push_back(pipe(L::shared, L::l2, 10));
    all.pipes.back().at_least = true;
    all.notes = {"32 wavefronts a load", "32 lanes a warp", "32 sectors a load", "60 MiB",
                 "4800 GB/s"};
    all.title = "Copy, one element per thread: 4,096 x 4,096 float";
    for (BytesPipe& each : huge.pipes) each.useful *= 1e9, each.vain *= 1e9;
    for (BytesFigureInput input : {all, none, huge})
        for (float width : {300.f, 420.f, 620.f, 1400.f})
            for (float height : {0.f, 200.f, 900.f}) {
                input.width = width;
                input.height = height;
                Drawing drawing = bytes_figure(input, measure_approximately);
                EXPECT_EQ(cut_texts(drawing, measure_approximately), std::vector<std::string>{})
                    << width;
                for (const Shape& s : drawing.shapes)
                    EXPECT_LE(s.box.x + s.box.w, width + 0.5f) << s.text;
            }
}

}  // namespace
}  // namespace lanewise
