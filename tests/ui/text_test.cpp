// No text is cut and none lies over another: every stage, view and theme, at 1280x720, 1920x1080
// and at 200 % of each.
#include <gtest/gtest.h>

#include "frames.h"
#include "ui/views.h"

namespace lanewise::ui {
namespace {

TEST(Audit, SeesTextThatLeavesItsRoomIsCutOrOverlaps) {
    Audit seen;
    Rect clip{0, 0, 100, 100};
    seen.texts.push_back({"fits", {10, 10, 40, 20}, {10, 10, 50, 20}, clip});
    EXPECT_EQ(0u, text_faults(seen).size());
    seen.texts.push_back({"wide", {10, 30, 60, 40}, {10, 30, 50, 40}, clip});
    EXPECT_EQ(1u, text_faults(seen).size());
    seen.texts.push_back({"outside", {80, 50, 120, 60}, {80, 50, 130, 60}, clip});
    EXPECT_EQ(2u, text_faults(seen).size());
    seen.texts.push_back({"over", {30, 12, 45, 20}, {30, 12, 45, 20}, clip});
    EXPECT_EQ(3u, text_faults(seen).size());
    // Scrolled out of sight is no fault.
    seen.texts.push_back({"below", {10, 200, 40, 210}, {10, 200, 40, 210}, clip});
    EXPECT_EQ(3u, text_faults(seen).size());
}

struct Case {
    int width, height;
    float scale;
    friend void PrintTo(const Case& at, std::ostream* out) {
        *out << at.width << "x" << at.height << " at " << at.scale;
    }
};

class Texts : public testing::TestWithParam<Case> {};

TEST_P(Texts, AreWholeInEveryStageViewAndTheme) {
    Case at = GetParam();
    Frames frames(at.width, at.height);
    set_scale(at.scale);
    choose_shape(frames.app, 256, 256);
    for (size_t stage = 0; stage < frames.app.catalogue.stages().size(); ++stage) {
        choose_stage(frames.app, stage);
        frames.answer();
        for (const View& view : views()) {
            choose_view(frames.app, view.id);
            // Themes change colours only, so each view is looked at in another one.
            set_theme(next_theme(look().theme));
            frames.frame(3);
            ASSERT_GT(audit().texts.size(), 10u);
            for (const std::string& fault : text_faults(audit()))
                ADD_FAILURE() << frames.app.stage().id << ", " << view.id << ", " << look().theme
                              << ": " << fault;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Texts,
                         testing::Values(Case{1280, 720, 1}, Case{1920, 1080, 1},
                                         Case{1280, 720, 2}, Case{1920, 1080, 2},
                                         Case{1280, 720, 0.75f}));

TEST(Messages, FitToo) {
    Frames frames(1280, 720);
    frames.answer();
    frames.app.error =
        "30_padded.cu:17:23: error: identifier \"tyle\" is undefined\n    tyle[0] = 1;\n    "
        "^~~~\nwith "
        "/a/very/long/path/that/has/no/blank/in/it/and/goes/on/until/it/must/be/broken/somewhere/"
        "at/all";
    frames.app.notices = {"The font Inter is not installed; DejaVu Sans stands in."};
    frames.app.help_open = true;
    frames.app.shape_problem = "rows and cols are whole numbers from 1 to 65,536.";
    for (float scale : {1.f, 2.f}) {
        set_scale(scale);
        frames.app.help_open = scale > 1.5f;
        frames.frame(3);
        std::vector<std::string> faults;
        for (const std::string& fault : text_faults(audit()))
            // The sheet of keys lies over the window on purpose.
            if (!frames.app.help_open || fault.find("lies over") == std::string::npos)
                ADD_FAILURE() << scale << ": " << fault;
    }
}

}  // namespace
}  // namespace lanewise::ui
