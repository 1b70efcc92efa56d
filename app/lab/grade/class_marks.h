// The marks of a class: what each hand-in gets for each task of an assignment, and the files that
// say so. No GPU needed, and the same marks on every machine.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "course/assignment.h"
#include "lab/grade/judgement.h"

namespace lanewise {

struct TaskMark {
    std::string task = {};  // AssignmentTask::name()
    double points = 0, of = 0;
    bool passed = false;
    std::string sentence = {};  // why not, or that it passed
    std::string picture = {};   // SVG: where the first wrong result is wrong; "" where nothing is
    std::string file = {};      // what was judged; "" where nothing could be
    // Students whose source differs from this in comments and blanks alone. What the class began
    // with is nobody's, and is never named.
    std::vector<std::string> equal_to = {};
    // Of a graded time (time_mark.h): time_of is 0 where none was judged.
    double time_points = 0, time_of = 0;
    std::string time_sentence = {};
};

struct StudentMarks {
    std::string student, handed_in;  // as HandIn has them
    bool late = false;
    std::vector<TaskMark> tasks;        // in the assignment's order
    std::vector<std::string> problems;  // of the hand-in as a whole
    double points() const;              // times included
    double of_times() const;            // how many its times could bring, where they were judged
};

// The points of a source that was judged so. A source that is right, but not as the task asks of
// the counts, gets all but the task's points for counts, if it is right in every case.
double points_for(const AssignmentTask& task, const Judgement& judgement, bool right_everywhere);

// Judges with the task's gate: its points, its sentence, and a picture of what is wrong where
// there is one. Throws as judge().
TaskMark mark(const Job& submitted, const AssignmentTask& task, bool with_picture,
              const CancelFlag* cancel = nullptr);

// Names equal sources. `sources`: bare, one for each student; "" where nothing was handed in.
void name_equal(std::vector<StudentMarks>& students, size_t task,
                const std::vector<std::string>& sources, const std::string& bare_start);

// Of times: a column for each task whose time counts, where any was judged.
// One row a student: its points by task, in all, of how many, late or not, what failed first.
std::string marks_csv(const Assignment& assignment, const std::vector<StudentMarks>& students);

// What Gradescope reads as results.json of one submission; of several an object of them by student.
nlohmann::json gradescope_json(const std::vector<StudentMarks>& students);

// One mark between the process that judges and the one that collects.
void to_json(nlohmann::json&, const TaskMark&);
void from_json(const nlohmann::json&, TaskMark&);

}  // namespace lanewise
