// A row of boxes per resource; the one that is full first stands out in colour and in words.
#include "figure/chart/occupancy_figure.h"

#include <algorithm>

#include "figure/chart/chart_parts.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kLimitHeight = 22;

class OccupancyFigure {
  public:
    OccupancyFigure(const OccupancyFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        figure_.width = in_.width;
        float name = 0, words = 0;
        for (const OccupancyBar& bar : in_.bars) {
            name = std::max(name, measure_(bar.name, kBodySize, Font::text));
            words = std::max(words, measure_(bar.words, kNoteSize, Font::mono));
        }
        bool wide = in_.width >= kNamesBeside;
        above_ = !wide;
        bar_x_ = wide ? name + 12 : 0;
        words_width_ = words + 6;
        bar_width_ = in_.width - 2 - bar_x_ - (wide ? words_width_ + 6 : 0);
    }

    Drawing draw() {
        if (in_.bars.empty())
            return words_only("The card's limits are not known.", in_.width, measure_);
        if (!in_.caption.empty())
            y_ = paragraph(figure_, {0, 0}, in_.width, in_.caption, kNoteSize,
                           Fill::of(Ink::text_dim), measure_) +
                 4;
        for (const OccupancyBar& bar : in_.bars) draw_row(bar);
        y_ = legend(figure_, {1, y_ + 4}, in_.width - 2,
                    {{Fill::of(Ink::model), Fill::none(), false, "a resident block"},
                     {Fill::of(Ink::wasted, 0.25f), Fill::of(Ink::wasted), true,
                      "free, and too little for another"}},
                    measure_) +
             2;
        figure_.height = y_;
        return std::move(figure_);
    }

  private:
    float width_of(int64_t amount, const OccupancyBar& bar) const {
        double share = static_cast<double>(amount) / static_cast<double>(bar.room);
        return bar_width_ * static_cast<float>(std::clamp(share, 0.0, 1.0));
    }

    void draw_row(const OccupancyBar& bar) {
        float height = above_ ? kLimitHeight + kNameHeight : kLimitHeight;
        float title_height = above_ ? kNameHeight : kLimitHeight;
        float top = above_ ? y_ + kNameHeight + 2 : y_ + (kLimitHeight - kBarHeight) / 2;
        float right = in_.width - 2;
        Ink ink = bar.limits ? Ink::warn : Ink::text;
        float room = above_ ? right - words_width_ - 4 : bar_x_ - 8;
        figure_.text({0, y_, room, title_height},
                     shortened(bar.name, room, kBodySize, Font::text, measure_), kBodySize,
                     Fill::of(ink));
        figure_.text({right - words_width_, y_, words_width_, title_height}, bar.words, kNoteSize,
                     Fill::of(ink), Align::right, Font::mono);
        draw_boxes(bar, top);
        figure_.hit({0, y_, in_.width, height}, bar.tooltip);
        y_ += height;
    }

    void draw_boxes(const OccupancyBar& bar, float top) {
        figure_.rect({bar_x_, top, bar_width_, kBarHeight}, Fill::none(), Fill::of(Ink::text_dim));
        for (int64_t block = 0; block < in_.blocks; ++block) {
            float left = width_of(block * bar.per_block, bar);
            float wide = width_of((block + 1) * bar.per_block, bar) - left;
            float gap = wide > 4 ? 1.0f : 0.0f;  // boxes too narrow to be told apart touch
            figure_.rect({bar_x_ + left, top, std::max(0.5f, wide - gap), kBarHeight},
                         Fill::of(bar.limits ? Ink::warn : Ink::model));
        }
        int64_t left_over = bar.room - in_.blocks * bar.per_block;
        if (!bar.limits || left_over <= 0) return;
        Box rest{bar_x_ + width_of(in_.blocks * bar.per_block, bar), top, width_of(left_over, bar),
                 kBarHeight};
        if (rest.w < 1) return;
        figure_.rect(rest, Fill::of(Ink::wasted, 0.25f));
        hatch(figure_, rest, Fill::of(Ink::wasted), 5);
    }

    const OccupancyFigureInput& in_;
    const Measure& measure_;
    Drawing figure_;
    bool above_ = false;  // names stand above their bars
    float y_ = 0, bar_x_ = 0, bar_width_ = 0, words_width_ = 0;
};

}  // namespace

Drawing occupancy_figure(const OccupancyFigureInput& input, const Measure& measure) {
    return OccupancyFigure(input, measure).draw();
}

}  // namespace lanewise
