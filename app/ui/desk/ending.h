// The page at the end of a course: what was learned, in what order the gains came, what was not worth
// it (course/ending.h, lab/chart/course_gains.h). It opens when the course's core is done.
#pragma once
#include <string>
#include <vector>

#include "course/ending.h"
#include "figure/drawing/drawing.h"
#include "lab/chart/course_gains.h"

namespace lanewise::ui {

struct App;

struct EndingPage {
    Endings endings;
    std::vector<std::string> seen;  // courses whose page was opened; until Lanewise is closed
    // ---- what is open
    bool open = false, focus_wanted = false;
    const Ending* ending = nullptr;  // into endings.all
    CourseGains gains;
    std::vector<std::string> sentences, evidence;  // of the gains; of each not_worth
    Drawing figure;
    float figure_width = 0;  // points that it was laid out for; 0: not yet
};

// Reads lessons/endings.toml; what is wrong with it becomes a notice.
void read_endings(App& app);

// The course of the chosen lesson, of an exercise the one that it stands beside.
std::string course_at_hand(const App& app);
// The lessons of the course's core that are not done, by their place in the catalogue, in order.
std::vector<size_t> open_of_course(const App& app, const std::string& course);
// Why the page cannot be opened: "4 lessons of its core are still open." Empty where it can.
std::string cannot_end(const App& app, const std::string& course);
// Whether the chosen lesson is the last of its course's core, all of that is done, and its page was
// not opened yet.
bool ends_course(const App& app);

void open_ending(App& app, const std::string& course);  // nothing where cannot_end()
void close_ending(App& app);
// The lesson that has still to ask its question before this may be told: where it was tried, else
// what it is compared with. Null where it may.
const Stage* still_asks(const App& app, const NotWorth& row);

void draw_ending(App& app);  // overlay/view_ending.cpp

}  // namespace lanewise::ui
