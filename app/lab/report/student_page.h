// A page for each student of a class: each task with its points, what failed first and its picture.
#pragma once
#include <string>

#include "lab/grade/class_marks.h"

namespace lanewise {

// One self-contained HTML page, without a script. It says nothing of other students.
std::string student_page(const Assignment& assignment, const StudentMarks& student);

// "ana-b.html": the student's name, with - for whatever a file's name had better not hold.
std::string student_file(const std::string& student);

}  // namespace lanewise
