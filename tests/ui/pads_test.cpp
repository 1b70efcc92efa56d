// The table of paddings: counted by the machine for each, one click to choose.
#include <gtest/gtest.h>

#include "../needs.h"
#include "frames.h"

namespace lanewise::ui {
namespace {

class Pads : public testing::Test {
  protected:
    void SetUp() override {
        NEEDS_NVRTC();
        frames.engine.unanswered.clear();
        choose_shape(app, 128, 128);
        choose_stage(app, "30_padded");
        choose_view(app, "banks");
        frames.answer();
        frames.frame(3);
    }
    const WidgetRecord* widget(const std::string& id) const {
        for (const WidgetRecord& each : audit().widgets)
            if (each.id == id) return &each;
        return nullptr;
    }
    Frames frames{1280, 900};
    App& app = frames.app;
};

TEST_F(Pads, AreChosenByOneClick) {
    ASSERT_TRUE(app.arrived.pads);
    ASSERT_TRUE(frames.click("pad:0"));
    EXPECT_EQ(0, app.chosen().knobs.at("PAD"));
    frames.answer();
    frames.frame(3);
    // The load of a column: 32 wavefronts, as the picture has it.
    int row = chosen_row(app, Space::shared);
    ASSERT_GE(row, 0);
    EXPECT_EQ(32, app.derived.rows_of[1][static_cast<size_t>(row)].cost);
    ASSERT_TRUE(frames.click("pad:3"));
    EXPECT_EQ(3, app.chosen().knobs.at("PAD"));
}

TEST_F(Pads, WhatTheStageDoesNotOfferIsShownAndNotChosen) {
    ASSERT_TRUE(widget("pad:8"));
    EXPECT_FALSE(widget("pad:8")->enabled);
    EXPECT_TRUE(frames.says("(8)"));
    ASSERT_TRUE(frames.click("pad:8"));
    EXPECT_EQ(1, app.chosen().knobs.at("PAD"));
}

TEST_F(Pads, AStageWithoutPaddingHasNone) {
    choose_stage(app, "22_coarsened");
    frames.answer();
    frames.frame(3);
    EXPECT_FALSE(widget("pad:0"));
    EXPECT_FALSE(frames.says("PADDING"));
}

TEST_F(Pads, AreWholeInANarrowWindow) {
    for (auto [width, height] : {std::pair{1280, 720}, std::pair{640, 900}, std::pair{900, 600}}) {
        frames.resize(width, height);
        frames.frame(3);
        for (const std::string& fault : text_faults(audit()))
            ADD_FAILURE() << width << ": " << fault;
    }
}

}  // namespace
}  // namespace lanewise::ui
