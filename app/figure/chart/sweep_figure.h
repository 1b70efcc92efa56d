// A sweep over two knobs as a heat map: one cell per setting, darker where it is closer to the
// copy; a third knob as maps beside each other.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"

namespace lanewise {

struct SweepCell {
    int64_t across = 0, down = 0;  // the two knobs' values
    double gb_per_s = 0;
    std::string tooltip;  // the figure with its card and date
    std::string action;   // what a click means to the view, e.g. "set:TILE=32,ROWS=8"; may be empty
    int64_t map = 0;      // the third knob's value
};

struct SweepFigureInput {
    std::string across = "TILE", down = "ROWS";  // the knobs
    std::vector<SweepCell> cells;                // in any order; a setting that is missing is empty
    int64_t chosen_across = 0, chosen_down = 0;  // outlined; 0 for none
    double copy_gb_per_s = 0;                    // 0 = not known: shares are then of the best cell
    std::string caption;  // "Recorded on NVIDIA H200, 2026-11-21, 4096 x 4096 f32"
    float width = 450;
    std::string map;         // the third knob, a map for each of its values; "": one map
    int64_t chosen_map = 0;  // chosen_across and chosen_down are of this one
    float height = 0;        // a wish: more than the cells need makes them higher
};
// Each cell says its share in per cent, so that the picture works without colour; the best one is
// marked in words. Colours and the best one are common to all maps. Fits `width` from 240 points
// on. Without cells: one line of words.
Drawing sweep_figure(const SweepFigureInput& input, const Measure& measure);

}  // namespace lanewise
