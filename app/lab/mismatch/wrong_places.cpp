#include "lab/mismatch/wrong_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/text.h"
#include "base/threads.h"

namespace lanewise {

namespace {

constexpr int64_t kMostCells = 64;  // each way

std::string thousands(int64_t number) { return with_thousands(static_cast<uint64_t>(number)); }

}  // namespace

WrongPlaces::WrongPlaces(MismatchMap& map) : map_(map) {
    // Powers of two, so that a tile's edge is a cell's.
    auto elements_of_cell = [](int64_t side) {
        auto least = static_cast<uint64_t>((side + kMostCells - 1) / kMostCells);
        return static_cast<int64_t>(std::bit_ceil(std::max<uint64_t>(1, least)));
    };
    map_.cell_rows = elements_of_cell(map_.rows);
    map_.cell_cols = elements_of_cell(map_.cols);
    map_.down = static_cast<int>((map_.rows + map_.cell_rows - 1) / map_.cell_rows);
    map_.across = static_cast<int>((map_.cols + map_.cell_cols - 1) / map_.cell_cols);
    map_.cells.resize(static_cast<size_t>(map_.down) * static_cast<size_t>(map_.across));
    int strips = std::min(map_.across, kMostStrips);
    for (int strip = 0; strip < strips; ++strip) {
        auto col = [&](int cells) { return std::min(map_.cols, cells * map_.cell_cols); };
        strips_.push_back(
            {col(strip * map_.across / strips), col((strip + 1) * map_.across / strips)});
    }
}

void WrongPlaces::walk(const Fetch& fetch, const Look& look, int threads,
                       const CancelFlag* cancel) {
    constexpr int64_t kWorthAThread = 1 << 16;  // elements
    int64_t at_a_time = std::max<int64_t>(1, kPieceElements / std::max<int64_t>(1, map_.cols));
    for (int64_t row = 0; row < map_.rows;) {
        if (cancel && *cancel) throw Cancelled{};
        // Row 0 by itself: how far it is right decides what the others are held against.
        int64_t rows = row == 0 ? 1 : std::min(at_a_time, map_.rows - row);
        fetch(row, rows);
        int busy = rows * map_.cols < kWorthAThread ? 1 : threads;
        in_ranges(strips_.size(), 1, busy, [&](int, uint64_t begin, uint64_t end) {
            for (uint64_t strip = begin; strip < end; ++strip)
                for (int64_t r = row; r < row + rows; ++r)
                    look(strip, r, strips_[strip].first_col, strips_[strip].end_col);
        });
        if (row == 0)
            for (const Strip& strip : strips_)
                corner_cols_ = std::min(corner_cols_, strip.first_of_row_0);
        row += rows;
    }
    for (const Strip& strip : strips_) {
        all_.wrong += strip.wrong;
        all_.least_row = std::min(all_.least_row, strip.least_row);
        all_.least_col = std::min(all_.least_col, strip.least_col);
        all_.last_row = std::max(all_.last_row, strip.last_row);
        all_.last_col = std::max(all_.last_col, strip.last_col);
        all_.first_of_col_0 = std::min(all_.first_of_col_0, strip.first_of_col_0);
        all_.below_right_part = std::min(all_.below_right_part, strip.below_right_part);
    }
    map_.wrong = all_.wrong;
}

MismatchCell& WrongPlaces::note(size_t of, int64_t row, int64_t col) {
    Strip& strip = strips_[of];
    ++strip.wrong;
    strip.least_row = std::min(strip.least_row, row);
    strip.least_col = std::min(strip.least_col, col);
    strip.last_row = std::max(strip.last_row, row);
    strip.last_col = std::max(strip.last_col, col);
    if (row == 0)
        strip.first_of_row_0 = std::min(strip.first_of_row_0, col);
    else if (col == 0)
        strip.first_of_col_0 = std::min(strip.first_of_col_0, row);
    else if (col < corner_cols_)
        strip.below_right_part = std::min(strip.below_right_part, row);
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
    int64_t rows = all_.last_row - all_.least_row + 1, cols = all_.last_col - all_.least_col + 1;
    bool bottom = all_.last_row == map_.rows - 1 && 2 * rows <= map_.rows;
    bool right = all_.last_col == map_.cols - 1 && 2 * cols <= map_.cols;
    if (rows == map_.rows && right)
        say(fmt::format("Only the last {} of {} columns hold wrong elements: the right edge.",
                        thousands(cols), thousands(map_.cols)));
    else if (cols == map_.cols && bottom)
        say(fmt::format("Only the last {} of {} rows hold wrong elements: the bottom edge.",
                        thousands(rows), thousands(map_.rows)));
    else if (rows * cols * 2 <= map_.rows * map_.cols)
        say(fmt::format("All wrong elements lie in rows {} to {}, columns {} to {}.",
                        all_.least_row, all_.last_row, all_.least_col, all_.last_col));
    else
        say_right_corner();
}

// All beyond a corner is wrong, none within it: the blocks that would have moved it are missing.
void WrongPlaces::say_right_corner() const {
    int64_t rows = map_.rows, cols = map_.cols;
    int64_t r = std::min(rows, all_.first_of_col_0), c = std::min(cols, corner_cols_);
    // A first element that happens to be right is no corner.
    constexpr int64_t kLeastPart = 20;
    bool broken = all_.below_right_part < all_.first_of_col_0;  // something within it is wrong
    if (broken || r * c * kLeastPart < rows * cols || (r == rows && c == cols)) return;
    auto beyond = static_cast<uint64_t>(rows * cols - r * c);
    if (!nearly_all(map_.wrong, beyond)) return;
    map_.patterns.push_back(fmt::format(
        "The first {} rows and {} columns are right, and all beyond is wrong: {:.0f} % of the "
        "matrix was {}.",
        thousands(r), thousands(c), 100.0 * double(r * c) / double(rows * cols),
        map_.is_computed ? "computed" : "moved"));
}

}  // namespace lanewise
