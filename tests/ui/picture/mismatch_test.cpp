// The map of a wrong result: asked for when its badge is opened, once for each result.
#include "ui/launch/mismatch.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../frames.h"
#include "lab/mismatch/mismatch_map.h"
#include "ui/desk/commands.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {
namespace {

class MismatchView : public testing::Test {
  protected:
    void SetUp() override {
        choose_shape(app, 128, 128);
        choose_stage(app, "102_tile_not_swapped");
        frames.answer();
        frames.frame(3);
    }
    Frames frames{1280, 1400};
    App& app = frames.app;
};

TEST_F(MismatchView, StandsBelowTheBadgeThatSaysSo) {
    EXPECT_FALSE(wants_mismatch(app));  // nobody has asked
    ASSERT_TRUE(frames.click("badge:wrong result"));
    EXPECT_TRUE(mismatch_shown(app));
    EXPECT_TRUE(frames.says("Looking where it is wrong"));
    frames.answer();
    frames.answer();
    EXPECT_EQ(1, frames.engine.asked["mismatch"]);  // once
    frames.frame(3);
    // The tiles' diagonals are right: 128 of them.
    EXPECT_TRUE(frames.says("15,872 of 16,384 elements wrong"));
    EXPECT_TRUE(frames.says("its inside"));
    send_pointer({2, 2});  // the badge's own tooltip goes
    frames.frame(3);
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
}

TEST_F(MismatchView, IsOpenedByCommandWhereThereIsOne) {
    act(app, find_command(app, "mismatch"));
    EXPECT_TRUE(mismatch_shown(app));
    choose_stage(app, "30_padded");
    frames.answer();
    app.open.proof = 0;
    EXPECT_FALSE(mismatch_shown(app));
    EXPECT_NE("", find_command(app, "mismatch").problem);
    EXPECT_FALSE(wants_mismatch(app));
}

// What came with the run is drawn as it is: the engine is asked for nothing.
TEST_F(MismatchView, OfARunOnTheGpuComesWithIt) {
    choose_stage(app, "30_padded");
    frames.answer();
    Measurement run;
    run.stage = app.stage().id;
    run.knobs = app.chosen().knobs;
    run.type = "f32";
    run.rows = run.cols = 128;
    run.gb_per_s = 1000;
    run.mismatch = {16'384, 0, 0, "0x01", "0x02"};
    MismatchMap map = find_mismatches([&] {
        Job job = job_of(app);
        job.stage = app.content.catalogue.find("102_tile_not_swapped");
        job.knobs = default_knobs(job.stage);
        return job;
    }());
    map.on_gpu = true;
    run.mismatch_map = std::make_shared<MismatchMap>(map);
    app.said.toast = {};
    take_measurement(app, run);
    EXPECT_EQ("Wrong result on the GPU: 16,384 elements. X shows where", app.said.toast.text);
    frames.frame(2);
    frames.type('x');
    EXPECT_TRUE(gpu_mismatch_shown(app));
    EXPECT_FALSE(mismatch_shown(app));
    EXPECT_FALSE(wants_mismatch(app));
    frames.frame(3);
    EXPECT_TRUE(frames.says("its inside"));
    EXPECT_TRUE(frames.says("of the launch on the GPU"));
    ASSERT_TRUE(frames.click("badge:wrong on the GPU"));  // closed again
    EXPECT_FALSE(gpu_mismatch_shown(app));
    nlohmann::json all = nlohmann::json::parse(everything_as_json(app));
    EXPECT_EQ(16'384 - 16 * 32, all["gpu_mismatch_map"]["wrong"]);
    EXPECT_FALSE(all["measurement"].contains("mismatch_map"));
    EXPECT_FALSE(all.contains("mismatch_map"));  // the machine's own result is right
    // Of an older engine's run the first wrong element is all that is known.
    app.arrived.live.back().mismatch_map.reset();
    ASSERT_TRUE(frames.click("badge:wrong on the GPU"));
    frames.frame(2);
    EXPECT_TRUE(frames.says("The run came without a map"));
}

// In a low window the card would lie below its edge.
TEST_F(MismatchView, IsBroughtIntoView) {
    frames.resize(1280, 720);
    frames.frame(3);
    act(app, find_command(app, "mismatch"));
    frames.answer();
    frames.frame(8);
    const WidgetRecord* badge = nullptr;
    for (const WidgetRecord& widget : audit().widgets)
        if (widget.id == "badge:wrong result") badge = &widget;
    ASSERT_TRUE(badge);
    EXPECT_LT(badge->box.y0, 120);
    EXPECT_TRUE(frames.says("15,872 of 16,384 elements wrong"));
}

TEST_F(MismatchView, TellsOfAWrongResultThatIsNews) {
    EXPECT_EQ("", app.said.toast.text);  // of an untouched exercise it is none
    choose_stage(app, "30_padded");
    frames.answer();
    EXPECT_EQ("", app.said.toast.text);
    Analysis wrong = *app.arrived.analysis;
    wrong.correct = false;
    wrong.mismatch.count = 1;
    take_analysis(app, wrong);
    EXPECT_EQ("Wrong result: 1 element. X shows where", app.said.toast.text);
}

TEST_F(MismatchView, SaysWhyThereIsNone) {
    act(app, find_command(app, "mismatch"));
    ASSERT_TRUE(wants_mismatch(app));
    fail_mismatch(app, "The engine ended.");
    frames.frame(3);
    EXPECT_TRUE(frames.says("The engine ended."));
    fail_mismatch(app, "");  // superseded: to be asked again
    EXPECT_TRUE(wants_mismatch(app));
}

// How long it took to go wrong is no speed.
TEST(WrongResult, HasNoSpeed) {
    Frames frames;
    App& app = frames.app;
    choose_shape(app, 64, 64);
    choose_stage(app, "30_padded");
    frames.answer();
    frames.frame(3);
    ASSERT_TRUE(app.arrived.analysis);
    EXPECT_TRUE(frames.says("GB/s"));
    Analysis wrong = *app.arrived.analysis;
    wrong.correct = false;
    wrong.mismatch = {5, 1, 2, "0x1", "0x2"};
    take_analysis(app, wrong);
    frames.frame(3);
    EXPECT_TRUE(frames.says("No speed: the result is wrong."));
    EXPECT_FALSE(frames.says("\u2248"));  // "about so many GB/s"
}

}  // namespace
}  // namespace lanewise::ui
