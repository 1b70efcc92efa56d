// A scripted learner goes through every stage of the course, in the window itself, by keys and by
// the labels of what is clicked: predict, look, change a knob, take it back, work on the task.
// What happened stands in a log; with LANEWISE_PICTURES=FOLDER a picture of every stage beside it.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <memory>

#include "base/files.h"
#include "frames.h"
#include "ui/aim.h"
#include "ui/edits.h"
#include "ui/egl_context.h"
#include "ui/offscreen.h"
#include "ui/render.h"
#include "ui/tools.h"
#include "ui/views.h"

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

class Learner : public testing::Test {
  protected:
    Learner() : gl(open_gl()) {
        fs::create_directories(folder);
        log.open(folder / "learner.md");
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

    // The last choice, so that some are right and some are wrong.
    void predict_something() {
        const Prediction& question = app.lesson().predict;
        ASSERT_FALSE(question.choices.empty()) << app.course_id();
        click("confidence:Likely");
        std::string choice = question.choices.back();
        EXPECT_TRUE(click("predict:" + choice)) << app.course_id();
        const WindowState::Progress& progress = app.saved.progress.at(app.course_id());
        EXPECT_EQ(choice, progress.guess) << app.course_id();
        // Only where the kernel cannot be compiled here the answer stays open.
        EXPECT_TRUE(progress.known || !app.error.empty() || !app.analysis) << app.course_id();
        say("- predicted " + choice +
            (!progress.known  ? ", not compared"
             : progress.right ? ", right"
                              : ", wrong"));
    }

    void look_at_every_view() {
        char digit = '1';
        for (const View& view : views()) {
            if (view.place != Place::middle) continue;
            bool shows = !view.problem || view.problem(app).empty();
            std::string before = app.tab;
            frames.type(digit++);
            EXPECT_EQ(shows ? view.id : before, app.tab) << app.course_id();
            frames.press(Key::down);
            frames.press(Key::right);
        }
        frames.type('1');
    }

    // The first setting that is another one than now, and back again.
    void turn_a_knob() {
        const KnobValues before = app.choice.knobs;
        for (const Knob& knob : app.stage().knobs)
            for (int64_t value : knob.choices) {
                KnobValues tried = before;
                tried[knob.name] = value;
                if (tried == before || !knob_problem(app.stage(), tried, app.choice.type).empty())
                    continue;
                std::string id = "knob:" + knob.name + "=" + std::to_string(value);
                ASSERT_TRUE(click(id)) << app.course_id() << ": " << id;
                EXPECT_TRUE(app.choice.knobs == tried) << app.course_id();
                settle();
                say("- " + knob.name + " = " + std::to_string(value));
                frames.press(Key::z, true);
                EXPECT_TRUE(app.choice.knobs == before) << app.course_id();
                settle();
                return;
            }
    }

    // An exercise's gate is failed by its start and passed by its solution, typed in the editor.
    void work_on_the_task() {
        if (app.lesson().gate.solution.empty() || !app.gate_passed) return;
        EXPECT_FALSE(*app.gate_passed) << app.course_id();
        replace_source(app, solved(app.lesson(), original_source(app)));
        settle_edit(app);
        settle();
        // Some tasks ask for a shape besides: one that is not square, or fits no tile.
        for (auto [rows, cols, inner] : kShapes) {
            if (app.gate_passed.value_or(false)) break;
            choose_shape(app, rows, cols, inner);
            settle();
        }
        bool passed = app.gate_passed.value_or(false);
        EXPECT_EQ(passed, app.saved.progress.at(app.course_id()).passed) << app.course_id();
        // Those that ask for a matrix too large for a quick test: the solution is right at least.
        // tests/course/exercises_test.cpp passes their gates.
        ASSERT_TRUE(app.analysis) << app.course_id() << " " << app.error;
        EXPECT_TRUE(app.analysis->correct) << app.course_id();
        EXPECT_TRUE(app.analysis->report.findings.empty()) << app.course_id();
        say(passed ? "- solved the task" : "- right, and the task asks for a larger matrix");
        solved_tasks += passed;
        if (!app.choice.product) choose_shape(app, 128, 128);
        reset_edit(app);
        settle();
    }

    static constexpr struct {
        int64_t rows, cols, inner;
    } kShapes[] = {{96, 160, 64}, {1000, 50, 64}, {50, 35, 21}};
    size_t solved_tasks = 0;
    fs::path folder = pictures_folder();
    std::ofstream log;
    Frames frames{kWidth, kHeight};
    App& app = frames.app;
    std::unique_ptr<EglContext> gl;
    std::unique_ptr<Renderer> renderer;
};

TEST_F(Learner, GoesThroughEveryStageEndToEnd) {
    const size_t stages = app.catalogue.stages().size();
    for (size_t i = 0; i < stages; ++i) {
        if (app.choice.product) choose_shape(app, 64, 64, 64);
        settle();
        ASSERT_EQ(app.catalogue.stages()[i].id, app.course_id());
        say("\n## " + app.course_id());
        predict_something();
        look_at_every_view();
        turn_a_knob();
        work_on_the_task();
        frames.frame(2);
        picture(app.course_id());
        say(app.error.empty() ? "- seen to the end" : "- " + app.error);
        app.error.clear();
        frames.type('n');
    }
    size_t predicted = 0;
    for (const auto& [stage, progress] : app.saved.progress) predicted += !progress.guess.empty();
    EXPECT_EQ(stages, predicted);
    EXPECT_GE(solved_tasks, 10u);
}

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
