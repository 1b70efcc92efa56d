// The map of a wrong result: asked for when its badge is opened, once for each result.
#include "ui/mismatch.h"

#include <gtest/gtest.h>

#include "frames.h"
#include "lab/mismatch_map.h"
#include "ui/commands.h"
#include "ui/tools.h"

namespace lanewise::ui {
namespace {

class MismatchView : public testing::Test {
  protected:
    void SetUp() override {
        if (!compiler_status().found) GTEST_SKIP() << "no NVRTC here: nothing can be compiled";
        choose_shape(app, 128, 128);
        choose_stage(app, "102_tile_not_swapped");
        frames.answer();
        frames.frame(3);
    }
    Frames frames{1280, 1400};
    App& app = frames.app;
};

TEST_F(MismatchView, StandsBelowTheBadgeThatSaysSo) {
    EXPECT_FALSE(wants_mismatch(app));  // nobody has asked
    ASSERT_TRUE(frames.click("badge:wrong result"));
    EXPECT_TRUE(mismatch_shown(app));
    EXPECT_TRUE(frames.says("Looking where it is wrong"));
    ASSERT_TRUE(wants_mismatch(app));
    EXPECT_FALSE(wants_mismatch(app));  // once
    take_mismatch(app, find_mismatches(job_of(app), 1));
    frames.frame(3);
    // The tiles' diagonals are right: 128 of them.
    EXPECT_TRUE(frames.says("15,872 of 16,384 elements wrong"));
    EXPECT_TRUE(frames.says("its inside"));
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
}

TEST_F(MismatchView, IsOpenedByCommandWhereThereIsOne) {
    act(app, find_command(app, "mismatch"));
    EXPECT_TRUE(mismatch_shown(app));
    choose_stage(app, "30_padded");
    frames.answer();
    app.proof = 0;
    EXPECT_FALSE(mismatch_shown(app));
    EXPECT_NE("", find_command(app, "mismatch").problem);
    EXPECT_FALSE(wants_mismatch(app));
}

TEST_F(MismatchView, SaysWhyThereIsNone) {
    act(app, find_command(app, "mismatch"));
    ASSERT_TRUE(wants_mismatch(app));
    fail_mismatch(app, "The engine ended.");
    frames.frame(3);
    EXPECT_TRUE(frames.says("The engine ended."));
    fail_mismatch(app, "");  // superseded: to be asked again
    EXPECT_TRUE(wants_mismatch(app));
}

}  // namespace
}  // namespace lanewise::ui
