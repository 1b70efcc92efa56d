// The waterfall: from the memory's peak down to the stage, one row per cause, each with what it
// leaves and, hatched, what it takes away. Rows are in the order given.
#include <fmt/format.h>

#include <algorithm>

#include "figure/chart/chart_parts.h"
#include "figure/drawing/figures.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kCauseRow = 26;

class WaterfallFigure {
  public:
    WaterfallFigure(const WaterfallFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        figure_.width = in_.width;
        most_ = std::max(in_.peak_gb_per_s, in_.measured_gb_per_s);
        for (const WaterfallStep& step : in_.steps) most_ = std::max(most_, step.gb_per_s);
        shape_columns();
    }

    Drawing draw() {
        if (in_.peak_gb_per_s <= 0) return words_only("There is no model.", in_.width, measure_);
        if (!in_.caption.empty())
            y_ = paragraph(figure_, {0, 0}, in_.width, in_.caption, kNoteSize,
                           Fill::of(Ink::text_dim), measure_) +
                 4;
        float top = y_;
        double before = in_.peak_gb_per_s;
        draw_row(in_.peak_name, before, before, "");
        for (const WaterfallStep& step : in_.steps) {
            draw_row(step.name, before, step.gb_per_s, step.because);
            before = step.gb_per_s;
        }
        draw_measured(top);
        draw_legend();
        figure_.height = y_;
        return std::move(figure_);
    }

  private:
    bool wide() const { return in_.width >= kNamesBeside; }

    void shape_columns() {
        value_width_ = measure_(rate(most_), kNoteSize, Font::mono) + 6;
        loss_width_ = measure_("-" + rate(most_), kNoteSize, Font::mono) + 6;
        float widest = measure_(in_.peak_name, kBodySize, Font::text);
        for (const WaterfallStep& step : in_.steps)
            widest = std::max(widest, measure_(step.name, kBodySize, Font::text));
        bar_x_ = wide() ? std::min(widest + 12, in_.width * 0.35f) : 0;
        bar_width_ = in_.width - bar_x_ - 2 - (wide() ? value_width_ + loss_width_ + 4 : 0);
    }

    float x_of(double gb_per_s) const {
        return bar_x_ + bar_width_ * static_cast<float>(std::max(0.0, gb_per_s) / most_);
    }

    void draw_row(const std::string& name, double before, double after,
                  const std::string& because) {
        float height = wide() ? kCauseRow : kCauseRow + kNameHeight;
        float title_height = wide() ? kCauseRow : kNameHeight;
        float top = wide() ? y_ + (kCauseRow - kBarHeight) / 2 : y_ + kNameHeight + 3;
        float right = in_.width - 2, numbers = value_width_ + loss_width_;
        float room = wide() ? bar_x_ - 8 : in_.width - numbers - 8;
        figure_.text({0, y_, room, title_height},
                     shortened(name, room, kBodySize, Font::text, measure_), kBodySize,
                     Fill::of(Ink::text));
        figure_.text({right - value_width_, y_, value_width_, title_height}, rate(after), kNoteSize,
                     Fill::of(Ink::text), Align::right, Font::mono);
        if (before - after >= 0.5)
            figure_.text({right - numbers, y_, loss_width_, title_height},
                         "-" + rate(before - after), kNoteSize, Fill::of(Ink::text_dim),
                         Align::right, Font::mono);
        figure_.rect({bar_x_, top, std::max(1.0f, x_of(after) - bar_x_), kBarHeight},
                     Fill::of(Ink::model), Fill::none(), 2);
        if (x_of(before) - x_of(after) >= 1) {
            Box lost{x_of(after), top, x_of(before) - x_of(after), kBarHeight};
            figure_.rect(lost, Fill::of(Ink::wasted, 0.25f));
            hatch(figure_, lost, Fill::of(Ink::wasted), 5);
        }
        figure_.hit({0, y_, in_.width, height}, because.empty() ? name : name + ": " + because);
        y_ += height;
    }

    // A line through all rows, named below them.
    void draw_measured(float top) {
        if (in_.measured_gb_per_s <= 0) return;
        float x = x_of(in_.measured_gb_per_s);
        figure_.line({x, top}, {x, y_}, Fill::of(Ink::live), 1.5f);
        double error = 100 * (last() / in_.measured_gb_per_s - 1);
        y_ = paragraph(figure_, {0, y_ + 2}, in_.width,
                       fmt::format("Line: measured, {} {}; the model is {:.0f} % {}.",
                                   rate(in_.measured_gb_per_s), in_.unit, std::abs(error),
                                   error < 0 ? "below" : "above"),
                       kNoteSize, Fill::of(Ink::text), measure_);
    }

    double last() const {
        return in_.steps.empty() ? in_.peak_gb_per_s : in_.steps.back().gb_per_s;
    }

    void draw_legend() {
        y_ = legend(figure_, {1, y_ + 4}, in_.width - 2,
                    {{Fill::of(Ink::model), Fill::none(), false, "what is left, " + in_.unit},
                     {Fill::of(Ink::wasted, 0.25f), Fill::of(Ink::wasted), true,
                      "what this takes away"}},
                    measure_) +
             2;
    }

    const WaterfallFigureInput& in_;
    const Measure& measure_;
    Drawing figure_;
    double most_ = 0;
    float y_ = 0, value_width_ = 0, loss_width_ = 0, bar_x_ = 0, bar_width_ = 0;
};

}  // namespace

Drawing waterfall_figure(const WaterfallFigureInput& input, const Measure& measure) {
    return WaterfallFigure(input, measure).draw();
}

}  // namespace lanewise
