// grade: whether a file passes a stage's gate, or what a class gets for an assignment. No GPU needed.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "course/assignment.h"
#include "course/lesson_lint.h"
#include "course/operation.h"
#include "engine/commands.h"
#include "engine/grade_class.h"
#include "engine/options.h"
#include "engine/where.h"
#include "lab/grade/judgement.h"
#include "lab/grade/submission.h"
#include "lab/grade/time_mark.h"
#include "lab/json/json.h"
#include "lab/report/student_page.h"
#include "service/gpu_worker.h"
#include "service/jobs.h"

namespace lanewise {

namespace {

struct GradeOptions {
    std::string stage, file, type, write;  // `write`: the size of a task in code
    std::vector<std::string> settings;     // NAME=VALUE
    double time_limit_s = 300;
    bool json = false;
    // ---- of a class
    std::string assignment, csv, gradescope, pages;
    int64_t jobs = 0;
    bool unsandboxed = false, picture = false, times = false;
    WhereOptions where = {};  // of times
};

Lesson lesson_of(const Catalogue& catalogue, const Stage& stage) {
    Lesson lesson = read_lesson(lesson_path(catalogue, stage), stage.id);
    if (!lesson.error.empty()) throw Error(Status::bad_input, lesson.error);
    return lesson;
}

Json case_json(const Judgement& judgement) {
    Json json = {{"knobs", judgement.knobs},
                 {"type", judgement.type},
                 {"rows", judgement.rows},
                 {"cols", judgement.cols},
                 {"batch", judgement.batch}};
    if (judgement.inner != kNoInner) {
        json["inner"] = judgement.inner;
        json["input"] = judgement.input;
    }
    return json;
}

Json grade_json(const Stage& stage, const Gate& gate, const Judgement& judgement) {
    const Json all = judgement;
    Json json = {{"stage", stage.id},           {"passed", judgement.passed()},
                 {"sentence", all["sentence"]}, {"cases", all["cases"]},
                 {"held", all["held"]},         {"why", all["why"]},
                 {"catches", gate.catches},     {"case", nullptr}};
    if (!judgement.has_case) return json;
    json["case"] = case_json(judgement);
    json["mismatch"] = all["mismatch"];
    json["findings"] = all["findings"];
    return json;
}

std::string sizes_in_words(const Lesson& lesson) {
    if (lesson.write.empty()) return ": its lesson has none";
    std::string sizes;
    for (const WriteTask& task : lesson.write) sizes += (sizes.empty() ? "" : ", ") + task.size;
    return "; it has: " + sizes;
}

// ---- a class

// One file for one task of an assignment: the process that grade_class() starts.
int grade_task(const GradeOptions& options) {
    TimeLimit limit(options.time_limit_s);
    const Catalogue catalogue = load_catalogue();
    const Assignment assignment = read_assignment(options.assignment, catalogue);
    const std::string id = catalogue.find(options.stage).id;
    for (const AssignmentTask& task : assignment.tasks) {
        if (task.stage.id != id || task.write != options.write) continue;
        const TaskMark mark = mark_of_file(options.file, task, options.picture);
        if (options.json)
            print_json({{"mark", mark}});
        else
            fmt::print("{}: {:g} of {:g} points\n{}\n", mark.task, mark.points, mark.of,
                       mark.sentence);
        return static_cast<int>(mark.passed ? Status::fine : Status::failed_check);
    }
    throw Error(Status::bad_input, id + (options.write.empty() ? "" : " " + options.write) +
                                       " is no task of " + options.assignment);
}

void print_marks(const Assignment& assignment, const std::vector<StudentMarks>& students) {
    const bool timed = std::any_of(students.begin(), students.end(),
                                   [](const StudentMarks& each) { return each.of_times() > 0; });
    fmt::print("{}: {} students, {:g} points in all\n", assignment.title, students.size(),
               assignment.points() + (timed ? assignment.time_points() : 0));
    if (!timed && assignment.time_points() > 0)
        fmt::print("Times are not judged ({:g} more points): --times does, on a GPU.\n",
                   assignment.time_points());
    for (const StudentMarks& student : students) {
        fmt::print("{:<28} {:>6g}{}\n", student.student, student.points(),
                   student.late ? "  late" : "");
        for (const std::string& problem : student.problems) fmt::print("    {}\n", problem);
        for (const TaskMark& task : student.tasks)
            if (!task.passed) fmt::print("    {}: {}\n", task.task, task.sentence);
        for (const TaskMark& task : student.tasks)
            if (task.passed && task.time_of > 0)
                fmt::print("    {}: {:g} of {:g} points for time. {}\n", task.task,
                           task.time_points, task.time_of, task.time_sentence);
        for (const TaskMark& task : student.tasks)
            if (!task.equal_to.empty())
                fmt::print("    {}: the same source as {}\n", task.task,
                           fmt::join(task.equal_to, ", "));
    }
}

Json marks_json(const Assignment& assignment, const std::vector<StudentMarks>& students) {
    Json all = Json::array();
    for (const StudentMarks& student : students)
        all.push_back({{"student", student.student},
                       {"points", student.points()},
                       {"handed_in", student.handed_in},
                       {"late", student.late},
                       {"problems", student.problems},
                       {"tasks", student.tasks}});
    return {{"assignment", assignment.title}, {"of", assignment.points()}, {"students", all}};
}

void write_marks(const GradeOptions& options, const Assignment& assignment,
                 const std::vector<StudentMarks>& students) {
    if (!options.csv.empty()) write_file(options.csv, marks_csv(assignment, students));
    if (!options.gradescope.empty())
        write_file(options.gradescope, gradescope_json(students).dump(2) + "\n");
    if (options.pages.empty()) return;
    for (const StudentMarks& student : students)
        write_file(std::filesystem::path(options.pages) / student_file(student.student),
                   student_page(assignment, student));
}

// The time of one source, beside the reference's. What its kernel does costs its own time alone.
void judge_time(const GradeOptions& options, TaskMark& mark, const Job& submitted,
                const AssignmentTask& task) {
    try {
        const TimedPair pair = timed_pair(submitted, task);
        const Json result =
            run_job(options.where, "race",
                    {{"job", pair.submitted}, {"beside", Json::array({pair.reference})}});
        const Json& taken = result.at("measurements");
        add_time(mark, task, taken.at(0).get<Measurement>(), taken.at(1).get<Measurement>());
    } catch (const DetailedError& error) {
        const std::string why = error.what();
        add_no_time(mark, task, why.substr(0, why.find('\n')));
    }
}

// Puts this machine's kernels into the sandbox. Throws at once where no time could be judged.
void prepare_for_times(const GradeOptions& options, const Assignment& assignment) {
    if (assignment.time_points() == 0)
        throw Error(Status::bad_input, options.assignment +
                                           " gives no points for times: leave --times out, or "
                                           "write [task.time]");
    if (!options.where.engine.empty()) return;
    if (!options.unsandboxed) use_sandbox();
    if (!gpu_status().found) throw Error(Status::needs_gpu, gpu_status().problem);
}

int grade_folder(const GradeOptions& options) {
    const Catalogue catalogue = load_catalogue();
    const Assignment assignment = read_assignment(options.assignment, catalogue);
    if (options.times) prepare_for_times(options, assignment);
    ClassOptions how{options.assignment,   options.stage,        static_cast<int>(options.jobs),
                     options.time_limit_s, !options.unsandboxed, !options.pages.empty()};
    if (options.times)
        how.time = [&](TaskMark& mark, const Job& submitted, const AssignmentTask& task) {
            judge_time(options, mark, submitted, task);
        };
    std::vector<StudentMarks> students;
    {
        TerminalProgress progress;
        students = grade_class(assignment, how, progress.listener());
    }
    write_marks(options, assignment, students);
    if (options.json)
        print_json(marks_json(assignment, students));
    else
        print_marks(assignment, students);
    return static_cast<int>(Status::fine);  // that hand-ins fail is no fault of the grading
}

int grade(const GradeOptions& options) {
    if (!options.assignment.empty())
        return options.file.empty() ? grade_folder(options) : grade_task(options);
    if (options.file.empty())
        throw Error(Status::bad_input,
                    "grade wants a stage and a file, or a folder and --assignment FILE");
    TimeLimit limit(options.time_limit_s);
    Catalogue catalogue = load_catalogue();
    const Stage& stage = catalogue.find(options.stage);
    Lesson lesson = lesson_of(catalogue, stage);
    Gate gate = lesson.gate;
    if (!options.write.empty()) {
        const WriteTask* task = write_task(lesson, options.write);
        if (!task)
            throw Error(Status::bad_input, stage.id + " has no task of the size \"" +
                                               options.write + "\" to be written" +
                                               sizes_in_words(lesson));
        gate = task->gate;
    }
    Job job = submission_from(options.file, stage);
    for (const std::string& setting : options.settings)
        if (!parse_setting(setting, job.knobs))
            throw Error(Status::bad_input,
                        "--set wants NAME=VALUE with a whole number, not \"" + setting + "\"");
    if (!options.type.empty()) job.type = options.type;
    Judgement judgement = judge(job, task_of(gate, stage));
    if (options.json) {
        print_json(grade_json(stage, gate, judgement));
    } else {
        fmt::print("{}: {}\n", stage.id, judgement.passed() ? "passed" : "not yet");
        fmt::print("{}\n", judgement.sentence);
        for (const Finding& finding : judgement.findings)
            fmt::print("  {}:{}: {}\n", finding.file, finding.line, finding.message);
    }
    return static_cast<int>(judgement.passed() ? Status::fine : Status::failed_check);
}

}  // namespace

static void add_grade(EngineCommand& app, int& status) {
    auto* command = app.add_subcommand(
        "grade", "judge a file by a stage's task, at shapes of the program's own");
    auto options = std::make_shared<GradeOptions>();
    command
        ->add_option(
            "stage", options->stage,
            "a stage (see `lanewise-engine stages`); of an assignment the folder of hand-ins")
        ->required();
    command->add_option("file", options->file,
                        "a version of its source (.cu), or a workspace of the window (.lanewise)");
    command
        ->add_option("--set", options->settings,
                     "a knob's value, NAME=VALUE; may be repeated (default: the file's own)")
        ->allow_extra_args(false);
    command->add_option("--type", options->type, "element type: f32, f64, f16, u8 or f32x4");
    command->add_option("--write", options->write,
                        "judge by the task in code of this size: index, line or kernel");
    command->add_flag("--json", options->json, "print one JSON object");
    command->add_option("--assignment", options->assignment,
                        "an assignment (.assignment): grades all that a class handed in");
    command->add_option("--csv", options->csv, "writes the class's marks as a table");
    command->add_option("--gradescope", options->gradescope,
                        "writes the marks as Gradescope's results.json; of several by student");
    command->add_option("--pages", options->pages,
                        "writes a page for each student into this folder");
    add_count(*command, "--jobs", options->jobs, "sources judged at once; 0: one a core");
    command->add_flag("--times", options->times,
                      "judges times as well, on a GPU, beside the assignment's reference");
    options->where.add_to(*command);
    command->add_flag("--unsandboxed", options->unsandboxed,
                      "judges without bubblewrap's sandbox: for sources that you trust");
    command->add_flag("--picture", options->picture,
                      "puts a picture of what is wrong into the JSON");
    command
        ->add_option("--time-limit", options->time_limit_s, "seconds, compiling included; 0: none")
        ->in_range(0.0, 1e8)
        ->capture_default_str();
    command->callback([=, &status] { status = grade(*options); });
}
static const CommandRow kGrade("grade", "export", add_grade, Compiles::yes);

}  // namespace lanewise
