// A wrong result as a map: the output in cells, in each how many elements are wrong and how.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"

namespace lanewise {

struct MismatchCell {
    uint32_t wrong = 0;      // elements
    uint32_t unwritten = 0;  // of these, that the kernel never wrote
    uint32_t elsewhere = 0;  // of these, that hold another element of the input
    // The first wrong one: its place, what it should hold and what it holds (hexadecimal; numbers
    // where they are computed).
    int64_t row = 0, col = 0;
    std::string expected, actual;
    int64_t from_row = -1, from_col = -1;  // where in the input that belongs; -1: nowhere known
    bool operator==(const MismatchCell&) const = default;
};

struct MismatchMap {
    std::string stage;
    int64_t rows = 0, cols = 0;            // of the output; a batch one below the other
    int64_t cell_rows = 1, cell_cols = 1;  // elements of a cell; those at the edges may have fewer
    int across = 0, down = 0;              // cells
    std::vector<MismatchCell> cells;       // row by row
    uint64_t wrong = 0, unwritten = 0, elsewhere = 0;
    std::vector<std::string> patterns;  // whole sentences
    bool is_copy = false;               // else the transpose
    bool is_computed = false;           // neither: within a bound, and nothing comes from elsewhere
    std::string output = "out";         // the buffer's name
    bool on_gpu = false;                // else in the machine
    bool operator==(const MismatchMap&) const = default;
};

struct MismatchFigureInput {
    const MismatchMap* map = nullptr;
    float width = 400;
    float height = 0;  // the matrix is drawn as large as this allows, if it can; 0: as on a page
};
// Fits `width` from 220 points on; higher than wide only where the matrix is.
Drawing mismatch_figure(const MismatchFigureInput& input, const Measure& measure);

}  // namespace lanewise
