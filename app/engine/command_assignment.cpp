// assignment: begins one for a class, and checks one before it is handed out.
#include <fmt/format.h>

#include <functional>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "course/assignment_link.h"
#include "course/lesson_lint.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "lab/grade/class_marks.h"

namespace lanewise {

namespace {

namespace fs = std::filesystem;

struct AssignmentOptions {
    std::string file, title = "An assignment";
    std::vector<std::string> stages;
};

int begin(const AssignmentOptions& options) {
    if (fs::exists(options.file))
        throw Error(Status::bad_input,
                    "\"" + options.file + "\" is there already: name another file");
    write_file(options.file, new_assignment(options.title, options.stages, load_catalogue()));
    fmt::print(
        "{} is written: set its points and its due time, then run\n"
        "    lanewise-engine assignment check {}\n",
        options.file, options.file);
    return static_cast<int>(Status::fine);
}

int hand_out(const std::string& file, const std::string& out) {
    const std::string text = handout(read_assignment(file, load_catalogue()));
    if (out.empty()) {
        fmt::print("{}", text);
        return static_cast<int>(Status::fine);
    }
    if (std::error_code ignored; fs::equivalent(file, out, ignored))
        throw Error(Status::bad_input,
                    "\"" + out + "\" is the assignment itself: hand out another file");
    write_file(out, text);
    fmt::print(
        "{} is written: it has the tasks and what the class begins with, without your cases "
        "and references\n",
        out);
    return static_cast<int>(Status::fine);
}

// In the page the link stands behind a #.
int print_link(const std::string& file, std::string page) {
    const std::string link = assignment_link(read_assignment(file, load_catalogue()));
    if (!page.empty() && !page.ends_with('/') && !page.ends_with(".html")) page += '/';
    fmt::print("{}{}{}\n", page, page.empty() ? "" : "#", link);
    return static_cast<int>(Status::fine);
}

// A version of the task's stage, at its own knobs.
Job job_of(const AssignmentTask& task, const std::string& source) {
    Job job;
    Stage like = task.stage;
    if (source != task.stage.source) like.file = "start";
    job.stage = parse_stage(source, like);
    if (!job.stage.error.empty()) throw Error(Status::bad_input, job.stage.error);
    job.type = job.stage.types.front();
    return job;
}

// What the lesson knows to be right for the task.
Job solution_of(const AssignmentTask& task, const Lesson& lesson) {
    const std::string& source = task.stage.source;
    Job job =
        job_of(task, task.write.empty() ? solved(lesson, source) : write_solution(lesson, source));
    if (!task.write.empty()) return job;
    for (const std::string& each : lesson.gate.solved_at.set) parse_setting(each, job.knobs);
    if (!lesson.gate.solved_at.type.empty()) job.type = lesson.gate.solved_at.type;
    return job;
}

// The mark, or why there is none: a start with blanks may not compile.
TaskMark mark_or_why(const AssignmentTask& task, const std::function<Job()>& job) {
    try {
        return mark(job(), task, false);
    } catch (const Error& error) {
        TaskMark mark;
        mark.sentence = error.what();
        mark.sentence = mark.sentence.substr(0, mark.sentence.find('\n'));
        return mark;
    }
}

// 0: the start fails, and the solution passes.
int check_task(const AssignmentTask& task, const Lesson& lesson) {
    fmt::print("{}: {:g} points\n    {}\n", task.name(), task.points, task.gate.task);
    const TaskMark start = mark_or_why(task, [&] { return job_of(task, task.start); });
    const TaskMark right = mark_or_why(task, [&] { return solution_of(task, lesson); });
    fmt::print("    as it is handed out: {:g} points. {}\n", start.points, start.sentence);
    fmt::print("    the lesson's solution: {:g} points. {}\n", right.points, right.sentence);
    if (task.time.points > 0)
        fmt::print(
            "    {:g} points more for a time of at most {} % of the reference's, by --times\n",
            task.time.points, task.time.at_most);
    if (start.passed) fmt::print("    PROBLEM: the unchanged source passes\n");
    if (!right.passed) fmt::print("    PROBLEM: the lesson's own solution does not pass\n");
    return start.passed || !right.passed ? 1 : 0;
}

// A hand-in has one source for each stage, so tasks of one stage share it.
void tell_shared_stages(const Assignment& assignment) {
    for (size_t i = 0; i < assignment.tasks.size(); ++i)
        for (size_t before = 0; before < i; ++before) {
            const AssignmentTask &first = assignment.tasks[before], &second = assignment.tasks[i];
            if (first.stage.id != second.stage.id || first.start == second.start) continue;
            fmt::print("NOTE: tasks {} and {} are both of {}, and begin with different sources. The class begins with "
                       "the first one's, and hands in one source, which is judged for both\n",
                       before + 1, i + 1, second.stage.id);
            break;
        }
}

int check_assignment(const AssignmentOptions& options) {
    const Catalogue catalogue = load_catalogue();
    const Assignment assignment = read_assignment(options.file, catalogue);
    fmt::print("{}: {:g} points{}\n", assignment.title, assignment.points(),
               assignment.due.empty() ? "" : ", due " + assignment.due);
    tell_shared_stages(assignment);
    int problems = 0;
    for (const AssignmentTask& task : assignment.tasks)
        problems +=
            check_task(task, read_lesson(lesson_path(catalogue, task.stage), task.stage.id));
    return static_cast<int>(problems == 0 ? Status::fine : Status::failed_check);
}

}  // namespace

static void add_assignment(EngineCommand& app, int& status) {
    auto* command = app.add_subcommand("assignment", "what a class is to hand in, and its points");
    command->require_subcommand();
    auto options = std::make_shared<AssignmentOptions>();
    auto* begins = command->add_subcommand("new", "write a file to begin with");
    begins->add_option("file", options->file, "NAME.assignment")->required();
    begins->add_option("stages", options->stages, "stages, one task each")->required();
    begins->add_option("--title", options->title, "what the class reads above it")
        ->capture_default_str();
    begins->callback([=, &status] { status = begin(*options); });
    auto out = std::make_shared<std::string>(), page = std::make_shared<std::string>();
    auto* hands_out = command->add_subcommand(
        "handout", "what the class gets: one file, without your cases and references");
    hands_out->add_option("file", options->file, "NAME.assignment")->required();
    hands_out->add_option("--out", *out, "the file to write; left out: it is printed");
    hands_out->callback([=, &status] { status = hand_out(options->file, *out); });
    auto* links = command->add_subcommand("link", "a link that opens it for the class");
    links->add_option("file", options->file, "NAME.assignment")->required();
    links->add_option("--page", *page,
                      "the address of the web edition that it opens in; left out: the window");
    links->callback([=, &status] { status = print_link(options->file, *page); });
    auto* checks = command->add_subcommand(
        "check", "read one; its start must fail, and its solution must pass");
    checks->add_option("file", options->file, "NAME.assignment")->required();
    checks->callback([=, &status] { status = check_assignment(*options); });
}
static const CommandRow kAssignment("assignment", "grade", add_assignment, Compiles::yes);

}  // namespace lanewise
