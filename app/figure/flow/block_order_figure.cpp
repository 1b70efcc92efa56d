// The order in which blocks walk the matrices; see flow_figure.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "figure/drawing/marks.h"
#include "figure/flow/flow_elements.h"
#include "figure/flow/flow_figure.h"

namespace lanewise {
namespace {

constexpr float kWalkGap = 18;

void draw_walk_panel(Drawing& figure, const WalkPanel& panel, uint64_t chosen, Box room,
                     float& bottom, const Measure& measure) {
    float y = paragraph(figure, {room.x, room.y}, room.w, panel.name, kBodySize,
                        Fill::of(Ink::text), measure, Font::bold);
    y = paragraph(figure, {room.x, y}, room.w,
                  fmt::format("{} × {}", with_thousands(static_cast<uint64_t>(panel.rows)),
                              with_thousands(static_cast<uint64_t>(panel.cols))),
                  kNoteSize, Fill::of(Ink::text_dim), measure) +
        3;
    // To scale, but never thinner than can be seen.
    auto rows = static_cast<float>(std::max<int64_t>(1, panel.rows));
    auto cols = static_cast<float>(std::max<int64_t>(1, panel.cols));
    float side = room.w - 2, scale = side / std::max(rows, cols);
    Box whole{room.x + 1, y, std::max(24.f, cols * scale), std::max(24.f, rows * scale)};
    figure.rect(whole, Fill::of(Ink::panel), Fill::of(Ink::border));
    auto place = [&](const TouchedBox& box) {
        Box at{whole.x + whole.w * static_cast<float>(box.col) / cols,
               whole.y + whole.h * static_cast<float>(box.row) / rows,
               std::max(1.f, whole.w * static_cast<float>(box.cols) / cols),
               std::max(1.f, whole.h * static_cast<float>(box.rows) / rows)};
        at.x = std::min(at.x, whole.x + whole.w - at.w);
        at.y = std::min(at.y, whole.y + whole.h - at.h);
        return at;
    };
    size_t count = panel.boxes.size();
    for (size_t i = 0; i < count; ++i) {
        const TouchedBox& box = panel.boxes[i];
        if (box.rows == 0) continue;
        figure.rect(place(box),
                    Fill::lane(static_cast<int>(i * 32 / std::max<size_t>(1, count)), 0.8f));
        figure.hit(place(box), fmt::format("block {}: {}", i, box_words(box)),
                   fmt::format("block:{}", i));
    }
    if (chosen < count && panel.boxes[chosen].rows > 0)
        figure.rect(place(panel.boxes[chosen]), Fill::none(), Fill::of(Ink::accent)).stroke_width =
            2;
    y = whole.y + whole.h + 5;
    for (const std::string& words : panel.words)
        y = paragraph(figure, {room.x, y}, room.w, words, kNoteSize, Fill::of(Ink::text_dim),
                      measure);
    bottom = std::max(bottom, y);
}

}  // namespace

Drawing block_order_figure(const BlockOrderFigureInput& input, const Measure& measure) {
    if (input.panels.empty()) return words_only("There is nothing to draw.", input.width, measure);
    Drawing figure;
    figure.width = input.width;
    auto count = static_cast<float>(input.panels.size());
    float across =
        std::clamp(std::floor((input.width + kWalkGap) / (kLeastPanel + kWalkGap)), 1.f, count);
    float width = std::min(kMostPanel, (input.width + kWalkGap) / across - kWalkGap);
    float top = 0, bottom = 0;
    for (size_t i = 0; i < input.panels.size(); ++i) {
        auto column = static_cast<int>(i) % static_cast<int>(across);
        if (i > 0 && column == 0) top = bottom + kWalkGap;
        draw_walk_panel(figure, input.panels[i], input.chosen,
                        {(width + kWalkGap) * static_cast<float>(column), top, width, 0}, bottom,
                        measure);
    }
    figure.height = bottom + 2;
    return figure;
}

}  // namespace lanewise
