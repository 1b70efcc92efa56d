#include "figure/chart/sweep_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "figure/drawing/marks.h"

namespace lanewise {

namespace {

constexpr float kLowestRow = 30, kHighestRow = 64, kHead = 20, kGap = 4;
constexpr float kLeastMap = 200, kBetweenMaps = 20;  // of maps side by side

class Sweep {
  public:
    Sweep(const SweepFigureInput& input, const Measure& measure)
        : input_(input), measure_(measure) {
        for (const SweepCell& cell : input.cells) {
            across_.insert(cell.across);
            down_.insert(cell.down);
            maps_.insert(input.map.empty() ? 0 : cell.map);
            best_ = std::max(best_, cell.gb_per_s);
        }
        whole_ = input.copy_gb_per_s > 0 ? input.copy_gb_per_s : best_;
        gutter_ = measure_(input.down, kNoteSize, Font::mono) + 14;
        for (int64_t value : down_)
            gutter_ =
                std::max(gutter_, measure_(std::to_string(value), kNoteSize, Font::mono) + 14);
        auto fitting =
            static_cast<size_t>((input.width + kBetweenMaps) / (kLeastMap + kBetweenMaps));
        beside_ = std::clamp<size_t>(fitting, 1, maps_.size());
        // As even rows of maps as can be: 4 maps of which 3 fit stand two by two.
        size_t rows = (maps_.size() + beside_ - 1) / beside_;
        beside_ = (maps_.size() + rows - 1) / rows;
        auto beside = static_cast<float>(beside_);
        map_width_ = (input.width - kBetweenMaps * (beside - 1)) / beside;
        cell_ = (map_width_ - gutter_) / static_cast<float>(across_.size());
        float others = static_cast<float>(rows) * (head() + kBetweenMaps) + 4 * kHead;
        auto cells = static_cast<float>(rows * down_.size());
        row_ = std::clamp((input.height - others) / cells, kLowestRow, kHighestRow);
    }

    Drawing draw() {
        figure_.width = input_.width;
        float y = paragraph(figure_, {0, 0}, input_.width, input_.caption, kNoteSize,
                            Fill::of(Ink::text_dim), measure_) +
                  kGap;
        float height = head() + row_ * static_cast<float>(down_.size());
        size_t drawn = 0;
        for (int64_t map : maps_) {
            if (drawn > 0 && drawn % beside_ == 0) y += height + kBetweenMaps;
            draw_map({(map_width_ + kBetweenMaps) * static_cast<float>(drawn % beside_), y}, map);
            ++drawn;
        }
        y += height;
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
    float head() const { return input_.map.empty() ? 2 * kHead : 3 * kHead; }

    void draw_map(Point at, int64_t map) {
        float y = at.y;
        if (!input_.map.empty()) {
            std::string title = input_.map + " = " + std::to_string(map);
            figure_.text({at.x, y, map_width_, kHead},
                         shortened(title, map_width_, kBodySize, Font::bold, measure_), kBodySize,
                         Fill::of(Ink::text), Align::left, Font::bold);
            y += kHead;
        }
        label({at.x + gutter_, y, map_width_ - gutter_, kHead}, input_.across);
        label({at.x, y + kHead, gutter_ - kGap, kHead}, input_.down);
        float x = at.x + gutter_;
        for (int64_t value : across_) {
            label({x, y + kHead, cell_, kHead}, std::to_string(value));
            x += cell_;
        }
        y += 2 * kHead;
        for (int64_t down : down_) {
            label({at.x, y, gutter_ - kGap, row_}, std::to_string(down));
            x = at.x + gutter_;
            for (int64_t across : across_) {
                draw_cell({x, y, cell_ - 2, row_ - 2}, across, down, map);
                x += cell_;
            }
            y += row_;
        }
    }

    void label(Box box, const std::string& text) {
        figure_.text(box, shortened(text, box.w, kNoteSize, Font::mono, measure_), kNoteSize,
                     Fill::of(Ink::text_dim), Align::center, Font::mono);
    }
    void draw_cell(Box box, int64_t across, int64_t down, int64_t map) {
        auto cell = std::find_if(input_.cells.begin(), input_.cells.end(), [&](const SweepCell& c) {
            return c.across == across && c.down == down && (input_.map.empty() || c.map == map);
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
        bool is_chosen = across == input_.chosen_across && down == input_.chosen_down &&
                         (input_.map.empty() || map == input_.chosen_map);
        if (is_chosen)
            figure_.rect({box.x + 2, box.y + 2, box.w - 4, box.h - 4}, Fill::none(),
                         Fill::of(Ink::accent), 2);
        text_if_it_fits(figure_, box, fmt::format("{:.0f}", 100 * share), kNoteSize,
                        Fill::of(Ink::text), measure_);
        figure_.hit(box, cell->tooltip, cell->action);
    }

    const SweepFigureInput& input_;
    const Measure& measure_;
    std::set<int64_t> across_, down_, maps_;
    size_t beside_ = 1;
    double best_ = 0, whole_ = 0;
    float gutter_ = 0, cell_ = 0, row_ = kLowestRow, map_width_ = 0;
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
