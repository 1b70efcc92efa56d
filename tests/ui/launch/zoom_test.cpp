// The zoom: levels by button and key, choosing a block and a warp by clicking into them, a lane's
// numbers.
#include "ui/launch/zoom.h"

#include <gtest/gtest.h>

#include "../../needs.h"
#include "../frames.h"

namespace lanewise::ui {
namespace {

class Zooming : public testing::Test {
  protected:
    void SetUp() override {
        NEEDS_NVRTC();
        choose_shape(app, 128, 96);
        choose_stage(app, "30_padded");
        choose_view(app, "access");
        show();
    }
    void show() {
        frames.answer();
        frames.frame(3);
    }
    Frames frames{1280, 720};
    App& app = frames.app;
};

TEST_F(Zooming, FromTheGridToALane) {
    ASSERT_TRUE(frames.click("zoom:grid"));
    EXPECT_TRUE(frames.says("12 blocks of 256 threads"));  // 3 x 4 of them
    ASSERT_TRUE(frames.click("block:7"));
    show();
    EXPECT_EQ(7u, app.chosen().block);
    EXPECT_TRUE(frames.says("Block 7 is (1, 2)."));
    ASSERT_TRUE(frames.click("zoom:block"));
    EXPECT_TRUE(frames.says("this is warp 0"));
    ASSERT_TRUE(frames.click("warp:3"));
    EXPECT_EQ(3u, app.chosen().warp);
    ASSERT_TRUE(frames.click("zoom:warp"));
    choose_step(app, 0);
    ASSERT_TRUE(frames.click("zoom:lane"));
    EXPECT_EQ(0, app.chosen().lane);
    // Warp 3 is row 3 of the block's threads; block (1, 2) begins at row 64, col 32.
    EXPECT_TRUE(frames.says("in[size_t(row + j) * cols + col]"));
    EXPECT_TRUE(frames.says("= in[size_t(67 + 0) * 96 + 32]"));
    ASSERT_TRUE(frames.click("lane"));
    EXPECT_EQ(-1, app.chosen().lane);
    EXPECT_EQ(Zoom::warp, app.chosen().zoom);
}

// A block whose data bulk copies move loads and stores nothing itself.
TEST_F(Zooming, AnEmptyListSaysWhoMovesTheData) {
    choose_stage(app, "84_tma");
    show();
    EXPECT_TRUE(frames.says("bulk copies move"));
    EXPECT_FALSE(frames.says("outside the matrix"));
}

TEST_F(Zooming, ByKey) {
    frames.type('-');
    EXPECT_EQ(Zoom::block, app.chosen().zoom);
    frames.type('-');
    frames.type('-');
    EXPECT_EQ(Zoom::grid, app.chosen().zoom);
    for (int i = 0; i < 4; ++i) frames.type('+');
    EXPECT_EQ(Zoom::lane, app.chosen().zoom);
    EXPECT_GE(app.chosen().lane, 0);
    frames.press(Key::escape);
    EXPECT_EQ(Zoom::warp, app.chosen().zoom);
}

TEST_F(Zooming, TheTileHasNumbersToo) {
    choose_step(app, 1);  // into the tile, row 0
    choose_lane(app, 6);
    choose_zoom(app, Zoom::lane);
    show();
    EXPECT_TRUE(frames.says("= tile[0 + 0][6]"));
    EXPECT_TRUE(frames.says("Word 6 lies in bank 6."));
}

TEST_F(Zooming, NothingIsCut) {
    for (auto [width, height] : {std::pair{1280, 720}, std::pair{640, 480}, std::pair{1920, 1080}})
        for (Zoom zoom : {Zoom::grid, Zoom::block, Zoom::lane}) {
            frames.resize(width, height);
            choose_zoom(app, zoom);
            frames.frame(3);
            for (const std::string& fault : text_faults(audit()))
                ADD_FAILURE() << width << " " << static_cast<int>(zoom) << ": " << fault;
        }
}

// On a small screen at 300 % one row of tools stands above the picture; the place is behind the
// button at its end.
TEST_F(Zooming, APlaceInLittleRoomIsFoldedAway) {
    auto top_of_row = [&] {
        for (const WidgetRecord& each : audit().widgets)
            if (each.id.starts_with("access:")) return each.box.y0;
        return -1.f;
    };
    auto has = [&](const std::string& id) {
        return std::any_of(audit().widgets.begin(), audit().widgets.end(),
                           [&](const WidgetRecord& each) { return each.id == id; });
    };
    set_scale(3);
    for (const char* view : {"access", "banks"}) {
        choose_view(app, view);
        show();
        EXPECT_FALSE(has("warp+")) << view;
        EXPECT_GT(top_of_row(), 0) << view;
        EXPECT_LT(top_of_row(), 720 / 3) << view;  // below the window's bar and the views' tabs
        ASSERT_TRUE(frames.click("place"));
        EXPECT_TRUE(has("warp+")) << view;
        ASSERT_TRUE(frames.click("warp+"));
        ASSERT_TRUE(frames.click("place"));
        EXPECT_FALSE(has("warp+")) << view;
    }
    EXPECT_EQ(2u, app.chosen().warp);
    set_scale(1);
    show();
    EXPECT_TRUE(has("warp+"));
}

}  // namespace
}  // namespace lanewise::ui
