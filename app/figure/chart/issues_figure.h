// What a launch loses by the model, dearest first: a card for each issue with its line, what it
// adds, the time without it, and what to do; below them what no issue explains.
#pragma once
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"

namespace lanewise {

struct IssueRow {
    std::string title;  // "32-way bank conflict"
    int line = 0;       // of the source; 0: none
    double us = 0, us_without = 0;
    std::string fix;  // in whole sentences; may be empty
    bool avoidable = true;  // false: the work itself needs it, so nothing is lost by it
};
struct IssuesFigureInput {
    std::vector<IssueRow> rows;  // in the order in which they are drawn
    double time_us = 0;          // of the launch, by the model; 0: there is no model
    double low_us = 0, high_us = 0;  // between which it is; equal: that is not known
    std::string card;            // that the model is for
    std::string about;           // of this model, in whole sentences
    std::vector<std::string> below;  // what else is to be said, a paragraph each
    std::string instead;         // why there is no time: a sentence, which then stands alone
    int line = 0;                // the chosen one: its cards are framed
    float width = 420;
};
// A card's bar is as long as the launch takes: what remains without the issue, then, hatched, what
// the issue adds. Hits: "line:N". Fits `width` from 260 points on.
Drawing issues_figure(const IssuesFigureInput& input, const Measure& measure);

// "41.2 µs"; "0.35 µs"; "1.97 µs": two digits behind the point below ten, none from a thousand on.
std::string in_microseconds(double us);

}  // namespace lanewise
