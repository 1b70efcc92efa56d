// The views, one row each: what a menu, a key or a link may ask for.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "ui/state/app.h"

namespace lanewise::ui {

enum class Place { left, middle, right };  // the column that a view lives in; as Region

struct View {
    const char* id;
    const char* title;
    const char* short_title;  // where all titles together are wider than the column
    Place place;
    void (*draw)(App&);
    // Why it shows nothing of what is chosen; empty where it does. Null: it always does.
    std::string_view (*problem)(const App&) = nullptr;
    // Of "charts:sizes": throws Error(bad_input) where there is no such part. Null: it has none.
    void (*check_part)(const std::string& part) = nullptr;
    void (*choose_part)(App&, const std::string& part) = nullptr;
};
std::span<const View> views();
// "charts:sizes" is the view of the charts with one of them. Throws Error(bad_input) with the
// closest name.
const View& find_view(const std::string& id);

// ---- the columns' parts, each in a file of its own
void draw_lesson(App& app);  // view_lesson.cpp: all of it, then its parts
void draw_prediction(App& app);
std::string draw_lesson_text(App& app);  // returns the link that was clicked, else ""
void draw_still_wrong(App& app);
void draw_gate(App& app);
void draw_question(App& app);                   // view_question.cpp: in place of what answers it
void draw_asked_kernel(const App& app);         // view_question.cpp: beside a coach that asks it
void draw_confidence(App& app);                 // view_question.cpp: "How sure are you?"
void draw_access(App& app);                     // view_access.cpp
void draw_banks(App& app);                      // view_banks.cpp
void draw_machine(App& app);                    // view_machine.cpp
void draw_code(App& app);                       // view_code.cpp
void draw_charts(App& app);                     // view_charts.cpp
void draw_product(App& app);                    // view_product.cpp
void draw_timeline(App& app);                   // view_timeline.cpp
void draw_bytes(App& app);                      // view_issues.cpp
void draw_issues(App& app);                     // view_issues.cpp
void draw_counts(App& app);                     // view_counts.cpp
void draw_hardware(App& app);                   // view_hardware.cpp: the hardware's counters
void draw_staircase(App& app);                  // view_staircase.cpp
void draw_ladder(App& app);                     // view_ladder.cpp
void draw_course(App& app);                     // view_course.cpp: the list of stages
void draw_own(App& app);                        // view_own.cpp: a kernel of the user's own
void draw_findings(App& app);                   // view_findings.cpp
void draw_printed(App& app);                    // view_printed.cpp: what the kernel printed
void draw_crash(App& app);                      // view_crash.cpp: a run that went wrong
void draw_own_result(const OwnMeasurement& m);  // view_own_result.cpp
void draw_controls(App& app);                   // view_controls.cpp: knobs, shape, Run
// view_controls.cpp: of one knob, side by side, with a word below each where there are any.
void draw_knob_choices(App& app, size_t knob, std::span<const std::string> below = {});
void draw_result(App& app);                    // view_result.cpp: times in words, badges
void draw_run(App& app);                       // view_run.cpp: Run, Stop and where
std::string_view why_not_run(const App& app);  // as cannot_run(), of this frame; app.cpp
void draw_pads(App& app);                      // view_pads.cpp: wavefronts for each padding
void draw_badges(App& app);                    // view_badges.cpp: verdicts and their proofs
void draw_calibration(const App& app);         // view_calibration.cpp: how well one predicts
void draw_access_list(App& app, Space space);  // access_list.cpp
void draw_access_rows(App& app, Space space);  // access_list.cpp: the rows alone
void draw_place(App& app, Space space);        // access_list.cpp: block, warp, lane
bool in_little_room();  // access_list.cpp: of the current window: its picture comes first

// The view of this name, or why there is none of the stage, in the rest of the current window.
void draw_chosen_view(App& app, const std::string& view);

}  // namespace lanewise::ui
