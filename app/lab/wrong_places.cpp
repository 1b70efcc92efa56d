#include "lab/wrong_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace lanewise {

namespace {

constexpr int64_t kMostCells = 48;  // each way

std::string thousands(int64_t number) { return with_thousands(static_cast<uint64_t>(number)); }

}  // namespace

WrongPlaces::WrongPlaces(MismatchMap& map) : map_(map) {
    map_.cell_rows = std::max<int64_t>(1, (map_.rows + kMostCells - 1) / kMostCells);
    map_.cell_cols = std::max<int64_t>(1, (map_.cols + kMostCells - 1) / kMostCells);
    map_.down = static_cast<int>((map_.rows + map_.cell_rows - 1) / map_.cell_rows);
    map_.across = static_cast<int>((map_.cols + map_.cell_cols - 1) / map_.cell_cols);
    map_.cells.resize(static_cast<size_t>(map_.down) * static_cast<size_t>(map_.across));
}

MismatchCell& WrongPlaces::note(int64_t row, int64_t col) {
    least_row_ = std::min(least_row_, row);
    least_col_ = std::min(least_col_, col);
    last_row_ = std::max(last_row_, row);
    last_col_ = std::max(last_col_, col);
    if (row == 0)
        corner_cols_ = std::min(corner_cols_, col);
    else if (col == 0)
        corner_rows_ = std::min(corner_rows_, row);
    else if (row < corner_rows_ && col < corner_cols_)
        corner_broken_ = true;
    ++map_.wrong;
    MismatchCell& cell =
        map_.cells[static_cast<size_t>(row / map_.cell_rows * map_.across + col / map_.cell_cols)];
    if (cell.wrong++ == 0) {
        cell.row = row;
        cell.col = col;
    }
    return cell;
}

void WrongPlaces::say() const {
    if (map_.wrong == 0) return;
    auto say = [&](std::string words) { map_.patterns.push_back(std::move(words)); };
    if (map_.wrong == static_cast<uint64_t>(map_.rows) * static_cast<uint64_t>(map_.cols))
        say("Not one element is right.");
    int64_t rows = last_row_ - least_row_ + 1, cols = last_col_ - least_col_ + 1;
    bool bottom = last_row_ == map_.rows - 1 && 2 * rows <= map_.rows;
    bool right = last_col_ == map_.cols - 1 && 2 * cols <= map_.cols;
    if (rows == map_.rows && right)
        say(fmt::format("Only the last {} of {} columns hold wrong elements: the right edge.",
                        thousands(cols), thousands(map_.cols)));
    else if (cols == map_.cols && bottom)
        say(fmt::format("Only the last {} of {} rows hold wrong elements: the bottom edge.",
                        thousands(rows), thousands(map_.rows)));
    else if (rows * cols * 2 <= map_.rows * map_.cols)
        say(fmt::format("All wrong elements lie in rows {} to {}, columns {} to {}.", least_row_,
                        last_row_, least_col_, last_col_));
    else
        say_right_corner();
}

// All beyond a corner is wrong, none within it: the blocks that would have moved it are missing.
void WrongPlaces::say_right_corner() const {
    int64_t rows = map_.rows, cols = map_.cols;
    int64_t r = std::min(rows, corner_rows_), c = std::min(cols, corner_cols_);
    // A first element that happens to be right is no corner.
    constexpr int64_t kLeastPart = 20;
    if (corner_broken_ || r * c * kLeastPart < rows * cols || (r == rows && c == cols)) return;
    auto beyond = static_cast<uint64_t>(rows * cols - r * c);
    if (!nearly_all(map_.wrong, beyond)) return;
    map_.patterns.push_back(fmt::format(
        "The first {} rows and {} columns are right, and all beyond is wrong: {:.0f} % of the "
        "matrix was {}.",
        thousands(r), thousands(c), 100.0 * double(r * c) / double(rows * cols),
        map_.is_product ? "computed" : "moved"));
}

}  // namespace lanewise
