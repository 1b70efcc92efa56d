// What might make a launch faster: tried once for each press, listed above the issues, taken over by
// another press.
#include "ui/desk/fixes.h"

#include <gtest/gtest.h>

#include "../../needs.h"
#include "../frames.h"
#include "compile/compiler.h"
#include "ui/desk/commands.h"
#include "ui/desk/tools.h"
#include "ui/path/predict_first.h"
#include "ui/state/edits.h"

namespace lanewise::ui {
namespace {

class FixesView : public testing::Test {
  protected:
    void SetUp() override {
        choose_mode(app, "workbench");
        choose_shape(app, 256, 256);
        choose_stage(app, "30_padded");
        choose_knob(app, "PAD", 0);
        choose_view(app, "issues");
        frames.answer();
        frames.frame(3);
    }
    int row_of(const std::string& title) const {
        const FixTable& table = *tried_fixes(app);
        for (size_t i = 0; i < table.fixes.size(); ++i)
            if (table.fixes[i].title == title) return static_cast<int>(i);
        return -1;
    }
    Frames frames{1280, 2600};
    App& app = frames.app;
};

TEST_F(FixesView, AKnobThatHelpsIsUsedByAPress) {
    EXPECT_EQ(0, frames.engine.asked["fixes"]);  // nobody has asked
    ASSERT_TRUE(frames.click("fixes:try"));
    EXPECT_TRUE(tries_fixes(app));
    frames.answer();
    frames.answer();
    EXPECT_EQ(1, frames.engine.asked["fixes"]);  // once
    ASSERT_TRUE(tried_fixes(app));
    frames.frame(3);
    EXPECT_TRUE(frames.says("is fastest"));
    const int padded = row_of("PAD = 1");
    ASSERT_LE(0, padded);
    EXPECT_TRUE(tried_fixes(app)->fixes[static_cast<size_t>(padded)].faster);
    choose_fix(app, padded);
    frames.frame(2);
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
    ASSERT_TRUE(frames.click("fixes:apply"));
    EXPECT_EQ(1, app.chosen().knobs.at("PAD"));
    EXPECT_EQ("PAD = 1. Ctrl Z takes it back", app.said.toast.text);
    EXPECT_FALSE(tried_fixes(app));  // it was another launch's
    frames.answer();
    frames.frame(2);
    EXPECT_FALSE(tried_fixes(app));
    frames.press(Key::z, true);
    EXPECT_EQ(0, app.chosen().knobs.at("PAD"));
}

TEST_F(FixesView, AChangeOfTheSourceGoesIntoTheEditor) {
    NEEDS_NVRTC();
    act(app, find_command(app, "fixes:try"));
    frames.answer();
    ASSERT_TRUE(tried_fixes(app));
    const int unrolled = row_of("Its pointers do not overlap: __restrict__");
    const int row = unrolled >= 0 ? unrolled : row_of("Its loops are unrolled");
    ASSERT_LE(0, row);
    const TableFix fix = tried_fixes(app)->fixes[static_cast<size_t>(row)];
    choose_fix(app, row);
    frames.frame(2);
    EXPECT_TRUE(frames.says("+"));
    ASSERT_TRUE(frames.click("fixes:apply"));
    EXPECT_TRUE(app.editing.on);
    EXPECT_EQ(fix.source, typed_source(app));
    EXPECT_TRUE(is_edited(app));
}

// Another launch: what runs is of the one before, and is not shown as this one's.
TEST_F(FixesView, OfAnotherLaunchIsNotShown) {
    press_try_fixes(app);
    ASSERT_TRUE(wants_fixes(app));
    choose_knob(app, "PAD", 2);
    frames.answer();
    FixTable table;
    table.before_us = 1;
    take_fixes(app, table);
    EXPECT_FALSE(tried_fixes(app));
    EXPECT_FALSE(tries_fixes(app));
}

TEST_F(FixesView, SaysWhyThereIsNone) {
    press_try_fixes(app);
    ASSERT_TRUE(wants_fixes(app));
    fail_fixes(app, "The engine ended.");
    frames.frame(3);
    EXPECT_TRUE(frames.says("The engine ended."));
    choose_mode(app, "learn");
    EXPECT_NE("", find_command(app, "fixes:try").problem);
    press_try_fixes(app);
    EXPECT_FALSE(wants_fixes(app));
}

// What is tried first would tell what the lesson asks.
TEST_F(FixesView, NothingIsTriedBeforeTheAnswer) {
    app.learner.predicts_first = true;
    ASSERT_TRUE(answer_is_hidden(app));
    EXPECT_NE("", find_command(app, "fixes:try").problem);
    press_try_fixes(app);
    EXPECT_FALSE(wants_fixes(app));
    frames.frame(3);
    EXPECT_FALSE(frames.says("might make it faster"));
    show_answer(app);
    press_try_fixes(app);
    EXPECT_TRUE(wants_fixes(app));
}

}  // namespace
}  // namespace lanewise::ui
