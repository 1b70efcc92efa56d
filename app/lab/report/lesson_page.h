// Lessons as pages for a class: each one self-contained HTML page with its question, its text with
// the numbers put in, its pictures, its source and its task; and a page of the class with every
// aim. They need no script, no other file and no Lanewise, and print.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "lab/report/report.h"

namespace lanewise {

struct LessonPages {
    std::vector<ReportStage> stages;  // with a lesson each, in the course's order
    int64_t rows = 0, cols = 0;
    bool answers = true;  // folded away under the question; false leaves them out, for a handout
    std::vector<DeviceProfile> cards;  // whose figures a lesson may ask for, and which of them is
    std::string card;                  // wanted, if it was measured (course/card_figures.h)
};

// "transpose-30_padded.html".
std::string lesson_file(const Stage& stage);

// One lesson. Links to other lessons of `pages` lead to their pages; other links of the program
// (a view, a setting) become words, and a quoted line of code leads to the line.
std::string lesson_html(const ReportStage& entry, const LessonPages& pages);

// All aims in order, with a box to tick, each leading to its lesson.
std::string class_html(const LessonPages& pages);

// Interprets the named stages (all that have a lesson where `names` is empty) at rows x cols, and
// writes a page each and index.html into `out`, created where missing. Returns the path of
// index.html. Throws Error(bad_input) for an unknown stage, one without a readable lesson, or where
// it cannot write.
std::filesystem::path write_lessons(const std::filesystem::path& out, const Catalogue& catalogue,
                                    const std::vector<Recording>& recordings,
                                    const std::vector<std::string>& names, int64_t rows,
                                    int64_t cols, bool answers);

}  // namespace lanewise
