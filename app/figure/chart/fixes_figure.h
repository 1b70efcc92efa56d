// What was tried to make a launch faster: its time as it is, then one row for each change, the fastest
// first, each as long as it takes by the model.
#pragma once
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"

namespace lanewise {

struct FixRow {
    std::string title;    // "PAD = 1"
    std::string problem;  // why it is no choice, as a clause; "": it is one
    double us = 0;        // by the model; 0: not known
    bool faster = false;  // by as much as is worth a change
};
struct FixesFigureInput {
    std::vector<FixRow> rows;  // in the order in which they are drawn
    double before_us = 0;      // of the launch as it is
    std::string card;          // that the model is for
    int chosen = -1;           // the row that is framed
    float width = 420;
};
// Hits: "fix:N", N the row. Fits `width` from 260 points on.
Drawing fixes_figure(const FixesFigureInput& input, const Measure& measure);

}  // namespace lanewise
