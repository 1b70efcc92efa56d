#include "figure/product/fragment_figure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../drawn.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

// As mma.m16n8k16 deals them out, at row 64 and column 64 of the matrices.
FragmentMap dealt_out() {
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
    FragmentMap map = dealt_out();
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

// Low cells are wider than high, so that the lanes' numbers stand apart.
TEST(FragmentFigure, KeepsNumbersApartWhereThereIsLittleHeight) {
    FragmentMap map = dealt_out();
    float number = measure_approximately("31", kNoteSize, Font::mono);
    Drawing high = fragment_figure({&map, -1, "", 900}, measure_approximately);
    EXPECT_FLOAT_EQ(24, high.hits.at(0).box.w);
    EXPECT_FLOAT_EQ(24, high.hits[0].box.h);
    Drawing low = fragment_figure({&map, -1, "", 900, 460}, measure_approximately);
    EXPECT_LE(low.height, 460);
    EXPECT_LT(low.hits.at(0).box.h, number + 4);
    EXPECT_GE(low.hits[0].box.w, number + 4);
}

// A lies left of C in the same rows, B above C in the same columns.
TEST(FragmentFigure, LaysTheMatricesOutAsOneMultiplies) {
    FragmentMap map = dealt_out();
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

// m64nNk16 of wgmma by warps 4 to 7, asked of warp 5. A's rows are 128 bytes long and B's rows,
// along N, too: a piece of 16 bytes is exchanged with that whose number differs by the row's. Of C
// the last `beyond` columns are outside of the matrix.
FragmentMap warpgroup_example(int columns, int beyond = 0) {
    auto swizzled = [](int begin, int row, int byte) {
        return static_cast<uint32_t>(begin + row * 128 + (byte ^ row % 8 * 16));
    };
    FragmentMap map;
    map.warp = 5;
    map.b = {0, 2, {}, {}, 128};
    for (int col = 0; col < columns; ++col)
        for (int k = 0; k < 16; ++k) {
            map.b.held.push_back(col < columns - beyond ? HeldElement{k, col} : HeldElement{});
            map.b.addresses.push_back(swizzled(65'536 + col / 64 * 8'192, k, col % 64 * 2));
        }
    for (int warp = 0; warp < 4; ++warp) {
        FragmentMap::WarpPart part{{0, 2, {}, {}, 128}, {columns / 2, 1, {}}};
        for (int row = warp * 16; row < warp * 16 + 16; ++row)
            for (int k = 0; k < 16; ++k) {
                part.a.held.push_back({row, k});
                part.a.addresses.push_back(swizzled(0, row, k * 2));
            }
        for (int lane = 0; lane < 32; ++lane)
            for (int r = 0; r < columns / 2; ++r) {
                int row = warp * 16 + lane / 4 + r / 2 % 2 * 8,
                    col = lane % 4 * 2 + r % 2 + r / 4 * 8;
                part.c.held.push_back(col < columns - beyond ? HeldElement{row, col}
                                                             : HeldElement{});
            }
        map.group.push_back(part);
    }
    map.a = map.group[1].a;
    map.c = map.group[1].c;
    return map;
}

TEST(WarpgroupFigure, FitsEveryWidth) {
    for (int columns : {8, 64, 256})
        for (float width : {360.f, 480.f, 560.f, 612.f, 900.f, 1400.f})
            for (int lane : {-1, 13}) {
                FragmentMap map = warpgroup_example(columns);
                Drawing drawing = fragment_figure(
                    {&map, lane, "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", width},
                    measure_approximately);
                EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately))
                    << columns << " columns, " << width;
                for (const Shape& shape : drawing.shapes)
                    EXPECT_LE(shape.box.x + shape.box.w, width + 0.5f) << columns;
            }
}

// Row 17's first eight elements are the second line of its core matrix: byte 17 * 128, and one
// piece further. Column 8's core matrix lies beside that of column 0, at k 1 in its place.
TEST(WarpgroupFigure, ShowsRegistersLanesAndSharedMemory) {
    FragmentMap map = warpgroup_example(256);
    Drawing drawing = fragment_figure({&map, 13, "", 900}, measure_approximately);
    EXPECT_TRUE(hit(drawing, "C[8-15][8-15]: registers 6-7 of warp 4"));
    EXPECT_TRUE(hit(drawing, "C[48-55][248-255]: registers 124-125 of warp 7"));
    EXPECT_TRUE(hit(drawing, "A[16-23][0-7]: core matrix 2, from byte 2,048 of shared memory"));
    EXPECT_TRUE(hit(drawing, "B[8-15][64-71]: core matrix 40, from byte 74,752 of shared memory"));
    EXPECT_TRUE(hit(drawing, "Byte 2,192: A[17][0-7], core matrix 2"));
    EXPECT_TRUE(hit(drawing, "Byte 65,664: B[1][8-15], core matrix 1"));
    EXPECT_TRUE(hit(drawing, "Byte 2,096: not read by this product"));
    const HitBox* c = hit(drawing, "C[19][2]: lane 13, register 0");
    ASSERT_TRUE(c);
    EXPECT_EQ("lane:13", c->action);
    EXPECT_TRUE(says(drawing, "Lane 13 of each warp"));
    EXPECT_TRUE(says(drawing, "8 of 8"));
}

// 10 columns of C: the second block of eight has two, and B's pieces beyond it are zeros.
TEST(WarpgroupFigure, ShowsTheEdge) {
    FragmentMap map = warpgroup_example(64, 54);
    Drawing drawing = fragment_figure({&map, -1, "", 612}, measure_approximately);
    EXPECT_TRUE(hit(drawing, "C[0-7][8-9]: registers 4-5 of warp 4"));
    EXPECT_TRUE(hit(drawing, "Beyond the edge of C"));
    EXPECT_TRUE(
        hit(drawing, "B: zeros beyond the edge, core matrix 2, from byte 65,568 of shared memory"));
    EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately));
}

TEST(FragmentFigure, IsWordsWithoutAProduct) {
    Drawing drawing = fragment_figure({}, measure_approximately);
    ASSERT_FALSE(drawing.shapes.empty());
    EXPECT_EQ("This warp multiplies nothing with tensor cores.", drawing.shapes[0].text);
}

// Warps 0 to 3 multiply; 4 fetches by the box, 5 element by element, 6 loads, 7 does nothing.
TEST(FragmentFigure, SaysWhatAWarpWithoutFragmentsDoes) {
    BlockTrace block;
    block.warps = 8;
    TracedCopy copy;
    copy.is_bulk = true;
    copy.warp = 4;
    block.copies = {copy, copy};
    copy.is_bulk = false;
    copy.warp = 5;
    block.copies.push_back(copy);
    TracedAccess access;
    access.warp = 6;
    block.accesses = {access};
    auto words = [&](uint32_t warp) { return words_without_fragments(0xf, block, warp); };
    EXPECT_EQ(
        "This warp multiplies nothing: it fetches. It has 2 bulk copies made to shared "
        "memory, and warps 0 to 3 multiply with tensor cores what has arrived there.",
        words(4));
    EXPECT_EQ(
        "This warp multiplies nothing: it fetches. It has 1 asynchronous copy made to shared "
        "memory, and warps 0 to 3 multiply with tensor cores what has arrived there.",
        words(5));
    EXPECT_EQ(
        "This warp multiplies nothing: it loads and stores, and warps 0 to 3 multiply with "
        "tensor cores.",
        words(6));
    EXPECT_EQ(
        "This warp neither fetches nor multiplies anything in this block; warps 0 to 3 "
        "multiply with tensor cores.",
        words(7));
    EXPECT_NE(std::string::npos,
              words_without_fragments(0, block, 4).find("multiplies without tensor cores"));
    EXPECT_NE(std::string::npos,
              words_without_fragments(1u << 3, block, 7).find("warp 3 multiplies with"));
    EXPECT_NE(std::string::npos,
              words_without_fragments(0b1011, block, 7).find("3 other warps multiply with"));
}

}  // namespace
}  // namespace lanewise
