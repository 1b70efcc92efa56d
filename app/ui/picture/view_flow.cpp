// The data flow: a block's part of the matrices and its shared memory, step by step; below it the
// order in which the blocks walk the matrices.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "figure/access/life_figure.h"
#include "ui/desk/flow.h"
#include "ui/desk/tools.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/launch/charts.h"
#include "ui/launch/follow.h"
#include "ui/look/compact.h"
#include "ui/plain/frame_text.h"
#include "ui/state/laid_out.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kSliderHeight = 22;

std::vector<std::string> panel_words(const WalkedMatrix& matrix, size_t count) {
    std::vector<std::string> words;
    std::string order = order_in_words(matrix.boxes, count);
    if (!order.empty()) words.push_back("Blocks follow each other " + order + ".");
    uint64_t sum = 0;
    for (size_t i = 0; i < count; ++i) sum += matrix.sectors[i];
    uint64_t together = count ? matrix.together[count - 1] : 0;
    std::string sectors = fmt::format("{} sectors of the L2 cache", with_thousands(together));
    if (sum > together)
        sectors += fmt::format("; {} are touched by more than one block, or again",
                               with_thousands(sum - together));
    words.push_back(sectors + ".");
    return words;
}

}  // namespace

FlowFigureInput flow_input(const App& app, float width) {
    const FlowTool& flow = app.tools->flow;
    return flow_input(*app.arrived.picture, flow.parts, flow.step, width);
}

BlockOrderFigureInput block_order_input(const App& app, float width) {
    const FlowTool& flow = app.tools->flow;
    BlockOrderFigureInput input;
    input.chosen = app.chosen().block;
    input.width = width;
    auto count = static_cast<size_t>(shown_blocks(flow));
    for (const WalkedMatrix& matrix : flow.walk->matrices) {
        auto end = matrix.boxes.begin() +
                   static_cast<std::ptrdiff_t>(std::min(count, matrix.boxes.size()));
        input.panels.push_back({matrix.shape.name,
                                matrix.shape.rows,
                                matrix.shape.cols,
                                {matrix.boxes.begin(), end},
                                panel_words(matrix, std::min(count, matrix.boxes.size()))});
    }
    return input;
}

namespace {

// Of the step in one sentence; written anew where the flow has moved on.
const std::string& said_of_step(const App& app, FlowTool& flow) {
    uint64_t revision = app.revision + flow.moves;  // both only grow
    if (flow.words_of != revision) flow.words = flow_words(flow_input(app, 0));
    flow.words_of = revision;
    return flow.words;
}

// Lays a figure out again where the flow has moved on.
template <typename Make>
const Drawing& laid_out_flow(LaidOut& kept, const App& app, Make make) {
    float width = available() / look().pixels_per_point();
    uint64_t revision = app.revision + app.tools->flow.moves;  // both only grow
    return laid_out_at(kept, revision, width, 0, make);
}

void small_word(const std::string& text) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = extent_of(text, kDim).x, height = px(26);
    draw_text(ImVec2(at.x, at.y + (height - extent_of("X", kDim).y) / 2), text, kDim,
              {at.x, at.y, at.x + width + 1, at.y + height});
    ImGui::Dummy(ImVec2(width, height));
}

// The next widget on a row of its own where this one has no room for it.
void own_row_if_narrow() {
    if (available() >= px(90)) return;
    ImGui::NewLine();
    gap(4);
}

// A copy takes more words than an access: room for two lines keeps what is below in its place.
void draw_step_words(const App& app, FlowTool& flow) {
    float top = ImGui::GetCursorPosY();
    paragraph(said_of_step(app, flow), kStrong);
    float least = app.arrived.picture->block.copies.empty() ? 0 : 2 * line_height(kStrong);
    if (float used = ImGui::GetCursorPosY() - top; used < least)
        ImGui::Dummy(ImVec2(1, least - used));
}

void draw_place_of(App& app, FlowTool& flow) {
    small_word("Block");
    same_line(8);
    auto block = static_cast<int64_t>(app.chosen().block);
    if (number_field("block", block, in_little_room() ? 56 : 84)) choose_block(app, block);
    same_line(in_little_room() ? 8 : 12);
    if (button("flow:play", flow.playing ? "Pause" : "Play",
               {.selected = flow.playing,
                .enabled = !flow.parts.life.steps.empty(),
                .tooltip = "The block's accesses one after the other  (Space)"}))
        play_flow(app);
    same_line(4);
    if (button("flow:before", "‹",
               {.enabled = flow.step > 0, .tooltip = "One step back  (←; by chapters Ctrl ←)"}))
        step_flow(app, -1);
    same_line(4);
    if (button("flow:next", "›",
               {.enabled = flow.step + 1 < static_cast<int>(flow.parts.life.steps.size()),
                .tooltip = "One step on  (→; by chapters Ctrl →)"}))
        step_flow(app, 1);
    same_line(8);
    small_word(fmt::format("{} of {}", flow.step + 1, flow.parts.life.steps.size()));
    same_line(12);
    own_row_if_narrow();
    draw_save_button(app, PictureOf::view, "flow:save");
    draw_save_panel(app, PictureOf::view);
    gap(6);
}

void draw_block_strip(App& app, FlowTool& flow) {
    if (flow.parts.life.steps.empty()) return;
    float width = available() / look().pixels_per_point();
    const Drawing& drawing = laid_out(flow.strip, app, width, [&](float points) {
        return life_figure(
            {&flow.parts.life.steps, points, !in_little_room(), &app.arrived.picture->block},
            window_measure());
    });
    ImVec2 origin = ImGui::GetCursorScreenPos();
    draw_figure("flow:life", drawing);
    float unit = look().pixels_per_point();
    if (ImGui::IsItemActive()) {
        float x = (ImGui::GetIO().MousePos.x - origin.x) / unit;
        choose_flow_step(app, life_step_at(flow.parts.life.steps.size(), width, x));
    }
    if (flow.step < 0) return;
    LifeSpan at = life_span(flow.parts.life.steps.size(), width, flow.step);
    float x0 = origin.x + at.x0 * unit, x1 = std::max(origin.x + at.x1 * unit, x0 + px(3));
    float y0 = origin.y + kLifeTop * unit, y1 = y0 + kLifeHeight * unit;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(x0, y0), ImVec2(x1, y1), color(Ink::accent, 0.18f), px(2));
    list->AddRect(ImVec2(x0, y0), ImVec2(x1, y1), color(Ink::accent), px(2), 0, px(2));
}

// ---- the walk

// Doublings lie evenly on it; few blocks tell most.
void draw_slider(App& app, const FlowTool& flow) {
    const BlockWalk& walk = *flow.walk;
    double most = std::log2(double(std::max<uint64_t>(2, walk.blocks)));
    float width = std::min(available(), px(320)), height = px(kSliderHeight);
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("##flow:blocks", ImVec2(width, height));
    Rect box{at.x, at.y, at.x + width, at.y + height};
    audit().widget("flow:blocks", box);
    float inset = px(7), room = width - 2 * inset;
    if (ImGui::IsItemActive()) {
        float part = std::clamp((ImGui::GetIO().MousePos.x - at.x - inset) / room, 0.f, 1.f);
        auto blocks = static_cast<uint64_t>(std::lround(std::exp2(double(part) * most)));
        if (blocks != shown_blocks(flow)) choose_walked(app, blocks);
    }
    auto part =
        static_cast<float>(std::log2(double(std::max<uint64_t>(1, shown_blocks(flow)))) / most);
    float x = at.x + inset + room * part, y = at.y + height / 2;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(at.x + inset, y - px(2)), ImVec2(at.x + width - inset, y + px(2)),
                        color(Ink::border), px(2));
    list->AddRectFilled(ImVec2(at.x + inset, y - px(2)), ImVec2(x, y + px(2)), color(Ink::accent),
                        px(2));
    list->AddCircleFilled(ImVec2(x, y), px(ImGui::IsItemHovered() ? 7 : 6), color(Ink::accent));
    tooltip("How many of the first blocks are drawn  (↑ doubles, ↓ halves)");
}

void draw_block_walk(App& app, FlowTool& flow) {
    section("WHERE THE BLOCKS WALK");
    if (!flow.walk_failure.empty()) return paragraph(flow.walk_failure, {12, Ink::bad, Font::text});
    if (!flow.walk) return line("Interpreting the first blocks of the launch …", kDim);
    const BlockWalk& walk = *flow.walk;
    paragraph(
        frame_text(
            "The first {} of {} blocks, as the grid numbers them, from the first hue "
            "of the lanes to the last. A multiprocessor holds {}, so {} run at once on {}, which "
            "decides itself in which order it starts them.",
            with_thousands(shown_blocks(flow)), with_thousands(walk.grid), walk.resident_per_sm,
            with_thousands(walk.resident()), walk.card),
        kBody);
    draw_slider(app, flow);
    same_line(10);
    if (button("flow:resident", "At once",
               {.kind = ButtonKind::choice,
                .selected = shown_blocks(flow) == std::min(walk.resident(), walk.blocks),
                .tooltip = "As many as the card runs at the same time"}))
        choose_walked(app, walk.resident());
    same_line(10);
    own_row_if_narrow();
    draw_save_button(app, PictureOf::blocks, "blocks:save");
    draw_save_panel(app, PictureOf::blocks);
    gap(6);
    const Drawing& drawing = laid_out_flow(flow.walk_figure, app, [&](float points) {
        return block_order_figure(block_order_input(app, points), window_measure());
    });
    follow_figure(app, draw_figure("walk", drawing));
}

}  // namespace

void draw_flow(App& app) {
    if (!app.arrived.picture) return;
    if (app.own)
        return paragraph(
            "Which matrices a kernel of your own reads and writes is not known, so there is no "
            "part "
            "of them to draw. The warp microscope (1) shows its accesses as they are.");
    follow_picture(app);
    FlowTool& flow = app.tools->flow;
    draw_place_of(app, flow);
    draw_step_words(app, flow);
    if (!is_compact()) draw_block_strip(app, flow);
    gap(is_compact() ? 4 : 8);
    const Drawing& drawing = laid_out_flow(flow.figure, app, [&](float points) {
        return flow_figure(flow_input(app, points), window_measure());
    });
    draw_figure("flow", drawing);
    if (is_compact()) draw_block_strip(app, flow);  // what is looked at comes first
    draw_block_walk(app, flow);
    gap(8);
}

}  // namespace lanewise::ui
