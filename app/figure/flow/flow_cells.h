// The grid of one panel of the data flow: a matrix's part, or a tile of shared memory, in cells.
// Private to the figures of the data flow.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"
#include "trace/record/block_life.h"

namespace lanewise {

// The cells of one panel, and who touched each.
struct Cells {
    TouchedBox part;                       // in elements
    int64_t each_rows = 1, each_cols = 1;  // elements of a cell
    int rows = 0, cols = 0;
    std::vector<int8_t> hue;  // -1: untouched
    std::vector<bool> now;
    TouchedBox now_elements;             // of the step itself
    std::vector<TouchedBox> on_the_way;  // in elements: where copies are to arrive
    int filled = 0;

    // `fine_rows`: a cell is of one row as long as that can be seen.
    Cells(const TouchedBox& of, bool fine_rows);
    void touch(int64_t row, int64_t col, int by, bool is_now);
    std::string unit() const;  // "elements", "cells of 4 × 4 elements"
};

// Where `elements` lie in the drawn grid `whole`.
Box box_of(const Box& whole, const Cells& cells, const TouchedBox& elements);

// Draws them from `at` on, at most `width` wide; gives the box of the grid.
Box draw_cells(Drawing& figure, Point at, const Cells& cells, float width, const std::string& name);

}  // namespace lanewise
