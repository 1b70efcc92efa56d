#include "figure/flow_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "base/text.h"
#include "figure/marks.h"

namespace lanewise {
namespace {

constexpr float kGap = 18, kLeastPanel = 150, kMostPanel = 330, kArrow = 14;
constexpr int kMostCells = 40;    // of a panel, each way
constexpr float kBefore = 0.42f;  // strength of what was touched before

std::string range_words(const char* name, int64_t first, int64_t count) {
    if (count == 1) return fmt::format("{} {}", name, first);
    return fmt::format("{}s {} to {}", name, first, first + count - 1);
}
std::string box_words(const TouchedBox& box) {
    return range_words("row", box.row, box.rows) + ", " + range_words("column", box.col, box.cols);
}

// The cells of one panel, and who touched each.
struct Cells {
    TouchedBox part;   // in elements
    int64_t each = 1;  // elements of a cell, each way
    int rows = 0, cols = 0;
    std::vector<int8_t> lane;  // -1: untouched
    std::vector<bool> now;
    int filled = 0;

    explicit Cells(const TouchedBox& of) : part(of) {
        int64_t most = std::max(part.rows, part.cols);
        each = std::max<int64_t>(1, (most + kMostCells - 1) / kMostCells);
        rows = static_cast<int>((part.rows + each - 1) / each);
        cols = static_cast<int>((part.cols + each - 1) / each);
        lane.assign(static_cast<size_t>(rows) * static_cast<size_t>(cols), -1);
        now.assign(lane.size(), false);
    }
    void touch(int64_t row, int64_t col, int by, bool is_now) {
        int64_t y = (row - part.row) / each, x = (col - part.col) / each;
        if (row < part.row || col < part.col || y >= rows || x >= cols) return;
        auto cell = static_cast<size_t>(y * cols + x);
        filled += lane[cell] < 0;
        lane[cell] = static_cast<int8_t>(by);
        if (is_now) now[cell] = true;
    }
};

const TracedAccess* access_at(const FlowFigureInput& in, int step) {
    int access = in.life->steps[static_cast<size_t>(step)].access;
    return access < 0 ? nullptr : &in.block->accesses[static_cast<size_t>(access)];
}
int bytes_of(const FlowFigureInput& in, const TracedAccess& access) {
    return in.report->instructions[access.instruction].bytes_per_lane;
}

// Calls touch(row, col, lane) for each element of an access in rows of `cols` elements.
template <typename Touch>
void for_each_element(const FlowFigureInput& in, const TracedAccess& access, int64_t cols,
                      int element_bytes, Touch touch) {
    int bytes = bytes_of(in, access);
    for (size_t lane = 0; lane < access.addresses.size(); ++lane) {
        if (!(access.mask >> lane & 1)) continue;
        auto address = static_cast<int64_t>(access.addresses[lane]);
        for (int64_t at = address / element_bytes; at <= (address + bytes - 1) / element_bytes;
             ++at)
            touch(at / cols, at % cols, static_cast<int>(lane));
    }
}

class FlowFigure {
  public:
    FlowFigure(const FlowFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        for (const FlowMatrix& matrix : in_.matrices) cells_.emplace_back(matrix.part);
        tile_ = std::make_unique<Cells>(TouchedBox{0, 0, in_.tile_rows, in_.tile_pitch});
        auto last = std::min(in_.step, static_cast<int>(in_.life->steps.size()) - 1);
        for (int step = 0; step <= last; ++step) take(step, step == last);
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
    void take(int step, bool is_now) {
        const TracedAccess* access = access_at(in_, step);
        if (!access) return;
        if (in_.life->steps[static_cast<size_t>(step)].is_shared()) {
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
            bottom_ = std::max(bottom_, words(at, matrix.name, "no plain access of this block"));
            return;
        }
        at.y = words(at, matrix.name,
                     fmt::format("{} of {} × {}", box_words(matrix.part),
                                 with_thousands(static_cast<uint64_t>(matrix.rows)),
                                 with_thousands(static_cast<uint64_t>(matrix.cols))));
        grid(at, cells_[i], fmt::format("{} ", matrix.name));
    }

    void tile_panel(float across) {
        Point at = next_place(across);
        at.y = words(at, "shared memory",
                     fmt::format("{} rows of {} elements", in_.tile_rows, in_.tile_pitch));
        grid(at, *tile_, "shared memory ");
    }

    void grid(Point at, const Cells& cells, const std::string& name) {
        float cell = std::min(14.f, (width_ - 2) / static_cast<float>(std::max(1, cells.cols)));
        Box whole{at.x + 1, at.y, cell * static_cast<float>(cells.cols),
                  cell * static_cast<float>(cells.rows)};
        figure_.rect(whole, Fill::of(Ink::panel), Fill::of(Ink::border));
        for (int y = 0; y < cells.rows; ++y)
            for (int x = 0; x < cells.cols; ++x) {
                auto index = static_cast<size_t>(y * cells.cols + x);
                if (cells.lane[index] < 0) continue;
                float inset = cell > 5 ? 0.5f : 0;
                Box box{whole.x + cell * static_cast<float>(x) + inset,
                        whole.y + cell * static_cast<float>(y) + inset, cell - 2 * inset,
                        cell - 2 * inset};
                figure_.rect(box, Fill::lane(cells.lane[index], cells.now[index] ? 1 : kBefore));
            }
        frame_of_now(whole, cells, cell);
        uint64_t all = cells.lane.size();
        std::string each =
            cells.each == 1 ? "element" : fmt::format("cell of {0} × {0} elements", cells.each);
        figure_.hit(whole,
                    fmt::format("{}: {} of {} touched so far, in {}", trimmed(name),
                                with_thousands(static_cast<uint64_t>(cells.filled)),
                                with_thousands(all), cells.each == 1 ? "elements" : each + "s"));
        bottom_ = std::max(bottom_, whole.y + whole.h);
    }

    // Around what the step touches, so that it is found without its colour.
    void frame_of_now(Box whole, const Cells& cells, float cell) {
        TouchedBox box;
        for (int y = 0; y < cells.rows; ++y)
            for (int x = 0; x < cells.cols; ++x)
                if (cells.now[static_cast<size_t>(y * cells.cols + x)]) box.include(y, x);
        if (box.rows == 0) return;
        figure_
            .rect({whole.x + cell * static_cast<float>(box.col),
                   whole.y + cell * static_cast<float>(box.row),
                   cell * static_cast<float>(box.cols), cell * static_cast<float>(box.rows)},
                  Fill::none(), Fill::of(Ink::accent))
            .stroke_width = 2;
    }

    const FlowFigureInput& in_;
    const Measure& measure_;
    std::vector<Cells> cells_;
    std::unique_ptr<Cells> tile_;
    Drawing figure_;
    float width_ = 0, top_ = 0, bottom_ = 0;
    int placed_ = 0;
};

std::string what_happens(const FlowFigureInput& in, const TracedAccess& access,
                         const LifeStep& step) {
    std::string cost = step.is_shared() ? counted(uint64_t(step.cost), "wavefront")
                                        : counted(uint64_t(step.cost), "sector");
    if (step.cost > step.ideal) cost += fmt::format(", {} at best", step.ideal);
    TouchedBox box;
    if (step.is_shared()) {
        if (in.tile_rows == 0) return cost;
        for_each_element(in, access, in.tile_pitch, in.tile_element_bytes,
                         [&](int64_t row, int64_t col, int) { box.include(row, col); });
        return fmt::format("{} shared memory, {}: {}",
                           step.moment == Moment::shared_store ? "stores to" : "reads from",
                           box_words(box), cost);
    }
    for (const FlowMatrix& matrix : in.matrices) {
        if (matrix.buffer != access.buffer) continue;
        for_each_element(in, access, matrix.cols, matrix.element_bytes,
                         [&](int64_t row, int64_t col, int) { box.include(row, col); });
        return fmt::format("{} {}, {}: {}",
                           step.moment == Moment::store ? "writes to" : "loads from", matrix.name,
                           box_words(box), cost);
    }
    return (step.moment == Moment::store ? "writes: " : "loads: ") + cost;
}

}  // namespace

std::string flow_words(const FlowFigureInput& in) {
    if (!in.life || in.life->steps.empty()) return "This block does nothing with memory.";
    if (in.step < 0) return "Nothing has been touched yet.";
    auto index = std::min(static_cast<size_t>(in.step), in.life->steps.size() - 1);
    const LifeStep& step = in.life->steps[index];
    uint32_t warp = in.life->warps[index];
    if (step.moment == Moment::barrier)
        return fmt::format("{} the barrier of line {}: what each stored before, all may read now.",
                           warp == 1 ? "1 warp leaves" : fmt::format("{} warps leave", warp),
                           step.line);
    if (step.access < 0)
        return fmt::format("Warp {}: {}, line {}. It is counted, and has no lanes to draw.", warp,
                           name_of(step), step.line);
    const TracedAccess& access = in.block->accesses[static_cast<size_t>(step.access)];
    return fmt::format("Warp {} {}.", warp, what_happens(in, access, step));
}

Drawing flow_figure(const FlowFigureInput& input, const Measure& measure) {
    if (!input.block || !input.report || !input.life || input.matrices.empty())
        return words_only("There is nothing to draw.", input.width, measure);
    return FlowFigure(input, measure).draw();
}

// ---- the walk

namespace {

void draw_walk_panel(Drawing& figure, const WalkPanel& panel, uint64_t chosen, Box room,
                     float& bottom, const Measure& measure) {
    float y = paragraph(figure, {room.x, room.y}, room.w, panel.name, kBodySize,
                        Fill::of(Ink::text), measure, Font::bold);
    y = paragraph(figure, {room.x, y}, room.w,
                  fmt::format("{} × {}", with_thousands(static_cast<uint64_t>(panel.rows)),
                              with_thousands(static_cast<uint64_t>(panel.cols))),
                  kNoteSize, Fill::of(Ink::text_dim), measure) +
        3;
    // To scale, but never thinner than can be seen.
    auto rows = static_cast<float>(std::max<int64_t>(1, panel.rows));
    auto cols = static_cast<float>(std::max<int64_t>(1, panel.cols));
    float side = room.w - 2, scale = side / std::max(rows, cols);
    Box whole{room.x + 1, y, std::max(24.f, cols * scale), std::max(24.f, rows * scale)};
    figure.rect(whole, Fill::of(Ink::panel), Fill::of(Ink::border));
    auto place = [&](const TouchedBox& box) {
        Box at{whole.x + whole.w * static_cast<float>(box.col) / cols,
               whole.y + whole.h * static_cast<float>(box.row) / rows,
               std::max(1.f, whole.w * static_cast<float>(box.cols) / cols),
               std::max(1.f, whole.h * static_cast<float>(box.rows) / rows)};
        at.x = std::min(at.x, whole.x + whole.w - at.w);
        at.y = std::min(at.y, whole.y + whole.h - at.h);
        return at;
    };
    size_t count = panel.boxes.size();
    for (size_t i = 0; i < count; ++i) {
        const TouchedBox& box = panel.boxes[i];
        if (box.rows == 0) continue;
        figure.rect(place(box),
                    Fill::lane(static_cast<int>(i * 32 / std::max<size_t>(1, count)), 0.8f));
        figure.hit(place(box), fmt::format("block {}: {}", i, box_words(box)),
                   fmt::format("block:{}", i));
    }
    if (chosen < count && panel.boxes[chosen].rows > 0)
        figure.rect(place(panel.boxes[chosen]), Fill::none(), Fill::of(Ink::accent)).stroke_width =
            2;
    y = whole.y + whole.h + 5;
    for (const std::string& words : panel.words)
        y = paragraph(figure, {room.x, y}, room.w, words, kNoteSize, Fill::of(Ink::text_dim),
                      measure);
    bottom = std::max(bottom, y);
}

}  // namespace

Drawing block_order_figure(const BlockOrderFigureInput& input, const Measure& measure) {
    if (input.panels.empty()) return words_only("There is nothing to draw.", input.width, measure);
    Drawing figure;
    figure.width = input.width;
    auto count = static_cast<float>(input.panels.size());
    float across = std::clamp(std::floor((input.width + kGap) / (kLeastPanel + kGap)), 1.f, count);
    float width = std::min(kMostPanel, (input.width + kGap) / across - kGap);
    float top = 0, bottom = 0;
    for (size_t i = 0; i < input.panels.size(); ++i) {
        auto column = static_cast<int>(i) % static_cast<int>(across);
        if (i > 0 && column == 0) top = bottom + kGap;
        draw_walk_panel(figure, input.panels[i], input.chosen,
                        {(width + kGap) * static_cast<float>(column), top, width, 0}, bottom,
                        measure);
    }
    figure.height = bottom + 2;
    return figure;
}

}  // namespace lanewise
