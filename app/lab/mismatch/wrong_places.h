// Where in a matrix elements are wrong: the cells of a mismatch map, and what is evident of the
// places, in words. A part of mismatch_map.h.
//
// A matrix may be larger than memory, so it is walked piece by piece from row 0 down, and each
// piece in strips of whole columns of cells, on several threads: what lies in different strips
// shares nothing.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "figure/product/mismatch_figure.h"
#include "lab/job/job.h"

namespace lanewise {

class WrongPlaces {
  public:
    // Lays out `map`'s cells for its rows and cols.
    explicit WrongPlaces(MismatchMap& map);

    size_t strips() const { return strips_.size(); }
    // Shows `look` every row of every strip: look(strip, row, first_col, end_col), strip by strip
    // on up to `threads` threads, after fetch(row, rows) has been called for the piece, here. A
    // piece has at most kPieceElements elements, or one row. Throws Cancelled.
    using Fetch = std::function<void(int64_t row, int64_t rows)>;
    using Look = std::function<void(size_t strip, int64_t row, int64_t first_col, int64_t end_col)>;
    void walk(const Fetch& fetch, const Look& look, int threads, const CancelFlag* cancel);

    // One element of the strip that is looked at is wrong; the cell that it lies in. The first of a
    // cell has wrong == 1 then.
    MismatchCell& note(size_t strip, int64_t row, int64_t col);
    // "Only the last 18 of 50 columns hold wrong elements: the right edge." … into map.patterns.
    void say() const;

  private:
    struct Strip {
        int64_t first_col = 0, end_col = 0;
        uint64_t wrong = 0;
        int64_t least_row = INT64_MAX, least_col = INT64_MAX, last_row = -1, last_col = -1;
        int64_t first_of_row_0 = INT64_MAX;  // its first wrong column
        int64_t first_of_col_0 = INT64_MAX;  // its first wrong row but row 0
        int64_t below_right_part =
            INT64_MAX;  // the first wrong row of columns that row 0 has right
    };
    void say_right_corner() const;

    MismatchMap& map_;
    std::vector<Strip> strips_;
    Strip all_;                        // together; once they have been walked
    int64_t corner_cols_ = INT64_MAX;  // how far row 0 is right; once it has been walked
};

// A fixed number, so that what is said does not depend on the machine.
inline constexpr int kMostStrips = 16;
inline constexpr int64_t kPieceElements = int64_t{1} << 22;

// What holds for all of those, or for nearly all.
inline bool nearly_all(uint64_t count, uint64_t of) { return of > 0 && count * 100 >= of * 95; }

}  // namespace lanewise
