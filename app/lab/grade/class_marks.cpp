#include "lab/grade/class_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "figure/drawing/svg.h"
#include "lab/mismatch/mismatch_map.h"

namespace lanewise {

using Json = nlohmann::json;

double StudentMarks::points() const {
    double all = 0;
    for (const TaskMark& task : tasks) all += task.points + task.time_points;
    return all;
}

double StudentMarks::of_times() const {
    double all = 0;
    for (const TaskMark& task : tasks) all += task.time_of;
    return all;
}

double points_for(const AssignmentTask& task, const Judgement& judgement, bool right_everywhere) {
    if (judgement.passed()) return task.points;
    const bool counts_alone = judgement.why == Judgement::Why::count && right_everywhere;
    return counts_alone ? task.points - task.counts : 0;
}

namespace {

// The task without what it asks of the counts.
GateTask right_alone(GateTask task) {
    for (GateCase& one : task.cases) one.expect.clear();
    return task;
}

std::string picture_of(const Job& submitted, const Judgement& judgement, const CancelFlag* cancel) {
    if (judgement.why != Judgement::Why::result || !judgement.has_case) return {};
    Job job = submitted;
    job.knobs = judgement.knobs;
    job.type = judgement.type;
    job.input = judgement.input;
    job.rows = judgement.rows;
    job.cols = judgement.cols;
    job.inner = judgement.inner == kNoInner ? 0 : judgement.inner;
    job.batch = judgement.batch;
    if (!cannot_map_mismatches(job).empty()) return {};
    const MismatchMap map = find_mismatches(job, 1, cancel);
    return svg_for_page(mismatch_figure({.map = &map, .width = 560}, measure_approximately),
                        "Where the result is wrong");
}

}  // namespace

TaskMark mark(const Job& submitted, const AssignmentTask& task, bool with_picture,
              const CancelFlag* cancel) {
    const GateTask held_to = task_of(task.gate, task.stage);
    const Judgement judgement = judge(submitted, held_to, cancel);
    bool right = judgement.passed();
    if (judgement.why == Judgement::Why::count && task.counts > 0)
        right = judge(submitted, right_alone(held_to), cancel).passed();
    TaskMark mark;
    mark.task = task.name();
    mark.of = task.points;
    mark.points = points_for(task, judgement, right);
    mark.passed = judgement.passed();
    mark.sentence = judgement.sentence;
    if (with_picture) mark.picture = picture_of(submitted, judgement, cancel);
    return mark;
}

void name_equal(std::vector<StudentMarks>& students, size_t task,
                const std::vector<std::string>& sources, const std::string& bare_start) {
    std::map<std::string, std::vector<size_t>> by_source;
    for (size_t i = 0; i < sources.size(); ++i)
        if (!sources[i].empty() && sources[i] != bare_start) by_source[sources[i]].push_back(i);
    for (const auto& [source, same] : by_source)
        for (size_t one : same)
            for (size_t other : same)
                if (one != other)
                    students[one].tasks[task].equal_to.push_back(students[other].student);
}

namespace {

// A field as every reader of tables takes it: quoted where it must be, and never a formula.
std::string field(std::string text) {
    if (!text.empty() && std::string_view("=+-@").find(text[0]) != std::string_view::npos)
        text.insert(0, "'");
    for (char& c : text)
        if (c == '\n' || c == '\r') c = ' ';
    if (text.find_first_of(",\"") == text.npos) return text;
    for (size_t at = 0; (at = text.find('"', at)) != text.npos; at += 2) text.insert(at, "\"");
    return "\"" + text + "\"";
}

std::string number(double points) { return fmt::format("{:g}", points); }

// What failed first, then what was left out, then who handed in the same.
std::string note(const StudentMarks& student) {
    std::string text;
    const auto add = [&](const std::string& more) { text += (text.empty() ? "" : " ") + more; };
    for (const TaskMark& task : student.tasks)
        if (!task.passed) {
            add(task.task + ": " + task.sentence);
            break;
        }
    for (const std::string& problem : student.problems) add(problem);
    for (const TaskMark& task : student.tasks)
        if (task.passed && task.time_points < task.time_of)
            add(task.task + ": " + task.time_sentence);
    for (const TaskMark& task : student.tasks)
        if (!task.equal_to.empty())
            add(fmt::format("{}: the same source as {}.", task.task,
                            fmt::join(task.equal_to, ", ")));
    return text;
}

Json result_of(const StudentMarks& student) {
    Json tests = Json::array();
    for (const TaskMark& task : student.tasks) {
        tests.push_back({{"name", task.task},
                         {"score", task.points},
                         {"max_score", task.of},
                         {"status", task.passed ? "passed" : "failed"},
                         {"output", task.sentence}});
        if (task.time_of == 0) continue;
        tests.push_back({{"name", task.task + ": time"},
                         {"score", task.time_points},
                         {"max_score", task.time_of},
                         {"status", task.time_points == task.time_of ? "passed" : "failed"},
                         {"output", task.time_sentence}});
    }
    std::string output;
    for (const std::string& problem : student.problems)
        output += (output.empty() ? "" : " ") + problem;
    return {{"score", student.points()}, {"output", output}, {"tests", tests}};
}

}  // namespace

std::string marks_csv(const Assignment& assignment, const std::vector<StudentMarks>& students) {
    std::string text = "student";
    // Every student has a mark for each task, in the assignment's order.
    std::vector<bool> timed(assignment.tasks.size());
    for (size_t i = 0; i < timed.size(); ++i)
        timed[i] = std::any_of(students.begin(), students.end(), [&](const StudentMarks& student) {
            return i < student.tasks.size() && student.tasks[i].time_of > 0;
        });
    const bool any_timed = std::find(timed.begin(), timed.end(), true) != timed.end();
    for (size_t i = 0; i < timed.size(); ++i) {
        text += "," + field(assignment.tasks[i].name());
        if (timed[i]) text += "," + field(assignment.tasks[i].name() + " time");
    }
    text += ",points,of,handed_in,late,note\n";
    for (const StudentMarks& student : students) {
        text += field(student.student);
        for (size_t i = 0; i < student.tasks.size(); ++i) {
            text += "," + number(student.tasks[i].points);
            if (timed[i]) text += "," + number(student.tasks[i].time_points);
        }
        text +=
            fmt::format(",{},{},{},{},{}\n", number(student.points()),
                        number(assignment.points() + (any_timed ? assignment.time_points() : 0)),
                        student.handed_in, student.late ? "yes" : "no", field(note(student)));
    }
    return text;
}

Json gradescope_json(const std::vector<StudentMarks>& students) {
    if (students.size() == 1) return result_of(students[0]);
    Json all = Json::object();
    for (const StudentMarks& student : students) all[student.student] = result_of(student);
    return all;
}

void to_json(Json& json, const TaskMark& mark) {
    json = {{"task", mark.task},     {"points", mark.points},     {"of", mark.of},
            {"passed", mark.passed}, {"sentence", mark.sentence}, {"picture", mark.picture},
            {"file", mark.file},     {"equal_to", mark.equal_to}};
    if (mark.time_of == 0) return;
    json["time_points"] = mark.time_points;
    json["time_of"] = mark.time_of;
    json["time_sentence"] = mark.time_sentence;
}

void from_json(const Json& json, TaskMark& mark) {
    json.at("task").get_to(mark.task);
    json.at("points").get_to(mark.points);
    json.at("of").get_to(mark.of);
    json.at("passed").get_to(mark.passed);
    json.at("sentence").get_to(mark.sentence);
    json.at("picture").get_to(mark.picture);
    json.at("file").get_to(mark.file);
    json.at("equal_to").get_to(mark.equal_to);
}

}  // namespace lanewise
