// Long work shows what is done, how long it will take, and a way out.
#include <gtest/gtest.h>

#include "../frames.h"

namespace lanewise::ui {
namespace {

class Progress : public testing::Test {
  protected:
    Progress() {
        choose_shape(app, 128, 128);
        frames.answer();
        app.activity.measurement = true;
        app.activity.what = "round 10 of 40";
        app.activity.since = -20;  // before the first frame
    }
    Frames frames{1600, 900};
    App& app = frames.app;
};

TEST_F(Progress, TellsTheTimeLeft) {
    app.activity.fraction = 0.25;
    frames.frame(1);  // at 0.016 s
    EXPECT_TRUE(frames.says("round 10 of 40 · 20.0 s · about 60 s left"));
    app.activity.fraction = 0.5;
    frames.frame(1);
    EXPECT_TRUE(frames.says("round 10 of 40 · 20.0 s · about 20 s left"));
    app.activity.fraction = 0;  // nothing to tell by
    app.activity.what = "waiting for the GPU";
    frames.frame(1);
    EXPECT_TRUE(frames.says("waiting for the GPU · 20.0 s"));
    EXPECT_FALSE(frames.says(" s left"));
}

TEST_F(Progress, CancelIsAClickAway) {
    frames.frame(2);
    ASSERT_TRUE(frames.click("cancel:work"));
    EXPECT_TRUE(app.wanted.cancel);
}

TEST_F(Progress, ShortWorkNeedsNone) {
    app.activity = {};
    app.activity.picture = true;
    app.activity.since = -1;
    frames.frame(2);
    EXPECT_TRUE(frames.says("interpreting one block"));
    EXPECT_FALSE(frames.click("cancel:work"));
}

}  // namespace
}  // namespace lanewise::ui
