// The scrubber: keys, dragging, playing, and that the shown access, its line and its wavefronts go
// together.
#include <gtest/gtest.h>

#include "../../needs.h"
#include "../frames.h"
#include "ui/kit/draw_figure.h"

namespace lanewise::ui {
namespace {

// 30_padded of 32 x 8 threads: a warp loads and stores to the tile 4 times each, waits, reads and
// writes 4 times each.
class Scrubber : public testing::Test {
  protected:
    void SetUp() override {
        NEEDS_NVRTC();
        choose_shape(app, 128, 128);
        choose_stage(app, "30_padded");
        choose_view(app, "access");
        frames.answer();
        frames.frame(3);
    }
    Moment moment() const { return shown_moment(app)->moment; }
    void load_without_padding() {
        choose_knob(app, "PAD", 0);
        choose_view(app, "banks");
        frames.answer();
        frames.frame(2);
    }
    int read() const {  // the first step that reads the tile
        for (size_t i = 0; i < app.derived.life.size(); ++i)
            if (app.derived.life[i].moment == Moment::shared_load) return static_cast<int>(i);
        return -1;
    }
    Frames frames{1280, 720};
    App& app = frames.app;
};

TEST_F(Scrubber, HoldsTheWholeLifeOfTheWarp) {
    ASSERT_EQ(17u, app.derived.life.size());
    int barriers = 0;
    for (const LifeStep& step : app.derived.life) barriers += step.moment == Moment::barrier;
    EXPECT_EQ(1, barriers);
    EXPECT_EQ(Moment::store, moment());  // the one that the view shows by itself
    EXPECT_TRUE(frames.says("store to tile"));
}

TEST_F(Scrubber, KeysGoThroughIt) {
    frames.press(Key::home);
    EXPECT_EQ(0, shown_step(app));
    EXPECT_EQ(Moment::load, moment());
    frames.press(Key::left);
    EXPECT_EQ(0, shown_step(app));
    frames.press(Key::right);
    EXPECT_EQ(1, shown_step(app));
    frames.press(Key::end);
    EXPECT_EQ(16, shown_step(app));
    EXPECT_EQ(Moment::store, moment());
    frames.press(Key::home);
    while (moment() != Moment::barrier) {
        int before = shown_step(app);
        frames.press(Key::right, true);  // the next chapter
        ASSERT_GT(shown_step(app), before);
    }
    frames.frame(2);
    EXPECT_TRUE(frames.says("until all 8 warps of the block have come"));
    frames.press(Key::left, true);
    EXPECT_LT(shown_step(app), 8);
}

TEST_F(Scrubber, TheLineAndTheAccessFollow) {
    for (int step = 0; step < 17; ++step) {
        choose_step(app, step);
        const LifeStep& shown = app.derived.life[static_cast<size_t>(step)];
        EXPECT_EQ(shown.line, highlighted_line(app));
        if (shown.row < 0) continue;
        Space space = shown.is_shared() ? Space::shared : Space::global;
        EXPECT_EQ(shown.row, chosen_row(app, space));
    }
}

// List and picture are of one access, whichever kind the tab is for.
TEST_F(Scrubber, TheListIsOfTheAccessThatIsShown) {
    choose_view(app, "access");
    choose_step(app, read());  // of shared memory
    frames.frame(3);
    EXPECT_EQ(Space::shared, space_shown(app));
    EXPECT_TRUE(frames.says("load shared, 4 B a lane"));
    EXPECT_TRUE(frames.says("Conflict-free: 1 wavefront"));
    const int row = chosen_row(app, Space::shared);
    frames.press(Key::up);
    EXPECT_EQ(row - 1, chosen_row(app, Space::shared));
    EXPECT_EQ(Space::shared, space_shown(app));
    EXPECT_EQ(row - 1, shown_moment(app)->row);
    choose_access(app, Space::global, 0);  // as a scene does
    EXPECT_EQ(Space::global, space_shown(app));
}

TEST_F(Scrubber, AnAccessOfTheOtherSpaceHasItsOwnPicture) {
    choose_step(app, read());
    frames.frame(3);
    EXPECT_TRUE(frames.says("Conflict-free: 1 wavefront"));
    choose_view(app, "banks");  // keeps the moment
    EXPECT_EQ(read(), shown_step(app));
    choose_view(app, "access");  // which shows the other space
    frames.frame(3);
    EXPECT_TRUE(frames.says("Coalesced"));
}

TEST_F(Scrubber, IsDragged) {
    ASSERT_TRUE(frames.click("life"));
    EXPECT_EQ(7, shown_step(app));  // the middle of what lies right of the names
    ASSERT_TRUE(frames.click("step:2"));
    EXPECT_EQ(2, shown_step(app));
}

TEST_F(Scrubber, PlaysToTheEndAndStops) {
    frames.press(Key::space);
    EXPECT_TRUE(app.scrub.playing);
    EXPECT_TRUE(is_moving(app));
    double seconds = 0;
    for (const LifeStep& step : app.derived.life) seconds += seconds_of(step);
    // From the first store, which is shown: what is left is less than all.
    frames.frame(static_cast<int>(seconds / 0.016) + 2);
    EXPECT_FALSE(app.scrub.playing);
    EXPECT_FALSE(is_moving(app));
    EXPECT_EQ(16, shown_step(app));
    frames.press(Key::space);  // again from the begin
    EXPECT_EQ(0, shown_step(app));
    frames.press(Key::space);
    EXPECT_FALSE(is_moving(app));
}

TEST_F(Scrubber, WavefrontsAppearOneAfterAnotherAndThenRest) {
    load_without_padding();
    EXPECT_EQ(kAtRest, wavefronts_shown(app));  // the first picture is a finished one
    EXPECT_FALSE(is_moving(app));
    choose_step(app, read());
    EXPECT_TRUE(is_moving(app));
    frames.frame(2);
    int begun = wavefronts_shown(app);
    EXPECT_LT(begun, 2);
    frames.frame(60);  // about a second
    EXPECT_GT(wavefronts_shown(app), begun);
    EXPECT_LT(wavefronts_shown(app), 32);
    frames.frame(200);
    EXPECT_EQ(kAtRest, wavefronts_shown(app));
    EXPECT_FALSE(is_moving(app));
    // One wavefront has nothing to wait for.
    choose_step(app, 1);
    EXPECT_FALSE(is_moving(app));
}

TEST_F(Scrubber, AnotherViewStopsIt) {
    frames.press(Key::space);
    choose_view(app, "code");
    EXPECT_FALSE(is_moving(app));
    choose_view(app, "access");
    EXPECT_FALSE(is_moving(app));
}

TEST_F(Scrubber, NothingIsCutWhereThereIsLittleRoom) {
    for (auto [width, height] : {std::pair{1280, 720}, std::pair{640, 480}, std::pair{1920, 1080}})
        for (const char* view : {"access", "banks"}) {
            frames.resize(width, height);
            choose_view(app, view);
            for (int step : {0, 1, 8, 16}) {
                choose_step(app, step);
                frames.frame(3);
                for (const std::string& fault : text_faults(audit()))
                    ADD_FAILURE() << view << " " << width << " step " << step << ": " << fault;
            }
        }
}

}  // namespace
}  // namespace lanewise::ui
