// An assignment in the window: opened from a file and from a link, its hints limited, what passes kept.
#include "ui/class/assignment_work.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "../frames.h"
#include "base/files.h"
#include "base/hash.h"
#include "course/assignment_link.h"
#include "ui/desk/coach.h"
#include "ui/desk/commands.h"
#include "ui/desk/share.h"
#include "ui/desk/tools.h"
#include "ui/path/predict_first.h"
#include "ui/state/edits.h"

namespace lanewise::ui {
namespace {

namespace fs = std::filesystem;

class AssignmentInTheWindow : public testing::Test {
  protected:
    AssignmentInTheWindow() {
        fs::remove_all(folder);
        fs::create_directories(folder);
        choose_shape(app, 128, 128);
    }
    ~AssignmentInTheWindow() override { fs::remove_all(folder); }
    fs::path write(const std::string& text, const std::string& name = "week.assignment") const {
        write_file(folder / name, text);
        return folder / name;
    }
    const AssignmentTask& task(size_t i) const { return app.tools->assignment->now->tasks.at(i); }
    // As if the engine had judged what is chosen.
    void pass() {
        press_judge(app);
        take_judgement(app, {});
        follow_assignment(app);
    }
    // What is kept is read into a window that knows nothing else of it.
    void next_window() {
        app.tools->assignment = std::make_shared<AssignmentWork>();
        read_assignments(app, folder / "assignments.json");
    }
    bool drawn(const std::string& id) const {
        return std::any_of(audit().widgets.begin(), audit().widgets.end(),
                           [&](const WidgetRecord& widget) { return widget.id == id; });
    }
    bool says(const std::string& part) const {
        return std::any_of(audit().texts.begin(), audit().texts.end(), [&](const TextRecord& text) {
            return text.text.find(part) != std::string::npos;
        });
    }
    fs::path folder =
        fs::path(testing::TempDir()) / ("lanewise-assignment-" + std::to_string(::getpid()));
    Frames frames;
    App& app = frames.app;
};

const std::string kWeek =
    "title = \"Week 2\"\ndue = \"2026-12-01 23:59\"\nhints = 1\n"
    "[[task]]\nstage = \"pitfalls/103_wrong_stride\"\npoints = 10\n"
    "[[task]]\nstage = \"transpose/30_padded\"\npoints = 5\nexpect = \"PAD == 2\"\nhints = 0\n";

TEST_F(AssignmentInTheWindow, ItsFirstTaskLiesBeforeTheLearner) {
    choose_stage(app, "00_copy");
    open_what_was_handed(app, write(kWeek));
    EXPECT_TRUE(is_learning(app));
    EXPECT_EQ("pitfalls/103_wrong_stride", app.course_id());
    EXPECT_EQ(&task(0), assigned_task(app));
    EXPECT_EQ(1u, app.lesson().gate.hints.size());
    frames.frame(2);
    EXPECT_TRUE(drawn("task:1"));
    EXPECT_TRUE(drawn("task:2"));
    EXPECT_TRUE(says("0 of 2 tasks pass here"));
    EXPECT_TRUE(says("Week 2"));
    work_on(app, task(1));
    EXPECT_EQ("PAD == 2", app.lesson().gate.expect);
    EXPECT_EQ("PAD == 2", gate_task(app).expect.empty() ? gate_task(app).cases.at(0).expect
                                                        : gate_task(app).expect);
    EXPECT_EQ(0u, app.lesson().gate.hints.size());
}

TEST_F(AssignmentInTheWindow, ItsQuestionIsAskedHoweverItWasOpened) {
    const fs::path file = write(kWeek);
    for (const std::string& opened :
         {file.string(), assignment_link(read_assignment(file, app.content.catalogue))}) {
        Options options;
        options.offscreen = true;
        options.file = opened;
        const App begun = open_app(options);
        EXPECT_TRUE(begun.tools->assignment->now);
        EXPECT_TRUE(begun.learner.shown_unpredicted.empty()) << opened;
    }
}

TEST_F(AssignmentInTheWindow, HintsBeyondThoseAllowedAndTheFixStayClosed) {
    open_what_was_handed(app, write(kWeek));
    close_assignment_page(app);
    EXPECT_NE("", assignment_closes_fix(app));
    app.saved.progress[app.course_id()].hints = 3;  // taken before it was handed out
    show_answer(app);
    go_to(app, Step::look);
    frames.answer();
    frames.frame(2);
    EXPECT_TRUE(drawn("lesson:fix"));  // the button in place of the sections
    frames.click("lesson:fix");
    EXPECT_FALSE(app.learner.fix_opened.contains(app.course_id()));
    EXPECT_FALSE(find_command(app, "fixes:try").problem.empty());
    pass();
    EXPECT_EQ("", assignment_closes_fix(app));
}

TEST_F(AssignmentInTheWindow, WhatPassesIsKnownUntilItIsChanged) {
    open_what_was_handed(app, write(kWeek));
    EXPECT_EQ(TaskState::open, state_of(app, task(0)));
    replace_source(app, original_source(app) + "// mine\n");
    settle_edit(app);
    pass();
    EXPECT_EQ(TaskState::passed, state_of(app, task(0)));
    EXPECT_EQ(TaskState::open, state_of(app, task(1)));
    replace_source(app, original_source(app) + "// mine, again\n");
    settle_edit(app);
    EXPECT_EQ(TaskState::changed, state_of(app, task(0)));
}

TEST_F(AssignmentInTheWindow, TheNextWindowGoesOnWithIt) {
    read_assignments(app, folder / "assignments.json");
    open_what_was_handed(app, write(kWeek));
    replace_source(app, original_source(app) + "// mine\n");
    settle_edit(app);
    pass();
    next_window();
    ASSERT_TRUE(app.tools->assignment->now);
    EXPECT_FALSE(app.tools->assignment->page_open);
    EXPECT_EQ(TaskState::passed, state_of(app, task(0)));
    put_away_assignment(app);
    EXPECT_FALSE(app.tools->assignment->now);
    next_window();
    EXPECT_FALSE(app.tools->assignment->now);
    open_what_was_handed(app, folder / "week.assignment");  // once more: what passed is known
    EXPECT_EQ("transpose/30_padded", app.course_id());
}

TEST_F(AssignmentInTheWindow, PutAwayTheLessonsAreAsBefore) {
    const Gate before = app.content.lessons
                            .at(static_cast<size_t>(&app.content.catalogue.find("30_padded") -
                                                    app.content.catalogue.stages().data()))
                            .gate;
    open_what_was_handed(app, write(kWeek));
    work_on(app, task(1));
    put_away_assignment(app);
    EXPECT_EQ(before.expect, app.lesson().gate.expect);
    EXPECT_EQ(before.hints, app.lesson().gate.hints);
    EXPECT_EQ("", assignment_closes_fix(app));
    EXPECT_EQ(nullptr, assigned_task(app));
}

TEST_F(AssignmentInTheWindow, AStartTakesItsPlaceAndTheLearnersOwnIsKept) {
    app.editing.folder = folder / "stages";
    choose_stage(app, "30_padded");
    replace_source(app, original_source(app) + "// my own\n");
    settle_edit(app);
    write(original_source(app) + "// theirs\n", "theirs.cu");
    open_what_was_handed(app,
                         write("title = \"x\"\n[[task]]\nstage = \"30_padded\"\npoints = 1\nstart "
                               "= \"theirs.cu\"\n"));
    EXPECT_TRUE(typed_source(app).ends_with("// theirs\n"));
    EXPECT_TRUE(read_file(folder / "stages" / "transpose" / "30_padded.before-1.cu")
                    .ends_with("// my own\n"));
    ASSERT_FALSE(app.said.notices.empty());
    EXPECT_TRUE(app.said.notices.back().starts_with("The assignment begins with its own version"));
    // Opened again, what was begun since is not overwritten.
    replace_source(app, original_source(app) + "// begun\n");
    settle_edit(app);
    open_what_was_handed(app, folder / "week.assignment");
    EXPECT_TRUE(typed_source(app).ends_with("// begun\n"));
}

TEST_F(AssignmentInTheWindow, ATaskInCodeIsBegunWithoutTheGate) {
    open_what_was_handed(app, write("title = \"x\"\n[[task]]\nstage = \"30_padded\"\nwrite = "
                                    "\"line\"\npoints = 1\nhints = 3\n"));
    const WriteTask* now = writing_now(app);
    ASSERT_TRUE(now);
    EXPECT_EQ("line", now->size);
    EXPECT_EQ(task(0).start, typed_source(app));
    EXPECT_TRUE(app.editing.on);
    Writing& writing = app.learner.writing.at(app.course_id());
    writing.hints = 3;
    EXPECT_NE("", assignment_closes_fix(app));  // hints are allowed, the fix is not
    pass();
    EXPECT_EQ(TaskState::passed, state_of(app, task(0)));
}

TEST_F(AssignmentInTheWindow, OfTwoTasksOfAStageTheFirstSaysWhatItBeginsWith) {
    const std::string gate = "[[task]]\nstage = \"30_padded\"\npoints = 1\n";
    const std::string line = gate + "write = \"line\"\n";
    open_what_was_handed(app, write("title = \"x\"\n" + gate + line));
    EXPECT_EQ(original_source(app), typed_source(app));
    open_what_was_handed(app, write("title = \"x\"\n" + line + gate));
    EXPECT_EQ(task(0).start, typed_source(app));
    EXPECT_NE(original_source(app), typed_source(app));
}

TEST_F(AssignmentInTheWindow, ALinkOpensIt) {
    const fs::path file = write(kWeek);
    const std::string link = assignment_link(read_assignment(file, app.content.catalogue));
    restore(app, parse_link(link));
    EXPECT_EQ("Week 2", app.tools->assignment->now->title);
    EXPECT_EQ("pitfalls/103_wrong_stride", app.course_id());
    const std::string handed = app.tools->assignment->text;
    open_what_was_handed(app, file);  // the same one
    EXPECT_EQ(handed, app.tools->assignment->text);
    EXPECT_THROW(parse_link(link.substr(0, link.size() / 2)), Error);
}

TEST_F(AssignmentInTheWindow, WhatCannotBeReadChangesNothing) {
    open_what_was_handed(app, write(kWeek));
    for (const char* text :
         {"title = \"x\"\n", "title = \"x\"\n[[task]]\nstage = \"nowhere\"\npoints = 1\n", "{"}) {
        EXPECT_THROW(open_what_was_handed(app, write(text, "bad.assignment")), Error) << text;
        EXPECT_EQ("Week 2", app.tools->assignment->now->title);
    }
    write("{", "assignments.json");
    next_window();
    EXPECT_FALSE(app.tools->assignment->now);
    EXPECT_TRUE(fs::exists(folder / "assignments.json.bad"));
    ASSERT_FALSE(app.said.notices.empty());
}

TEST(Due, IsSaidInWords) {
    const std::string due = "2026-12-01T23:59:00Z";
    EXPECT_EQ("Due 2026-12-01 23:59 UTC, in 4 days.", due_in_words(due, "2026-11-27T12:00:00Z"));
    EXPECT_EQ("Due 2026-12-01 23:59 UTC, in 1 hour.", due_in_words(due, "2026-12-01T22:30:00Z"));
    EXPECT_EQ("Due 2026-12-01 23:59 UTC, in less than an hour.",
              due_in_words(due, "2026-12-01T23:30:00Z"));
    EXPECT_EQ("It was due 2026-12-01 23:59 UTC, 3 hours ago.",
              due_in_words(due, "2026-12-02T03:00:00Z"));
}

}  // namespace
}  // namespace lanewise::ui
