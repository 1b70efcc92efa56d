#include "figure/sweep_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "figure/marks.h"

namespace lanewise {

namespace {

constexpr float kRow = 30, kHead = 20, kGap = 4;

class Sweep {
  public:
    Sweep(const SweepFigureInput& input, const Measure& measure)
        : input_(input), measure_(measure) {
        for (const SweepCell& cell : input.cells) {
            across_.insert(cell.across);
            down_.insert(cell.down);
            best_ = std::max(best_, cell.gb_per_s);
        }
        whole_ = input.copy_gb_per_s > 0 ? input.copy_gb_per_s : best_;
        gutter_ = measure_(input.down, kNoteSize, Font::mono) + 14;
        for (int64_t value : down_)
            gutter_ =
                std::max(gutter_, measure_(std::to_string(value), kNoteSize, Font::mono) + 14);
        cell_ = (input.width - gutter_) / static_cast<float>(across_.size());
    }

    Drawing draw() {
        figure_.width = input_.width;
        float y = paragraph(figure_, {0, 0}, input_.width, input_.caption, kNoteSize,
                            Fill::of(Ink::text_dim), measure_) +
                  kGap;
        label({gutter_, y, input_.width - gutter_, kHead}, input_.across);
        label({0, y + kHead, gutter_ - kGap, kHead}, input_.down);
        float x = gutter_;
        for (int64_t value : across_) {
            label({x, y + kHead, cell_, kHead}, std::to_string(value));
            x += cell_;
        }
        y += 2 * kHead;
        for (int64_t down : down_) {
            label({0, y, gutter_ - kGap, kRow}, std::to_string(down));
            x = gutter_;
            for (int64_t across : across_) {
                draw_cell({x, y, cell_ - 2, kRow - 2}, across, down);
                x += cell_;
            }
            y += kRow;
        }
        std::string legend = input_.copy_gb_per_s > 0 ? "In per cent of the best copy."
                                                      : "In per cent of the best setting.";
        figure_.height = paragraph(figure_, {0, y + kGap}, input_.width,
                                   legend +
                                       " Outlined: the fastest. Empty: not offered, or not "
                                       "measured.",
                                   kNoteSize, Fill::of(Ink::text_dim), measure_);
        return std::move(figure_);
    }

  private:
    void label(Box box, const std::string& text) {
        figure_.text(box, shortened(text, box.w, kNoteSize, Font::mono, measure_), kNoteSize,
                     Fill::of(Ink::text_dim), Align::center, Font::mono);
    }
    void draw_cell(Box box, int64_t across, int64_t down) {
        auto cell = std::find_if(input_.cells.begin(), input_.cells.end(), [&](const SweepCell& c) {
            return c.across == across && c.down == down;
        });
        if (cell == input_.cells.end() || cell->gb_per_s <= 0) {
            figure_.rect(box, Fill::none(), Fill::of(Ink::grid));
            return;
        }
        // The whole range of the colour for what is there: shares of a sweep lie close together.
        double share = cell->gb_per_s / whole_;
        float strength = static_cast<float>(0.06 + 0.34 * cell->gb_per_s / best_);
        bool is_best = cell->gb_per_s == best_;
        figure_.rect(box, Fill::of(Ink::accent, strength),
                     is_best ? Fill::of(Ink::good) : Fill::none(), 2);
        bool is_chosen = across == input_.chosen_across && down == input_.chosen_down;
        if (is_chosen)
            figure_.rect({box.x + 2, box.y + 2, box.w - 4, box.h - 4}, Fill::none(),
                         Fill::of(Ink::accent), 2);
        text_if_it_fits(figure_, box, fmt::format("{:.0f}", 100 * share), kNoteSize,
                        Fill::of(Ink::text), measure_);
        figure_.hit(box, cell->tooltip, cell->action);
    }

    const SweepFigureInput& input_;
    const Measure& measure_;
    std::set<int64_t> across_, down_;
    double best_ = 0, whole_ = 0;
    float gutter_ = 0, cell_ = 0;
    Drawing figure_;
};

}  // namespace

Drawing sweep_figure(const SweepFigureInput& input, const Measure& measure) {
    bool any = std::any_of(input.cells.begin(), input.cells.end(),
                           [](const SweepCell& cell) { return cell.gb_per_s > 0; });
    if (!any) return words_only("No sweep was measured at this shape.", input.width, measure);
    return Sweep(input, measure).draw();
}

}  // namespace lanewise
