// An assignment: what a class hands in, and what it is worth. A TOML file, NAME.assignment:
//   title = "Week 2: shared memory"
//   due = "2026-12-01 23:59"          in UTC; left out: no hand-in is late
//   [[task]]
//   stage = "transpose/30_padded"     its lesson's gate is the task, with the gate's hidden cases
//   write = "line"                    or the lesson's task in code of this size
//   points = 10                       for a source that passes
//   counts = 4                        of these, for what the task asks of the counts: a source that
//                                     is right but not as asked gets the others; left out: none
//   expect = "…"                      asked of the counts in place of what the lesson asks
//   start = "start.cu"                what the class begins with, beside this file; left out: the
//                                     stage's own source, or the lesson's, with its blanks
//   [[task.case]]                     further hidden cases, as a lesson's [[gate.case]]
//   size = "96x160"
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "course/catalogue.h"
#include "course/lesson.h"

namespace lanewise {

class TomlTable;

struct AssignmentTask {
    Stage stage;        // the catalogue's
    std::string write;  // "": the gate
    Gate gate;          // what it is held to, with all that the assignment says
    double points = 0, counts = 0;
    std::string start;  // the source that the class begins with
    // "transpose/30_padded", "transpose/30_padded line": one of its kind in an assignment.
    std::string name() const { return write.empty() ? stage.id : stage.id + " " + write; }
};

struct Assignment {
    std::string title;
    std::string due;  // "2026-12-01T23:59:00Z"; "": none
    std::vector<AssignmentTask> tasks;
    double points() const;  // of all tasks
};

// Throws Error(bad_input), "FILE:LINE: …": the first thing in it that cannot be used.
Assignment read_assignment(const std::filesystem::path& file, const Catalogue& catalogue);

// The table's due = "2026-12-01 23:59" as "2026-12-01T23:59:00Z", so that times are compared as texts; ""
// where it has none. Throws Error(bad_input), "FILE:LINE: …".
std::string due_time(const TomlTable& table);

// A file to begin with: a task for each of the stages, 10 points each. Throws Error(bad_input) for
// a stage that there is not, or that has no lesson.
std::string new_assignment(const std::string& title, const std::vector<std::string>& stages,
                           const Catalogue& catalogue);

}  // namespace lanewise
