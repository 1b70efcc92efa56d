#include "figure/chart/fixes_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "figure/chart/issues_figure.h"
#include "figure/drawing/marks.h"

namespace lanewise {
namespace {

constexpr float kPad = 8, kBar = 12, kSign = 12, kBetween = 4;

class FixesFigure {
  public:
    FixesFigure(const FixesFigureInput& input, const Measure& measure)
        : in_(input), measure_(measure) {
        figure_.width = in_.width;
        longest_ = in_.before_us;
        for (const FixRow& row : in_.rows) longest_ = std::max(longest_, row.us);
    }

    Drawing draw() {
        draw_words();
        draw_row({"As it is", "", in_.before_us, false}, -1);
        for (size_t i = 0; i < in_.rows.size(); ++i)
            if (in_.rows[i].problem.empty()) draw_row(in_.rows[i], static_cast<int>(i));
        draw_left_out();
        figure_.height = y_ + 1;
        return std::move(figure_);
    }

  private:
    void draw_words() {
        const auto faster = std::count_if(in_.rows.begin(), in_.rows.end(),
                                          [](const FixRow& row) { return row.faster; });
        const std::string words =
            in_.rows.empty() ? "There is nothing to try here."
            : faster == 0
                ? "Nothing that was tried is faster."
                : fmt::format("{} is fastest: {} instead of {}.", in_.rows.front().title,
                              in_microseconds(in_.rows.front().us), in_microseconds(in_.before_us));
        y_ = paragraph(figure_, {0, 0}, in_.width, words, kTitleSize,
                       Fill::of(faster > 0 ? Ink::good : Ink::text), measure_, Font::bold);
        y_ = paragraph(
                 figure_, {0, y_}, in_.width,
                 fmt::format("Each was compiled, gave the same result, and is timed by the model for {}.",
                             in_.card),
                 kNoteSize, Fill::of(Ink::text_dim), measure_) +
             kBetween;
    }

    std::string change_of(const FixRow& row) const {
        if (row.us <= 0 || in_.before_us <= 0) return "not known";
        const double percent = 100 * (row.us / in_.before_us - 1);
        return std::abs(percent) < 0.5 ? "the same" : fmt::format("{:+.0f} %", percent);
    }

    void draw_row(const FixRow& row, int index) {
        const float top = y_, inner = in_.width - 2 * kPad - 2, x = 1 + kPad;
        const bool is_before = index < 0;
        const size_t frame = figure_.shapes.size();  // lies below what follows
        const bool chosen = !is_before && index == in_.chosen;
        figure_
            .rect({1, top, in_.width - 2, 0}, Fill::of(Ink::panel),
                  Fill::of(chosen ? Ink::accent : Ink::border), 6)
            .stroke_width = chosen ? 2.f : 1.f;
        y_ = top + kPad;
        const std::string right =
            is_before ? in_microseconds(row.us)
            : row.us > 0 ? fmt::format("{}  {}", in_microseconds(row.us), change_of(row))
                         : change_of(row);
        const float high = line_height(kBodySize);
        const float wide = measure_(right, kBodySize, Font::bold) + 2;
        figure_.text({x + inner - wide, y_, wide, high}, right, kBodySize,
                     Fill::of(row.faster ? Ink::good : Ink::text_dim), Align::right, Font::bold);
        if (row.faster) draw_sign({x, y_ + 2});
        const float left = row.faster ? x + kSign + 6 : x, room = x + inner - left - wide - 6;
        for (const std::string& words : wrapped(row.title, room, kBodySize, Font::bold, measure_)) {
            figure_.text({left, y_, room, high}, words, kBodySize,
                         Fill::of(is_before ? Ink::text_dim : Ink::text), Align::left, Font::bold);
            y_ += high;
        }
        draw_bar(row, x, inner, is_before);
        y_ += kPad;
        figure_.shapes[frame].box.h = y_ - top;
        figure_.hit({1, top, in_.width - 2, y_ - top}, fmt::format("{}: {}", row.title, right),
                    is_before ? "" : fmt::format("fix:{}", index));
        y_ += kBetween;
    }

    // Faster: an arrow down, so that it is told without colour.
    void draw_sign(Point at) {
        const float middle = at.x + kSign / 2;
        figure_.rect({middle - 2, at.y, 4, 6}, Fill::of(Ink::good));
        figure_.polygon({{at.x, at.y + 5}, {at.x + kSign, at.y + 5}, {middle, at.y + kSign}},
                        Fill::of(Ink::good));
    }

    // What it takes; of a faster one, as an outline, what it saves.
    void draw_bar(const FixRow& row, float x, float inner, bool is_before) {
        if (longest_ <= 0 || row.us <= 0) return;
        const auto length = [&](double us) { return inner * static_cast<float>(us / longest_); };
        y_ += 3;
        figure_.rect({x, y_, length(row.us), kBar},
                     Fill::of(row.faster ? Ink::good : is_before ? Ink::useful : Ink::border));
        if (row.faster) {
            const Box saved{x + length(row.us), y_, length(in_.before_us) - length(row.us), kBar};
            figure_.rect(saved, {}, Fill::of(Ink::good)).stroke_width = 1;
        }
        y_ += kBar;
    }

    void draw_left_out() {
        std::vector<std::pair<std::string, std::string>> left_out;  // each problem, and what has it
        for (const FixRow& row : in_.rows) {
            if (row.problem.empty()) continue;
            auto known = std::find_if(left_out.begin(), left_out.end(),
                                      [&](const auto& each) { return each.first == row.problem; });
            if (known == left_out.end())
                left_out.emplace_back(row.problem, row.title);
            else
                known->second += "; " + row.title;
        }
        for (const auto& [problem, titles] : left_out)
            y_ = paragraph(figure_, {0, y_ + 2}, in_.width,
                           fmt::format("Left out, as {}: {}", problem, titles), kNoteSize,
                           Fill::of(Ink::text_dim), measure_);
    }

    const FixesFigureInput& in_;
    const Measure& measure_;
    Drawing figure_;
    double longest_ = 0;
    float y_ = 0;
};

}  // namespace

Drawing fixes_figure(const FixesFigureInput& input, const Measure& measure) {
    if (input.before_us <= 0)
        return words_only("There is no time of this launch to compare with, so nothing is tried.",
                          input.width, measure);
    return FixesFigure(input, measure).draw();
}

}  // namespace lanewise
