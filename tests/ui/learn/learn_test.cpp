// Learn: the ladder chooses stages, the coach leads through its steps, and nothing on screen answers
// a question before the learner does.
#include <gtest/gtest.h>

#include <unistd.h>

#include <regex>
#include <set>

#include "../../needs.h"
#include "../frames.h"
#include "ui/desk/coach.h"
#include "ui/desk/tools.h"
#include "ui/launch/follow.h"
#include "ui/path/predict_first.h"
#include "ui/shell/shell.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

// What only a look at the machine's counts, or at a time, can have written.
const std::regex kTold(
    R"((\d[\d.,]*\s*(sectors?|wavefronts?|requests?|GB/s|TFLOP/s|bytes useful))|)"
    R"(\bideal\b|[Cc]oalesced\.|wasted:|[Cc]onflict-free|conflicts? in|limited by)");

class Learn : public testing::Test {
  protected:
    explicit Learn(int width = 1280, int height = 720) : frames_(width, height) {
        choose_mode(app_, kLearn);
    }
    void open(const std::string& stage) {
        choose_stage(app_, stage);
        if (stage.starts_with("transpose") || stage.starts_with("reduction"))
            choose_shape(app_, 128, 128);
        frames_.answer();
        frames_.frame(3);
    }
    const WidgetRecord* widget(const std::string& id) const {
        for (const WidgetRecord& each : audit().widgets)
            if (each.id == id) return &each;
        return nullptr;
    }
    Frames frames_;
    App& app_ = frames_.app;
};

TEST_F(Learn, TheLadderHoldsTheCourseAndChoosesItsStages) {
    open("transpose/10_naive");
    for (const Stage& stage : app_.content.catalogue.stages())
        EXPECT_EQ(stage.operation == "transpose", widget("stage:" + stage.id) != nullptr)
            << stage.id;
    ASSERT_TRUE(frames_.click("stage:transpose/30_padded"));
    EXPECT_EQ("transpose/30_padded", app_.course_id());
    EXPECT_EQ("banks", app_.chosen().tab);  // where its lesson looks first
    ASSERT_TRUE(frames_.click("course:reduction"));
    EXPECT_TRUE(app_.course_id().starts_with("reduction/")) << app_.course_id();
    EXPECT_TRUE(widget("stage:" + app_.course_id()));
    EXPECT_FALSE(widget("stage:transpose/30_padded"));
}

TEST_F(Learn, InALowWindowTheCourseLeadsToTheNext) {
    frames_.resize(1280, 600);
    std::vector<std::string> courses;
    for (int i = 0; i < 5; ++i) {
        frames_.frame(2);
        courses.push_back(app_.stage().operation);
        ASSERT_TRUE(frames_.click("course:" + courses.back()));
    }
    EXPECT_EQ(courses.front(), app_.stage().operation) << "round about";
    EXPECT_EQ(5u, std::set<std::string>(courses.begin(), courses.end()).size());
}

TEST_F(Learn, NothingAnswersTheQuestionOfAnyStage) {
    app_.learner.predicts_first = true;
    for (const Stage& stage : app_.content.catalogue.stages()) {
        choose_stage(app_, stage.id);
        if (app_.lesson().predict.question.empty()) continue;
        choose_shape(app_, 256, 256, app_.chosen().operation->has_inner() ? 64 : kNoInner);
        frames_.answer();
        frames_.frame(2);
        ASSERT_TRUE(answer_is_hidden(app_)) << stage.id;
        EXPECT_EQ(Step::predict, step_shown(app_)) << stage.id;
        for (const std::string& choice : app_.lesson().predict.choices)
            EXPECT_TRUE(widget("predict:" + choice)) << stage.id << " " << choice;
        EXPECT_FALSE(widget("gate")) << stage.id;
        for (const TextRecord& each : audit().texts) {
            auto holds = [&](const std::string& text) {
                return text.find(each.text) != std::string::npos;
            };
            const bool given = holds(app_.lesson().predict.question) || holds(app_.lesson().aim) ||
                               std::ranges::any_of(app_.lesson().predict.choices, holds) ||
                               std::ranges::any_of(app_.derived.source.lines, holds);
            EXPECT_TRUE(given || !std::regex_search(each.text, kTold))
                << stage.id << " says: " << each.text;
        }
    }
}

// Who has to choose must be able to read what: in a small window no choice ends in dots.
TEST_F(Learn, EachChoiceIsWholeInASmallWindow) {
    app_.learner.predicts_first = true;
    set_scale(1.5f);
    size_t long_ones = 0;
    for (const Stage& stage : app_.content.catalogue.stages()) {
        choose_stage(app_, stage.id);
        choose_shape(app_, 64, 64, app_.chosen().operation->has_inner() ? 64 : kNoInner);
        frames_.answer();
        frames_.frame(2);
        for (const std::string& choice : app_.lesson().predict.choices) {
            long_ones += choice.size() > 40;
            for (const TextRecord& each : audit().texts) {
                std::string begin = each.text;
                if (!begin.ends_with("…")) continue;
                begin.resize(begin.size() - std::string("…").size());
                EXPECT_FALSE(!begin.empty() && choice.starts_with(begin))
                    << stage.id << ": " << each.text;
            }
        }
    }
    EXPECT_GT(long_ones, 0u);
    set_scale(1);
}

TEST_F(Learn, LeadsFromTheQuestionToTheNextStage) {
    NEEDS_NVRTC();
    app_.learner.predicts_first = true;
    open("transpose/10_naive");
    EXPECT_FALSE(widget("step:look")->enabled);
    ASSERT_TRUE(frames_.click("predict:4"));
    EXPECT_EQ("4", app_.saved.progress["transpose/10_naive"].guess);
    EXPECT_TRUE(frames_.says("32 sectors")) << "the picture has come";
    EXPECT_EQ(Step::predict, step_shown(app_)) << "with what the guess was worth";
    EXPECT_TRUE(frames_.says("the machine counts 32"));
    EXPECT_TRUE(is_done(app_, Step::predict));
    ASSERT_TRUE(frames_.click("step:look"));
    EXPECT_EQ(Step::look, step_shown(app_));
    EXPECT_FALSE(is_done(app_, Step::look));
    ASSERT_TRUE(frames_.click("step:change"));
    EXPECT_TRUE(is_done(app_, Step::look));
    EXPECT_FALSE(is_done(app_, Step::change));
    EXPECT_TRUE(frames_.says("Task: "));
    EXPECT_FALSE(frames_.says("Task solved"));
    ASSERT_TRUE(frames_.click("knob:BLOCK_X=8"));
    frames_.answer();
    frames_.frame(3);
    EXPECT_TRUE(is_done(app_, Step::change));
    ASSERT_TRUE(frames_.click("step:prove"));
    EXPECT_TRUE(widget("gate"));
    EXPECT_FALSE(is_done(app_, Step::prove)) << "nobody has judged it yet";
    ASSERT_TRUE(frames_.click("gate:judge"));
    frames_.answer();
    frames_.frame(3);
    EXPECT_TRUE(app_.derived.gate_passed.value_or(false));
    EXPECT_TRUE(frames_.says("Task solved"));
    EXPECT_TRUE(frames_.says("STILL WRONG")) << "which leads on";
    ASSERT_TRUE(frames_.click("next"));
    EXPECT_EQ("transpose/12_naive_write", app_.course_id());
    EXPECT_EQ(Step::predict, step_shown(app_));
}

TEST_F(Learn, ShowsTheKnobsOfTheLesson) {
    choose_stage(app_, "transpose/30_padded");
    std::vector<std::string> names;
    for (size_t each : knobs_of_lesson(app_)) names.push_back(app_.stage().knobs[each].name);
    EXPECT_EQ((std::vector<std::string>{"TILE", "PAD"}), names);  // not ROWS
    frames_.frame(3);
    EXPECT_TRUE(widget("knob:PAD=2"));
    EXPECT_FALSE(widget("knob:ROWS=4"));
    ASSERT_TRUE(frames_.click("setting"));
    EXPECT_TRUE(widget("knob:ROWS=4"));  // behind the button are all
    ASSERT_TRUE(frames_.click("coach:back"));
    EXPECT_FALSE(widget("knob:ROWS=4"));
}

// The recording has a figure for each padding at 4096 x 4096: 43 % of the copy without, 88 % with one.
TEST_F(Learn, SaysWhatEachValueOfAKnobHasReached) {
    choose_stage(app_, "transpose/30_padded");
    choose_shape(app_, 4096, 4096);
    const double without = std::stod(outcome_of(app_, "PAD", 0)),
                 with = std::stod(outcome_of(app_, "PAD", 1));
    EXPECT_GT(with, 1.5 * without);
    choose_shape(app_, 127, 131);
    EXPECT_EQ("", outcome_of(app_, "PAD", 0)) << "nobody measured that";
}

TEST_F(Learn, CountsAndLadderComeToTheMiddle) {
    choose_stage(app_, "transpose/30_padded");
    follow_link(app_, "view:counts");
    frames_.frame(2);
    EXPECT_EQ("counts", app_.chosen().tab);
    choose_mode(app_, kWorkbench);
    frames_.frame(2);
    EXPECT_EQ("access", app_.chosen().tab);  // there they have a column of their own
}

TEST_F(Learn, AKernelOfOnesOwnLiesOnTheWorkbench) {
    app_.own.emplace();
    EXPECT_FALSE(is_learning(app_));
}

TEST_F(Learn, TheKeySwitchesAndAll) {
    choose_stage(app_, "transpose/30_padded");
    choose_knob(app_, "PAD", 3);
    frames_.frame(2);
    frames_.type('v');
    EXPECT_FALSE(is_learning(app_));
    EXPECT_EQ(3, app_.chosen().knobs.at("PAD"));
    EXPECT_TRUE(widget("knob:ROWS=4"));
    frames_.type('v');
    EXPECT_TRUE(is_learning(app_));
    EXPECT_EQ(3, app_.chosen().knobs.at("PAD"));
}

// Who asks for a view sees all of it, this once: the next start is the newcomer's all the same.
TEST(FirstWindow, BeginsInLearnUnlessItIsToShowSomething) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("lanewise-first-" + std::to_string(::getpid()));
    ::setenv("XDG_STATE_HOME", folder.c_str(), 1);
    ::setenv("LANEWISE_HOME", CONTENT_FOLDER, 1);
    {
        Context context;
        Options options;
        EXPECT_TRUE(is_learning(open_app(options)));
        options.view = "banks";
        App looking = open_app(options);
        EXPECT_FALSE(is_learning(looking));
        EXPECT_EQ("", looking.saved.mode);
        options.mode = kLearn;
        EXPECT_TRUE(is_learning(open_app(options)));
        options.mode = "teach";
        EXPECT_THROW(open_app(options), Error);
    }
    ::unsetenv("XDG_STATE_HOME");
    std::filesystem::remove_all(folder);
}

struct ScreenSize {
    int width, height;
    float scale;
};
class LearnScreens : public Learn, public testing::WithParamInterface<ScreenSize> {
  protected:
    LearnScreens() : Learn(GetParam().width, GetParam().height) { set_scale(GetParam().scale); }
    ~LearnScreens() override { set_scale(1); }
};

TEST_P(LearnScreens, CutsNoWordAndOverlapsNone) {
    for (const char* stage : {"transpose/10_naive", "transpose/30_padded", "transpose/84_tma",
                              "matmul/30_register_tiles", "pitfalls/101_blocks_not_swapped"}) {
        for (bool asks : {true, false}) {
            app_.learner.predicts_first = asks;
            open(stage);
            for (Region region : {Region::course, Region::picture})
                for (Step step : {Step::look, Step::change, Step::prove}) {
                    app_.keyboard.region = region;
                    go_to(app_, step);
                    frames_.frame(3);
                    EXPECT_EQ(std::vector<std::string>(), text_faults(audit()))
                        << stage << (asks ? ", asked" : "");
                }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, LearnScreens,
                         testing::Values(ScreenSize{1280, 720, 1}, ScreenSize{1280, 720, 1.5f},
                                         ScreenSize{1280, 720, 2}, ScreenSize{1600, 1000, 3},
                                         ScreenSize{3840, 2160, 1}, ScreenSize{3840, 2160, 2}),
                         [](const auto& screen) {
                             const ScreenSize& s = screen.param;
                             return std::to_string(s.width) + "_at_" +
                                    std::to_string(static_cast<int>(100 * s.scale));
                         });

}  // namespace
}  // namespace lanewise::ui
