// The ladder: a horizontal bar per stage, so that titles stay readable, against the copy and the
// datasheet. Narrow panels put a bar's title above it, wide ones beside it.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "figure/chart/chart_parts.h"
#include "figure/drawing/figures.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kInset = 8;         // of titles, right of the mark of the selected stage
constexpr float kTitleHeight = 18;  // of titles above their bars

class LadderFigure {
  public:
    LadderFigure(const LadderFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        figure_.width = input.width;
        for (const LadderBar& bar : in_.bars) {
            most_ = std::max({most_, bar.gb_per_s, bar.high, bar.model_gb_per_s});
            any_figure_ |= bar.gb_per_s > 0;
            for (const PublishedMark& mark : bar.published) most_ = std::max(most_, mark.gb_per_s);
            for (const PublishedMark& mark : bar.others) most_ = std::max(most_, mark.gb_per_s);
        }
        most_ = std::max({most_, in_.copy_gb_per_s, in_.datasheet_gb_per_s}) * 1.01;
        if (most_ <= 0) most_ = 1;
        shape_columns();
    }

    Drawing draw() {
        if (!in_.caption.empty())
            y_ = paragraph(figure_, {0, 0}, in_.width, in_.caption, kNoteSize,
                           Fill::of(Ink::text_dim), measure_) +
                 4;
        if (!any_figure_)
            y_ = paragraph(figure_, {0, y_}, in_.width,
                           "No measurement yet: press Run, or record on a GPU.", kBodySize,
                           Fill::of(Ink::text), measure_) +
                 4;
        draw_reference_labels();
        shape_rows();
        draw_references();
        for (const LadderBar& bar : in_.bars) draw_bar(bar);
        y_ += 4;
        draw_legend();
        figure_.height = y_;
        return std::move(figure_);
    }

  private:
    bool wide() const { return in_.width >= kNamesBeside; }
    bool has_percent() const { return in_.copy_gb_per_s > 0; }

    void shape_columns() {
        float gap = 8;
        percent_width_ = has_percent() ? measure_("100 %", kNoteSize, Font::mono) + gap : 0;
        value_width_ = measure_(rate(most_), kNoteSize, Font::mono) + gap;
        if (wide()) {
            for (const LadderBar& bar : in_.bars)
                title_width_ = std::max(title_width_, measure_(bar.label, kBodySize, Font::bold));
            title_width_ = std::min(title_width_ + 14, in_.width * 0.35f);
        }
        bar_x_ = wide() ? title_width_ : kInset;
        bar_width_ = wide() ? in_.width - title_width_ - percent_width_ - value_width_
                            : in_.width - kInset - 2;
    }

    float x_of(double gb_per_s) const {
        return bar_x_ + bar_width_ * static_cast<float>(gb_per_s / most_);
    }

    // ---- copy and datasheet: a line each through all bars, named above

    void draw_reference(double value, const std::string& name, Ink ink) {
        if (value <= 0) return;
        std::string words = fmt::format("{} {} {}", name, rate(value), in_.unit);
        float width = measure_(words, kNoteSize, Font::text) + 1, height = line_height(kNoteSize);
        float x = x_of(value);
        bool left_of_line = x - width - 5 >= 0;
        float label_x = left_of_line ? x - width - 5 : std::min(x + 5, in_.width - width);
        figure_.text({label_x, y_, width, height}, words, kNoteSize, Fill::of(ink),
                     left_of_line ? Align::right : Align::left);
        references_.push_back({x, y_ + 2, ink});
        figure_.hit({label_x, y_, width, height}, words);
        y_ += height;
    }

    void draw_reference_labels() {
        draw_reference(in_.datasheet_gb_per_s, "datasheet", Ink::datasheet);
        draw_reference(in_.copy_gb_per_s, in_.ceiling, Ink::copy);
        if (!references_.empty()) y_ += 4;
    }

    void shape_rows() {
        float legend_room = line_height(kNoteSize) * 2 + 8;
        float room = (in_.height - y_ - legend_room) / float(std::max<size_t>(1, in_.bars.size()));
        row_height_ = wide() ? std::clamp(room, 24.0f, 34.0f) : std::clamp(room, 36.0f, 44.0f);
    }

    // Through all bars; where titles and numbers stand above the bars, only beside the bars.
    void draw_references() {
        for (size_t i = 0; i < in_.bars.size(); ++i) {
            float top = y_ + row_height_ * static_cast<float>(i), bottom = top + row_height_;
            for (const Reference& r : references_) {
                float from = wide() ? top : top + kTitleHeight;
                if (i == 0) figure_.line({r.x, r.top}, {r.x, top}, Fill::of(r.ink), 1.5f);
                figure_.line({r.x, from}, {r.x, bottom}, Fill::of(r.ink), 1.5f).dashed =
                    r.ink == Ink::datasheet;
            }
        }
    }

    // ---- bars

    void draw_bar(const LadderBar& bar) {
        Box row{0, y_, in_.width, row_height_};
        if (bar.selected) {
            figure_.rect({row.x, row.y + 1, row.w, row.h - 2}, Fill::of(Ink::accent, 0.12f),
                         Fill::none(), 4);
            figure_.rect({row.x, row.y + 1, 3, row.h - 2}, Fill::of(Ink::accent), Fill::none(), 1);
        }
        float title_height = wide() ? row_height_ : kTitleHeight;
        draw_title(bar, title_height);
        draw_numbers(bar, title_height);
        float thick = wide() ? 14 : row_height_ - title_height - 8;
        float top = wide() ? y_ + (row_height_ - thick) / 2 : y_ + title_height + 2;
        if (bar.gb_per_s > 0) draw_mark(bar, top, thick);
        figure_.hit(row, bar.tooltip.empty() ? bar.label : bar.tooltip, "stage:" + bar.id);
        for (const PublishedMark& mark : bar.others) draw_other(bar, mark, top + thick / 2);
        for (const PublishedMark& mark : bar.published) draw_published(bar, mark, top + thick / 2);
        y_ += row_height_;
    }

    static constexpr const char* kNone = "not measured";

    // What draw_numbers needs at the right.
    float numbers_width(const LadderBar& bar) const {
        if (bar.gb_per_s <= 0) return measure_(kNone, kNoteSize, Font::text) + 3;
        return measure_(rate(bar.gb_per_s), kNoteSize, Font::mono) + percent_width_ + 4;
    }

    void draw_title(const LadderBar& bar, float height) {
        float room = (wide() ? title_width_ : in_.width - numbers_width(bar)) - kInset - 4;
        Font font = bar.selected ? Font::bold : Font::text;
        figure_.text({kInset, y_ + (wide() ? 0 : 2.0f), room, height},
                     shortened(bar.label, room, kBodySize, font, measure_), kBodySize,
                     Fill::of(bar.gb_per_s > 0 || bar.selected ? Ink::text : Ink::text_dim),
                     Align::left, font);
    }

    void draw_numbers(const LadderBar& bar, float height) {
        float right = in_.width - 2, y = y_ + (wide() ? 0 : 2.0f);
        if (bar.gb_per_s <= 0) {
            float width = measure_(kNone, kNoteSize, Font::text) + 1;
            figure_.text({right - width, y, width, height}, kNone, kNoteSize,
                         Fill::of(Ink::text_dim), Align::right);
            return;
        }
        if (has_percent()) {
            double share = bar.share > 0 ? bar.share : bar.gb_per_s / in_.copy_gb_per_s;
            figure_.text({right - percent_width_ + 2, y, percent_width_ - 2, height},
                         percent(share), kNoteSize, Fill::of(Ink::text_dim), Align::right,
                         Font::mono);
            right -= percent_width_;
        }
        figure_.text({right - value_width_ + 2, y, value_width_ - 2, height}, rate(bar.gb_per_s),
                     kNoteSize, Fill::of(Ink::text), Align::right, Font::mono);
    }

    // The bar, its 5-95 % whisker and the model's tick.
    void draw_mark(const LadderBar& bar, float top, float thick) {
        bool live = bar.source == LadderBar::Source::live;
        Ink ink = live ? Ink::live : Ink::recorded;
        Box box{bar_x_, top, std::max(1.0f, x_of(bar.gb_per_s) - bar_x_), thick};
        figure_.rect(box, Fill::of(ink, live ? 1 : 0.45f), Fill::none(), 2);
        if (!live) hatch(figure_, box, Fill::of(ink), 6);
        figure_.rect(box, Fill::none(), Fill::of(ink), 2);
        float middle = top + thick / 2;
        if (bar.high > bar.low) {
            float low = x_of(bar.low), high = x_of(bar.high);
            figure_.line({low, middle}, {high, middle}, Fill::of(Ink::text), 1.25f);
            for (float x : {low, high})
                figure_.line({x, middle - 3}, {x, middle + 3}, Fill::of(Ink::text), 1.25f);
        }
        draw_model(bar, top, thick);
    }

    void draw_model(const LadderBar& bar, float top, float thick) {
        if (bar.model_gb_per_s <= 0) return;
        float x = x_of(bar.model_gb_per_s);
        figure_.line({x, top - 3}, {x, top + thick + 3}, Fill::of(Ink::model), 2.5f);
    }

    // A diamond, told from the rest by its shape; a light one inside keeps it visible on a bar.
    void draw_published(const LadderBar& bar, const PublishedMark& mark, float y) {
        float x = x_of(mark.gb_per_s), r = 5;
        auto diamond = [&](float size) {
            return std::vector<Point>{{x - size, y}, {x, y - size}, {x + size, y}, {x, y + size}};
        };
        figure_.polygon(diamond(r), Fill::of(Ink::published));
        figure_.polygon(diamond(r - 2), Fill::of(Ink::background));
        figure_.hit({x - r, y - r, 2 * r, 2 * r}, mark.tooltip, "stage:" + bar.id);
    }

    void draw_other(const LadderBar& bar, const PublishedMark& mark, float y) {
        float x = x_of(mark.gb_per_s), r = 4;
        Box box{x - r, y - r, 2 * r, 2 * r};
        figure_.rect(box, Fill::of(Ink::background), Fill::of(Ink::recorded)).stroke_width = 1.5f;
        figure_.hit(box, mark.tooltip, "stage:" + bar.id);
    }

    void draw_legend() {
        bool live = false, recorded = false, model = false, spread = false, published = false;
        bool others = false;
        for (const LadderBar& bar : in_.bars) {
            bool measured = bar.gb_per_s > 0;
            live |= measured && bar.source == LadderBar::Source::live;
            recorded |= measured && bar.source != LadderBar::Source::live;
            model |= bar.model_gb_per_s > 0;
            spread |= measured && bar.high > bar.low;
            published |= !bar.published.empty();
            others |= !bar.others.empty();
        }
        std::vector<LegendItem> items;
        if (live) items.push_back({Fill::of(Ink::live), Fill::none(), false, "measured now"});
        if (recorded)
            items.push_back(
                {Fill::of(Ink::recorded, 0.45f), Fill::of(Ink::recorded), true, "recorded"});
        if (model) items.push_back({Fill::of(Ink::model), Fill::none(), false, "tick: the model"});
        if (published)
            items.push_back({Fill::of(Ink::background), Fill::of(Ink::published), false,
                             "diamond: published, other cards"});
        if (others)
            items.push_back({Fill::of(Ink::background), Fill::of(Ink::recorded), false,
                             "square: recorded on other cards"});
        if (spread)
            items.push_back({Fill::of(Ink::text), Fill::none(), false, "whisker: 5 to 95 %"});
        if (any_figure_)
            items.push_back({Fill::none(), Fill::none(), false,
                             fmt::format("numbers: {}{}", in_.unit,
                                         has_percent() ? " and % of " + in_.ceiling : "")});
        if (!items.empty()) y_ = legend(figure_, {1, y_}, in_.width - 2, items, measure_) + 2;
    }

    struct Reference {
        float x, top;
        Ink ink;
    };

    const LadderFigureInput& in_;
    const Measure& measure_;
    Drawing figure_;
    std::vector<Reference> references_;
    double most_ = 0;  // the axis' end, GB/s
    bool any_figure_ = false;
    float y_ = 0, row_height_ = 0;
    float title_width_ = 0, value_width_ = 0, percent_width_ = 0, bar_x_ = 0, bar_width_ = 0;
};

}  // namespace

Drawing ladder_figure(const LadderFigureInput& input, const Measure& measure) {
    return LadderFigure(input, measure).draw();
}

}  // namespace lanewise
