// The gate in the window: judged when asked, whatever shape is on screen, and a case that fails opens
// with its map.
#include "ui/state/gate.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "../frames.h"
#include "lab/grade/submission.h"
#include "service/client.h"
#include "ui/desk/workspace.h"
#include "ui/kit/aim.h"
#include "ui/launch/mismatch.h"
#include "ui/shell/engine_requests.h"
#include "ui/state/edits.h"
#include "ui/state/requests.h"

namespace lanewise::ui {
namespace {

class GateInTheWindow : public testing::Test {
  protected:
    void choose(const std::string& stage) {
        choose_shape(app, 64, 64);
        choose_stage(app, stage);
        frames.answer();
        app.learner.predicts_first = false;
        predict(app, 0);
        frames.frame(2);
    }
    // What lies below the fold is scrolled to first.
    bool click(const std::string& id) {
        aim().label = id;
        aim().scrolls = true;
        frames.frame(3);
        aim().label.clear();
        aim().scrolls = false;
        frames.frame();
        return frames.click(id);
    }
    void judge_it() {
        press_judge(app);
        frames.answer();
        frames.frame(2);
    }
    Frames frames{1280, 1400};
    App& app = frames.app;
};

TEST_F(GateInTheWindow, AFailingCaseOpensWithItsMap) {
    choose("103_wrong_stride");
    EXPECT_TRUE(app.arrived.analysis->correct) << "right at the shape on screen";
    EXPECT_FALSE(app.derived.gate_passed.has_value());
    ASSERT_TRUE(click("gate:judge"));
    EXPECT_TRUE(app.learner.gate.wanted);
    frames.answer();
    frames.frame(2);
    ASSERT_TRUE(app.derived.gate_passed.has_value()) << app.learner.gate.failure;
    EXPECT_FALSE(*app.derived.gate_passed);
    EXPECT_FALSE(app.saved.progress[app.course_id()].passed);
    ASSERT_TRUE(click("gate:show"));
    EXPECT_EQ(128, app.chosen().rows);
    EXPECT_EQ(384, app.chosen().cols);
    frames.answer();
    frames.frame(2);
    EXPECT_FALSE(app.arrived.analysis->correct);
    EXPECT_TRUE(mismatch_shown(app)) << "its map";
    EXPECT_TRUE(judgement_of(app)) << "still said beside it";
}

// The judgement is of the source and its knobs: at none of sixty shapes on screen does a start pass.
TEST_F(GateInTheWindow, NoShapeOnScreenPasses) {
    choose("103_wrong_stride");
    const GateTask task = gate_task(app);
    int shapes = 0;
    for (int64_t rows : {1, 7, 20, 32, 64, 100, 256, 1000, 4096, 5000})
        for (int64_t cols : {1, 30, 32, 96, 256, 4096}) {
            ASSERT_TRUE(choose_shape(app, rows, cols));
            EXPECT_EQ(task.cases, gate_task(app).cases);
            EXPECT_FALSE(app.derived.gate_passed.has_value());
            ++shapes;
        }
    EXPECT_EQ(60, shapes);
    judge_it();
    EXPECT_FALSE(app.derived.gate_passed.value_or(true));
}

TEST_F(GateInTheWindow, AJudgementIsOfWhatWasJudged) {
    choose("transpose/30_padded");
    choose_knob(app, "TILE", 16);
    choose_knob(app, "PAD", 2);
    frames.answer();
    judge_it();
    EXPECT_TRUE(app.derived.gate_passed.value_or(false)) << app.learner.gate.judgement->sentence;
    EXPECT_TRUE(app.saved.progress["transpose/30_padded"].passed);
    EXPECT_TRUE(frames.says(app.lesson().gate.catches.substr(0, 12)));
    choose_shape(app, 33, 65);
    frames.answer();
    EXPECT_TRUE(app.derived.gate_passed.value_or(false)) << "another shape changes nothing";
    choose_knob(app, "PAD", 1);
    frames.answer();
    EXPECT_FALSE(app.derived.gate_passed.has_value());
    judge_it();
    EXPECT_FALSE(app.derived.gate_passed.value_or(true));
    EXPECT_TRUE(app.saved.progress["transpose/30_padded"].passed) << "what is done stays done";
}

TEST_F(GateInTheWindow, CountsSayHowFarThisSettingIs) {
    choose("transpose/30_padded");
    ASSERT_TRUE(app.derived.gate_here.has_value());
    EXPECT_FALSE(*app.derived.gate_here);
    EXPECT_EQ("TILE == 16: now 32, must be 16", app.derived.gate_value);
    choose_knob(app, "TILE", 16);
    choose_knob(app, "PAD", 2);
    frames.answer();
    EXPECT_TRUE(app.derived.gate_here.value_or(false)) << app.derived.gate_value;
    EXPECT_FALSE(app.derived.gate_passed.has_value()) << "that is no judgement";
}

// `lanewise-engine grade STAGE FILE.lanewise` judges what the window would.
TEST_F(GateInTheWindow, AWorkspaceIsHandedInAsTheWindowHasIt) {
    choose("transpose/30_padded");
    choose_knob(app, "TILE", 16);
    choose_knob(app, "PAD", 2);
    replace_source(app, original_source(app) + "// mine\n");
    settle_edit(app);
    namespace fs = std::filesystem;
    fs::path file = fs::temp_directory_path() /
                    ("lanewise-gate-" + std::to_string(::getpid()) + kWorkspaceEnding);
    save_workspace(app, file);
    Job job = submission_from(file, app.content.catalogue.find("transpose/30_padded"));
    EXPECT_EQ(app.stage().source, job.stage.source);
    EXPECT_EQ(app.chosen().type, job.type);
    for (const auto& [name, value] : app.chosen().knobs) EXPECT_EQ(value, job.knobs[name]) << name;
    fs::remove(file);
}

// The engine beside this program, as the window's loop asks it.
TEST_F(GateInTheWindow, TheEngineJudges) {
    EngineLink engine(std::make_unique<EngineClient>(default_engine_command()), engine_requests());
    choose("103_wrong_stride");
    press_judge(app);
    EXPECT_NE("", cannot_judge(app)) << "once is enough";
    double seconds = 0;
    for (; app.learner.gate.waiting && seconds < 200; seconds += 0.05) {
        engine.update(app, seconds);
        engine.wait(0.05);
    }
    ASSERT_TRUE(app.learner.gate.judgement) << app.learner.gate.failure;
    EXPECT_EQ(0u,
              app.learner.gate.judgement->sentence.find("Right at 256 x 256, wrong at 128 x 384"));
    EXPECT_FALSE(app.derived.gate_passed.value_or(true));
    EXPECT_EQ("", cannot_judge(app));
}

}  // namespace
}  // namespace lanewise::ui
