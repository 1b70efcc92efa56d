// The swizzle forge by keys and labels: typed when the hand rests, chosen by a chip, gone back to.
#include "ui/desk/forge.h"

#include <gtest/gtest.h>

#include "../../needs.h"
#include "../frames.h"
#include "ui/desk/commands.h"
#include "ui/desk/keys.h"
#include "ui/desk/tools.h"
#include "ui/state/edits.h"

namespace lanewise::ui {
namespace {

class ForgeView : public testing::Test {
  protected:
    void SetUp() override {
        choose_shape(app, 64, 64);
        choose_stage(app, "22_coarsened");
        frames.answer();
        frames.type('f');
        settle();
    }
    void settle() {
        frames.answer();
        frames.frame(3);
    }
    Forge& forge() { return app.tools->forge; }
    Frames frames{1280, 900};
    App& app = frames.app;
};

TEST_F(ForgeView, BeginsWithTheBareTileAndSaysWhatItCosts) {
    EXPECT_EQ("forge", app.chosen().tab);
    ASSERT_TRUE(forge().result);
    EXPECT_TRUE(frames.says("store: 1 wavefront"));
    EXPECT_TRUE(frames.says("load: 32 wavefronts"));
    EXPECT_TRUE(frames.says("0 bytes more"));
    EXPECT_FALSE(frames.says("Forged"));
}

TEST_F(ForgeView, IsTypedAndTriedWhenTheHandRests) {
    frames.press(Key::end);
    frames.type(" ^ row");
    EXPECT_EQ("col ^ row", forge().trial.expression);
    // Nothing is asked while the hand types: the first look only notes the time.
    EXPECT_TRUE(forge().typed);
    EXPECT_EQ(0, swizzle_due(app, 0));
    EXPECT_FALSE(next_swizzle(app, 0));
    EXPECT_FALSE(next_swizzle(app, kTypingRest / 2));
    EXPECT_NEAR(kTypingRest / 2, swizzle_due(app, kTypingRest / 2), 1e-9);
    int before = frames.engine.asked["swizzle"];
    settle();
    settle();
    EXPECT_EQ(before + 1, frames.engine.asked["swizzle"]);  // once
    EXPECT_LT(swizzle_due(app, 100), 0);
    EXPECT_TRUE(frames.says("load: 1 wavefront"));
    EXPECT_TRUE(frames.says("Forged"));
    EXPECT_TRUE(app.said.toast.text.starts_with("Forged"));
    frames.press(Key::escape);  // leaves the field, and what was typed stays
    EXPECT_EQ("col ^ row", forge().trial.expression);
}

TEST_F(ForgeView, ErrorsStandBelowTheExpression) {
    NEEDS_NVRTC();
    frames.press(Key::end);
    frames.type(" ^ rwo");
    settle();
    EXPECT_TRUE(frames.says("rwo"));
    EXPECT_TRUE(frames.says("^"));
    EXPECT_EQ(7, forge().result->problem_column);
    EXPECT_EQ(1u, forge().tried.size());  // what does not compile is no trial
}

TEST_F(ForgeView, ChipsAndWhatWasTriedAreOneClick) {
    ASSERT_TRUE(frames.click("forge:padded"));
    settle();
    EXPECT_TRUE(frames.says("128 bytes more"));
    ASSERT_TRUE(frames.click("forge:and"));
    settle();
    EXPECT_TRUE(frames.says("transpose wrong"));
    EXPECT_TRUE(frames.says("Elements (0, 0) and (0, 1) both lie in column 0 of row 0"));
    ASSERT_EQ(3u, forge().tried.size());
    EXPECT_FALSE(forge().tried[2].right);
    // Back by key: the keyboard is in the column, no longer in the field.
    frames.press(Key::escape);
    focus_region(app, Region::picture);
    frames.frame(2);
    frames.press(Key::up);
    EXPECT_EQ((SwizzleTrial{"col", 1}), forge().trial);
    settle();
    EXPECT_EQ(3u, forge().tried.size());  // the same again moves to the end
    frames.press(Key::space);
    EXPECT_TRUE(forge().shows_store);
    frames.press(Key::right);
    EXPECT_EQ(1, forge().access);
}

TEST_F(ForgeView, IsReachedFromSharedMemoryAndByCommand) {
    choose_view(app, "banks");
    frames.frame(3);
    ASSERT_TRUE(frames.click("forge"));
    EXPECT_EQ("forge", app.chosen().tab);
    choose_view(app, "access");
    act(app, find_command(app, "forge:xor"));
    EXPECT_EQ("forge", app.chosen().tab);
    EXPECT_EQ((SwizzleTrial{"col ^ row", 0}), forge().trial);
    EXPECT_EQ(0, swizzle_due(app, 0));
}

TEST_F(ForgeView, AStageWithoutSuchATileOffersOneThatHas) {
    choose_stage(app, "10_naive");
    frames.answer();
    frames.frame(3);
    EXPECT_FALSE(next_swizzle(app, 100));
    ASSERT_TRUE(frames.click("to tile"));
    EXPECT_EQ("transpose/22_coarsened", app.stage().id);
}

TEST_F(ForgeView, AnotherSettingsTriesAreNotMixed) {
    NEEDS_NVRTC();
    choose_knob(app, "TILE", 16);
    frames.answer();
    forge().stale = true;  // as a new picture is asked for
    settle();
    ASSERT_EQ(1u, forge().tried.size());
    EXPECT_EQ(16, forge().result->map.rows);
}

TEST_F(ForgeView, IsWholeInEveryWindow) {
    act(app, find_command(app, "forge:and"));
    settle();
    for (auto [width, height] : {std::pair{1280, 720}, {640, 900}, {427, 600}, {2400, 1400}}) {
        frames.resize(width, height);
        frames.frame(3);
        for (const std::string& fault : text_faults(audit()))
            ADD_FAILURE() << width << ": " << fault;
    }
}

}  // namespace
}  // namespace lanewise::ui
