// No text is cut and none lies over another: every stage, view and theme, at 1280x720, 1920x1080
// and at 200 and 300 % of each, and in 4K at 300 %. And every text can be read on what lies under
// it.
#include <gtest/gtest.h>

#include "../frames.h"
#include "ui/state/settings.h"
#include "ui/state/views.h"

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
};

// One quarter of the stages each: what is drawn is computed once for all sizes.
class Texts : public testing::TestWithParam<size_t> {};

TEST_P(Texts, AreWholeInEveryStageViewThemeAndSize) {
    constexpr Case kSizes[] = {{1280, 720, 0.75f}, {1280, 720, 1}, {1920, 1080, 1}, {1280, 720, 2},
                               {1920, 1080, 2},    {1280, 720, 3}, {1920, 1080, 3}, {3840, 2160, 3}};
    Frames frames;
    choose_shape(frames.app, 256, 256);
    for (size_t stage = GetParam(); stage < frames.app.content.catalogue.stages().size(); stage += 4) {
        choose_stage(frames.app, stage);
        // Wide enough for long numbers, and no deeper than it takes.
        if (frames.app.chosen().operation->has_inner()) choose_shape(frames.app, 256, 256, 64);
        frames.answer();
        for (const Case& size : kSizes) {
            frames.resize(size.width, size.height);
            set_scale(size.scale);
            for (const View& view : views()) {
                choose_view(frames.app, view.id);
                // Themes change colours only, so each view is looked at in another one.
                set_theme(next_theme(look().theme));
                frames.frame(3);
                ASSERT_GT(audit().texts.size(), 10u);
                for (const std::string& fault : text_faults(audit()))
                    ADD_FAILURE() << frames.app.stage().id << ", " << view.id << ", " << look().theme << ", "
                                  << size.width << " x " << size.height << " at " << size.scale << ": "
                                  << fault;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Quarters, Texts, testing::Range(size_t{0}, size_t{4}));

TEST(Contrast, IsWhatWcagDefines) {
    EXPECT_NEAR(21, contrast(IM_COL32_BLACK, IM_COL32_WHITE), 0.01);
    EXPECT_NEAR(1, contrast(IM_COL32_WHITE, IM_COL32_WHITE), 1e-9);
    // The grey that is given everywhere as the lightest that passes on white.
    EXPECT_NEAR(4.54, contrast(IM_COL32(0x76, 0x76, 0x76, 255), IM_COL32_WHITE), 0.01);
}

class Contrasts : public testing::TestWithParam<const char*> {
  protected:
    void expect_readable(const std::string& where) {
        frames.frame(3);
        ASSERT_GT(audit().texts.size(), 10u);
        auto faults = contrast_faults(audit(), *ImGui::GetDrawData(), look().pixels_per_point());
        for (const std::string& fault : faults)
            ADD_FAILURE() << GetParam() << ", " << where << ": " << fault;
    }
    Frames frames{1280, 1000};
    App& app = frames.app;
};

TEST_P(Contrasts, AreEnoughInEveryView) {
    set_theme(GetParam());
    choose_shape(app, 256, 256);
    for (const char* stage : {"05_strided", "30_padded", "40_float4"}) {
        choose_stage(app, stage);
        frames.answer();
        for (const View& view : views()) {
            choose_view(app, view.id);
            expect_readable(app.stage().id + ", " + view.id);
        }
    }
    choose_stage(app, "30_padded");
    choose_knob(app, "PAD", 0);
    frames.engine.unanswered.clear();
    frames.answer();
    choose_lane(app, 5);
    for (const char* view : {"access", "banks", "code"}) {
        choose_view(app, view);
        expect_readable(std::string("a lane, ") + view);
    }
    app.said.error = "30_padded.cu:17:23: error: identifier \"tyle\" is undefined";
    app.said.notices = {"The font Inter is not installed; DejaVu Sans stands in."};
    app.open.proof = 2;
    app.engine.gpu = "NVIDIA H200";  // Run can be pressed
    app.saved.progress[app.stage().id] = {"1", 95, true, true, true};
    expect_readable("messages");
}

// Other sizes show other parts, and in other places: in the smallest window at the largest scale
// one column of few rows.
TEST_P(Contrasts, AreEnoughAtEverySize) {
    set_theme(GetParam());
    choose_shape(app, 256, 256);
    choose_stage(app, "30_padded");
    frames.answer();
    for (auto [width, height, scale] :
         {Case{1280, 720, 3}, Case{1920, 1080, 1}, Case{3840, 2160, 3}}) {
        frames.resize(width, height);
        set_scale(scale);
        for (const View& view : views()) {
            choose_view(app, view.id);
            expect_readable(std::to_string(width) + ", " + view.id);
        }
    }
}

TEST_P(Contrasts, SeeWhatCannotBeRead) {
    set_theme(GetParam());
    frames.answer();
    frames.frame(3);
    ASSERT_TRUE(contrast_faults(audit(), *ImGui::GetDrawData(), 1).empty());
    // One text in the colour of its ground.
    Audit seen = audit();
    for (TextRecord& text : seen.texts)
        if (text.text == "COURSE") text.ink = color(Ink::panel);
    std::vector<std::string> faults = contrast_faults(seen, *ImGui::GetDrawData(), 1);
    ASSERT_EQ(1u, faults.size());
    EXPECT_TRUE(faults[0].starts_with("\"COURSE\" at ")) << faults[0];
    EXPECT_TRUE(faults[0].ends_with(" has a contrast of 1.00")) << faults[0];
}

INSTANTIATE_TEST_SUITE_P(Themes, Contrasts, testing::Values("dark", "light", "projector"),
                         [](const auto& test) { return std::string(test.param); });

// What lies over the window is whole, and can be read too.
TEST(SettingsPage, FitsAtEverySize) {
    for (auto [width, height] : {std::pair{1280, 720}, std::pair{1920, 1080}}) {
        Frames frames(width, height);
        frames.app.engine.gpus = {{"NVIDIA H200", "GPU-1"},
                                  {"NVIDIA GeForce RTX 2080 Ti", "GPU-2"}};
        open_settings(frames.app);
        frames.app.open.settings->engine.prefix = "ssh 'box";
        frames.app.open.settings->time_limit = "5 s";
        frames.app.open.settings->result = EngineTest{false, "ssh: Could not resolve hostname box"};
        settings_changed(frames.app);
        for (float scale : {1.f, 2.f, 3.f})
            for (const char* theme : {"dark", "light", "projector"}) {
                set_scale(scale);
                set_theme(theme);
                frames.frame(3);
                for (const std::string& fault : text_faults(audit()))
                    // It lies over the window on purpose.
                    if (fault.find("lies over") == std::string::npos)
                        ADD_FAILURE() << width << " at " << scale << ": " << fault;
                for (const std::string& fault :
                     contrast_faults(audit(), *ImGui::GetDrawData(), scale))
                    ADD_FAILURE() << theme << " at " << scale << ": " << fault;
            }
    }
}

TEST(Messages, FitToo) {
    Frames frames(1280, 720);
    frames.answer();
    frames.app.said.error =
        "30_padded.cu:17:23: error: identifier \"tyle\" is undefined\n    tyle[0] = 1;\n    "
        "^~~~\nwith "
        "/a/very/long/path/that/has/no/blank/in/it/and/goes/on/until/it/must/be/broken/somewhere/"
        "at/all";
    frames.app.said.notices = {"The font Inter is not installed; DejaVu Sans stands in."};
    frames.app.open.help = true;
    frames.app.said.shape_problem = "rows and cols are whole numbers from 1 to 65,536.";
    for (float scale : {1.f, 2.f}) {
        set_scale(scale);
        frames.app.open.help = scale > 1.5f;
        frames.frame(3);
        std::vector<std::string> faults;
        for (const std::string& fault : text_faults(audit()))
            // The sheet of keys lies over the window on purpose.
            if (!frames.app.open.help || fault.find("lies over") == std::string::npos)
                ADD_FAILURE() << scale << ": " << fault;
    }
}

}  // namespace
}  // namespace lanewise::ui
