// Lesson zero in the window: each screen in both modes, its picture only after the question, no
// speed of what nobody times, and a way on into the first course.
#include <gtest/gtest.h>

#include "../../needs.h"
#include "../frames.h"
#include "ui/desk/path_walk.h"
#include "ui/desk/tools.h"
#include "ui/path/predict_first.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

struct Screen {
    const char *stage, *view, *words;  // the view that its lesson opens; words on its picture
    std::string tab() const { return std::string(view).substr(0, std::string(view).find(':')); }
};
constexpr Screen kScreens[] = {
    {"zero/01_cpu_and_gpu", "machine:workers", "One worker alone"},
    {"zero/02_multiprocessor", "machine:multiprocessor", "multiprocessors of"},
    {"zero/03_grid_block_warp", "machine:launch", "copies element"},
    {"zero/04_memory_levels", "machine:levels", "How long a load waits"},
    {"zero/05_sectors_and_lines", "access", ""},
    {"zero/06_banks", "banks", ""},
};

class Zero : public testing::Test {
  protected:
    void open(const char* stage) {
        choose_stage(app_, stage);
        choose_shape(app_, 128, 128);
        frames_.answer();
        frames_.frame(3);
    }
    Frames frames_{1280, 720};
    App& app_ = frames_.app;
};

TEST_F(Zero, EachScreenShowsItsPictureAfterTheQuestion) {
    NEEDS_NVRTC();
    app_.learner.predicts_first = true;
    for (const char* mode : {kLearn, kWorkbench}) {
        choose_mode(app_, mode);
        for (const Screen& screen : kScreens) {
            SCOPED_TRACE(std::string(mode) + " " + screen.stage);
            app_.saved.progress[screen.stage] = {};
            open(screen.stage);
            ASSERT_TRUE(answer_is_hidden(app_));
            if (screen.words[0]) {
                EXPECT_FALSE(frames_.says(screen.words));
            }
            predict(app_, 0);
            if (!is_learning(app_)) choose_view(app_, screen.view);
            frames_.frame(3);
            EXPECT_FALSE(answer_is_hidden(app_));
            EXPECT_EQ(screen.tab(), app_.chosen().tab);
            if (screen.words[0]) {
                EXPECT_TRUE(frames_.says(screen.words));
            }
            for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
        }
    }
}

TEST_F(Zero, SaysNoSpeedOfWhatNobodyTimes) {
    choose_mode(app_, kLearn);
    for (const Screen& screen : kScreens) {
        open(screen.stage);
        EXPECT_FALSE(frames_.says("GB/s")) << screen.stage;
    }
    open("transpose/00_copy");
    EXPECT_TRUE(frames_.says("GB/s"));
}

TEST_F(Zero, TheLastScreenLeadsToTheFirstCourse) {
    choose_mode(app_, kLearn);
    for (size_t i = 0; i + 1 < std::size(kScreens); ++i) {
        open(kScreens[i].stage);
        ASSERT_TRUE(next_lesson(app_));
        EXPECT_EQ(kScreens[i + 1].stage, app_.content.catalogue.stages()[*next_lesson(app_)].id);
    }
    open(kScreens[5].stage);
    ASSERT_TRUE(frames_.click("next"));
    EXPECT_EQ("transpose/00_copy", app_.stage().id);
}

// What is measured and compared begins behind it: so does a window that nothing was asked of.
TEST_F(Zero, IsNotWhereAWindowBeginsThatNobodyWelcomed) {
    EXPECT_EQ("transpose/00_copy", app_.stage().id);
}

TEST_F(Zero, RefusesAPictureThatThereIsNot) {
    EXPECT_NO_THROW(choose_view(app_, "machine:levels"));
    EXPECT_EQ(3u, app_.tools->machine_part);
    EXPECT_THROW(choose_view(app_, "machine:level"), Error);
    EXPECT_EQ(3u, app_.tools->machine_part);
}

}  // namespace
}  // namespace lanewise::ui
