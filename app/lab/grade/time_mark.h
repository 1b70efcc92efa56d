// What a source's time is worth: it and the assignment's reference timed in the same rounds, so that a
// drift of the card reaches both.
#pragma once
#include <vector>

#include "lab/grade/class_marks.h"
#include "lab/job/measurement.h"

namespace lanewise {

// What is timed: the source as it was handed in, and the reference at its own knobs; both with the
// source's type, at the task's size. Throws Error(bad_input) where the reference cannot be used so.
struct TimedPair {
    Job submitted, reference;
};
TimedPair timed_pair(const Job& submitted, const AssignmentTask& task);

// The source's time and the reference's, as they were measured together.
void add_time(TaskMark& mark, const AssignmentTask& task, const Measurement& submitted,
              const Measurement& reference);
// No time, and why: the kernel failed on the card, say.
void add_no_time(TaskMark& mark, const AssignmentTask& task, const std::string& why);

}  // namespace lanewise
