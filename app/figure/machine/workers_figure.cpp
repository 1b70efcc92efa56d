// Waits as bars on one time axis: a worker alone above, the block's warps below.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "figure/drawing/marks.h"
#include "figure/machine/machine_figure.h"

namespace lanewise {
namespace {

constexpr uint32_t kLanesOfWarp = 32, kMostWarps = 8;
constexpr uint64_t kMostWaits = 512;  // drawn one by one
constexpr float kLeastWait = 3;       // pixels; shorter waits are not drawn one by one
constexpr float kLeastWarpRow = 22, kMostWarpRow = 140, kWarpGap = 5;

std::string waits_in_words(uint64_t waits, double latency) {
    std::string words = counted(waits, "wait");
    if (latency > 0)
        words += fmt::format(
            " = {} clocks",
            with_thousands(static_cast<uint64_t>(static_cast<double>(waits) * latency + 0.5)));
    return words;
}

}  // namespace

Drawing workers_figure(const WorkersFigureInput& in, const Measure& measure) {
    if (in.numbers == 0 || in.waits == 0)
        return words_only("This block loads nothing from memory.", in.width, measure);
    Drawing figure;
    figure.width = in.width;
    const uint32_t warps = (in.threads + kLanesOfWarp - 1) / kLanesOfWarp, shown = std::min(warps, kMostWarps);
    // Texts take about this much; the rows share what is left.
    const float rows = static_cast<float>(shown) + 1, texts = 8 * line_height(kBodySize);
    const float row = std::clamp((in.height - texts) / rows - kWarpGap, kLeastWarpRow, kMostWarpRow);
    const float each =
        (in.width - 2) / static_cast<float>(std::max<uint64_t>(in.numbers, in.waits));
    float y = paragraph(figure, {0, 0}, in.width, "One worker alone", kTitleSize,
                        Fill::of(Ink::text), measure, Font::bold);
    y = paragraph(
        figure, {0, y}, in.width,
        fmt::format("It asks for one number, waits, and asks for the next: {} for {}.",
                    waits_in_words(in.numbers, in.latency_clocks), counted(in.numbers, "number")),
        kBodySize, Fill::of(Ink::text_dim), measure);
    Box alone{1, y + 3, each * static_cast<float>(in.numbers), row};
    figure.rect(alone, Fill::of(Ink::wasted, 0.3f), Fill::of(Ink::wasted));
    if (in.numbers <= kMostWaits)
        for (uint64_t i = 1; i < in.numbers; ++i) {
            float x = 1 + each * static_cast<float>(i);
            figure.line({x, alone.y}, {x, alone.y + row}, Fill::of(Ink::wasted, 0.8f), 0.7f);
        }
    figure.hit(alone, waits_in_words(in.numbers, in.latency_clocks));
    y = alone.y + row + 14;
    y = paragraph(figure, {0, y}, in.width, fmt::format("{} threads together", in.threads),
                  kTitleSize, Fill::of(Ink::text), measure, Font::bold);
    y = paragraph(
            figure, {0, y}, in.width,
            fmt::format("Each colour is a thread. All ask at once, and wait at once: {} for "
                        "the same {}.",
                        waits_in_words(in.waits, in.latency_clocks), counted(in.numbers, "number")),
            kBodySize, Fill::of(Ink::text_dim), measure) +
        3;
    const float wide = each * static_cast<float>(in.waits);
    for (uint32_t warp = 0; warp < shown; ++warp) {
        const uint32_t lanes = std::min(kLanesOfWarp, in.threads - warp * kLanesOfWarp);
        const float slice = row / static_cast<float>(kLanesOfWarp);
        for (uint32_t lane = 0; lane < lanes; ++lane)
            figure.rect({1, y + slice * static_cast<float>(lane), wide, slice},
                        Fill::lane(static_cast<int>(lane)));
        for (uint32_t i = 1; i < in.waits && each >= kLeastWait; ++i) {
            float x = 1 + each * static_cast<float>(i);
            figure.line({x, y}, {x, y + row}, Fill::of(Ink::background), 1);
        }
        figure.hit({1, y, std::max(wide, 4.f), row},
                   fmt::format("warp {}: {} threads, {}", warp, lanes,
                               waits_in_words(in.waits, in.latency_clocks)));
        text_if_it_fits(figure, {wide + 8, y, in.width - wide - 10, row},
                        fmt::format("{} threads", lanes), kNoteSize, Fill::of(Ink::text_dim),
                        measure, Align::left, Font::text);
        y += row + kWarpGap;
    }
    if (warps > shown)
        y = paragraph(figure, {0, y}, in.width,
                      fmt::format("… and {} more threads", in.threads - shown * kLanesOfWarp), kNoteSize,
                      Fill::of(Ink::text_dim), measure);
    std::string note = in.latency_clocks > 0 ? fmt::format("One wait: {:.0f} clocks to DRAM. {}",
                                                           in.latency_clocks, in.source)
                                             : "How long a wait is on this card is not known.";
    y = paragraph(figure, {0, y + 4}, in.width, note, kNoteSize, Fill::of(Ink::text_dim), measure);
    figure.height = y + 2;
    return figure;
}

}  // namespace lanewise
