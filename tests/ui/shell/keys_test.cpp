#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../frames.h"

namespace lanewise::ui {
namespace {

class Keys : public testing::Test {
  protected:
    Keys() {
        choose_shape(frames.app, 128, 128);
        choose_stage(frames.app, "30_padded");
        frames.answer();
        choose_view(frames.app, "access");
        frames.frame(3);
    }
    Frames frames;
    App& app = frames.app;
};

TEST_F(Keys, NextAndPreviousStage) {
    frames.type('p');
    EXPECT_EQ("transpose/22_coarsened", app.stage().id);
    frames.type('n');
    EXPECT_EQ("transpose/30_padded", app.stage().id);
    choose_stage(frames.app, app.content.catalogue.stages().back().id);
    frames.type('n');  // the last stage stays
    EXPECT_EQ(app.content.catalogue.stages().back().id, app.stage().id);
}

TEST_F(Keys, DigitsChooseTheView) {
    frames.type('2');
    EXPECT_EQ("banks", app.chosen().view);
    frames.type('3');
    EXPECT_EQ("code", app.chosen().view);
    frames.type('1');
    EXPECT_EQ("access", app.chosen().view);
}

TEST_F(Keys, ArrowsMoveOverAccessesAndWarps) {
    // A warp of the 32 x 8 block loads 4 and stores 4 rows of the tile; none wastes anything, so
    // the first store is shown.
    EXPECT_EQ(4, chosen_row(app, Space::global));
    frames.press(Key::down);
    EXPECT_EQ(5, chosen_row(app, Space::global));
    frames.press(Key::home);
    EXPECT_EQ(0, chosen_row(app, Space::global));
    frames.press(Key::up);
    EXPECT_EQ(0, chosen_row(app, Space::global));
    frames.type(']');
    EXPECT_EQ(1u, app.chosen().warp);
    frames.type('[');
    EXPECT_EQ(0u, app.chosen().warp);
    frames.type('[');
    EXPECT_EQ(0u, app.chosen().warp);
    frames.press(Key::right, false, true);
    EXPECT_EQ(0, app.chosen().lane);
    frames.press(Key::escape);
    EXPECT_EQ(-1, app.chosen().lane);
    frames.press(Key::page_down);
    EXPECT_EQ(1u, app.chosen().block);
}

TEST_F(Keys, ControlScalesAndThemeTurns) {
    frames.press(Key::equal, true);
    EXPECT_FLOAT_EQ(1.1f, look().scale);
    EXPECT_FLOAT_EQ(1.1f, app.saved.scale);
    frames.press(Key::minus, true);
    frames.press(Key::minus, true);
    EXPECT_FLOAT_EQ(0.9f, look().scale);
    frames.press(Key::zero, true);
    EXPECT_FLOAT_EQ(1, look().scale);
    for (int i = 0; i < 20; ++i) frames.press(Key::minus, true);
    EXPECT_FLOAT_EQ(kLeastScale, look().scale);
    for (int i = 0; i < 40; ++i) frames.press(Key::equal, true);
    EXPECT_FLOAT_EQ(kMostScale, look().scale);
    frames.type('t');
    EXPECT_EQ("light", look().theme);
}

TEST_F(Keys, TabGoesRoundTheColumns) {
    EXPECT_EQ(Region::picture, app.keyboard.region);
    frames.press(Key::tab);
    EXPECT_EQ(Region::controls, app.keyboard.region);
    frames.press(Key::f6);
    EXPECT_EQ(Region::course, app.keyboard.region);
    frames.press(Key::tab, false, true);
    EXPECT_EQ(Region::controls, app.keyboard.region);
}

TEST_F(Keys, ItIsToldWhatTheKeyboardIsAt) {
    auto focus = [&] {
        const nlohmann::json at = nlohmann::json::parse(dump(app)).at("focus");
        return at.is_null() ? "" : at.at("id").get<std::string>();
    };
    EXPECT_EQ("", focus());
    frames.press(Key::tab);  // to the setting, whose first item an arrow finds
    EXPECT_EQ("", focus());
    frames.press(Key::down);
    EXPECT_EQ("knob:TILE=8", focus());
    frames.press(Key::right);
    EXPECT_EQ("knob:TILE=16", focus());
    frames.press(Key::enter);
    EXPECT_EQ(16, app.chosen().knobs.at("TILE"));
    EXPECT_EQ("knob:TILE=16", focus());
    ASSERT_TRUE(frames.click("knob:PAD=0"));  // a hand at the mouse
    EXPECT_EQ("", focus());
}

// The Enter that closes the palette is not one on the item that the keyboard comes back to.
TEST_F(Keys, EnterInThePaletteIsSpentThere) {
    frames.press(Key::tab);
    frames.press(Key::down);  // to the setting's first knob value, TILE = 8
    frames.press(Key::p, true, true);
    frames.type("theme light");  // unlike a view, it leaves the keyboard to the column where it was
    // A text box hides where the keyboard is, and Enter is for no item then; an arrow shows it again.
    frames.press(Key::down);
    frames.press(Key::up);
    ASSERT_TRUE(ImGui::GetIO().NavVisible);
    frames.press(Key::enter);
    EXPECT_EQ("light", look().theme);
    EXPECT_EQ(32, app.chosen().knobs.at("TILE"));
    frames.press(Key::enter);
    EXPECT_EQ(8, app.chosen().knobs.at("TILE"));
}

TEST_F(Keys, HelpOpensAndCloses) {
    frames.type('?');
    EXPECT_TRUE(app.open.help);
    frames.press(Key::escape);
    EXPECT_FALSE(app.open.help);
    frames.press(Key::f1);
    EXPECT_TRUE(app.open.help);
}

// Two seconds, in which a keyboard repeats its key some thirty times.
TEST_F(Keys, AKeyThatIsHeldSwitchesOnce) {
    constexpr int kHeld = 120;  // frames
    send_key(Key::f1, true);
    for (int i = 0; i < kHeld; ++i) {
        frames.frame();
        ASSERT_TRUE(app.open.help) << "in frame " << i;
    }
    send_key(Key::f1, false);
    frames.frame();
    frames.press(Key::f1);
    EXPECT_FALSE(app.open.help);
    const float before = look().scale;
    send_modifiers(true, false);
    send_key(Key::equal, true);
    frames.frame(kHeld);
    send_key(Key::equal, false);
    send_modifiers(false, false);
    frames.frame();
    EXPECT_GT(look().scale, before + 0.15f);  // more than one step of a tenth
}

TEST_F(Keys, RunNeedsAGpu) {
    frames.type('r');
    EXPECT_FALSE(app.wanted.measurement);
    app.engine.gpu = "NVIDIA H200";
    frames.type('r');
    EXPECT_TRUE(app.wanted.measurement);
    app.wanted.measurement = false;
    frames.press(Key::f5);
    EXPECT_TRUE(app.wanted.measurement);
}

TEST_F(Keys, ClicksTurnKnobsAndAnswer) {
    EXPECT_TRUE(frames.click("knob:PAD=0"));
    EXPECT_EQ(0, app.chosen().knobs.at("PAD"));
    EXPECT_TRUE(app.stale.picture);
    frames.answer();
    frames.frame();
    EXPECT_TRUE(frames.click("predict:1"));
    EXPECT_EQ("1", app.saved.progress.at("transpose/30_padded").guess);
    EXPECT_TRUE(frames.click("type:f64"));
    EXPECT_EQ("f64", app.chosen().type);
    EXPECT_TRUE(frames.click("type:f32x4"));  // not offered, and shown with the reason
    EXPECT_EQ("f64", app.chosen().type);
    // 64 x 32 threads are too many: the chip says so and does nothing.
    EXPECT_TRUE(frames.click("knob:TILE=8"));
    EXPECT_EQ(8, app.chosen().knobs.at("TILE"));
    frames.answer();
    frames.frame();
    EXPECT_TRUE(frames.click("knob:ROWS=16"));
    EXPECT_EQ(8, app.chosen().knobs.at("ROWS"));
}

TEST_F(Keys, ABatchIsTakenWhereTheStageTakesOne) {
    EXPECT_TRUE(frames.click("batch:256"));
    EXPECT_EQ(1, app.chosen().batch);
    choose_stage(app, "80_register_tiles");
    frames.answer();
    frames.frame();
    EXPECT_TRUE(frames.click("batch:16"));
    EXPECT_EQ(16, job_of(app).batch);
    choose_stage(app, "30_padded");
    EXPECT_EQ(1, app.chosen().batch);
}

TEST_F(Keys, LaneByClickInThePicture) {
    EXPECT_TRUE(frames.click("lane:5"));
    EXPECT_EQ(5, app.chosen().lane);
}

}  // namespace
}  // namespace lanewise::ui
