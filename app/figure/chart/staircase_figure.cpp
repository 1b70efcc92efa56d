// The staircase: cycles of one access against its wavefronts, with the line through each width, and
// the stage's own accesses on it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "figure/chart/chart_parts.h"
#include "figure/drawing/figures.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kPlotHeight = 260, kStageMark = 7;
constexpr int kXSteps[] = {1, 2, 4, 8, 16, 32};

// 1, 2 or 5 times a power of ten, so that at most `most` of it make `range`.
double tick_of(double range, int most) {
    double power = std::pow(10, std::floor(std::log10(range / most)));
    for (double step : {1.0, 2.0, 5.0})
        if (range / (step * power) <= most) return step * power;
    return 10 * power;
}

class StaircaseFigure {
  public:
    StaircaseFigure(const StaircaseFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        figure_.width = in_.width;
        for (const StaircasePoint& point : in_.points) {
            most_wavefronts_ = std::max(most_wavefronts_, point.wavefronts);
            most_cycles_ = std::max({most_cycles_, point.cycles, point.high});
        }
    }

    Drawing draw() {
        if (most_wavefronts_ <= 0 || most_cycles_ <= 0)
            return words_only("No staircase was taken.", in_.width, measure_);
        if (!in_.caption.empty())
            y_ = paragraph(figure_, {0, 0}, in_.width, in_.caption, kNoteSize,
                           Fill::of(Ink::text_dim), measure_) +
                 4;
        draw_axes();
        for (size_t i = 0; i < in_.lines.size(); ++i) draw_line(in_.lines[i]);
        for (bool of_stage : {false, true})
            for (const StaircasePoint& point : in_.points)
                if (point.of_stage == of_stage) draw_point(point);
        y_ = plot_.y + plot_.h + 2 * kAxisHeight;
        draw_legend();
        for (const StaircaseFitLine& line : in_.lines)
            y_ = paragraph(figure_, {0, y_}, in_.width, line.words, kNoteSize,
                           Fill::of(Ink::text_dim), measure_);
        figure_.height = y_ + 2;
        return std::move(figure_);
    }

  private:
    float x_of(double wavefronts) const {
        return plot_.x + plot_.w * static_cast<float>(wavefronts / (most_wavefronts_ * 1.03));
    }
    float y_of(double cycles) const {
        return plot_.y + plot_.h * (1 - static_cast<float>(cycles / (most_cycles_ * 1.05)));
    }

    void draw_axes() {
        double tick = tick_of(most_cycles_, 8);
        float room = measure_(fmt::format("{:g}", std::floor(most_cycles_ / tick) * tick),
                              kNoteSize, Font::mono) +
                     6;
        figure_.text({0, y_, in_.width, line_height(kNoteSize)}, "cycles of one access", kNoteSize,
                     Fill::of(Ink::text_dim));
        y_ += line_height(kNoteSize) + 4;
        plot_ = {room, y_, in_.width - room - 4, kPlotHeight};
        for (double cycles = 0; cycles <= most_cycles_; cycles += tick) {
            float y = y_of(cycles), half = line_height(kNoteSize) / 2;
            figure_.line({plot_.x, y}, {plot_.x + plot_.w, y}, Fill::of(Ink::grid));
            figure_.text({0, y - half, room - 5, 2 * half}, fmt::format("{:g}", cycles), kNoteSize,
                         Fill::of(Ink::text_dim), Align::right, Font::mono);
        }
        float below = plot_.y + plot_.h;
        for (int wavefronts : kXSteps) {
            if (wavefronts > most_wavefronts_) break;
            float x = x_of(wavefronts), half = measure_("32", kNoteSize, Font::mono) / 2 + 1;
            figure_.line({x, below}, {x, below + 4}, Fill::of(Ink::text_dim));
            float left = std::clamp(x - half, 0.0f, in_.width - 2 * half);
            figure_.text({left, below + 4, 2 * half, kAxisHeight - 4},
                         fmt::format("{}", wavefronts), kNoteSize, Fill::of(Ink::text_dim),
                         Align::center, Font::mono);
        }
        figure_.text({plot_.x, below + kAxisHeight, plot_.w, kAxisHeight},
                     "wavefronts, as the machine counts them", kNoteSize, Fill::of(Ink::text_dim),
                     Align::center);
    }

    static Ink ink_of(bool is_store) { return is_store ? Ink::store : Ink::load; }

    void draw_line(const StaircaseFitLine& line) {
        double from = std::max(1.0, line.bytes_per_lane / 4.0);
        auto at = [&](double wavefronts) {
            return Point{x_of(wavefronts), y_of(line.base + line.per_wavefront * wavefronts)};
        };
        Point start = at(from), end = at(most_wavefronts_);
        if (std::min(start.y, end.y) < plot_.y || std::max(start.y, end.y) > plot_.y + plot_.h)
            return;  // a line that leaves the plot says nothing
        figure_.line(start, end, Fill::of(ink_of(line.is_store), 0.45f), 1);
    }

    // 4 bytes: filled; 8: an outline; 16: half filled. A stage's: a diamond over them.
    static Fill fill_of(const StaircasePoint& p) {
        float alpha = p.bytes_per_lane <= 4 ? 1 : p.bytes_per_lane == 8 ? 0 : 0.4f;
        return alpha > 0 ? Fill::of(ink_of(p.is_store), alpha) : Fill::none();
    }

    void draw_point(const StaircasePoint& p) {
        Point at{x_of(p.wavefronts), y_of(p.cycles)};
        if (p.high - p.low > 0)
            figure_.line({at.x, y_of(p.high)}, {at.x, y_of(p.low)}, Fill::of(ink_of(p.is_store)));
        float half = p.of_stage ? kStageMark : kStageMark / 2;
        if (p.of_stage)
            figure_
                .polygon({{at.x, at.y - half},
                          {at.x + half, at.y},
                          {at.x, at.y + half},
                          {at.x - half, at.y}},
                         Fill::of(Ink::accent))
                .stroke = Fill::of(Ink::background);
        else
            figure_.rect({at.x - half, at.y - half, 2 * half, 2 * half}, fill_of(p),
                         Fill::of(ink_of(p.is_store)));
        Box box{at.x - half, at.y - half, 2 * half, 2 * half};
        box.x = std::clamp(box.x, 0.0f, in_.width - box.w);
        figure_.hit(box, p.tooltip, p.line > 0 ? fmt::format("line:{}", p.line) : "");
    }

    void draw_legend() {
        std::vector<LegendItem> items;
        for (const StaircaseFitLine& line : in_.lines) {
            StaircasePoint like;
            like.bytes_per_lane = line.bytes_per_lane;
            like.is_store = line.is_store;
            items.push_back({fill_of(like), Fill::of(ink_of(line.is_store)), false, line.name});
        }
        bool any_of_stage = std::any_of(in_.points.begin(), in_.points.end(),
                                        [](const StaircasePoint& p) { return p.of_stage; });
        if (any_of_stage)
            items.push_back(
                {Fill::of(Ink::accent), Fill::none(), false, "of the stage (diamonds)"});
        y_ = legend(figure_, {1, y_ + 4}, in_.width - 2, items, measure_) + 4;
    }

    const StaircaseFigureInput& in_;
    const Measure& measure_;
    Drawing figure_;
    double most_wavefronts_ = 0, most_cycles_ = 0;
    Box plot_;
    float y_ = 0;
};

}  // namespace

Drawing staircase_figure(const StaircaseFigureInput& input, const Measure& measure) {
    return StaircaseFigure(input, measure).draw();
}

}  // namespace lanewise
