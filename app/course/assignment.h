// An assignment: what a class hands in, and what it is worth. A TOML file, NAME.assignment:
//   title = "Week 2: shared memory"
//   due = "2026-12-01 23:59"          in UTC; left out: no hand-in is late
//   hints = 1                         of each task's hints, how many may be asked for; what tells the
//                                     fix stays closed then. Left out: all, and the fix
//   [[task]]
//   stage = "transpose/30_padded"     its lesson's gate is the task, with the gate's hidden cases
//   write = "line"                    or the lesson's task in code of this size
//   points = 10                       for a source that passes
//   counts = 4                        of these, for what the task asks of the counts: a source that
//                                     is right but not as asked gets the others; left out: none
//   expect = "…"                      asked of the counts in place of what the lesson asks
//   hints = 0                         of this task
//   start = "start.cu"                what the class begins with, beside this file; left out: the
//                                     stage's own source, or the lesson's, with its blanks
//   source = "…"                      the same, as its text: how a handout has it
//   [[task.case]]                     further hidden cases, as a lesson's [[gate.case]]
//   size = "96x160"
//   [task.time]                       judged where a GPU grades, in the reference's own rounds
//   points = 5                        beside the task's, which are the same on every machine
//   at_most = 110                     percent of the reference's time, the middles of all rounds
//   reference = "fast.cu"             beside this file; left out: the lesson's solution
//   size = "4096x4096"                left out: as `bench` measures the stage
// What is handed out says no hidden case of the author's and no reference: handout().
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "course/catalogue.h"
#include "course/lesson.h"

namespace lanewise {

class TomlTable;

// What a source's time is worth, and against what.
struct TimedTask {
    double points = 0;      // 0: time is not judged
    int64_t at_most = 0;    // percent of the reference's
    std::string size;       // as it is written; "": as bench measures the stage
    std::string reference;  // its source; "" in what was handed out
    KnobValues knobs;       // the reference's
};

struct AssignmentTask {
    Stage stage;        // the catalogue's
    std::string write;  // "": the gate
    Gate gate;          // what it is held to, with all that the assignment says
    double points = 0, counts = 0;
    std::string start;                  // the source that the class begins with
    std::string own_start, own_expect;  // what the author gave of these; "": the lesson's are taken
    std::optional<int64_t> hints;       // how many may be asked for; none: all, and the fix
    TimedTask time;
    // "transpose/30_padded", "transpose/30_padded line": one of its kind in an assignment.
    std::string name() const { return write.empty() ? stage.id : stage.id + " " + write; }
};

struct Assignment {
    std::string title;
    std::string due;  // "2026-12-01T23:59:00Z"; "": none
    std::vector<AssignmentTask> tasks;
    double points() const;       // of all tasks, without what their times are worth
    double time_points() const;  // that
};

// Throws Error(bad_input), "FILE:LINE: …": the first thing in it that cannot be used.
Assignment read_assignment(const std::filesystem::path& file, const Catalogue& catalogue);

// The same of a text that stands alone, as a link has it: it can name no file. `name` stands for FILE.
Assignment parse_assignment(const std::string& text, const std::string& name,
                            const Catalogue& catalogue);
inline constexpr const char* kAssignmentEnding = ".assignment";

// What the class gets: one text, in which the starts stand, and no case or reference of the author's.
std::string handout(const Assignment& assignment);

// The table's due = "2026-12-01 23:59" as "2026-12-01T23:59:00Z", so that times are compared as texts; ""
// where it has none. Throws Error(bad_input), "FILE:LINE: …".
std::string due_time(const TomlTable& table);

// A file to begin with: a task for each of the stages, 10 points each. Throws Error(bad_input) for
// a stage that there is not, or that has no lesson.
std::string new_assignment(const std::string& title, const std::vector<std::string>& stages,
                           const Catalogue& catalogue);

}  // namespace lanewise
