// The staircase for people: what the figure draws of it, and what the terminal prints.
#pragma once
#include <string>

#include "figure/drawing/figures.h"
#include "lab/micro/staircase.h"

namespace lanewise {

// The input of staircase_figure(), but for the width. `recorded`: it is not of this machine's card
// just now, and the caption says so.
StaircaseFigureInput staircase_figure_input(const Staircase& staircase, bool recorded);

// The ladder's lines, then the stage's accesses: counted by the machine beside what the card's
// cycles say.
std::string staircase_text(const Staircase& staircase);

}  // namespace lanewise
