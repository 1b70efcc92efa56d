// Plain cells of one size, whole steps of that size apart, which are most of every large figure: one
// path of strokes says them in whole numbers.
#pragma once
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"
#include "figure/drawing/svg_path.h"

namespace lanewise {

// Whole rows and columns of a lattice, or tenths of a point.
struct CellBlock {
    int row = 0, col = 0, rows = 1, cols = 1;
};
// Those that touch side by side are one, then those below each other that are equally wide.
std::vector<CellBlock> joined(std::vector<CellBlock> blocks);

struct Lattice {
    Box first;      // any cell of it
    int cells = 0;  // how many a drawing has
    CellBlock place(const Box& box) const;
    bool has(const Box& box) const;
    // ` transform="..."` to its own steps: cells are 1 x 1, and row r has its middle at y = r.
    std::string transform() const;
};

// A rect whose corners look square; and that is nothing but filled.
bool is_plain(const Shape& shape);
bool is_cell(const Shape& shape);

// The lattices of a drawing at rest.
class Lattices {
  public:
    Lattices() = default;  // none
    explicit Lattices(const Drawing& drawing);
    // Which a shape is a cell of; -1 where it is none, or too few are for the lattice to pay.
    int of(const Shape& shape) const;
    const Lattice& operator[](int index) const { return all_[static_cast<size_t>(index)]; }

  private:
    size_t find(const Box& box) const;
    std::vector<Lattice> all_;
};

// Cells of one colour: strokes one wide, through the middle of their row, or down their column where
// more of them touch there; and the outlines of what is larger.
struct CellPaths {
    PathText strokes, fills;
};
CellPaths cell_paths(const std::vector<CellBlock>& cells);

}  // namespace lanewise
