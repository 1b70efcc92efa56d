// Every padding from 0 to 8 with the wavefronts that it costs this access, one click to choose it.
#include <algorithm>
#include <cmath>

#include "lab/change/pad_table.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kCellHeight = 40, kLeastCell = 52, kCellGap = 4;  // points

// The place of the chosen access among the shared ones of its warp.
const PadCost* cost_of(const App& app, const PadRow& row) {
    int place = chosen_row(app, Space::shared);
    if (place < 0 || app.chosen().warp >= row.warps.size()) return nullptr;
    const std::vector<PadCost>& costs = row.warps[app.chosen().warp];
    auto index = static_cast<size_t>(place);
    return index < costs.size() ? &costs[index] : nullptr;
}

std::string_view hint_of(const PadRow& row, const PadCost* cost) {
    if (!row.problem.empty()) return row.problem;
    if (!cost) return "This warp makes no such access with this padding.";
    std::string_view text =
        frame_text("PAD = {}: {} wavefront{}, {} at best", row.pad, cost->wavefronts,
                   cost->wavefronts == 1 ? "" : "s", cost->ideal);
    if (!row.offered)
        text = joined(text, "\nComputed for the comparison; the stage does not offer it.");
    return text;
}

void draw_cell(App& app, const PadRow& row, float width) {
    const PadCost* cost = row.problem.empty() ? cost_of(app, row) : nullptr;
    auto knob = app.chosen().knobs.find(kPadKnob);
    bool chosen = knob != app.chosen().knobs.end() && knob->second == row.pad;
    bool usable = row.offered && row.problem.empty();
    ImVec2 at = ImGui::GetCursorScreenPos();
    Rect box{at.x, at.y, at.x + width, at.y + px(kCellHeight)};
    std::string_view id = frame_text("pad:{}", row.pad);
    bool clicked = ImGui::Button(item_id(id), ImVec2(width, px(kCellHeight)));
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 low(box.x0, box.y0), high(box.x1, box.y1);
    bool ideal = cost && cost->wavefronts == cost->ideal;
    Ink ink = !cost ? Ink::text_dim : ideal ? Ink::good : Ink::warn;
    // The more wavefronts, the stronger, as in the margin of the code.
    float waste = cost && cost->ideal > 0
                      ? static_cast<float>(cost->wavefronts) / static_cast<float>(cost->ideal) - 1
                      : 0;
    float heat = !cost ? 0 : ideal ? 0.12f : 0.14f + 0.2f * std::min(waste / 31, 1.f);
    list->AddRectFilled(low, high, color(ink, heat), px(5));
    if (chosen || (usable && ImGui::IsItemHovered()))
        list->AddRect(low, high, color(Ink::accent), px(5), 0, chosen ? px(2) : 1);
    auto centred = [&](std::string_view text, TextStyle style, float y) {
        float x = box.x0 + (width - extent_of(text, style).x) / 2;
        draw_text(ImVec2(x, box.y0 + px(y)), text, style, box);
    };
    // A mark besides the colour: what the stage does not offer stands in brackets.
    std::string_view name = row.offered ? frame_text("{}", row.pad) : frame_text("({})", row.pad);
    centred(name, {11, Ink::text, Font::text}, 3);
    centred(cost ? std::to_string(cost->wavefronts) : "–",
            {13, Ink::text, chosen ? Font::bold : Font::mono}, 18);
    audit().widget(id, box, usable);
    tooltip(hint_of(row, cost));
    if (clicked && usable && !chosen) choose_knob(app, kPadKnob, row.pad);
}

}  // namespace

void draw_pads(App& app) {
    if (!has_padding(app.stage()) || app.own) return;
    line("PADDING: WAVEFRONTS OF THIS ACCESS", kCaption);
    gap(2);
    std::shared_ptr<const PadTable> pads = app.arrived.pads;
    if (!pads || pads->stage != app.stage().id || pads->rows.empty()) {
        line("Interpreting the block once for each padding …", kDim);
        gap(8);
        return;
    }
    auto count = static_cast<float>(pads->rows.size());
    float across =
        std::clamp(std::floor((available() + px(kCellGap)) / px(kLeastCell + kCellGap)), 1.f,
                   count);
    float width = std::floor((available() + px(kCellGap)) / across - px(kCellGap));
    for (size_t i = 0; i < pads->rows.size(); ++i) {
        if (i % static_cast<size_t>(across) != 0)
            same_line(kCellGap);
        else if (i > 0)
            gap(kCellGap);
        draw_cell(app, pads->rows[i], width);
    }
    gap(10);
}

}  // namespace lanewise::ui
