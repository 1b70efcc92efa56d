#include "figure/chart/pairs_figure.h"

#include <algorithm>

#include "figure/chart/plot_figure.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kPairRow = 36, kLine = 17, kWide = 640, kDot = 5;

class PairsFigure {
  public:
    PairsFigure(const PairsFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        figure_.width = in_.width;
        std::vector<double> values = {in_.mark};
        for (const PairsRow& row : in_.rows) {
            values.insert(values.end(), {row.published, row.ours});
            words_width_ = std::max(
                {words_width_, words(row.published_words) + 16, words(row.ours_words) + 16});
        }
        axis_.log = in_.log;
        range_ = axis_range(axis_, values);
        float names = wide() ? names_width() : 0;
        plot_ = {names, 0, in_.width - names - words_width_ - 14, 0};
    }

    Drawing draw() {
        std::string said =
            wide() ? in_.caption
                   : in_.caption + (in_.caption.empty() ? "" : ". ") + "Axis: " + in_.axis;
        y_ = paragraph(figure_, {0, 0}, in_.width, said, kNoteSize, dim(), measure_) + 4;
        draw_legend();
        float top = y_ + kLine, height = row_height() * static_cast<float>(in_.rows.size());
        draw_axis(top, height);
        y_ = top;
        bool shaded = false;
        for (const PairsRow& row : in_.rows) draw_row(row, shaded = !shaded);
        y_ += 4;
        for (const std::string& note : in_.notes)
            y_ = paragraph(figure_, {0, y_}, in_.width, note, kNoteSize, dim(), measure_);
        figure_.height = y_ + 2;
        return std::move(figure_);
    }

  private:
    static Fill dim() { return Fill::of(Ink::text_dim); }
    bool wide() const { return in_.width >= kWide; }
    float row_height() const { return wide() ? kPairRow : kPairRow + 2 * kLine; }
    // As much as the longest of them needs, as long as a readable plot is left.
    float names_width() const {
        constexpr float kShare = 0.36f, kLeastPlot = 260;
        float longest = 0;
        for (const PairsRow& row : in_.rows)
            longest = std::max({longest, measure_(row.name, kBodySize, Font::text),
                                measure_(row.of, kNoteSize, Font::text)});
        return std::max(kShare * in_.width,
                        std::min(longest + 14, in_.width - words_width_ - 14 - kLeastPlot));
    }
    float words(const std::string& text) const { return measure_(text, kNoteSize, Font::mono); }
    float x_of(double value) const {
        return plot_.x + kDot +
               (plot_.w - 2 * kDot) * static_cast<float>(share_of(axis_, range_, value));
    }

    void draw_legend() {
        bool doubtful = std::any_of(in_.rows.begin(), in_.rows.end(),
                                    [](const PairsRow& row) { return row.doubtful; });
        std::string said = "diamond: published";
        if (doubtful) said += " (struck through: read the caveat first)";
        y_ = legend(figure_, {1, y_}, in_.width - 2,
                    {{Fill::of(Ink::background), Fill::of(Ink::published), false, said},
                     {Fill::of(Ink::recorded), Fill::none(), false, "dot: " + in_.ours_name}},
                    measure_) +
             6;
    }

    void draw_axis(float top, float height) {
        figure_.text({0, y_, std::max(plot_.x - 8, 0.0f), kLine},
                     wide() ? shortened(in_.axis, plot_.x - 8, kNoteSize, Font::text, measure_)
                            : std::string(),
                     kNoteSize, dim(), Align::right);
        float free_from = 0;
        for (const PlotTick& tick : round_ticks(axis_, range_, static_cast<int>(plot_.w / 70))) {
            float x = x_of(tick.value);
            std::string label = tick.label + in_.unit;
            float width = words(label) + 1;
            draw_through_rows(x, top, height, Fill::of(Ink::grid), 1);
            float left = std::clamp(x - width / 2, 0.0f, in_.width - width);
            if (left < free_from) continue;
            figure_.text({left, y_, width, kLine}, label, kNoteSize, dim(), Align::center,
                         Font::mono);
            free_from = left + width + 8;
        }
        if (in_.mark <= 0) return;
        float x = x_of(in_.mark);
        draw_through_rows(x, top, height, Fill::of(Ink::datasheet), 1.5f);
        figure_.hit({x - 3, top, 6, height}, in_.mark_words);
    }

    // Beside the marks alone: names stand above them where there is no room beside them.
    void draw_through_rows(float x, float top, float height, Fill ink, float width) {
        float named = wide() ? 0 : 2 * kLine;
        for (float y = top; y < top + height - 1; y += row_height())
            figure_.line({x, y + named}, {x, y + row_height()}, ink, width).dashed = width > 1;
    }

    void draw_row(const PairsRow& row, bool shaded) {
        float height = row_height();
        Box box{0, y_, in_.width, height};
        if (shaded) figure_.rect(box, Fill::of(Ink::grid, 0.25f));
        float names = wide() ? plot_.x - 12 : in_.width - 4;
        figure_.text({2, y_ + 2, names, kLine},
                     shortened(row.name, names, kBodySize, Font::text, measure_), kBodySize);
        figure_.text({2, y_ + 1 + kLine, names, kLine},
                     shortened(row.of, names, kNoteSize, Font::text, measure_), kNoteSize, dim());
        float top = wide() ? y_ : y_ + 2 * kLine;
        draw_marks(row, top + kPairRow / 2);
        float x = plot_.x + plot_.w + 12;
        draw_words({x, top + 2, words_width_, kLine}, row.published_words, Ink::text_dim);
        draw_words({x, top + 1 + kLine, words_width_, kLine}, row.ours_words,
                   row.ours > 0 ? Ink::text : Ink::text_dim);
        figure_.hit(box, row.tooltip, row.action);
        y_ += height;
    }

    void draw_words(Box box, const std::string& text, Ink ink) {
        figure_.text(box, text, kNoteSize, Fill::of(ink), Align::right, Font::mono);
    }

    void draw_marks(const PairsRow& row, float y) {
        if (row.published > 0 && row.ours > 0)
            figure_.line({x_of(row.published), y}, {x_of(row.ours), y},
                         Fill::of(Ink::text_dim, 0.6f), 1.5f);
        if (row.ours > 0)
            figure_.rect({x_of(row.ours) - kDot, y - kDot, 2 * kDot, 2 * kDot},
                         Fill::of(Ink::recorded), Fill::none(), kDot);
        if (row.published <= 0) return;
        float x = x_of(row.published);
        auto diamond = [&](float r) {
            return std::vector<Point>{{x - r, y}, {x, y - r}, {x + r, y}, {x, y + r}};
        };
        figure_.polygon(diamond(kDot + 1), Fill::of(Ink::published));
        figure_.polygon(diamond(kDot - 1.5f), Fill::of(Ink::background));
        if (row.doubtful)
            figure_.line({x - kDot, y + kDot}, {x + kDot, y - kDot}, Fill::of(Ink::published),
                         1.5f);
    }

    const PairsFigureInput& in_;
    const Measure& measure_;
    Drawing figure_;
    PlotAxis axis_;
    std::pair<double, double> range_;
    Box plot_;
    float words_width_ = 0, y_ = 0;
};

}  // namespace

Drawing pairs_figure(const PairsFigureInput& input, const Measure& measure) {
    if (input.rows.empty()) return words_only(input.nothing, input.width, measure);
    return PairsFigure(input, measure).draw();
}

}  // namespace lanewise
