// The room for warps as squares, block by block; below, what is full first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "figure/drawing/marks.h"
#include "figure/machine/machine_figure.h"

namespace lanewise {
namespace {
constexpr int kAcross = 16;  // squares in a row
constexpr float kSmallestSquare = 16, kGreatestSquare = 80;
}  // namespace

Drawing multiprocessor_figure(const MultiprocessorFigureInput& in, const Measure& measure) {
    if (in.room_for_warps <= 0)
        return words_only("What this card has room for is not known.", in.width, measure);
    Drawing figure;
    figure.width = in.width;
    Drawing bars = occupancy_figure({in.bars, in.blocks, "", in.width}, measure);
    float y =
        paragraph(figure, {0, 0}, in.width,
                  fmt::format("One of the {} multiprocessors of {}", in.multiprocessors, in.card),
                  kTitleSize, Fill::of(Ink::text), measure, Font::bold);
    const int used = std::min(in.room_for_warps, in.blocks * in.warps_per_block);
    std::string words =
        in.blocks == 0
            ? std::string("Not even one block fits.")
            : fmt::format("A square is room for one warp: {} of {} in use, {} block{} of {}.", used,
                          in.room_for_warps, in.blocks, in.blocks == 1 ? "" : "s",
                          in.warps_per_block);
    y = paragraph(figure, {0, y}, in.width, words, kBodySize, Fill::of(Ink::text_dim), measure) + 4;
    const int down = (in.room_for_warps + kAcross - 1) / kAcross;
    const float across = (in.width - 2) / kAcross;
    const float tall = (in.height - y - bars.height - 16) / static_cast<float>(down);
    const float high = std::clamp(tall, kSmallestSquare, kGreatestSquare);
    for (int slot = 0; slot < in.room_for_warps; ++slot) {
        Box box{1 + across * static_cast<float>(slot % kAcross),
                y + high * static_cast<float>(slot / kAcross), across - 3, high - 3};
        if (slot >= used) {
            figure.rect(box, Fill::none(), Fill::of(Ink::border), 3).dashed = true;
            figure.hit(box, "room for a warp, empty");
            continue;
        }
        const int block = slot / in.warps_per_block, warp = slot % in.warps_per_block;
        figure.rect(box, Fill::bank(block * 5 % 32, 0.75f), Fill::none(), 3);
        figure.hit(box, fmt::format("warp {} of block {} on this multiprocessor", warp, block));
    }
    y += high * static_cast<float>(down) + 10;
    figure.add(bars, {0, y});
    figure.height = y + bars.height;
    return figure;
}

}  // namespace lanewise
