// Equal pieces of a straight line at equal distances, such as the words of a bank in one wavefront after
// the other: one dashed stroke says them all, as wide as they are.
#pragma once
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "figure/drawing/svg_lattice.h"
#include "figure/drawing/svg_path.h"

namespace lanewise {

// Straight lines of one look. Those that lie on one line and touch are one.
class StraightLines {
  public:
    void add(Point from, Point to);
    // Those along an axis, in tenths of a point; the others are written into `slanted`.
    std::vector<CellBlock> along_axes(PathText& slanted) const;

  private:
    std::vector<std::pair<Point, Point>> lines_;
};

// In tenths of a point. 0 wide: as wide as the pieces' look says.
struct Dash {
    int width = 0, length = 0, gap = 0;
    bool operator<(const Dash& other) const {
        return std::tie(width, length, gap) < std::tie(other.width, other.length, other.gap);
    }
    // ` stroke-width="11.6" stroke-dasharray="10 1"`
    std::string attributes() const;
};

struct Dashes {
    std::map<Dash, std::string> paths;  // the `d` of each: a dash begins anew with every line
    std::vector<CellBlock> rest;        // what is in no row of at least four
};
// Pieces in tenths of a point. A line is one without columns or without rows.
Dashes dashes_of(std::vector<CellBlock> pieces);

}  // namespace lanewise
