// A sweep over two knobs as a heat map: one cell per setting, darker where it is closer to the
// copy.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "figure/drawing.h"

namespace lanewise {

struct SweepCell {
    int64_t across = 0, down = 0;  // the two knobs' values
    double gb_per_s = 0;
    std::string tooltip;  // the figure with its card and date
    std::string action;   // what a click means to the view, e.g. "set:TILE=32,ROWS=8"; may be empty
};

struct SweepFigureInput {
    std::string across = "TILE", down = "ROWS";  // the knobs
    std::vector<SweepCell> cells;                // in any order; a setting that is missing is empty
    int64_t chosen_across = 0, chosen_down = 0;  // outlined; 0 for none
    double copy_gb_per_s = 0;                    // 0 = not known: shares are then of the best cell
    std::string caption;  // "Recorded on NVIDIA H200, 2026-11-21, 4096 x 4096 f32"
    float width = 450;
};
// Each cell says its share in per cent, so that the picture works without colour; the best one is
// marked in words. Fits `width` from 240 points on. Without cells: one line of words.
Drawing sweep_figure(const SweepFigureInput& input, const Measure& measure);

}  // namespace lanewise
