#include "figure/access/zoom_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr uint32_t kMostAcross = 16, kMostDown = 10;  // blocks drawn one by one
constexpr float kOverview = 150, kOverviewGap = 24;   // points
constexpr int kMarksAcross = 24;                      // of the overview, each way

uint32_t at_least_one(uint32_t extent) { return std::max(extent, 1u); }

std::string place_words(uint64_t number, const Dim3& grid) {
    uint64_t x = number % at_least_one(grid.x), y = number / at_least_one(grid.x);
    if (at_least_one(grid.z) == 1) return fmt::format("({}, {})", x, y);
    return fmt::format("({}, {}, {})", x, y % at_least_one(grid.y), y / at_least_one(grid.y));
}

// ---- the grid

class GridFigure {
  public:
    GridFigure(const GridFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        across_ = at_least_one(in_.grid.x);
        // Layers of a deep grid stand below one another, as their blocks are numbered.
        down_ = at_least_one(in_.grid.y) * at_least_one(in_.grid.z);
        shown_across_ = std::min(across_, kMostAcross);
        shown_down_ = std::min(down_, kMostDown);
        auto x = static_cast<uint32_t>(in_.chosen % across_);
        auto y = static_cast<uint32_t>(in_.chosen / across_);
        first_x_ = std::min(x - std::min(x, shown_across_ / 2), across_ - shown_across_);
        first_y_ = std::min(y - std::min(y, shown_down_ / 2), down_ - shown_down_);
        figure_.width = in_.width;
    }

    Drawing draw() {
        uint64_t threads = in_.block.count();
        std::string words = fmt::format(
            "{} blocks of {} threads. Block {} is {}.", with_thousands(in_.grid.count()),
            with_thousands(threads), with_thousands(in_.chosen), place_words(in_.chosen, in_.grid));
        y_ = paragraph(figure_, {0, 0}, in_.width, words, kTitleSize, Fill::of(Ink::text), measure_,
                       Font::bold);
        y_ = paragraph(figure_, {0, y_}, in_.width,
                       "Blocks are numbered along x first, then y: block = y * gridDim.x + x. In "
                       "which order they run is the hardware's affair.",
                       kBodySize, Fill::of(Ink::text_dim), measure_) +
             10;
        bool all = shown_across_ == across_ && shown_down_ == down_;
        float left = all ? 0 : kOverview + kOverviewGap, top = y_;
        float bottom = all ? top : draw_overview(top);
        bottom = std::max(bottom, draw_blocks(left, top));
        figure_.height = bottom + 2;
        return std::move(figure_);
    }

  private:
    // A square of the whole grid, and the frame of what is drawn beside it.
    float draw_overview(float top) {
        Box box{1, top, kOverview - 2, kOverview - 2};
        figure_.rect(box, Fill::of(Ink::panel), Fill::of(Ink::border));
        float each_x = box.w / static_cast<float>(across_),
              each_y = box.h / static_cast<float>(down_);
        uint32_t marks_x = std::min<uint32_t>(across_, kMarksAcross);
        uint32_t marks_y = std::min<uint32_t>(down_, kMarksAcross);
        for (uint32_t j = 0; j < marks_y; ++j)
            for (uint32_t i = 0; i < marks_x; ++i) {
                uint64_t x = uint64_t(i) * across_ / marks_x, y = uint64_t(j) * down_ / marks_y;
                uint64_t number = y * across_ + x;
                Box mark{box.x + box.w * float(i) / float(marks_x),
                         box.y + box.h * float(j) / float(marks_y), box.w / float(marks_x),
                         box.h / float(marks_y)};
                figure_.hit(mark,
                            fmt::format("block {}, {}", with_thousands(number),
                                        place_words(number, in_.grid)),
                            fmt::format("block:{}", number));
            }
        Box frame{box.x + each_x * float(first_x_), box.y + each_y * float(first_y_),
                  std::max(3.f, each_x * float(shown_across_)),
                  std::max(3.f, each_y * float(shown_down_))};
        frame.x = std::min(frame.x, box.x + box.w - frame.w);
        frame.y = std::min(frame.y, box.y + box.h - frame.h);
        figure_.rect(frame, Fill::of(Ink::accent, 0.3f), Fill::of(Ink::accent));
        float y = box.y + box.h + 4;
        return paragraph(figure_, {0, y}, kOverview,
                         fmt::format("the whole grid: {} × {} blocks", with_thousands(across_),
                                     with_thousands(down_)),
                         kNoteSize, Fill::of(Ink::text_dim), measure_);
    }

    float draw_blocks(float left, float top) {
        float room = in_.width - left - 1;
        float width = std::min(56.f, room / static_cast<float>(shown_across_));
        float height = std::min(30.f, std::max(18.f, width * 0.6f));
        std::string widest = std::to_string(in_.grid.count() - 1);
        float size =
            size_that_fits({0, 0, width - 4, height - 2}, widest, kNoteSize, Font::mono, measure_);
        for (uint32_t j = 0; j < shown_down_; ++j)
            for (uint32_t i = 0; i < shown_across_; ++i) {
                uint64_t number = uint64_t(first_y_ + j) * across_ + first_x_ + i;
                bool chosen = number == in_.chosen;
                Box box{left + width * float(i) + 1, top + height * float(j), width - 2,
                        height - 2};
                figure_
                    .rect(box, chosen ? Fill::of(Ink::accent, 0.25f) : Fill::of(Ink::panel),
                          Fill::of(chosen ? Ink::accent : Ink::border), 3)
                    .stroke_width = chosen ? 2.f : 1.f;
                text_if_it_fits(figure_, box, std::to_string(number), size,
                                Fill::of(chosen ? Ink::text : Ink::text_dim), measure_);
                figure_.hit(box,
                            fmt::format("block {}, {}", with_thousands(number),
                                        place_words(number, in_.grid)),
                            fmt::format("block:{}", number));
            }
        return top + height * float(shown_down_);
    }

    const GridFigureInput& in_;
    const Measure& measure_;
    uint32_t across_ = 1, down_ = 1, shown_across_ = 1, shown_down_ = 1, first_x_ = 0, first_y_ = 0;
    Drawing figure_;
    float y_ = 0;
};

// ---- the block

class BlockFigure {
  public:
    BlockFigure(const BlockFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        // Threads of a deep block are numbered layer after layer.
        across_ = at_least_one(in_.block.x);
        down_ = at_least_one(in_.block.y) * at_least_one(in_.block.z);
        figure_.width = in_.width;
    }

    Drawing draw() {
        auto threads = static_cast<uint32_t>(in_.block.count());
        uint32_t warps = (threads + 31) / 32;
        std::string title = fmt::format("{} × {} threads are {} warps of 32; this is warp {}.",
                                        across_, down_, warps, in_.warp);
        y_ = paragraph(figure_, {0, 0}, in_.width, title, kTitleSize, Fill::of(Ink::text), measure_,
                       Font::bold);
        y_ = paragraph(figure_, {0, y_}, in_.width, shape_of_a_warp(), kBodySize,
                       Fill::of(Ink::text_dim), measure_) +
             10;
        float gutter = measure_("warp 31", kNoteSize, Font::text) + 8;
        // A long row of threads is cut where warps end.
        fold_ = across_ > 64 ? 64 : across_;
        rows_ = (threads + fold_ - 1) / fold_;
        width_ = std::min(30.f, (in_.width - gutter - 1) / static_cast<float>(fold_));
        height_ = std::clamp(width_, 9.f, 22.f);
        for (uint32_t thread = 0; thread < threads; ++thread) draw_thread(thread, gutter);
        for (uint32_t warp = 0; warp < warps; ++warp) name_warp(warp, gutter);
        figure_.height = y_ + height_ * static_cast<float>(rows_) + 6;
        return std::move(figure_);
    }

  private:
    std::string shape_of_a_warp() const {
        if (across_ % 32 == 0)
            return "Threads are numbered along x first, so here a warp lies within a row of the "
                   "block.";
        if (32 % across_ == 0)
            return fmt::format(
                "Threads are numbered along x first, and a row has only {}: a warp is {} rows of "
                "the block.",
                across_, 32 / across_);
        return fmt::format(
            "Threads are numbered along x first, and a row has {}: warps begin in the middle of "
            "rows.",
            across_);
    }

    Box box_of(uint32_t thread, float left) const {
        return {left + width_ * static_cast<float>(thread % fold_),
                y_ + height_ * static_cast<float>(thread / fold_), width_, height_};
    }

    void draw_thread(uint32_t thread, float left) {
        Box cell = box_of(thread, left);
        float gap = width_ > 6 ? 1.f : 0.f;
        Box box{cell.x + gap / 2, cell.y + gap / 2, cell.w - gap, cell.h - gap};
        uint32_t warp = thread / 32;
        auto lane = static_cast<int>(thread % 32);
        bool chosen = warp == in_.warp;
        // Neighbouring warps in two shades, so that one sees where each ends.
        figure_.rect(box, chosen ? Fill::lane(lane) : Fill::of(Ink::text, warp % 2 ? 0.16f : 0.08f),
                     Fill::none(), 1);
        if (chosen) {
            float size = size_that_fits(box, "31", kNoteSize, Font::mono, measure_);
            text_if_it_fits(figure_, box, std::to_string(lane), size, Fill::of(Ink::text_on_fill),
                            measure_);
            if (lane == in_.lane)
                figure_.rect(box, Fill::none(), Fill::of(Ink::accent), 1).stroke_width = 2.5f;
        }
        uint32_t y = thread / across_;
        std::string words =
            fmt::format("thread ({}, {}): warp {}, lane {}", thread % across_, y, warp, lane);
        figure_.hit(cell, words,
                    chosen ? fmt::format("lane:{}", lane) : fmt::format("warp:{}", warp));
    }

    // Beside the row in which it begins, where no other warp is named there.
    void name_warp(uint32_t warp, float gutter) {
        uint32_t first = warp * 32;
        bool begins_first = first % fold_ < 32 || fold_ < 32;
        if (!begins_first) return;
        uint32_t row = first / fold_;
        if (named_ >= 0 &&
            static_cast<float>(row) * height_ < static_cast<float>(named_) * height_ + 12)
            return;
        named_ = static_cast<int>(row);
        bool chosen = warp == in_.warp;
        float height = std::max(height_, 12.f);
        figure_.text({0, y_ + height_ * static_cast<float>(row), gutter - 6, height},
                     fmt::format("warp {}", warp), kNoteSize,
                     Fill::of(chosen ? Ink::text : Ink::text_dim), Align::right,
                     chosen ? Font::bold : Font::text);
    }

    const BlockFigureInput& in_;
    const Measure& measure_;
    uint32_t across_ = 1, down_ = 1, fold_ = 1, rows_ = 1;
    int named_ = -1;
    float width_ = 0, height_ = 0, y_ = 0;
    Drawing figure_;
};

}  // namespace

Drawing grid_figure(const GridFigureInput& input, const Measure& measure) {
    return GridFigure(input, measure).draw();
}

Drawing block_figure(const BlockFigureInput& input, const Measure& measure) {
    return BlockFigure(input, measure).draw();
}

}  // namespace lanewise
