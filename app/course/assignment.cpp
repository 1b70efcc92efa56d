// The reader of assignments, and the text of a new one.
#include "course/assignment.h"

#include <fmt/format.h>

#include <set>

#include "base/error.h"
#include "base/files.h"
#include "course/lesson_lint.h"
#include "course/toml_head.h"

namespace lanewise {
namespace fs = std::filesystem;

namespace {

constexpr int64_t kMostPoints = 10000;

double points_of(const TomlTable& table, const std::string& key, int64_t least) {
    const std::optional<int64_t> said = table.integer(key);
    if (!said || *said < least || *said > kMostPoints)
        table.fail(key, fmt::format("{} is a whole number from {} to {}; write {} = 10", key, least,
                                    kMostPoints, key));
    return static_cast<double>(*said);
}

Stage stage_of(const TomlTable& table, const Catalogue& catalogue) {
    table.need("stage", "stage = \"transpose/30_padded\"");
    try {
        return catalogue.find(table.text("stage"));
    } catch (const Error& error) {
        table.fail("stage", error.what());
    }
}

Lesson lesson_of(const Stage& stage, const Catalogue& catalogue) {
    Lesson lesson = read_lesson(lesson_path(catalogue, stage), stage.id);
    if (!lesson.error.empty())
        throw Error(Status::bad_input,
                    stage.id + " has no lesson whose task could be set: " + lesson.error);
    return lesson;
}

std::string start_of(const TomlTable& table, const AssignmentTask& task, const Lesson& lesson,
                     const fs::path& folder) {
    if (!table.has("start")) {
        const WriteTask* write = task.write.empty() ? nullptr : write_task(lesson, task.write);
        return write ? write_start(lesson, *write, task.stage.source) : task.stage.source;
    }
    const fs::path name = table.text("start");
    if (name.is_absolute() || name.has_parent_path())
        table.fail("start", "the source lies beside the assignment: give its name alone");
    const std::string source = read_file(folder / name);
    Stage read = parse_stage(source, task.stage);
    if (!read.error.empty()) table.fail("start", "it cannot be used: " + read.error);
    return source;
}

void choose_gate(const TomlTable& table, const Lesson& lesson, AssignmentTask& task) {
    task.gate = lesson.gate;
    task.write = table.text("write");
    if (task.write.empty()) return;
    const WriteTask* write = write_task(lesson, task.write);
    if (!write) {
        std::string sizes;
        for (const WriteTask& each : lesson.write) sizes += (sizes.empty() ? "" : ", ") + each.size;
        table.fail("write", sizes.empty() ? "the lesson has no task in code; leave this line out"
                                          : "the lesson's tasks in code are: " + sizes);
    }
    task.gate = write->gate;
}

AssignmentTask task_of(const TomlTable& table, const Catalogue& catalogue, const fs::path& folder) {
    table.only({"stage", "write", "points", "counts", "expect", "start", "case"});
    AssignmentTask task;
    task.stage = stage_of(table, catalogue);
    const Lesson lesson = lesson_of(task.stage, catalogue);
    choose_gate(table, lesson, task);
    task.points = points_of(table, "points", 1);
    if (table.has("counts")) task.counts = points_of(table, "counts", 0);
    if (task.counts > task.points)
        table.fail("counts", "they are a part of the task's points, and cannot be more");
    if (table.has("expect")) task.gate.expect = table.text("expect");
    read_gate_cases(table, task.gate);
    task.start = start_of(table, task, lesson, folder);
    return task;
}

}  // namespace

std::string due_time(const TomlTable& table) {
    if (!table.has("due")) return {};
    const std::string said = table.text("due"), form = "dddd-dd-dd dd:dd";
    bool fits = said.size() == form.size();
    for (size_t i = 0; fits && i < form.size(); ++i)
        fits = form[i] == 'd' ? said[i] >= '0' && said[i] <= '9' : said[i] == form[i];
    const auto number = [&](size_t at) { return std::stoi(said.substr(at, 2)); };
    fits = fits && number(5) >= 1 && number(5) <= 12 && number(8) >= 1 && number(8) <= 31 &&
           number(11) < 24 && number(14) < 60;
    if (!fits) table.fail("due", "write the time in UTC, like due = \"2026-12-01 23:59\"");
    return said.substr(0, 10) + "T" + said.substr(11) + ":00Z";
}

double Assignment::points() const {
    double all = 0;
    for (const AssignmentTask& task : tasks) all += task.points;
    return all;
}

Assignment read_assignment(const fs::path& file, const Catalogue& catalogue) {
    const TomlTable top = TomlTable::parse(read_file(file), file.filename().string(), 1);
    top.only({"title", "due", "task"});
    top.need("title", "title = \"Week 2: shared memory\"");
    Assignment assignment{top.text("title"), due_time(top), {}};
    std::set<std::string> names;
    for (const TomlTable& table : top.tables("task")) {
        assignment.tasks.push_back(task_of(table, catalogue, file.parent_path()));
        const std::string name = assignment.tasks.back().name();
        if (!names.insert(name).second)
            table.fail("stage", name + " is a task already; set each task once");
    }
    if (assignment.tasks.empty())
        top.fail("task", "the assignment has no task; write [[task]] with its stage and points");
    return assignment;
}

std::string new_assignment(const std::string& title, const std::vector<std::string>& stages,
                           const Catalogue& catalogue) {
    std::string text =
        "# An assignment for Lanewise. `lanewise-engine assignment check` reads it.\n";
    text += fmt::format("title = \"{}\"\n# due = \"2026-12-01 23:59\"  # in UTC\n", title);
    for (const std::string& name : stages) {
        const Stage& stage = catalogue.find(name);
        const Lesson lesson = lesson_of(stage, catalogue);
        text += fmt::format("\n# {}\n[[task]]\nstage = \"{}\"\npoints = 10\n", lesson.gate.task,
                            stage.id);
        if (!lesson.gate.expect.empty())
            text += "counts = 4  # of the points, for what the task asks of the counts\n";
        if (!lesson.write.empty())
            text += "# write = \"line\"  # the lesson's task in code in place of its gate\n";
    }
    return text;
}

}  // namespace lanewise
