// A scripted learner goes through every stage of the course, in the window itself, by keys and by
// the labels of what is clicked: predict, run, look, follow the lesson's links, change a knob, take
// it back, and solve the task as the lesson says it can be. Each step is asserted for each stage.
// What happened stands in a log; with LANEWISE_PICTURES=FOLDER a picture of every stage beside it.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <memory>
#include <utility>

#include "../frames.h"
#include "base/files.h"
#include "base/text.h"
#include "lab/job/needs.h"
#include "ui/desk/path_walk.h"
#include "ui/desk/tools.h"
#include "ui/kit/aim.h"
#include "ui/plain/png.h"
#include "ui/screen/egl_context.h"
#include "ui/screen/render.h"
#include "ui/state/edits.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

namespace fs = std::filesystem;

constexpr int kWidth = 1280, kHeight = 720;

fs::path pictures_folder() {
    const char* named = getenv("LANEWISE_PICTURES");
    return named ? fs::path(named) : fs::path(testing::TempDir()) / "lanewise-learner";
}

// Null where no OpenGL can be had, as in a bare container.
std::unique_ptr<EglContext> open_gl() {
    try {
        return std::make_unique<EglContext>();
    } catch (const Error&) {
        return nullptr;
    }
}

class Learner : public testing::TestWithParam<const char*> {
  protected:
    Learner() : gl(open_gl()) {
        fs::create_directories(folder);
        log.open(folder / "learner.md");
        choose_mode(app, GetParam());
        choose_shape(app, 128, 128);
        if (gl) renderer = std::make_unique<Renderer>();
    }

    void settle() {
        frames.answer();
        frames.frame(3);
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
    // In Learn what is looked for is in one of the lesson's steps, or behind the setting's button.
    void go_to(const char* step) {
        if (!is_learning(app)) return;
        if (app.tools->coach.setting_open) {
            EXPECT_TRUE(click("coach:back"));
        }
        EXPECT_TRUE(click(std::string("step:") + step)) << step;
    }
    void open_setting() {
        if (is_learning(app) && !app.tools->coach.setting_open) {
            EXPECT_TRUE(click("setting"));
        }
    }
    void say(const std::string& what) { log << what << "\n"; }

    void picture(const std::string& stage) {
        if (!gl || !getenv("LANEWISE_PICTURES")) return;  // they take longer than all the rest
        look().fonts_changed = true;                      // baked so far for nobody to see
        std::string name = stage;
        std::replace(name.begin(), name.end(), '/', '-');
        OffscreenTarget target(kWidth, kHeight);
        renderer->upload_fonts();
        frames.frame(2);
        renderer->draw(*ImGui::GetDrawData());
        write_png((folder / (name + ".png")).string(), kWidth, kHeight, target.rgb().data());
    }

    // Whether the machine surely counts this stage here: a library's call never, CUTLASS where its
    // headers are (and perhaps where it was compiled before).
    bool counts_here() const { return cannot_interpret(original_stage()).empty(); }
    const Stage& original_stage() const {
        return app.content.catalogue.stages()[app.chosen().stage];
    }

    // The last choice, so that some are right and some are wrong.
    void predict_something() {
        const Prediction& question = app.lesson().predict;
        ASSERT_FALSE(question.choices.empty());
        go_to("predict");
        EXPECT_TRUE(click("confidence:Likely"));
        std::string choice = question.choices.back();
        EXPECT_TRUE(click("predict:" + choice));
        const WindowState::Progress& progress = app.saved.progress.at(app.course_id());
        EXPECT_EQ(choice, progress.guess);
        bool answers = counts_here() || is_library_call(original_stage());
        if (answers) {
            EXPECT_TRUE(progress.known) << app.said.error;
            auto right = right_choice(question, app.arrived.prediction_answer.at(app.course_id()));
            ASSERT_TRUE(right) << "no choice is what the machine counts: "
                               << app.arrived.prediction_answer.at(app.course_id()) << " at "
                               << app.chosen().rows << " x " << app.chosen().cols << " "
                               << app.chosen().type;
            EXPECT_EQ(question.choices[*right] == choice, progress.right);
        }
        say("- predicted " + choice +
            (!answers         ? ", not compared: " + cannot_interpret(original_stage())
             : progress.right ? ", right"
                              : ", wrong"));
    }

    // The machine has run it already; the card is asked where there is one.
    void run() {
        if (counts_here()) {
            ASSERT_TRUE(app.arrived.analysis) << app.said.error;
            EXPECT_EQ("", app.said.error);
            // At these shapes some exercises are right, and wrong in another way.
            if (!is_exercise(original_stage())) {
                EXPECT_TRUE(app.arrived.analysis->correct);
                EXPECT_TRUE(app.arrived.analysis->report.findings.empty());
            }
        }
        EXPECT_FALSE(app.derived.gate_passed.has_value()) << "no judgement was asked for";
        EXPECT_FALSE(app.saved.progress.at(app.course_id()).passed);
        frames.type('r');
        EXPECT_FALSE(app.wanted.measurement) << "there is no GPU to run it on";
        const EngineState none = app.engine;
        app.engine.gpu = "a card";
        app.engine.problem.clear();
        frames.frame();
        EXPECT_EQ("", cannot_run(app));
        EXPECT_TRUE(click("run"));
        EXPECT_TRUE(std::exchange(app.wanted.measurement, false));
        app.engine = none;
    }

    void look_at_every_view() {
        char digit = '1';
        for (const View& view : views()) {
            if (view.place != Place::middle) continue;
            bool shows = !view.problem || view.problem(app).empty();
            std::string before = app.chosen().tab;
            if (digit <= '9')
                frames.type(digit++);
            else if (shows)  // a view without a key
                choose_view(app, view.id);
            frames.frame();
            EXPECT_EQ(shows ? view.id : before, app.chosen().tab);
            for (const std::string& fault : text_faults(audit()))
                ADD_FAILURE() << view.id << ": " << fault;
            frames.press(Key::down);
            frames.press(Key::right);
        }
        frames.type('1');
        EXPECT_EQ("access", app.chosen().tab);
        if (counts_here()) look_at_a_lane();
        follow_links();
    }

    // One lane of the access that is shown, and back to all of them.
    void look_at_a_lane() {
        EXPECT_FALSE(app.derived.rows_of[0].empty() && app.derived.rows_of[1].empty());
        frames.press(Key::right, false, true);
        EXPECT_EQ(0, app.chosen().lane);
        frames.press(Key::escape);
        EXPECT_EQ(-1, app.chosen().lane);
    }

    // Every link of the lesson acts, but for those that leave the stage. None may be dead.
    void follow_links() {
        go_to("look");
        const KnobValues before = app.chosen().knobs;
        size_t followed = 0;
        const Lesson& lesson = app.lesson();
        for (size_t i = 0; i < lesson.blocks.size(); ++i)
            for (const LessonRun& run : lesson.blocks[i].runs) {
                if (is_exercise(original_stage()) && lesson.tells_fix[i]) continue;  // closed
                bool stays = run.link.starts_with("view:") || run.link.starts_with("code:");
                if (!stays) continue;
                EXPECT_TRUE(click("link:" + run.link)) << run.link;
                EXPECT_EQ(said_, app.said.error);
                EXPECT_TRUE(run.link.starts_with("code:") == false || app.chosen().line > 0)
                    << run.link;
                ++followed;
            }
        EXPECT_TRUE(app.chosen().knobs == before);
        say("- followed " + counted(followed, "link"));
        frames.type('1');
    }

    // The first setting that is another one than now, and back again.
    void turn_a_knob() {
        open_setting();
        const KnobValues before = app.chosen().knobs;
        for (const Knob& knob : app.stage().knobs)
            for (int64_t value : knob.choices) {
                KnobValues tried = before;
                tried[knob.name] = value;
                if (tried == before || !knob_problem(app.stage(), tried, app.chosen().type).empty())
                    continue;
                std::string id = "knob:" + knob.name + "=" + std::to_string(value);
                ASSERT_TRUE(click(id)) << id;
                EXPECT_TRUE(app.chosen().knobs == tried);
                settle();
                if (counts_here()) {
                    EXPECT_TRUE(app.arrived.analysis && app.said.error.empty()) << app.said.error;
                }
                say("- " + knob.name + " = " + std::to_string(value));
                frames.press(Key::z, true);
                EXPECT_TRUE(app.chosen().knobs == before);
                settle();
                return;
            }
    }

    // The editor's whole text is replaced as one would: opened, all selected, pasted over.
    void write_solution() {
        frames.press(Key::e, true);
        paste(solved(app.lesson(), original_source(app)));
        frames.press(Key::e, true);
        EXPECT_FALSE(app.editing.on);
    }
    void paste(const std::string& text) {
        ASSERT_TRUE(app.editing.on);
        frames.frame(2);
        ASSERT_TRUE(frames.click("editor"));
        frames.press(Key::a, true);
        ImGui::SetClipboardText(text.c_str());
        frames.press(Key::v, true);
        ASSERT_EQ(text, app.editing.text);
        settle_edit(app);  // the hand rests
        settle();
    }

    // One exercise has neither "Explain" nor "Fix".
    bool has_fix() const {
        const std::vector<bool>& tells = app.lesson().tells_fix;
        return is_exercise(original_stage()) &&
               std::find(tells.begin(), tells.end(), true) != tells.end();
    }
    // What tells the fix is closed before the task is solved, and opened by a click then.
    void expect_fix_closed() {
        if (!has_fix()) return;
        go_to("look");
        EXPECT_TRUE(click("lesson:fix"));
        EXPECT_FALSE(app.learner.fix_opened.contains(app.course_id()));
    }
    void open_fix() {
        if (!has_fix()) return;
        go_to("look");
        EXPECT_TRUE(click("lesson:fix"));
        EXPECT_TRUE(app.learner.fix_opened.contains(app.course_id()));
    }

    // Each task in code: not passed as it begins, hints, the fix behind the last of them, which does
    // not count, and then written by hand. Each stage's in one of the two modes: what is judged is the
    // same in both, and each mode leads through half of them.
    void write_tasks() {
        if (app.chosen().stage % 2 != is_learning(app)) return;
        for (const WriteTask& task : app.lesson().write) {
            const std::string before = typed_source(app), id = "write:" + task.size;
            go_to("prove");
            ASSERT_TRUE(click(id)) << id;
            ASSERT_TRUE(app.editing.on);
            EXPECT_EQ(write_start(app.lesson(), task, original_source(app)), typed_source(app));
            settle();
            EXPECT_FALSE(judged()) << id << " passed as it came";
            EXPECT_TRUE(click("write:fix"));
            EXPECT_FALSE(app.learner.writing.at(app.course_id()).shown) << "no hint was taken";
            for (int i = 0; i < 3; ++i) EXPECT_TRUE(click("gate:hint"));
            EXPECT_TRUE(click("write:fix"));
            settle();
            EXPECT_TRUE(judged()) << id;
            EXPECT_FALSE(has_written(app, task.size)) << "the fix was shown";
            EXPECT_TRUE(click("write:leave"));
            settle();
            EXPECT_EQ(before, typed_source(app));
            go_to("prove");
            ASSERT_TRUE(click(id)) << id;
            paste(write_solution_of_task());
            EXPECT_TRUE(judged()) << id;
            EXPECT_TRUE(has_written(app, task.size)) << id;
            EXPECT_TRUE(click("write:leave"));
            settle();
            say("- wrote the " + task.size);
        }
    }
    std::string write_solution_of_task() const {
        return lanewise::write_solution(app.lesson(), original_source(app));
    }

    void enter_number(const std::string& field, int64_t number) {
        ASSERT_TRUE(click(field)) << field;
        for (char digit : std::to_string(number)) frames.type(digit);
        frames.press(Key::enter);
    }

    void choose_solution(const lanewise::WantedSetting& at) {
        open_setting();
        if (!at.type.empty()) {
            EXPECT_TRUE(click("type:" + at.type)) << at.type;
        }
        // One knob at a time, in an order in which each setting on the way is one that there is.
        std::vector<std::string> left = at.set;
        for (size_t turns = 0; !left.empty() && turns < 10; ++turns)
            std::erase_if(left, [&](const std::string& each) {
                frames.frame();
                if (!click("knob:" + each)) return false;
                KnobValues wanted = app.chosen().knobs;
                parse_setting(each, wanted);
                return wanted == app.chosen().knobs;
            });
        EXPECT_TRUE(left.empty()) << left.front() << " cannot be chosen";
        if (at.rows > 0) {
            enter_number(app.chosen().operation->sides.names[0], at.rows);
            enter_number(app.chosen().operation->sides.names[1], at.cols);
            if (app.chosen().operation->has_inner()) enter_number("K", at.inner);
            EXPECT_EQ(at.rows, app.chosen().rows);
            EXPECT_EQ(at.cols, app.chosen().cols);
        }
        settle();
    }

    bool judged() {
        go_to("prove");
        EXPECT_TRUE(click("gate:judge")) << cannot_judge(app);
        settle();
        EXPECT_TRUE(app.derived.gate_passed.has_value()) << app.learner.gate.failure;
        return app.derived.gate_passed.value_or(false);
    }

    // What fails is opened by a click, and taken back like any other setting.
    void look_at_what_failed() {
        const Judgement* judgement = judgement_of(app);
        if (!judgement || !judgement->has_case) return;
        const Judgement failed = *judgement;
        go_to("prove");
        EXPECT_TRUE(click("gate:show"));
        EXPECT_EQ(failed.rows, app.chosen().rows);
        EXPECT_EQ(failed.cols, app.chosen().cols);
        EXPECT_EQ(failed.type, app.chosen().type);
        settle();
        if (failed.why == Judgement::Why::result) {
            ASSERT_TRUE(app.arrived.analysis) << app.said.error;
            EXPECT_FALSE(
                app.arrived.analysis->correct);  // how wrong may depend on the order of blocks
        }
    }

    // A gate is failed by the stage as it comes, and passed by the solution that its lesson names.
    void work_on_the_task() {
        const Gate& gate = app.lesson().gate;
        if (!counts_here() && !is_library_call(original_stage())) {
            say("- the task waits for what is missing here");
            return;
        }
        const Selection before = app.chosen();
        EXPECT_FALSE(judged()) << "passed as it came";
        expect_fix_closed();
        look_at_what_failed();
        if (is_exercise(original_stage())) {
            EXPECT_FALSE(gate.solution.empty()) << "an exercise is solved in its source";
        }
        choose_solution(gate.solved_at);
        if (!gate.solution.empty()) write_solution();
        EXPECT_EQ(said_, app.said.error);
        EXPECT_TRUE(judged()) << gate.expect << ": "
                              << (app.learner.gate.judgement ? app.learner.gate.judgement->sentence
                                                             : "");
        EXPECT_TRUE(app.saved.progress.at(app.course_id()).passed);
        go_to("prove");
        EXPECT_TRUE(click("gate"));
        EXPECT_TRUE(frames.says("passed"));
        say("- solved the task");
        if (!gate.solution.empty()) take_back_solution();
        auto as_before = [&] {
            const Selection& now = app.chosen();
            return now.knobs == before.knobs && now.type == before.type &&
                   now.rows == before.rows && now.cols == before.cols && now.inner == before.inner;
        };
        for (int i = 0; i < 12 && !as_before(); ++i) frames.press(Key::z, true);
        EXPECT_TRUE(as_before());
        settle();
        EXPECT_FALSE(app.derived.gate_passed.value_or(false)) << "passed again as it came";
        open_fix();
        write_tasks();
    }

    void take_back_solution() {
        frames.press(Key::e, true);
        frames.frame(2);
        EXPECT_TRUE(click("edit:reset"));
        settle();
        EXPECT_FALSE(app.edited);
        frames.press(Key::e, true);
    }

    std::string
        said_;  // what the window says of this stage as it comes: nothing, or what is missing
    fs::path folder = pictures_folder();
    std::ofstream log;
    Frames frames{kWidth, kHeight};
    App& app = frames.app;
    std::unique_ptr<EglContext> gl;
    std::unique_ptr<Renderer> renderer;
};

// Whatever stages there are: one that is added is gone through as well.
TEST_P(Learner, GoesThroughEveryStageEndToEnd) {
    // In Learn the key leads along the path, on the workbench from stage to stage as they are found.
    std::vector<size_t> order =
        in_path_order(is_learning(app) ? path_of(app) : Path(), app.content.catalogue.stages());
    ASSERT_EQ(app.content.catalogue.stages().size(), order.size());
    choose_stage(app, order.front());
    for (size_t i : order) {
        SCOPED_TRACE(app.content.catalogue.stages()[i].id);
        if (app.chosen().operation->has_inner()) choose_shape(app, 64, 64, 64);
        if (app.chosen().operation->id == "reduction") choose_shape(app, 128, 128);
        settle();
        ASSERT_EQ(app.content.catalogue.stages()[i].id, app.course_id());
        say("\n## " + app.course_id());
        said_ = app.said.error;
        if (counts_here()) {
            EXPECT_EQ("", said_);
        }
        predict_something();
        run();
        look_at_every_view();
        turn_a_knob();
        work_on_the_task();
        frames.frame(2);
        picture(app.course_id());
        app.said.error.clear();
        frames.type('n');
    }
    for (const Stage& stage : app.content.catalogue.stages()) {
        const WindowState::Progress& progress = app.saved.progress[stage.id];
        EXPECT_NE("", progress.guess) << stage.id;
        bool countable = cannot_interpret(stage).empty() || is_library_call(stage);
        if (countable) {
            EXPECT_TRUE(progress.passed) << stage.id;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, Learner, testing::Values(kWorkbench, kLearn),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace

// ---- every view, theme and scale on a large screen; the small ones: text_test.cpp

class LargeScreen : public testing::TestWithParam<const char*> {};

TEST_P(LargeScreen, ShowsEveryViewWholeAndReadable) {
    Frames frames(3840, 2160);
    set_theme(GetParam());
    choose_shape(frames.app, 256, 256);
    choose_stage(frames.app, "30_padded");
    frames.answer();
    for (float scale : {1.f, 2.f, 3.f}) {
        set_scale(scale);
        for (const View& view : views()) {
            choose_view(frames.app, view.id);
            frames.frame(3);
            std::string where = std::string(view.id) + " at " + std::to_string(scale) + ": ";
            for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << where << fault;
            for (const std::string& fault : contrast_faults(audit(), *ImGui::GetDrawData(), scale))
                ADD_FAILURE() << where << fault;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Themes, LargeScreen, testing::Values("dark", "light", "projector"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace lanewise::ui
