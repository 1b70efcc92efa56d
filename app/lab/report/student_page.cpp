#include "lab/report/student_page.h"

#include <fmt/format.h>

#include <cctype>

#include "figure/drawing/svg.h"
#include "lab/report/page_parts.h"

namespace lanewise {
namespace {

std::string points_words(double points, double of) {
    return fmt::format("{:g} of {:g} points", points, of);
}

std::string mark_html(const TaskMark& task) {
    std::string html = fmt::format("<h2>{}</h2>\n", escaped(task.task));
    html += paragraph(points_words(task.points, task.of),
                      task.passed ? " class=\"good\"" : " class=\"bad\"");
    html += paragraph(task.sentence);
    if (task.time_of > 0) {
        html += paragraph("Time: " + points_words(task.time_points, task.time_of),
                          task.time_points == task.time_of ? " class=\"good\"" : " class=\"bad\"");
        html += paragraph(task.time_sentence);
    }
    html += paragraph(task.file.empty() ? "" : "Judged: " + task.file, " class=\"dim\"");
    if (!task.picture.empty())
        html += "<figure>" + task.picture +
                "<figcaption>Where the result is wrong, in the first case that fails"
                "</figcaption></figure>\n";
    return html;
}

}  // namespace

std::string student_page(const Assignment& assignment, const StudentMarks& student) {
    std::string body = fmt::format("<h1>{}</h1>\n", escaped(student.student));
    body += paragraph(assignment.title, " class=\"dim\"");
    body += paragraph(points_words(
        student.points(),
        assignment.points() + (student.of_times() > 0 ? assignment.time_points() : 0)));
    if (student.late) body += paragraph("Handed in late: " + student.handed_in + ".");
    for (const std::string& problem : student.problems) body += paragraph(problem);
    for (const TaskMark& task : student.tasks) body += mark_html(task);
    return page_html(assignment.title + ": " + student.student, body);
}

std::string student_file(const std::string& student) {
    std::string name;
    for (char c : student)
        name += std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-' ||
                        (static_cast<unsigned char>(c) & 0x80)
                    ? c
                    : '-';
    return (name.empty() || name[0] == '.' ? "student" + name : name) + ".html";
}

}  // namespace lanewise
