#include "figure/flow/flow_cells.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace lanewise {
namespace {

constexpr int kMostAcross = 40, kMostDown = 128;     // cells of a panel
constexpr int kMostSquare = 40;                      // each way, where they are not of one row
constexpr float kMostElement = 14, kMostHigh = 280;  // points; the latter of a panel's grid
constexpr float kBefore = 0.42f;                     // strength of what was touched before

float element_size(const Cells& cells, float width) {
    float most = std::min(kMostElement, (width - 2) / static_cast<float>(std::max<int64_t>(
                                                          1, cells.cols * cells.each_cols)));
    float height = static_cast<float>(cells.rows * cells.each_rows) * most;
    float limit = std::max(kMostHigh, width);  // a square may fill its panel
    return height > limit ? most * limit / height : most;
}

// Small cells of one colour side by side are one shape.
int end_of_run(const Cells& cells, int y, int x, bool merge) {
    auto first = static_cast<size_t>(y * cells.cols + x);
    int end = x + 1;
    for (size_t i = first + 1; merge && end < cells.cols; ++i, ++end)
        if (cells.hue[i] != cells.hue[first] || cells.now[i] != cells.now[first]) break;
    return end;
}

}  // namespace

Cells::Cells(const TouchedBox& of, bool fine_rows) : part(of) {
    auto cells = [](int64_t count, int64_t most) {
        return std::max<int64_t>(1, (count + most - 1) / most);
    };
    each_cols = cells(part.cols, kMostAcross);
    each_rows = cells(part.rows, kMostDown);
    if (!fine_rows || each_rows > 1)
        each_rows = each_cols = cells(std::max(part.rows, part.cols), kMostSquare);
    rows = static_cast<int>((part.rows + each_rows - 1) / each_rows);
    cols = static_cast<int>((part.cols + each_cols - 1) / each_cols);
    hue.assign(static_cast<size_t>(rows) * static_cast<size_t>(cols), -1);
    now.assign(hue.size(), false);
}

void Cells::touch(int64_t row, int64_t col, int by, bool is_now) {
    int64_t y = (row - part.row) / each_rows, x = (col - part.col) / each_cols;
    if (row < part.row || col < part.col || y >= rows || x >= cols) return;
    auto cell = static_cast<size_t>(y * cols + x);
    filled += hue[cell] < 0;
    hue[cell] = static_cast<int8_t>(by);
    if (!is_now) return;
    now[cell] = true;
    now_elements.include(row, col);
}

std::string Cells::unit() const {
    if (each_rows == 1 && each_cols == 1) return "elements";
    return fmt::format("cells of {} × {} elements", each_rows, each_cols);
}

Box box_of(const Box& whole, const Cells& cells, const TouchedBox& elements) {
    float w = whole.w / static_cast<float>(cells.cols * cells.each_cols);
    float h = whole.h / static_cast<float>(cells.rows * cells.each_rows);
    return {whole.x + w * static_cast<float>(elements.col - cells.part.col),
            whole.y + h * static_cast<float>(elements.row - cells.part.row),
            w * static_cast<float>(elements.cols), h * static_cast<float>(elements.rows)};
}

Box draw_cells(Drawing& figure, Point at, const Cells& cells, float width,
               const std::string& name) {
    float element = element_size(cells, width);
    float w = element * static_cast<float>(cells.each_cols);
    float h = element * static_cast<float>(cells.each_rows);
    Box whole{at.x + 1, at.y, w * static_cast<float>(cells.cols),
              h * static_cast<float>(cells.rows)};
    figure.rect(whole, Fill::of(Ink::panel), Fill::of(Ink::border));
    float inset = std::min(w, h) > 5 ? 0.5f : 0;
    for (int y = 0; y < cells.rows; ++y)
        for (int x = 0; x < cells.cols;) {
            int end = end_of_run(cells, y, x, inset == 0);
            auto index = static_cast<size_t>(y * cells.cols + x);
            Box box{whole.x + w * static_cast<float>(x) + inset,
                    whole.y + h * static_cast<float>(y) + inset,
                    w * static_cast<float>(end - x) - 2 * inset, h - 2 * inset};
            if (cells.hue[index] >= 0)
                figure.rect(box, Fill::lane(cells.hue[index], cells.now[index] ? 1 : kBefore));
            x = end;
        }
    for (const TouchedBox& box : cells.on_the_way)
        figure.rect(box_of(whole, cells, box), Fill::none(), Fill::of(Ink::text_dim)).dashed = true;
    if (cells.now_elements.rows > 0)  // so that it is found without its colour
        figure.rect(box_of(whole, cells, cells.now_elements), Fill::none(), Fill::of(Ink::accent))
            .stroke_width = 2;
    figure.hit(whole, fmt::format("{}: {} of {} touched so far, in {}", name,
                                  with_thousands(static_cast<uint64_t>(cells.filled)),
                                  with_thousands(cells.hue.size()), cells.unit()));
    return whole;
}

}  // namespace lanewise
