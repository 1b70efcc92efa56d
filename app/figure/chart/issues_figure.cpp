#include "figure/chart/issues_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kCardPad = 10, kBetweenCards = 8, kCardBar = 10, kCardSign = 14;

class IssuesFigure {
  public:
    IssuesFigure(const IssuesFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        figure_.width = in_.width;
    }

    Drawing draw() {
        draw_words();
        for (const IssueRow& row : in_.rows) draw_card(row);
        for (const std::string& words : in_.below)
            y_ = paragraph(figure_, {0, y_}, in_.width, words, kNoteSize, Fill::of(Ink::text_dim),
                           measure_) +
                 kBetweenCards / 2;
        figure_.height = y_ + 1;
        return std::move(figure_);
    }

  private:
    void draw_words() {
        const auto worst = std::find_if(in_.rows.begin(), in_.rows.end(),
                                        [](const IssueRow& row) { return row.avoidable; });
        const bool fine = worst == in_.rows.end();
        std::string words = "The model finds nothing that this kernel loses.";
        if (!fine)
            words = fmt::format("{} of {} would be saved without the costliest issue.",
                                in_microseconds(worst->us), in_microseconds(in_.time_us));
        y_ = paragraph(figure_, {0, 0}, in_.width, words, kTitleSize,
                       Fill::of(fine ? Ink::good : Ink::warn), measure_, Font::bold);
        const std::string range =
            in_.low_us < in_.high_us
                ? fmt::format(", between {} and {},", in_microseconds(in_.low_us),
                              in_microseconds(in_.high_us))
                : "";
        y_ = paragraph(figure_, {0, y_}, in_.width,
                       fmt::format("{} in all{} as the model has it for {}. {}",
                                   in_microseconds(in_.time_us), range, in_.card, in_.about),
                       kNoteSize, Fill::of(Ink::text_dim), measure_) +
             kBetweenCards;
    }

    void draw_card(const IssueRow& row) {
        const float top = y_, inner = in_.width - 2 * kCardPad - 2;
        const size_t frame = figure_.shapes.size();  // lies below what follows
        const bool chosen = row.line > 0 && row.line == in_.line;
        figure_
            .rect({1, top, in_.width - 2, 0}, Fill::of(Ink::panel),
                  Fill::of(chosen ? Ink::accent : Ink::border), 6)
            .stroke_width = chosen ? 2.f : 1.f;
        y_ = top + kCardPad;
        draw_title(row, inner);
        draw_bar(row, inner);
        if (!row.fix.empty())
            y_ = paragraph(figure_, {1 + kCardPad, y_ + 4}, inner, row.fix, kBodySize,
                           Fill::of(Ink::text), measure_);
        y_ += kCardPad;
        figure_.shapes[frame].box.h = y_ - top;
        figure_.hit({1, top, in_.width - 2, y_ - top},
                    fmt::format("{}: {} more by the model, {} without it", row.title,
                                in_microseconds(row.us), in_microseconds(row.us_without)),
                    row.line > 0 ? fmt::format("line:{}", row.line) : "");
        y_ += kBetweenCards;
    }

    // The sign, what it is and where, and on the right what it adds.
    void draw_title(const IssueRow& row, float inner) {
        const float x = 1 + kCardPad, high = line_height(kBodySize);
        const std::string adds = "+" + in_microseconds(row.us);
        const Ink ink = row.avoidable ? Ink::warn : Ink::text_dim;
        const float wide = measure_(adds, kBodySize, Font::bold) + 2;
        figure_.text({x + inner - wide, y_, wide, high}, adds, kBodySize, Fill::of(ink),
                     Align::right, Font::bold);
        if (row.avoidable) draw_sign({x, y_ + 2});
        const float sign = row.avoidable ? kCardSign + 6 : 0;
        float left = x + sign, room = inner - sign - wide - 6;
        for (const std::string& words : wrapped(row.title, room, kBodySize, Font::bold, measure_)) {
            figure_.text({left, y_, room, high}, words, kBodySize, Fill::of(Ink::text), Align::left,
                         Font::bold);
            y_ += high;
        }
        const std::string where =
            row.line > 0 ? fmt::format("line {}", row.line) : std::string("the whole kernel");
        figure_.text({left, y_, room, line_height(kNoteSize)}, where, kNoteSize,
                     Fill::of(Ink::text_dim), Align::left, Font::mono);
        y_ += line_height(kNoteSize) + 3;
    }
    void draw_sign(Point at) {
        const float middle = at.x + kCardSign / 2;
        const float foot = at.y + kCardSign - 1;
        figure_.polygon({{middle, at.y}, {at.x + kCardSign, foot}, {at.x, foot}},
                        Fill::of(Ink::warn));
        figure_.rect({middle - 1, at.y + 5, 2, 4}, Fill::of(Ink::background));
        figure_.rect({middle - 1, at.y + 10, 2, 2}, Fill::of(Ink::background));
    }

    void draw_bar(const IssueRow& row, float inner) {
        const float x = 1 + kCardPad;
        const auto part =
            static_cast<float>(in_.time_us > 0 ? std::clamp(row.us / in_.time_us, 0.0, 1.0) : 0);
        const float rest = inner * (1 - part);
        figure_.rect({x, y_, rest, kCardBar}, Fill::of(Ink::useful));
        const Box vain{x + rest, y_, inner - rest, kCardBar};
        figure_.rect(vain, Fill::of(row.avoidable ? Ink::warn : Ink::border));
        hatch(figure_, vain, Fill::of(Ink::background, 0.5f), 5);
        y_ += kCardBar + 2;
        figure_.text({x, y_, inner, line_height(kNoteSize)},
                     shortened(in_microseconds(row.us_without) + " without it", inner, kNoteSize,
                               Font::text, measure_),
                     kNoteSize, Fill::of(Ink::text_dim));
        y_ += line_height(kNoteSize);
    }

    const IssuesFigureInput& in_;
    const Measure& measure_;
    Drawing figure_;
    float y_ = 0;
};

}  // namespace

std::string in_microseconds(double us) {
    return fmt::format("{:.{}f} µs", us, us < 10 ? 2 : us < 1000 ? 1 : 0);
}

Drawing issues_figure(const IssuesFigureInput& input, const Measure& measure) {
    if (!input.instead.empty()) return words_only(input.instead, input.width, measure);
    if (input.time_us <= 0)
        return words_only("There is no model of this launch, so nothing is ranked.", input.width,
                          measure);
    return IssuesFigure(input, measure).draw();
}

}  // namespace lanewise
