// Up to two other settings beside the chosen one: which stand there by themselves, which can be
// chosen, and that three are legible in a small window.
#include "ui/state/compare.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../frames.h"

namespace lanewise::ui {
namespace {

using Kind = CompareWith::Kind;

class Compare : public testing::Test {
  protected:
    void SetUp() override {
        choose_shape(app, 128, 128);
        choose_stage(app, "30_padded");
        choose_view(app, "banks");
        show();
    }
    void show() {
        frames.answer();
        frames.frame(3);
    }
    const WidgetRecord* widget(const std::string& id) const {
        for (const WidgetRecord& each : audit().widgets)
            if (each.id == id) return &each;
        return nullptr;
    }
    Frames frames{1280, 720};
    App& app = frames.app;
};

TEST_F(Compare, TheTileWithoutPaddingStandsThereByItself) {
    EXPECT_TRUE(app.beside[0].wanted);
    EXPECT_EQ("PAD = 0", app.beside[0].title);
    EXPECT_EQ("PAD = 1", app.derived.chosen_title);
    EXPECT_FALSE(app.beside[1].wanted);
    EXPECT_TRUE(frames.says("PAD = 0"));
    choose_view(app, "access");  // where nobody asked for it
    show();
    EXPECT_FALSE(frames.says("PAD = 0"));
}

TEST_F(Compare, UnpaddedPaddedAndSwizzledStandSideBySide) {
    toggle_comparison(app, {Kind::stage, "transpose/32_swizzled"});
    ASSERT_TRUE(app.beside[1].wanted);
    show();
    for (const char* title : {"PAD = 0", "PAD = 1", "Swizzled tile"})
        EXPECT_TRUE(frames.says(title)) << title;
    const WidgetRecord *yours = widget("tile"), *other = widget("other tile"),
                       *third = widget("third tile");
    ASSERT_TRUE(yours && other && third);
    // The reader's own first, and marked.
    EXPECT_LT(yours->box.x1, other->box.x0);
    EXPECT_LT(other->box.x1, third->box.x0);
    EXPECT_FLOAT_EQ(yours->box.y0, third->box.y0);
    EXPECT_TRUE(frames.says("Yours: PAD = 1"));
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
    // Under one scrubber: the first read of the tile in all three.
    for (const Beside& beside : app.beside) {
        int there = same_step(app.derived.life, shown_step(app), beside.life);
        ASSERT_GE(there, 0);
        EXPECT_EQ(Moment::shared_load, beside.life[static_cast<size_t>(there)].moment);
    }
    EXPECT_EQ(32, app.beside[0].life[9].cost);
}

TEST_F(Compare, ASwizzledTileTakesTheChosenKnobs) {
    choose_knob(app, "TILE", 16);
    choose_knob(app, "ROWS", 16);
    compare_with(app, 1, {Kind::stage, "transpose/32_swizzled"});
    EXPECT_EQ(16, app.beside[1].knobs["TILE"]);
    EXPECT_EQ(16, app.beside[1].knobs["ROWS"]);
    EXPECT_EQ(0, app.beside[1].knobs.count("PAD"));
}

TEST_F(Compare, IsChosenFromASheetByClickAndByKey) {
    frames.type('c');
    frames.frame(2);
    ASSERT_TRUE(app.open.compare);
    EXPECT_FALSE(widget("beside:PAD=1"));  // the chosen one
    ASSERT_TRUE(frames.click("beside:PAD=4"));
    EXPECT_EQ(4, app.beside[1].knobs["PAD"]);
    ASSERT_TRUE(frames.click("beside:TILE=16"));  // a third takes the place of the second
    EXPECT_EQ(16, app.beside[1].knobs["TILE"]);
    EXPECT_EQ(1, app.beside[1].knobs["PAD"]);
    EXPECT_EQ("PAD = 1, TILE = 32", app.derived.chosen_title);
    ASSERT_TRUE(frames.click("beside:PAD=0"));  // no longer
    EXPECT_FALSE(app.beside[0].wanted);
    frames.press(Key::escape);
    EXPECT_FALSE(app.open.compare);
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
}

TEST_F(Compare, WhatCannotBeIsNotOffered) {
    choose_type(app, "u8");
    std::vector<Comparable> all = comparables(app);
    auto offers = [&](const std::string& stage) {
        return std::any_of(all.begin(), all.end(),
                           [&](const Comparable& each) { return each.with.name == stage; });
    };
    EXPECT_TRUE(offers("transpose/32_swizzled"));
    EXPECT_FALSE(offers("transpose/90_cublas"));  // nothing to interpret
    EXPECT_FALSE(offers("transpose/30_padded"));  // itself
    choose_shape(app, 64, 128);
    all = comparables(app);
    EXPECT_FALSE(offers("transpose/86_in_place"));  // not square
}

TEST_F(Compare, StaysWithTheNextStageWhereItFits) {
    compare_with(app, 1, {Kind::stage, "transpose/22_coarsened"});
    choose_stage(app, "32_swizzled");
    EXPECT_TRUE(app.beside[1].wanted);
    choose_stage(app, "22_coarsened");
    EXPECT_FALSE(app.beside[1].wanted);
    choose_stage(app, "30_padded");
    EXPECT_TRUE(app.beside[1].wanted);
}

TEST_F(Compare, TheMicroscopeComparesToo) {
    toggle_comparison(app, {Kind::stage, "transpose/12_naive_write"});
    choose_view(app, "access");
    show();
    choose_step(app, 0);  // a load
    frames.frame(3);
    EXPECT_TRUE(frames.says("Naive, writes in order"));
    EXPECT_TRUE(frames.says("Not coalesced"));
    choose_step(app, 1);  // into the tile, which the other has not
    frames.frame(3);
    EXPECT_TRUE(frames.says("This moment does not come here."));
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
}

// The knob that the view is about moves what is looked at: the reader's panel, and the other one.
TEST_F(Compare, AKnobMovesTheReadersOwnPicture) {
    show();
    EXPECT_TRUE(frames.says("Yours: PAD = 1"));
    choose_knob(app, "PAD", 0);
    show();
    EXPECT_TRUE(frames.says("Yours: PAD = 0"));
    EXPECT_FALSE(frames.says("Yours: PAD = 1"));
    EXPECT_TRUE(frames.says("PAD = 1"));
}

}  // namespace
}  // namespace lanewise::ui
