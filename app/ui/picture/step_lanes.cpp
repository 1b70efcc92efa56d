// The debugger's lanes: the warps of the block, which lanes execute and which wait, and the 32 values
// of each variable. Lanes that are off are dim; what the last move has changed is marked.
#include <algorithm>
#include <bit>
#include <cmath>

#include "ui/instrument/step.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"

namespace lanewise::ui {
namespace {

constexpr float kNames = 104;           // points: the column of names
constexpr float kRow = 20, kCell = 18;  // of a row of cells, and of the cell in it
constexpr float kCharacter = 6.2f;      // points of a character of kValue
constexpr size_t kMostCharacters = 14;  // of a value; a longer one loses its begin
constexpr TextStyle kName{12, Ink::text, Font::mono};
constexpr TextStyle kValue{10, Ink::text, Font::mono};
constexpr TextStyle kOff{10, Ink::text_dim, Font::mono};
constexpr TextStyle kNumber{9, Ink::text, Font::mono};

void centred_text(std::string_view text, TextStyle style, Rect box) {
    const ImVec2 extent = extent_of(text, style);
    draw_text(ImVec2((box.x0 + box.x1 - extent.x) / 2, (box.y0 + box.y1 - extent.y) / 2), text,
              style, box);
}

void fill(Rect box, Ink ink, float alpha) {
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(box.x0, box.y0), ImVec2(box.x1, box.y1),
                                              color(ink, alpha), px(2));
}

void frame(Rect box, Ink ink) {
    ImGui::GetWindowDrawList()->AddRect(ImVec2(box.x0, box.y0), ImVec2(box.x1, box.y1), color(ink),
                                        px(2), 0, px(1));
}

// ---- the block's warps

std::string_view warp_words(const StepWarp& warp, size_t number) {
    if (warp.state == WarpLook::State::finished) return frame_text("Warp {} has returned", number);
    if (warp.state == WarpLook::State::at_barrier)
        return frame_text("Warp {} waits at a barrier before line {}", number, warp.line);
    return frame_text("Warp {}: line {} next", number, warp.line);
}

void draw_warps(App& app, const StepTool& tool) {
    const std::vector<StepWarp>& warps = tool.shown->warps;
    if (warps.size() < 2) return;
    line("WARPS OF THE BLOCK", kCaption);
    gap(4);
    const float side = px(26), high = px(20);
    for (size_t i = 0; i < warps.size(); ++i) {
        if (i > 0) {
            ImGui::SameLine(0, px(2));
            if (available() < side) {
                ImGui::NewLine();
                gap(2);
            }
        }
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const Rect box{at.x, at.y, at.x + side, at.y + high};
        std::string_view id = frame_text("step:warp:{}", i);
        if (ImGui::InvisibleButton(item_id(id), ImVec2(side, high)))
            choose_warp(app, static_cast<int>(i));
        audit().widget(id, box);
        tooltip(warp_words(warps[i], i));
        const bool gone = warps[i].state == WarpLook::State::finished;
        const bool waits = warps[i].state == WarpLook::State::at_barrier;
        if (!gone) fill(box, waits ? Ink::warn : Ink::accent, waits ? 0.2f : 0.12f);
        if (i == tool.at.warp) frame(box, Ink::accent);
        centred_text(frame_text("{}", i), gone ? kOff : kValue, box);
    }
    const auto waiting = std::count_if(warps.begin(), warps.end(), [](const StepWarp& each) {
        return each.state == WarpLook::State::at_barrier;
    });
    gap(2);
    if (waiting > 0)
        line(frame_text("{} of {} {} at a barrier.", waiting, warps.size(),
                        waiting == 1 ? "warps waits" : "warps wait"),
             kDim);
    gap(6);
}

// ---- which lanes take part

// The box of a lane's cell among `side` in a row, below `at`.
Rect cell_box(ImVec2 at, float width, size_t side, size_t lane) {
    const float each = width / static_cast<float>(side);
    const float x = at.x + each * static_cast<float>(lane % side);
    const float y = at.y + px(kRow) * static_cast<float>(lane / side);
    return {std::round(x), y, std::round(x + each) - px(2), y + px(kCell)};
}

// Of the rows of cells below `at`; -1: none.
int lane_under_pointer(ImVec2 at, float width, size_t side) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (size_t lane = 0; lane < 32; ++lane) {
        const Rect box = cell_box(at, width, side, lane);
        if (mouse.x >= box.x0 && mouse.x < box.x1 + px(2) && mouse.y >= box.y0 &&
            mouse.y < box.y0 + px(kRow))
            return static_cast<int>(lane);
    }
    return -1;
}

// Gives the lanes' cells to the pointer: a click chooses a lane everywhere. Returns the one below
// it; -1: none.
int lanes_item(App& app, std::string_view id, ImVec2 at, float width, size_t side) {
    const float high = px(kRow) * static_cast<float>(32 / side);
    const bool clicked = ImGui::InvisibleButton(item_id(id), ImVec2(width, high));
    const int under = ImGui::IsItemHovered() ? lane_under_pointer(at, width, side) : -1;
    if (clicked && under >= 0) choose_lane(app, under);
    if (audit().on)
        for (size_t lane = 0; lane < 32; ++lane)
            audit().widget(joined(id, frame_text(":{}", lane)), cell_box(at, width, side, lane));
    return under;
}

std::string_view state_of(const WarpLook& look, uint32_t bit) {
    if (!(look.live & bit)) return "has returned, or does not exist";
    if (look.executing & bit) return "executes";
    if (look.lanes & bit) return "is here, and its guard is false";
    return "waits on another path";
}

void draw_mask(App& app, const StepTool& tool) {
    const WarpLook& look = tool.shown->reply.place->look;
    const bool waits = look.state == WarpLook::State::at_barrier;
    line(frame_text("LANES OF WARP {}", tool.at.warp), kCaption);
    gap(4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = available();
    const int under = lanes_item(app, "step:lane", at, width, 32);
    if (under >= 0)
        show_tooltip(frame_text("Lane {}, thread {} of the block: {}", under,
                                tool.at.warp * 32 + static_cast<uint32_t>(under),
                                state_of(look, 1u << under)));
    const bool has_room = width / 32 >= px(15);
    for (size_t lane = 0; lane < 32; ++lane) {
        const uint32_t bit = 1u << lane;
        const Rect box = cell_box(at, width, 32, lane);
        TextStyle style = kNumber;
        if (look.state == WarpLook::State::finished || !(look.live & bit)) {
            frame(box, Ink::border);
            style.ink = Ink::text_dim;
        } else if (look.executing & bit) {
            fill(box, waits ? Ink::warn : Ink::accent, 0.2f);
            frame(box, waits ? Ink::warn : Ink::accent);
        } else if (look.lanes & bit) {
            frame(box, Ink::accent);
            style.ink = Ink::text_dim;
        } else {
            fill(box, Ink::warn, 0.16f);
        }
        if (app.chosen().lane == static_cast<int>(lane)) frame(box, Ink::text);
        if (has_room || lane % 8 == 0) centred_text(frame_text("{}", lane), style, box);
    }
    gap(2);
    for (const std::string& each : tool.paths) paragraph(each, kDim);
    gap(6);
}

// ---- the values

// How many lanes stand side by side, so that their values are whole: 32, 16, 8 or 4.
size_t side_of(const StepCells& cells, float points) {
    const auto widest = static_cast<float>(std::min(cells.widest, kMostCharacters));
    for (size_t side : {32u, 16u, 8u})
        if (points / static_cast<float>(side) >= widest * kCharacter + 6) return side;
    return 4;
}

// Its end tells an address from its neighbours.
std::string_view shortened(std::string_view text, float room) {
    if (extent_of(text, kValue).x <= room) return text;
    const size_t fits = std::max<size_t>(2, static_cast<size_t>(room / px(kCharacter)));
    return joined("…", text.substr(text.size() - std::min(text.size(), fits - 1)));
}

void draw_same(const StepCells& cells, uint32_t lanes, ImVec2 at, float width) {
    const Rect box{at.x, at.y, at.x + width - px(2), at.y + px(kCell)};
    const bool dim = cells.known == 0 || (cells.known & lanes) == 0;
    if (cells.changed & lanes)
        fill(box, Ink::store, 0.3f);
    else if (!dim)
        fill(box, Ink::text, 0.08f);
    const TextStyle style = dim ? kOff : kValue;
    std::string_view shown = fitted(cells.words, style, width - px(14));
    draw_text(ImVec2(at.x + px(6), at.y + (px(kCell) - extent_of("X", style).y) / 2), shown, style,
              box);
    ImGui::Dummy(ImVec2(width, px(kRow)));
    if (cells.known)
        tooltip(frame_text("{}: {}\n{}", cells.name, cells.words, cells.about));
    else
        tooltip(cells.words);
}

void draw_each(App& app, const StepCells& cells, uint32_t lanes, ImVec2 at, float width) {
    const size_t side = side_of(cells, width / look().pixels_per_point());
    const int under = lanes_item(app, joined("cells:", cells.name), at, width, side);
    if (under >= 0 && (cells.known >> under & 1))
        show_tooltip(frame_text("Lane {}: {} is {}\n{}", under, cells.name,
                                cells.texts[static_cast<size_t>(under)], cells.about));
    for (size_t lane = 0; lane < 32; ++lane) {
        const uint32_t bit = 1u << lane;
        const Rect box = cell_box(at, width, side, lane);
        if (side < 32 && lane > 0 && lane % side == 0) {
            std::string_view number = frame_text("{}", lane);
            const TextStyle style{9, Ink::text_dim, Font::mono};
            const float x = at.x - px(8) - extent_of(number, style).x;
            draw_text(ImVec2(x, box.y0 + (px(kCell) - extent_of("X", style).y) / 2), number, style,
                      {at.x - px(kNames), box.y0, at.x, box.y1});
        }
        if (app.chosen().lane == static_cast<int>(lane)) frame(box, Ink::text);
        if (!(cells.known & bit)) {
            centred_text("·", kOff, box);
            continue;
        }
        const bool on = (lanes & bit) != 0;
        if (on && (cells.changed & bit))
            fill(box, Ink::store, 0.3f);
        else if (on)
            fill(box, Ink::text, 0.08f);
        centred_text(shortened(cells.texts[lane], box.x1 - box.x0), on ? kValue : kOff, box);
    }
}

void draw_variable(App& app, const StepCells& cells, uint32_t lanes) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect room{at.x, at.y, at.x + px(kNames - 8), at.y + px(kCell)};
    const TextStyle style{12, cells.known & lanes ? Ink::text : Ink::text_dim, Font::mono};
    draw_text(ImVec2(at.x, at.y + (px(kCell) - extent_of("X", kName).y) / 2),
              fitted(cells.name, style, room.x1 - room.x0), style, room);
    const ImVec2 cells_at(at.x + px(kNames), at.y);
    const float width = available() - px(kNames);
    ImGui::SetCursorScreenPos(cells_at);
    if (cells.words.empty())
        draw_each(app, cells, lanes, cells_at, width);
    else
        draw_same(cells, lanes, cells_at, width);
}

void draw_watches(App& app, StepTool& tool) {
    gap(4);
    for (size_t i = 0; i < tool.watches.size(); ++i) {
        if (i > 0) flow(tool.watches[i], 4);
        if (button(frame_text("step:unwatch:{}", i), joined(tool.watches[i], "  ×"),
                   {.tooltip = "Watches it no more"})) {
            remove_watch(app, i);
            break;
        }
    }
    if (!tool.watches.empty()) gap(4);
    text_field("step:watch", tool.watch,
               std::min(200.f, available() / look().pixels_per_point() - 88));
    tooltip("An expression of C: row * 2, tile[lane][3], in[i] * 2.5f, %r12");
    same_line(6);
    if (button("step:add_watch", "Watch",
               {.enabled = !tool.watch.empty(), .tooltip = "Shows its 32 values after each move"}))
        add_watch(app);
}

}  // namespace

void draw_step_lanes(App& app, StepTool& tool) {
    const WarpLook& look = tool.shown->reply.place->look;
    gap(4);
    draw_warps(app, tool);
    draw_mask(app, tool);
    line("VALUES", kCaption);
    gap(4);
    // Of a warp that has returned, what it left.
    const uint32_t lanes = look.state == WarpLook::State::finished ? 0 : look.lanes;
    if (tool.cells.empty()) paragraph("No variable of the source is in sight here.", kDim);
    uint32_t changed = 0;
    bool watches = false;
    for (const StepCells& each : tool.cells) {
        if (each.is_watch && !watches) gap(6);
        watches = each.is_watch;
        draw_variable(app, each, lanes);
        changed |= each.changed & lanes;
    }
    if (changed)
        line("Coloured: what the last move has changed. Dim: lanes that do not take part.", kDim);
    else if (lanes != kEveryLane && !tool.cells.empty())
        line("Dim: lanes that do not take part.", kDim);
    draw_watches(app, tool);
}

}  // namespace lanewise::ui
