// Where in a matrix elements are wrong: the cells of a mismatch map, and what is evident of the
// places, in words. A part of mismatch_map.h.
#pragma once
#include <cstdint>
#include <string>

#include "figure/mismatch_figure.h"

namespace lanewise {

class WrongPlaces {
  public:
    // Lays out `map`'s cells for its rows and cols.
    explicit WrongPlaces(MismatchMap& map);
    // One element is wrong; the cell that it lies in. The first of a cell has wrong == 1 then.
    MismatchCell& note(int64_t row, int64_t col);
    // "Only the last 18 of 50 columns hold wrong elements: the right edge." … into map.patterns.
    void say() const;

  private:
    void say_right_corner() const;

    MismatchMap& map_;
    int64_t least_row_ = INT64_MAX, least_col_ = INT64_MAX, last_row_ = -1, last_col_ = -1;
    // The corner that is right: as wide as row 0 is right, down to the first row whose begin is
    // wrong; broken where something within it is wrong all the same.
    int64_t corner_rows_ = INT64_MAX, corner_cols_ = INT64_MAX;
    bool corner_broken_ = false;
};

// What holds for all of those, or for nearly all.
inline bool nearly_all(uint64_t count, uint64_t of) { return of > 0 && count * 100 >= of * 95; }

}  // namespace lanewise
