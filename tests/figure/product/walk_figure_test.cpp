#include "figure/product/walk_figure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../drawn.h"

namespace lanewise {
namespace {

// A block of 32 x 64 in the middle of 128 x 128, 16 k a step, of which the next one is always under
// way.
TileWalk walk_of(int steps = 8) {
    TileWalk walk;
    walk.M = walk.N = 128;
    walk.K = 16 * steps;
    walk.block = 5;
    walk.c_rows = {32, 64};
    walk.c_cols = {64, 128};
    walk.through_shared = true;
    for (int i = 0; i < steps; ++i)
        walk.steps.push_back({{16 * i, 16 * i + 16}, {32, 64}, {64, 128}, i, i + 1});
    return walk;
}

TEST(WalkFigure, FitsEveryWidthAndHeight) {
    TileWalk walk = walk_of(), thin = walk_of(60);
    thin.M = 50, thin.c_rows = {0, 32};
    for (const TileWalk* each : {&walk, &thin})
        for (float width : {360.f, 560.f, 900.f})
            for (float height : {0.f, 300.f, 500.f})
                for (int step : {0, 3, 7}) {
                    Drawing drawing =
                        walk_figure({each, step, "block 5", width, height}, measure_approximately);
                    EXPECT_EQ(std::vector<std::string>{},
                              cut_texts(drawing, measure_approximately));
                    for (const Shape& shape : drawing.shapes)
                        EXPECT_LE(shape.box.x + shape.box.w, width + 1);
                    if (height > 0) {
                        EXPECT_LE(drawing.height, height + 30) << width;
                    }
                }
}

// Parts of A lie in the block's rows, parts of B in its columns, and both at the same k.
TEST(WalkFigure, LaysThePartsOutAsOneMultiplies) {
    TileWalk walk = walk_of();
    Drawing drawing = walk_figure({&walk, 2, "", 600, 0}, measure_approximately);
    const HitBox* a = hit_beginning(drawing, "A[32-63][48-63]: step 4");
    const HitBox* b = hit_beginning(drawing, "B[48-63][64-127]: step 4");
    const HitBox* c = hit_beginning(drawing, "C[32-63][64-127]: the sums of steps 1 to 3 of 8");
    ASSERT_TRUE(a && b && c);
    EXPECT_EQ("step:3", a->action);
    EXPECT_FLOAT_EQ(a->box.y, c->box.y);
    EXPECT_FLOAT_EQ(a->box.h, c->box.h);
    EXPECT_FLOAT_EQ(b->box.x, c->box.x);
    EXPECT_FLOAT_EQ(b->box.w, c->box.w);
    EXPECT_NEAR(a->box.w, b->box.h, 0.01f);
    EXPECT_NE(std::string::npos, a->tooltip.find("fetched after barrier 3, multiplied after"));
}

TEST(WalkFigure, SaysWhatEachStepDoes) {
    TileWalk walk = walk_of();
    EXPECT_EQ(
        "Step 3 of 8, k = 32-47: 32 x 16 elements of A times 16 x 64 of B are added to 32 x 64 of "
        "C. The next step's parts are in flight, or there already.",
        words_of(walk, 2));
    EXPECT_EQ(
        "Step 8 of 8, k = 112-127: 32 x 16 elements of A times 16 x 64 of B are added to 32 x 64 "
        "of C.",
        words_of(walk, 100));  // clamped
    walk.through_shared = false;
    EXPECT_TRUE(words_of(walk, 0).ends_with("straight to the lanes that use them."));
    walk.by_bulk_copies = true;
    EXPECT_NE(std::string::npos, words_of(walk, 0).find("Bulk copies bring the parts"));
}

TEST(WalkFigure, NamesWhatIsStillToCome) {
    TileWalk walk = walk_of();
    auto says = [&](int step) {
        Drawing drawing = walk_figure({&walk, step, "", 560, 0}, measure_approximately);
        return std::any_of(drawing.shapes.begin(), drawing.shapes.end(),
                           [](const Shape& shape) { return shape.text == "still to come"; });
    };
    EXPECT_TRUE(says(0));
    EXPECT_TRUE(says(5));   // its next one is on its way, the last one not
    EXPECT_FALSE(says(6));  // the last one is on its way
    EXPECT_FALSE(says(7));
}

TEST(WalkStrip, HasACellForEachStep) {
    TileWalk walk = walk_of();
    Drawing strip = walk_strip(walk, 2, 400, measure_approximately);
    EXPECT_EQ(8u, strip.hits.size());
    EXPECT_EQ("step:7", strip.hits[7].action);
    EXPECT_EQ(std::vector<std::string>{}, cut_texts(strip, measure_approximately));
    EXPECT_EQ(0, walk_step_at(walk, 400, -5));
    EXPECT_EQ(2, walk_step_at(walk, 400, 149));
    EXPECT_EQ(7, walk_step_at(walk, 400, 1000));
    TileWalk many = walk_of(1000);
    for (const Shape& shape : walk_strip(many, 999, 400, measure_approximately).shapes)
        EXPECT_LE(shape.box.x + shape.box.w, 401);
}

TEST(WalkFigure, IsWordsWhereNothingIsMultiplied) {
    TileWalk none;
    Drawing drawing = walk_figure({&none, 0, "", 560, 0}, measure_approximately);
    ASSERT_FALSE(drawing.shapes.empty());
    EXPECT_TRUE(drawing.shapes[0].text.starts_with("This block multiplies nothing"));
}

}  // namespace
}  // namespace lanewise
