// The timeline in the window: what it says, the wheel and a drag, and that a click chooses the access
// everywhere.
#include "ui/desk/timeline.h"

#include <gtest/gtest.h>

#include "../frames.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {
namespace {

class Timeline : public testing::Test {
  protected:
    void SetUp() override {
        choose_shape(app, 64, 96);
        choose_stage(app, "30_padded");
        choose_knob(app, "PAD", 0);
        choose_view(app, "timeline");
        show();
    }
    void show() {
        frames.answer();
        frames.frame(4);
    }
    TickWindow shown() { return app.tools->timeline.shown; }
    // The middle of the figure.
    ImVec2 middle() const {
        for (const WidgetRecord& each : audit().figures)
            return {(each.box.x0 + each.box.x1) / 2, (each.box.y0 + each.box.y1) / 2};
        return {};
    }
    Frames frames{1280, 900};
    App& app = frames.app;
};

// Each warp: 4 loads of 4 sectors, 4 stores of 1 wavefront, then 4 reads of 32 where 1 would do and
// 4 writes of 4 sectors: 124 of 164 ticks.
TEST_F(Timeline, SaysWhatIsInVain) {
    EXPECT_EQ(8u, app.tools->timeline.timeline.warps.size());
    EXPECT_EQ(165u, app.tools->timeline.timeline.ticks);
    EXPECT_TRUE(frames.says("76 % of the ticks are wasted"));
    choose_knob(app, "PAD", 1);
    show();
    EXPECT_TRUE(frames.says("Every access of this block costs as little as it can."));
}

TEST_F(Timeline, AClickChoosesTheAccessEverywhere) {
    const auto& life = app.tools->timeline.timeline.warps[5];
    int read = 0;
    while (life[static_cast<size_t>(read)].step.moment != Moment::shared_load) ++read;
    ASSERT_TRUE(frames.click("moment:5:" + std::to_string(read)));
    EXPECT_EQ(5u, app.chosen().warp);
    EXPECT_EQ(read, shown_step(app));
    choose_view(app, "banks");
    frames.frame(3);
    EXPECT_TRUE(frames.says("Warp 5"));
    choose_view(app, "timeline");
    frames.frame(2);
    select(app, [](Selection& now) { now.warp = 0; });
    ASSERT_TRUE(frames.click("worst:0:" + std::to_string(read)));
    EXPECT_EQ(0u, app.chosen().warp);
    EXPECT_EQ(read, shown_step(app));
}

TEST_F(Timeline, TheWheelComesCloserAndADragMoves) {
    send_pointer(middle());
    frames.frame(2);
    EXPECT_EQ(0, shown().to);  // all of it
    send_wheel(1);
    frames.frame(2);
    send_wheel(1);
    frames.frame(2);
    EXPECT_NEAR(165 / 1.25 / 1.25, shown().to - shown().from, 1e-6);
    EXPECT_GT(shown().from, 20);
    TickWindow before = shown();
    send_button(true);
    frames.frame();
    ImVec2 to = middle();
    to.x += 100;
    send_pointer(to);
    frames.frame(2);
    send_button(false);
    frames.frame(2);
    EXPECT_LT(shown().from, before.from);
    EXPECT_NEAR(before.to - before.from, shown().to - shown().from, 1e-6);
    EXPECT_EQ(0u, app.chosen().warp);  // the end of a drag is no click
    ASSERT_TRUE(frames.click("timeline:all"));
    EXPECT_EQ(0, shown().to);
}

TEST_F(Timeline, PlaysThroughTheWarpsLife) {
    frames.press(Key::home);
    EXPECT_EQ(0, shown_step(app));
    frames.press(Key::right);
    EXPECT_EQ(1, shown_step(app));
    press_play(app);
    EXPECT_TRUE(is_moving(app));
    choose_view(app, "code");
    EXPECT_FALSE(is_moving(app));
}

}  // namespace
}  // namespace lanewise::ui
