// Welcome, the tour and the minute: every step points at a widget that is there.
#include "ui/desk/tour.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../frames.h"
#include "ui/desk/tools.h"
#include "ui/kit/aim.h"

namespace lanewise::ui {
namespace {

class Touring : public testing::TestWithParam<float> {
  protected:
    Touring() {
        choose_shape(app, 128, 128);
        set_scale(GetParam());
        frames.answer();
        frames.frame(2);
    }
    Frames frames;
    App& app = frames.app;
    Tour& tour = app.tools->tour;
};

TEST_P(Touring, EveryStepPointsAtARealWidgetInSight) {
    start_tour(app);
    audit().on = false;  // the window does not record everything either
    for (size_t i = 0; i < tour_steps().size(); ++i) {
        ASSERT_EQ(i, tour.at);
        frames.answer();
        frames.frame(6);
        EXPECT_TRUE(aim().found) << tour_steps()[i].widget << " at " << GetParam();
        Rect box = aim().box;
        EXPECT_TRUE(box.x0 >= 0 && box.y0 >= 0 && box.x1 <= 1281 && box.y1 <= 721)
            << tour_steps()[i].widget << " at " << GetParam() << " lies at " << box.x0 << ","
            << box.y0 << " to " << box.x1 << "," << box.y1;
        frames.press(Key::right);
    }
    audit().on = true;
    EXPECT_FALSE(tour_on(app));
    EXPECT_EQ("transpose/00_copy", app.stage().id);  // where the learner was
}

TEST_P(Touring, TheCardFits) {
    start_tour(app);
    for (size_t i = 0; i < tour_steps().size(); ++i) {
        frames.answer();
        frames.frame(6);
        EXPECT_TRUE(frames.says(std::to_string(i + 1) + " of "));
        for (const std::string& fault : text_faults(audit()))
            if (fault.find("lies over") == std::string::npos) ADD_FAILURE() << i << ": " << fault;
        ASSERT_TRUE(frames.click("tour:next")) << i;
    }
    EXPECT_FALSE(tour_on(app));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Touring, testing::Values(1.f, 2.f, 3.f), [](const auto& test) {
    return "at" + std::to_string(static_cast<int>(std::lround(test.param)));
});

class FirstRun : public testing::Test {
  protected:
    FirstRun() {
        choose_shape(app, 128, 128);
        frames.answer();
        frames.frame(2);
    }
    Frames frames;
    App& app = frames.app;
};

TEST_F(FirstRun, TheMinuteLeavesOutWhatAStageDoesNotHave) {
    choose_stage(app, "10_naive");  // its knobs are none
    frames.answer();
    start_minute(app);
    std::vector<std::string> shown;
    for (int i = 0; i < 40 && tour_on(app); ++i) {
        frames.frame(16);
        if (!tour_on(app)) break;
        shown.push_back(app.tools->tour.steps[app.tools->tour.at].widget);
        frames.press(Key::space);
    }
    bool has_knobs = !app.stage().knobs.empty();
    EXPECT_EQ(has_knobs, std::find(shown.begin(), shown.end(), "knob:") != shown.end());
    EXPECT_EQ("question", shown.front());
    EXPECT_EQ("gate", shown.back());
    EXPECT_EQ("transpose/10_naive", app.stage().id);
}

TEST_F(FirstRun, EscapeEndsTheTour) {
    start_tour(app);
    frames.frame(3);
    frames.press(Key::left);  // nothing before the first
    EXPECT_EQ(0u, app.tools->tour.at);
    frames.press(Key::escape);
    EXPECT_FALSE(tour_on(app));
}

TEST_F(FirstRun, WelcomeOffersItsWays) {
    const struct {
        const char *widget, *stage;
        bool chooser;
    } ways[] = {{"welcome:learn", "zero/01_cpu_and_gpu", false},
                {"welcome:know", "transpose/00_copy", false},
                {"welcome:explore", "transpose/30_padded", false},
                {"welcome:own", "transpose/30_padded", true}};
    for (const auto& way : ways) {
        app.tools->review.welcomed = false;
        open_welcome(app);
        frames.frame(3);
        ASSERT_TRUE(frames.click(way.widget));
        EXPECT_TRUE(app.tools->review.welcomed);
        EXPECT_FALSE(app.tools->welcome.open);
        EXPECT_EQ(way.stage, app.stage().id);
        EXPECT_EQ(way.chooser, app.open.chooser.open);
    }
    app.open.chooser.open = false;
    open_welcome(app);
    frames.frame(2);
    frames.type('k');  // one key past lesson zero
    frames.frame();
    EXPECT_EQ("transpose/00_copy", app.stage().id);
    EXPECT_FALSE(app.tools->welcome.open);
    open_welcome(app);
    frames.frame(2);
    frames.press(Key::escape);
    EXPECT_FALSE(app.tools->welcome.open);
}

TEST_F(FirstRun, WelcomeAndProgressFitAtEverySize) {
    for (bool progress : {false, true})
        for (float scale : {1.f, 2.f, 3.f})
            for (const char* theme : {"dark", "light", "projector"}) {
                app.tools->welcome.open = !progress;
                app.tools->progress.open = progress;
                app.saved.progress["transpose/10_naive"] = {"32", 75, true, false, false};
                app.tools->review.stages["transpose/10_naive"] = {
                    0, 100, false, false, {"correct"}};
                set_scale(scale);
                set_theme(theme);
                frames.frame(3);
                for (const std::string& fault : text_faults(audit()))
                    if (fault.find("lies over") == std::string::npos) ADD_FAILURE() << fault;
                for (const std::string& fault :
                     contrast_faults(audit(), *ImGui::GetDrawData(), scale))
                    ADD_FAILURE() << theme << " at " << scale << ": " << fault;
            }
}

}  // namespace
}  // namespace lanewise::ui
