// The data flow by keys, labels and time.
#include "ui/desk/flow.h"

#include <gtest/gtest.h>

#include "../frames.h"
#include "ui/desk/keys.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {
namespace {

class FlowView : public testing::Test {
  protected:
    void SetUp() override {
        choose_shape(app, 64, 96);
        choose_stage(app, "22_coarsened");
        choose_view(app, "flow");
        frames.answer();
        frames.frame(4);
    }
    FlowTool& flow() { return app.tools->flow; }
    Frames frames{1280, 1400};
    App& app = frames.app;
};

// 8 warps load, store, read and write 4 times each, and wait once together.
TEST_F(FlowView, BeginsFinishedAndIsSteppedThrough) {
    ASSERT_EQ(4u * 8 * 4 + 1, flow().parts.life.steps.size());
    EXPECT_EQ(128, flow().step);
    EXPECT_TRUE(frames.says("Warp 7 writes to out, row 31, columns 0 to 31: 4 sectors."));
    frames.press(Key::home);
    EXPECT_EQ(0, flow().step);
    EXPECT_TRUE(frames.says("Warp 0 loads from in, row 0, columns 0 to 31: 4 sectors."));
    frames.press(Key::right);
    EXPECT_EQ(1, flow().step);
    ASSERT_TRUE(frames.click("flow:before"));
    EXPECT_EQ(0, flow().step);
    frames.press(Key::right, true);
    frames.press(Key::right, true);
    EXPECT_EQ(Moment::barrier, flow().parts.life.steps[static_cast<size_t>(flow().step)].moment);
    EXPECT_TRUE(frames.says("8 warps leave the barrier"));
    frames.press(Key::end);
    EXPECT_EQ(128, flow().step);
}

TEST_F(FlowView, PlaysAndStandsStillAtItsEnd) {
    EXPECT_FALSE(flow_moves(app));
    play_flow(app);  // from the begin
    EXPECT_EQ(0, flow().step);
    EXPECT_TRUE(flow_moves(app));
    double each = seconds_per_step(flow());
    advance_flow(app, 100);
    advance_flow(app, 100 + 2.5 * each);
    EXPECT_EQ(2, flow().step);
    advance_flow(app, 100 + 3.1 * each);
    EXPECT_EQ(3, flow().step);
    advance_flow(app, 1000);
    EXPECT_EQ(128, flow().step);
    EXPECT_FALSE(flow_moves(app));  // nothing more to draw
    frames.press(Key::space);
    EXPECT_TRUE(flow().playing);
    frames.press(Key::space);
    EXPECT_FALSE(flow().playing);
    choose_view(app, "code");
    EXPECT_FALSE(flow_moves(app));
}

TEST_F(FlowView, TellsWhereTheBlocksWalk) {
    ASSERT_TRUE(flow().walk);
    EXPECT_EQ(6u, shown_blocks(flow()));  // all of the grid run at once
    EXPECT_TRUE(frames.says("Blocks follow each other along the rows."));
    frames.press(Key::down);
    EXPECT_EQ(3u, shown_blocks(flow()));
    EXPECT_TRUE(frames.says("Blocks follow each other down the columns."));
    EXPECT_TRUE(frames.says("384 sectors of the L2 cache."));  // 3 tiles of 32 rows of 4
    frames.press(Key::up);
    frames.press(Key::up);
    EXPECT_EQ(6u, shown_blocks(flow()));
    EXPECT_FALSE(wants_walk(app));  // the same setting once
    choose_knob(app, "TILE", 16);
    flow().walk_stale = true;
    EXPECT_TRUE(wants_walk(app));
    EXPECT_FALSE(flow().walk);
}

TEST_F(FlowView, EveryStageHasOne) {
    for (const char* stage : {"10_naive", "86_in_place"}) {
        choose_shape(app, 64, 64);
        choose_stage(app, stage);
        frames.answer();
        frames.frame(3);
        EXPECT_FALSE(flow().parts.life.steps.empty()) << stage;
        EXPECT_FALSE(flow().parts.matrices.empty()) << stage;
    }
    choose_stage(app, "matmul/20_shared_tiles");
    frames.answer();
    frames.frame(3);
    EXPECT_EQ(3u, flow().parts.matrices.size());
}

// By copies, by way of registers, or one of them each: shared memory has a part for A and one for
// B.
TEST_F(FlowView, EachMatrixOfAProductHasItsTile) {
    struct {
        const char* stage;
        int a_pitch, b_pitch;  // bytes
    } const expected[] = {{"matmul/20_shared_tiles", 16 * 4, 16 * 4},
                          {"matmul/22_padded_tiles", 33 * 4, 33 * 4},
                          {"matmul/30_register_tiles", 16 * 4, 128 * 4},
                          {"matmul/42_mma_sync", 128, 128},
                          {"matmul/95_wgmma", 128, 128}};
    for (const auto& [stage, a_pitch, b_pitch] : expected) {
        choose_stage(app, stage);
        choose_shape(app, 128, 128, 128);
        if (app.chosen().knobs.contains("PAD")) choose_knob(app, "PAD", 1);
        frames.answer();
        frames.frame(3);
        const std::vector<SharedTile>& tiles = flow().parts.tiles.tiles;
        ASSERT_GE(tiles.size(), 2u) << stage;
        EXPECT_EQ(0, tiles[0].buffer) << stage;
        EXPECT_EQ(1, tiles[1].buffer) << stage;
        EXPECT_EQ(a_pitch, tiles[0].pitch_bytes) << stage;
        EXPECT_EQ(b_pitch, tiles[1].pitch_bytes) << stage;
        EXPECT_TRUE(frames.says("A in shared memory")) << stage;
        EXPECT_TRUE(frames.says("B in shared memory")) << stage;
        for (const std::string& fault : text_faults(audit()))
            ADD_FAILURE() << stage << ": " << fault;
    }
    choose_stage(app, "30_padded");  // one matrix is brought there: one tile, as it is declared
    frames.answer();
    frames.frame(3);
    EXPECT_TRUE(flow().parts.tiles.tiles.empty());
    EXPECT_TRUE(frames.says("shared memory"));
}

TEST_F(FlowView, IsWholeInEveryWindow) {
    for (auto [width, height] : {std::pair{1280, 720}, {640, 900}, {427, 600}, {2400, 1400}}) {
        frames.resize(width, height);
        frames.frame(3);
        for (const std::string& fault : text_faults(audit()))
            ADD_FAILURE() << width << ": " << fault;
    }
}

}  // namespace
}  // namespace lanewise::ui
