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

// A text as TOML has it.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (char c : text) {
        if (c == '\n')
            result += "\\n";
        else if (c == '\t')
            result += "\\t";
        else if (c == '"' || c == '\\')
            result += std::string("\\") + c;
        else if (static_cast<unsigned char>(c) < ' ' || c == 127)
            result += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
        else
            result += c;
    }
    return result + "\"";
}

std::optional<int64_t> hints_of(const TomlTable& table) {
    const std::optional<int64_t> said = table.integer("hints");
    if (said && (*said < 0 || *said > 100))
        table.fail(
            "hints",
            "it is how many hints may be asked for, like hints = 1; leave it out for all of them");
    return said;
}

Lesson lesson_of(const Stage& stage, const Catalogue& catalogue) {
    Lesson lesson = read_lesson(lesson_path(catalogue, stage), stage.id);
    if (!lesson.error.empty())
        throw Error(Status::bad_input,
                    stage.id + " has no lesson whose task could be set: " + lesson.error);
    return lesson;
}

// The text of a file beside the assignment.
std::string source_beside(const TomlTable& table, const char* key, const fs::path& folder) {
    const fs::path name = table.text(key);
    if (folder.empty()) table.fail(key, "this assignment stands alone, and no file lies beside it");
    if (name.is_absolute() || name.has_parent_path())
        table.fail(key, "the source lies beside the assignment: give its name alone");
    return read_file(folder / name);
}

void need_usable(const TomlTable& table, const char* key, const std::string& source,
                 const Stage& stage) {
    Stage read = parse_stage(source, stage);
    if (!read.error.empty()) table.fail(key, "it cannot be used: " + read.error);
}

void choose_start(const TomlTable& table, AssignmentTask& task, const Lesson& lesson,
                  const fs::path& folder) {
    if (table.has("start") && table.has("source"))
        table.fail("source", "the class begins with one source: give start or source");
    if (table.has("start")) {
        task.own_start = source_beside(table, "start", folder);
        need_usable(table, "start", task.own_start, task.stage);
    } else if (table.has("source")) {
        task.own_start = table.text("source");
        need_usable(table, "source", task.own_start, task.stage);
    }
    const WriteTask* write = task.write.empty() ? nullptr : write_task(lesson, task.write);
    task.start = !task.own_start.empty() ? task.own_start
                 : write                 ? write_start(lesson, *write, task.stage.source)
                                         : task.stage.source;
}

// The lesson's solution of the task, and the knobs that it is at.
void take_lessons_reference(AssignmentTask& task, const Lesson& lesson) {
    const std::string& source = task.stage.source;
    task.time.reference =
        task.write.empty() ? solved(lesson, source) : write_solution(lesson, source);
    if (!task.write.empty()) return;
    for (const std::string& each : lesson.gate.solved_at.set) parse_setting(each, task.time.knobs);
}

void choose_time(const TomlTable& table, AssignmentTask& task, const Lesson& lesson,
                 const fs::path& folder) {
    if (!table.has("time")) return;
    const TomlTable time = table.table("time");
    time.only({"points", "at_most", "reference", "size"});
    task.time.points = points_of(time, "points", 1);
    const std::optional<int64_t> at_most = time.integer("at_most");
    if (!at_most || *at_most < 1 || *at_most > 100000)
        time.fail("at_most",
                  "it is a share of the reference's time in percent: write at_most = 110");
    task.time.at_most = *at_most;
    task.time.size = time.text("size");
    int64_t rows = 0, cols = 0, inner = kNoInner;
    if (!task.time.size.empty() && !parse_size(task.time.size, rows, cols, inner))
        time.fail("size", "write it like size = \"4096x4096\", of a product \"4096x4096x4096\"");
    if (time.has("reference")) {
        task.time.reference = source_beside(time, "reference", folder);
        need_usable(time, "reference", task.time.reference, task.stage);
    } else if (!folder.empty()) {
        take_lessons_reference(task, lesson);
    }
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
    table.only({"stage", "write", "points", "counts", "expect", "hints", "start", "source", "case",
                "time"});
    AssignmentTask task;
    task.stage = stage_of(table, catalogue);
    const Lesson lesson = lesson_of(task.stage, catalogue);
    choose_gate(table, lesson, task);
    task.points = points_of(table, "points", 1);
    if (table.has("counts")) task.counts = points_of(table, "counts", 0);
    if (task.counts > task.points)
        table.fail("counts", "they are a part of the task's points, and cannot be more");
    task.own_expect = table.text("expect");
    if (table.has("expect")) task.gate.expect = task.own_expect;
    task.hints = hints_of(table);
    read_gate_cases(table, task.gate);
    choose_start(table, task, lesson, folder);
    choose_time(table, task, lesson, folder);
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

double Assignment::time_points() const {
    double all = 0;
    for (const AssignmentTask& task : tasks) all += task.time.points;
    return all;
}

// `folder`: where the files lie that it names; "": it may name none.
static Assignment read_text(const std::string& text, const std::string& name,
                            const fs::path& folder, const Catalogue& catalogue) {
    const TomlTable top = TomlTable::parse(text, name, 1);
    top.only({"title", "due", "hints", "task"});
    top.need("title", "title = \"Week 2: shared memory\"");
    Assignment assignment{top.text("title"), due_time(top), {}};
    const std::optional<int64_t> hints = hints_of(top);
    std::set<std::string> names;
    for (const TomlTable& table : top.tables("task")) {
        assignment.tasks.push_back(task_of(table, catalogue, folder));
        AssignmentTask& task = assignment.tasks.back();
        if (!task.hints) task.hints = hints;
        if (!names.insert(task.name()).second)
            table.fail("stage", task.name() + " is a task already; set each task once");
    }
    if (assignment.tasks.empty())
        top.fail("task", "the assignment has no task; write [[task]] with its stage and points");
    return assignment;
}

Assignment read_assignment(const fs::path& file, const Catalogue& catalogue) {
    return read_text(read_file(file), file.filename().string(),
                     file.has_parent_path() ? file.parent_path() : fs::path("."), catalogue);
}

Assignment parse_assignment(const std::string& text, const std::string& name,
                            const Catalogue& catalogue) {
    return read_text(text, name, {}, catalogue);
}

std::string handout(const Assignment& assignment) {
    std::string text = "# Open it with Lanewise: lanewise FILE, or drop it on the page.\n";
    text += fmt::format("title = {}\n", quoted(assignment.title));
    if (!assignment.due.empty())
        text += fmt::format("due = \"{} {}\"  # in UTC\n", assignment.due.substr(0, 10),
                            assignment.due.substr(11, 5));
    for (const AssignmentTask& task : assignment.tasks) {
        text += fmt::format("\n[[task]]\nstage = \"{}\"\n", task.stage.id);
        if (!task.write.empty()) text += fmt::format("write = \"{}\"\n", task.write);
        text += fmt::format("points = {:g}\n", task.points);
        if (task.counts > 0) text += fmt::format("counts = {:g}\n", task.counts);
        if (!task.own_expect.empty()) text += fmt::format("expect = {}\n", quoted(task.own_expect));
        if (task.hints) text += fmt::format("hints = {}\n", *task.hints);
        if (!task.own_start.empty()) text += fmt::format("source = {}\n", quoted(task.own_start));
        if (task.time.points == 0) continue;
        text += fmt::format("[task.time]\npoints = {:g}\nat_most = {}\n", task.time.points,
                            task.time.at_most);
        if (!task.time.size.empty()) text += fmt::format("size = \"{}\"\n", task.time.size);
    }
    return text;
}

std::string new_assignment(const std::string& title, const std::vector<std::string>& stages,
                           const Catalogue& catalogue) {
    std::string text =
        "# An assignment for Lanewise. `lanewise-engine assignment check` reads it.\n";
    text += fmt::format("title = {}\n# due = \"2026-12-01 23:59\"  # in UTC\n", quoted(title));
    text +=
        "# hints = 1  # of each task's, how many may be asked for; left out: all, and the fix\n";
    for (const std::string& name : stages) {
        const Stage& stage = catalogue.find(name);
        const Lesson lesson = lesson_of(stage, catalogue);
        text += fmt::format("\n# {}\n[[task]]\nstage = \"{}\"\npoints = 10\n", lesson.gate.task,
                            stage.id);
        if (!lesson.gate.expect.empty())
            text += "counts = 4  # of the points, for what the task asks of the counts\n";
        if (!lesson.write.empty())
            text += "# write = \"line\"  # the lesson's task in code in place of its gate\n";
        text +=
            "# [task.time]  # where a GPU grades; the points are beside the task's\n"
            "# points = 5\n# at_most = 110  # percent of the time that the lesson's solution "
            "takes\n";
    }
    return text;
}

}  // namespace lanewise
