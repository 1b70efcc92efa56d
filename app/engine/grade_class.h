// A class's hand-ins judged side by side, each source in a process of its own, in the sandbox where
// there is one: whatever it does costs its own mark and nothing else.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "course/assignment.h"
#include "lab/grade/class_marks.h"
#include "lab/job/measurement.h"

namespace lanewise {

struct ClassOptions {
    std::filesystem::path assignment, hand_ins;
    int jobs = 0;             // processes at once; 0: one a core
    double time_limit_s = 0;  // of one source
    bool sandbox = true;
    bool pictures = false;  // for the students' pages
    // Judges the time of a source that passed a task whose time counts (lab/grade/time_mark.h); one after
    // the other. Null: times are not judged.
    std::function<void(TaskMark&, const Job& submitted, const AssignmentTask&)> time = {};
};

// In the order of the students' names. `heard` is told how many sources are judged. Sources that
// are equal, with equal settings, are judged once. Throws Error(bad_input) where nothing can be
// graded, also where a sandbox is wanted that cannot be made here.
std::vector<StudentMarks> grade_class(const Assignment& assignment, const ClassOptions& options,
                                      const Progress& heard = {});

// What such a process does: the mark of one file for one task, as JSON. Throws Error(bad_input) for
// a file that would read this machine.
TaskMark mark_of_file(const std::filesystem::path& file, const AssignmentTask& task, bool picture);

}  // namespace lanewise
