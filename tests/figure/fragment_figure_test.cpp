#include "figure/fragment_figure.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanewise {
namespace {

// As mma.m16n8k16 deals them out, at row 64 and column 64 of the matrices.
FragmentMap example() {
    FragmentMap map;
    map.a = {4, 2, {}};
    map.b = {2, 2, {}};
    map.c = {4, 1, {}};
    for (int lane = 0; lane < 32; ++lane) {
        int group = lane / 4, of_four = lane % 4;
        for (int r = 0; r < 4; ++r)
            for (int i = 0; i < 2; ++i)
                map.a.held.push_back({64 + group + r % 2 * 8, of_four * 2 + i + r / 2 * 8});
        for (int r = 0; r < 2; ++r)
            for (int i = 0; i < 2; ++i) map.b.held.push_back({of_four * 2 + i + r * 8, 64 + group});
        for (int r = 0; r < 4; ++r)
            map.c.held.push_back({64 + group + r / 2 * 8, 64 + of_four * 2 + r % 2});
    }
    return map;
}

const HitBox* hit(const Drawing& drawing, const std::string& tooltip) {
    for (const HitBox& box : drawing.hits)
        if (box.tooltip == tooltip) return &box;
    return nullptr;
}

TEST(FragmentFigure, FitsEveryWidth) {
    FragmentMap map = example();
    for (float width : {360.f, 560.f, 900.f, 1400.f})
        for (int lane : {-1, 13}) {
            Drawing drawing = fragment_figure(
                {&map, lane, "warp 5, product 0: mma.sync.aligned.m16n8k16.row.col.f32", width},
                measure_approximately);
            EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately));
            EXPECT_EQ(256u + 128u + 128u, drawing.hits.size());
            for (const Shape& shape : drawing.shapes) EXPECT_LE(shape.box.x + shape.box.w, width);
        }
}

// A lies left of C in the same rows, B above C in the same columns.
TEST(FragmentFigure, LaysTheMatricesOutAsOneMultiplies) {
    FragmentMap map = example();
    Drawing drawing = fragment_figure({&map, 13, "", 900}, measure_approximately);
    const HitBox* a = hit(drawing, "A[75][11]: lane 13, register 3, high half");
    const HitBox* b = hit(drawing, "B[10][67]: lane 13, register 1, low half");
    const HitBox* c = hit(drawing, "C[75][67]: lane 13, register 3");
    ASSERT_TRUE(a && b && c);
    EXPECT_EQ("lane:13", a->action);
    EXPECT_FLOAT_EQ(a->box.y, c->box.y);
    EXPECT_FLOAT_EQ(b->box.x, c->box.x);
    EXPECT_LT(a->box.x, c->box.x);
    EXPECT_LT(b->box.y, c->box.y);
    auto says = [&](const std::string& text) {
        return std::any_of(drawing.shapes.begin(), drawing.shapes.end(),
                           [&](const Shape& shape) { return shape.text == text; });
    };
    EXPECT_TRUE(
        says("Lane 13 holds 8 elements of A, 4 of B and 4 of C: 16 x 16 times 16 x 8 "
             "elements."));
}

// wgmma's 16 x 16 of A and 16 x 8 of B lie in shared memory: no lane holds them.
TEST(FragmentFigure, ShowsWhatNoLaneHolds) {
    FragmentMap map = example();
    map.a.registers = map.b.registers = 0;
    for (float width : {360.f, 900.f})
        for (int lane : {-1, 13}) {
            Drawing drawing =
                fragment_figure({&map, lane, "wgmma.mma_async", width}, measure_approximately);
            EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately));
            EXPECT_TRUE(hit(drawing, "A[75][11]: read from shared memory by the tensor cores"));
            EXPECT_TRUE(hit(drawing, "C[75][67]: lane 13, register 3"));
            EXPECT_FALSE(hit(drawing, "A[75][11]: lane 13, register 3, high half"));
        }
}

TEST(FragmentFigure, IsWordsWithoutAProduct) {
    Drawing drawing = fragment_figure({}, measure_approximately);
    ASSERT_FALSE(drawing.shapes.empty());
    EXPECT_EQ("This warp multiplies nothing with tensor cores.", drawing.shapes[0].text);
}

}  // namespace
}  // namespace lanewise
