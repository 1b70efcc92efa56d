#include "figure/product/mismatch_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kMostSide = 420;   // of the matrix on a page
constexpr float kLeastSide = 120;  // however little height there is

std::string thousands(int64_t number) { return with_thousands(static_cast<uint64_t>(number)); }

// The strongest of what is wrong in a cell decides its ink.
Ink ink_of(const MismatchCell& cell) {
    if (2 * cell.unwritten >= cell.wrong) return Ink::padding;
    return 2 * cell.elsewhere >= cell.wrong ? Ink::warn : Ink::bad;
}

std::string cell_words(const MismatchMap& map, const MismatchCell& cell, int64_t row, int64_t col) {
    int64_t rows = std::min(map.cell_rows, map.rows - row);
    int64_t cols = std::min(map.cell_cols, map.cols - col);
    std::string words;
    const std::string& name = map.output;
    if (rows * cols > 1)
        words = fmt::format("{}[{}–{}][{}–{}]: {} of {} wrong\n", name, row, row + rows - 1, col,
                            col + cols - 1, thousands(cell.wrong), thousands(rows * cols));
    if (cell.wrong == 0) return words + "all right here";
    if (map.is_computed)
        return words + fmt::format("{}[{}][{}] should be {}\nit is {}{}", name, cell.row, cell.col,
                                   cell.expected, cell.actual,
                                   cell.unwritten ? ": never written" : "");
    std::string from = map.is_copy ? fmt::format("in[{}][{}]", cell.row, cell.col)
                                   : fmt::format("in[{}][{}]", cell.col, cell.row);
    words += fmt::format("{}[{}][{}] should be {} = {}\nit is {}", name, cell.row, cell.col, from,
                         cell.expected, cell.actual);
    if (cell.from_row >= 0)
        return words + fmt::format(": this is in[{}][{}]", cell.from_row, cell.from_col);
    return words + (cell.unwritten ? ": never written" : "");
}

// Which inks the map has.
std::vector<LegendItem> legend_of(const MismatchMap& map) {
    std::vector<LegendItem> items = {
        {Fill::of(Ink::good, 0.12f), Fill::of(Ink::border), false, "right"}};
    auto offer = [&](Ink ink, const char* words) {
        bool any = std::any_of(map.cells.begin(), map.cells.end(), [&](const MismatchCell& cell) {
            return cell.wrong && ink_of(cell) == ink;
        });
        if (any) items.push_back({Fill::of(ink, 0.9f), Fill::none(), false, words});
    };
    offer(Ink::warn, "another element of the input");
    offer(Ink::padding, "never written");
    offer(Ink::bad, map.is_computed ? "beyond its bound" : "something else");
    return items;
}

// What is left below `y` for the matrix, with the legend under it.
float side_within(const MismatchFigureInput& input, float y, const std::vector<LegendItem>& items,
                  const Measure& measure) {
    if (input.height <= 0) return std::min(kMostSide, input.width - 2);
    Drawing scratch;
    float below = legend(scratch, {1, 0}, input.width - 2, items, measure) + 7;
    return std::max(kLeastSide, input.height - y - below);
}

}  // namespace

Drawing mismatch_figure(const MismatchFigureInput& input, const Measure& measure) {
    if (!input.map || input.map->cells.empty())
        return words_only("There is no result to compare.", input.width, measure);
    const MismatchMap& map = *input.map;
    Drawing figure;
    figure.width = input.width;
    float y = paragraph(figure, {0, 0}, input.width,
                        fmt::format("{} of {} elements wrong", with_thousands(map.wrong),
                                    thousands(map.rows * map.cols)),
                        kBodySize, Fill::of(map.wrong ? Ink::bad : Ink::good), measure, Font::bold);
    for (const std::string& pattern : map.patterns)
        y = paragraph(figure, {0, y}, input.width, pattern, kBodySize, Fill::of(Ink::text),
                      measure);
    y = paragraph(figure, {0, y + 2}, input.width,
                  fmt::format("{}, {} × {}, {}", map.is_computed ? map.output : "the output",
                              thousands(map.rows), thousands(map.cols),
                              map.on_gpu ? "of the launch on the GPU" : "of the machine's launch"),
                  kNoteSize, Fill::of(Ink::text_dim), measure) +
        3;
    const std::vector<LegendItem> items = legend_of(map);
    float high = side_within(input, y, items, measure);
    float wide = input.height > 0 ? input.width - 2 : high;
    auto rows = static_cast<float>(map.rows), cols = static_cast<float>(map.cols);
    float scale = std::min(wide / cols, high / rows);
    Box whole{1, y, std::max(16.f, cols * scale), std::max(16.f, rows * scale)};
    figure.rect(whole, Fill::of(Ink::good, 0.12f), Fill::of(Ink::border));
    for (int down = 0; down < map.down; ++down)
        for (int across = 0; across < map.across; ++across) {
            const MismatchCell& cell = map.cells[static_cast<size_t>(down * map.across + across)];
            int64_t row = down * map.cell_rows, col = across * map.cell_cols;
            int64_t of_rows = std::min(map.cell_rows, map.rows - row);
            int64_t of_cols = std::min(map.cell_cols, map.cols - col);
            Box box{whole.x + whole.w * static_cast<float>(col) / cols,
                    whole.y + whole.h * static_cast<float>(row) / rows,
                    whole.w * static_cast<float>(of_cols) / cols,
                    whole.h * static_cast<float>(of_rows) / rows};
            if (cell.wrong) {
                float part = static_cast<float>(cell.wrong) / static_cast<float>(of_rows * of_cols);
                figure.rect(box, Fill::of(ink_of(cell), 0.3f + 0.6f * part));
            }
            figure.hit(box, cell_words(map, cell, row, col));
        }
    y = whole.y + whole.h + 5;
    figure.height = legend(figure, {1, y}, input.width - 2, items, measure) + 2;
    return figure;
}

}  // namespace lanewise
