// The levels of memory as rows, nearest first, on a logarithmic axis of clocks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "figure/drawing/marks.h"
#include "figure/machine/machine_figure.h"

namespace lanewise {
namespace {
constexpr double kDecades = 4;  // 1 to 10,000 clocks
constexpr float kLevelAxis = 18, kLeastLevel = 44, kMostLevel = 90;
}  // namespace

float share_of_axis(double clocks) {
    return static_cast<float>(std::clamp(std::log10(std::max(clocks, 1.0)) / kDecades, 0.0, 1.0));
}

Drawing levels_figure(const LevelsFigureInput& in, const Measure& measure) {
    if (in.levels.empty())
        return words_only("The levels of this card's memory are not known.", in.width, measure);
    Drawing figure;
    figure.width = in.width;
    float y = paragraph(figure, {0, 0}, in.width, "How long a load waits, in clocks", kTitleSize,
                        Fill::of(Ink::text), measure, Font::bold) +
              2;
    const float wide = in.width - 2, notes = 3 * line_height(kNoteSize);
    const auto count = static_cast<float>(in.levels.size());
    const float row = std::clamp((in.height - y - kLevelAxis - notes) / count, kLeastLevel, kMostLevel);
    const float top = y + kLevelAxis;
    for (int decade = 0; decade <= static_cast<int>(kDecades); ++decade) {
        const double clocks = std::pow(10.0, decade);
        const float x = 1 + wide * share_of_axis(clocks), half = 26;
        figure.line({x, top}, {x, top + row * count}, Fill::of(Ink::grid));
        const float left = std::clamp(x - half, 0.f, in.width - 2 * half);
        const Align align = decade == 0                            ? Align::left
                            : decade == static_cast<int>(kDecades) ? Align::right
                                                                   : Align::center;
        figure.text({left, y, 2 * half, kLevelAxis}, with_thousands(static_cast<uint64_t>(clocks)),
                    kNoteSize, Fill::of(Ink::text_dim), align, Font::mono);
    }
    y = top;
    for (const MemoryLevel& level : in.levels) {
        const Fill ink =
            Fill::of(level.used ? Ink::accent : Ink::text_dim, level.used ? 0.9f : 0.5f);
        const float text = line_height(kBodySize), bar = std::max(8.f, row - text - 14);
        std::string name = level.name;
        name +=
            level.size.empty() ? "   (its size is not in this card's profile)" : "   " + level.size;
        figure.text({4, y + 3, in.width - 6, text},
                    shortened(name, in.width - 6, kBodySize, Font::bold, measure), kBodySize,
                    Fill::of(level.used ? Ink::text : Ink::text_dim), Align::left, Font::bold);
        Box box{1, y + 5 + text, std::max(3.f, wide * share_of_axis(level.latency_clocks)), bar};
        const bool known = level.latency_clocks > 0;
        if (known) figure.rect(box, ink, Fill::none(), 2);
        std::string words = known ? fmt::format("{:.0f} clocks", level.latency_clocks)
                                  : std::string("latency not measured on this card");
        if (level.used) words += ", this kernel names it";
        const float x = known ? box.x + box.w + 6 : 4;
        text_if_it_fits(
            figure, {x, box.y, in.width - x, bar}, words, std::min(kBodySize, bar / 1.4f),
            Fill::of(level.used ? Ink::text : Ink::text_dim), measure, Align::left, Font::text);
        figure.hit({0, y, in.width, row}, fmt::format("{}: {}", name, words));
        y += row;
    }
    y = paragraph(figure, {0, y + 4}, in.width, in.source, kNoteSize, Fill::of(Ink::text_dim),
                  measure);
    figure.height = y + 2;
    return figure;
}

}  // namespace lanewise
