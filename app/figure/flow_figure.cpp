// The panels of the data flow; its words are in flow_words.cpp.
#include "figure/flow_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/text.h"
#include "figure/flow_elements.h"
#include "figure/marks.h"

namespace lanewise {
namespace {

constexpr float kGap = 18, kLeastPanel = 150, kMostPanel = 330, kArrow = 14;
constexpr int kMostAcross = 40, kMostDown = 128;     // cells of a panel
constexpr int kMostSquare = 40;                      // each way, where they are not of one row
constexpr float kMostElement = 14, kMostHigh = 280;  // points; the latter of a panel's grid
constexpr float kBefore = 0.42f;                     // strength of what was touched before

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
    Cells(const TouchedBox& of, bool fine_rows) : part(of) {
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
    void touch(int64_t row, int64_t col, int by, bool is_now) {
        int64_t y = (row - part.row) / each_rows, x = (col - part.col) / each_cols;
        if (row < part.row || col < part.col || y >= rows || x >= cols) return;
        auto cell = static_cast<size_t>(y * cols + x);
        filled += hue[cell] < 0;
        hue[cell] = static_cast<int8_t>(by);
        if (!is_now) return;
        now[cell] = true;
        now_elements.include(row, col);
    }
    std::string unit() const {
        if (each_rows == 1 && each_cols == 1) return "elements";
        return fmt::format("cells of {} × {} elements", each_rows, each_cols);
    }
};

class FlowFigure {
  public:
    FlowFigure(const FlowFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        for (const FlowMatrix& matrix : in_.matrices) cells_.emplace_back(matrix.part, false);
        tile_ = std::make_unique<Cells>(TouchedBox{0, 0, in_.tile_rows, in_.tile_pitch}, true);
        auto last = std::min(in_.step, static_cast<int>(in_.life->steps.size()) - 1);
        std::vector<bool> under_way(in_.block->copies.size(), false);
        for (int i = 0; i <= last; ++i) {
            const LifeStep& step = in_.life->steps[static_cast<size_t>(i)];
            if (step.copy >= 0)
                under_way[static_cast<size_t>(step.copy)] =
                    step.mark != TracedMark::Kind::copy_done;
            take(step, i == last);
        }
        for (size_t i = 0; i < under_way.size(); ++i)
            if (under_way[i]) expect(in_.block->copies[i]);
        figure_.width = in_.width;
    }

    Drawing draw() {
        auto count = static_cast<float>(in_.matrices.size() + (in_.tile_rows > 0));
        float across =
            std::clamp(std::floor((in_.width + kGap) / (kLeastPanel + kGap)), 1.f, count);
        width_ = std::min(kMostPanel, (in_.width + kGap) / across - kGap);
        for (size_t i = 0; i < in_.matrices.size(); ++i) {
            bool last = i + 1 == in_.matrices.size();
            if (last && in_.tile_rows > 0) tile_panel(across);
            matrix_panel(i, across);
        }
        figure_.height = bottom_ + 2;
        return std::move(figure_);
    }

  private:
    void take(const LifeStep& step, bool is_now) {
        if (const TracedCopy* copy = copy_of(in_, step)) return take(*copy, step.mark, is_now);
        const TracedAccess* access = access_of(in_, step);
        if (!access) return;
        if (step.is_shared()) {
            if (in_.tile_rows > 0)
                for_each_element(in_, *access, in_.tile_pitch, in_.tile_element_bytes,
                                 [&](int64_t row, int64_t col, int lane) {
                                     tile_->touch(row, col, lane, is_now);
                                 });
            return;
        }
        for (size_t i = 0; i < in_.matrices.size(); ++i)
            if (in_.matrices[i].buffer == access->buffer)
                for_each_element(in_, *access, in_.matrices[i].cols, in_.matrices[i].element_bytes,
                                 [&](int64_t row, int64_t col, int lane) {
                                     cells_[i].touch(row, col, lane, is_now);
                                 });
    }

    // A copy takes from where it is issued, and fills where it is done.
    void take(const TracedCopy& copy, TracedMark::Kind mark, bool is_now) {
        bool shared = copy.to_shared == (mark == TracedMark::Kind::copy_done);
        of_copy(copy, shared, [&](Cells& cells, int64_t row, int64_t col, int hue) {
            cells.touch(row, col, hue, is_now);
        });
    }
    void expect(const TracedCopy& copy) {
        TouchedBox box;
        Cells* where = nullptr;
        of_copy(copy, copy.to_shared, [&](Cells& cells, int64_t row, int64_t col, int) {
            box.include(row, col);
            where = &cells;
        });
        if (where) where->on_the_way.push_back(box);
    }
    // touch(cells, row, col, hue) for the copy's elements on one of its sides.
    template <typename Touch>
    void of_copy(const TracedCopy& copy, bool shared, Touch touch) {
        auto within = [&](Cells& cells, int64_t cols, int element_bytes) {
            for_each_element(
                copy, shared, cols, element_bytes,
                [&](int64_t row, int64_t col, int hue) { touch(cells, row, col, hue); });
        };
        if (shared && in_.tile_rows > 0) within(*tile_, in_.tile_pitch, in_.tile_element_bytes);
        for (size_t i = 0; i < in_.matrices.size() && !shared; ++i)
            if (in_.matrices[i].buffer == copy.buffer)
                within(cells_[i], in_.matrices[i].cols, in_.matrices[i].element_bytes);
    }

    // The next panel's place; a new row where the last one is full.
    Point next_place(float across) {
        if (placed_ > 0 && placed_ % static_cast<int>(across) == 0) top_ = bottom_ + kGap;
        float x = (width_ + kGap) * static_cast<float>(placed_ % static_cast<int>(across));
        if (x > 0) arrow({x - kGap + 2, top_ + 46});
        ++placed_;
        return {x, top_};
    }
    void arrow(Point at) {
        float tip = at.x + kArrow;
        figure_.line(at, {tip, at.y}, Fill::of(Ink::text_dim), 1.5f);
        figure_.polyline({{tip - 4, at.y - 4}, {tip, at.y}, {tip - 4, at.y + 4}},
                         Fill::of(Ink::text_dim), 1.5f);
    }

    float words(Point at, const std::string& name, const std::string& what) {
        float y = paragraph(figure_, at, width_, name, kBodySize, Fill::of(Ink::text), measure_,
                            Font::bold);
        return paragraph(figure_, {at.x, y}, width_, what, kNoteSize, Fill::of(Ink::text_dim),
                         measure_) +
               3;
    }

    void matrix_panel(size_t i, float across) {
        const FlowMatrix& matrix = in_.matrices[i];
        Point at = next_place(across);
        if (matrix.part.rows == 0) {
            bottom_ = std::max(bottom_, words(at, matrix.name, "not touched by this block"));
            return;
        }
        at.y = words(at, matrix.name,
                     fmt::format("{} of {} × {}", box_words(matrix.part),
                                 with_thousands(static_cast<uint64_t>(matrix.rows)),
                                 with_thousands(static_cast<uint64_t>(matrix.cols))));
        Box whole = grid(at, cells_[i], matrix.name);
        sectors_of_now(whole, cells_[i], matrix);
    }

    void tile_panel(float across) {
        Point at = next_place(across);
        std::string what = fmt::format("{} rows of {} elements", in_.tile_rows, in_.tile_pitch);
        bool boxes = std::any_of(in_.block->copies.begin(), in_.block->copies.end(),
                                 [](const TracedCopy& copy) { return copy.is_bulk; });
        if (boxes) what += "; of a bulk copy, the hue tells the place in a row of its box";
        at.y = words(at, "shared memory", what);
        grid(at, *tile_, "shared memory");
    }

    static float element_size(const Cells& cells, float width) {
        float most = std::min(kMostElement, (width - 2) / static_cast<float>(std::max<int64_t>(
                                                              1, cells.cols * cells.each_cols)));
        float height = static_cast<float>(cells.rows * cells.each_rows) * most;
        float limit = std::max(kMostHigh, width);  // a square may fill its panel
        return height > limit ? most * limit / height : most;
    }

    static Box box_of(const Box& whole, const Cells& cells, const TouchedBox& elements) {
        float w = whole.w / static_cast<float>(cells.cols * cells.each_cols);
        float h = whole.h / static_cast<float>(cells.rows * cells.each_rows);
        return {whole.x + w * static_cast<float>(elements.col - cells.part.col),
                whole.y + h * static_cast<float>(elements.row - cells.part.row),
                w * static_cast<float>(elements.cols), h * static_cast<float>(elements.rows)};
    }

    Box grid(Point at, const Cells& cells, const std::string& name) {
        float element = element_size(cells, width_);
        float w = element * static_cast<float>(cells.each_cols);
        float h = element * static_cast<float>(cells.each_rows);
        Box whole{at.x + 1, at.y, w * static_cast<float>(cells.cols),
                  h * static_cast<float>(cells.rows)};
        figure_.rect(whole, Fill::of(Ink::panel), Fill::of(Ink::border));
        float inset = std::min(w, h) > 5 ? 0.5f : 0;
        for (int y = 0; y < cells.rows; ++y)
            for (int x = 0; x < cells.cols;) {
                int end = end_of_run(cells, y, x, inset == 0);
                auto index = static_cast<size_t>(y * cells.cols + x);
                Box box{whole.x + w * static_cast<float>(x) + inset,
                        whole.y + h * static_cast<float>(y) + inset,
                        w * static_cast<float>(end - x) - 2 * inset, h - 2 * inset};
                if (cells.hue[index] >= 0)
                    figure_.rect(box, Fill::lane(cells.hue[index], cells.now[index] ? 1 : kBefore));
                x = end;
            }
        for (const TouchedBox& box : cells.on_the_way)
            figure_.rect(box_of(whole, cells, box), Fill::none(), Fill::of(Ink::text_dim)).dashed =
                true;
        if (cells.now_elements.rows > 0)  // so that it is found without its colour
            figure_
                .rect(box_of(whole, cells, cells.now_elements), Fill::none(), Fill::of(Ink::accent))
                .stroke_width = 2;
        figure_.hit(whole, fmt::format("{}: {} of {} touched so far, in {}", name,
                                       with_thousands(static_cast<uint64_t>(cells.filled)),
                                       with_thousands(cells.hue.size()), cells.unit()));
        bottom_ = std::max(bottom_, whole.y + whole.h);
        return whole;
    }

    // Small cells of one colour side by side are one shape.
    static int end_of_run(const Cells& cells, int y, int x, bool merge) {
        auto first = static_cast<size_t>(y * cells.cols + x);
        int end = x + 1;
        for (size_t i = first + 1; merge && end < cells.cols; ++i, ++end)
            if (cells.hue[i] != cells.hue[first] || cells.now[i] != cells.now[first]) break;
        return end;
    }

    // Where one sector of 32 bytes ends and the next begins, if all rows agree on it.
    void sectors_of_now(const Box& whole, const Cells& cells, const FlowMatrix& matrix) {
        constexpr int64_t kSector = 32;
        constexpr float kLeast = 4;  // points between two lines
        if (matrix.cols * matrix.element_bytes % kSector != 0 || cells.now_elements.rows == 0)
            return;
        int64_t each = std::max<int64_t>(1, kSector / matrix.element_bytes);
        const TouchedBox& now = cells.now_elements;
        Box box = box_of(whole, cells, now);
        if (box.w / static_cast<float>(now.cols) * static_cast<float>(each) < kLeast) return;
        for (int64_t col = (now.col / each + 1) * each; col < now.col + now.cols; col += each) {
            float x = box_of(whole, cells, {now.row, col, 1, 1}).x;
            figure_.line({x, box.y}, {x, box.y + box.h}, Fill::of(Ink::background, 0.85f));
        }
    }

    const FlowFigureInput& in_;
    const Measure& measure_;
    std::vector<Cells> cells_;
    std::unique_ptr<Cells> tile_;
    Drawing figure_;
    float width_ = 0, top_ = 0, bottom_ = 0;
    int placed_ = 0;
};

}  // namespace

Drawing flow_figure(const FlowFigureInput& input, const Measure& measure) {
    if (!input.block || !input.report || !input.life || input.matrices.empty())
        return words_only("There is nothing to draw.", input.width, measure);
    return FlowFigure(input, measure).draw();
}

}  // namespace lanewise
