// "Compare with…": what may stand beside the chosen setting, in lock-step, and the sheet to choose
// it from.
#pragma once
#include <string>
#include <vector>

#include "ui/state/app.h"

namespace lanewise::ui {

struct Comparable {
    CompareWith with;
    std::string text;   // "PAD = 0", "20  Tile in shared memory"
    std::string group;  // of a knob: its name; of a stage: ""
    bool chosen = false;
};
// The other values of each knob that the stage could have now, then the other stages, those next to
// this one first. Empty for a kernel of the user's own.
std::vector<Comparable> comparables(const App& app);

// Beside the chosen setting, or no longer; a third takes the place of the second.
void toggle_comparison(App& app, const CompareWith& with);

// "PAD=0", a stage's id or "none", and back: in links and in the scenes of lessons. Throws
// Error(bad_input) where there is no such stage, or the value is no number.
std::string text_of(const CompareWith& with);
CompareWith comparison_of(const App& app, const std::string& text);

void open_compare(App& app);
void draw_compare(App& app);         // the sheet; compare_sheet.cpp
void draw_compare_button(App& app);  // opens it

}  // namespace lanewise::ui
