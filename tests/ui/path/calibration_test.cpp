#include "ui/path/calibration.h"

#include <gtest/gtest.h>

#include "../frames.h"

namespace lanewise::ui {
namespace {

using Progress = std::map<std::string, WindowState::Progress>;

TEST(Calibration, CountsOnlyWhatWasCompared) {
    Progress progress;
    progress["unseen"] = {};
    progress["open"] = {"4", 75, false, false, false};
    progress["right"] = {"4", 0, true, true, false};
    progress["wrong"] = {"8", 95, true, false, true};
    ConfidenceScore score = calibration_of(progress);
    EXPECT_EQ(2, score.all.known);
    EXPECT_EQ(1, score.all.right);
    EXPECT_EQ(1u, score.by_percent.size());
    EXPECT_EQ(1, score.by_percent[95].known);
    EXPECT_DOUBLE_EQ(0.95 * 0.95, score.brier);
    EXPECT_EQ("", score.in_words);
}

// Five said to be 95 % sure, of which `right` are.
ConfidenceScore five(int right) {
    Progress progress;
    for (int i = 0; i < 5; ++i) progress[std::to_string(i)] = {"1", 95, true, i < right, false};
    return calibration_of(progress);
}

TEST(Calibration, SaysWhatToMakeOfIt) {
    EXPECT_NE(std::string::npos, five(5).in_words.find("well calibrated"));
    EXPECT_NE(std::string::npos, five(3).in_words.find("surer than you are right"));
    // (3 * 0.05² + 2 * 0.95²) / 5
    EXPECT_NEAR(0.3625, five(3).brier, 1e-9);
    Progress modest;
    for (int i = 0; i < 6; ++i) modest[std::to_string(i)] = {"1", 50, true, i < 5, false};
    EXPECT_NE(std::string::npos, calibration_of(modest).in_words.find("more than you think"));
}

// By widget: how sure, then the guess; the machine's answer scores it.
TEST(Calibration, APredictionIsKeptWithItsConfidence) {
    Frames frames{1280, 1400};
    App& app = frames.app;
    choose_shape(app, 128, 128);
    choose_stage(app, "30_padded");
    frames.answer();
    frames.frame(3);
    ASSERT_TRUE(frames.click("confidence:Sure"));
    EXPECT_EQ(95, app.learner.confidence);
    ASSERT_TRUE(frames.click("predict:1"));
    const WindowState::Progress& kept = app.saved.progress["transpose/30_padded"];
    EXPECT_EQ("1", kept.guess);
    EXPECT_EQ(95, kept.confidence);
    EXPECT_TRUE(kept.known);
    EXPECT_TRUE(kept.right);
    EXPECT_EQ(0, app.learner.confidence);  // said anew for each
    frames.frame(2);
    EXPECT_TRUE(frames.says("Your predictions: 1 of 1 right."));
    EXPECT_TRUE(frames.says("Sure (95 %): 1 of 1 right"));
}

}  // namespace
}  // namespace lanewise::ui
