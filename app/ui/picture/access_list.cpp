// The accesses of the chosen warp in the order in which it makes them, and where it stands: block,
// warp, lane.
#include <algorithm>

#include "base/text.h"
#include "ui/desk/forge.h"
#include "ui/kit/widgets.h"
#include "ui/launch/zoom.h"
#include "ui/look/compact.h"
#include "ui/picture/view_scrub.h"
#include "ui/picture/word.h"
#include "ui/plain/frame_text.h"
#include "ui/state/compare.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kRowHeight = 24;
constexpr int kRowsShown = 5;
constexpr float kFold = 34, kFoldGap = 4;

// Room for the rows' numbers, the last of which is `count`.
float number_width(int count) {
    TextStyle style{11, Ink::text_dim, Font::text};
    return std::max(px(36), px(20) + extent_of(std::to_string(count), style).x);
}

void draw_row(App& app, Space space, int index, bool selected, float numbers, float width) {
    const AccessRow& row = app.derived.rows_of[space == Space::shared][static_cast<size_t>(index)];
    ImVec2 at = ImGui::GetCursorScreenPos();
    float height = px(kRowHeight);
    Rect box{at.x, at.y, at.x + width, at.y + height};
    std::string_view id = frame_text("access:{}", index);
    if (ImGui::Button(item_id(id), ImVec2(width, height))) look_at_access(app, space, index);
    audit().widget(id, box);
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 low(box.x0, box.y0), high(box.x1, box.y1);
    if (selected)
        list->AddRectFilled(low, high, color(Ink::accent, 0.16f), px(4));
    else if (ImGui::IsItemHovered())
        list->AddRectFilled(low, high, color(Ink::text, 0.05f), px(4));
    if (selected)
        list->AddRectFilled(low, ImVec2(low.x + px(3), high.y), color(Ink::accent), px(1));

    bool shared = space == Space::shared;
    const char* unit = shared ? "wavefront" : "sector";
    std::string_view cost = frame_text("{} {}{}", row.cost, unit, row.cost == 1 ? "" : "s");
    std::string_view ideal = row.cost == row.ideal ? "ideal" : frame_text("ideal {}", row.ideal);
    TextStyle text{12, Ink::text, selected ? Font::bold : Font::text};
    TextStyle figure{12, row.cost > row.ideal ? Ink::warn : Ink::good, Font::mono};
    TextStyle dim{11, Ink::text_dim, Font::text};
    float y = (height - extent_of("X", text).y) / 2;
    // Columns from the right, so that figures line up. What is ideal the picture says, too, and the
    // line the code.
    float ideal_x = box.x1 - (is_compact() ? 0 : px(64)), cost_x = ideal_x - px(112);
    float name_x = at.x + numbers;
    draw_text(ImVec2(at.x + px(10), at.y + y), frame_text("{}", index + 1), dim,
              {at.x, at.y, name_x, box.y1});
    std::string_view words =
        is_compact() ? row.text : frame_text("{}   line {}", row.text, row.line);
    std::string_view name = fitted(words, text, cost_x - name_x - px(8));
    draw_text(ImVec2(name_x, at.y + y), name, text, {name_x, at.y, cost_x, box.y1});
    draw_text(ImVec2(cost_x, at.y + y), cost, figure, {cost_x, at.y, ideal_x, box.y1});
    if (!is_compact())
        draw_text(ImVec2(ideal_x + px(4), at.y + y), ideal, dim, {ideal_x, at.y, box.x1, box.y1});
}

// Why the warp's list is empty.
std::string_view no_access(const App& app, Space space) {
    if (space == Space::shared) return "This warp makes no access to shared memory.";
    const std::vector<TracedCopy>& copies = app.arrived.picture->block.copies;
    if (std::any_of(copies.begin(), copies.end(), [](auto& copy) { return copy.is_bulk; }))
        return "This warp loads and stores nothing in global memory itself: bulk copies move the "
               "block's data. The view Flow shows them.";
    if (app.own) return "This warp makes no access to global memory.";
    return "This warp makes no access to global memory: all its lanes are outside the matrix.";
}

}  // namespace

// With the way to what there is to see instead.
static void draw_no_access(App& app, Space space) {
    paragraph(no_access(app, space), kBody);
    gap(8);
    if (app.own) return;
    const bool multiplies = operation_of(app.stage()).computes;
    if (space == Space::shared && multiplies) {
        if (button("to product", "Show who holds which element")) choose_view(app, "product");
    } else if (space == Space::global && !app.arrived.picture->block.copies.empty()) {
        if (button("to flow", "Show the data flow")) choose_view(app, "flow");
    } else if (app.chosen().warp != 0) {
        if (button("to warp", "Go to warp 0")) choose_warp(app, 0);
    }
}

void draw_place(App& app, Space space) {
    if (space == Space::global) {
        draw_breadcrumb(app);
        same_line(14);
        if (available() < px(130)) {
            ImGui::NewLine();
            gap(6);
        }
        return draw_compare_button(app);
    }
    const Picture& picture = *app.arrived.picture;
    const Dim3& grid = picture.launch.grid;
    TextStyle mono = kMono, dim = kDim;
    // A group that does not fit beside the last goes to the next line.
    auto group = [&](float points) {
        same_line(18);
        if (available() < px(points)) {
            ImGui::NewLine();
            gap(4);
        }
    };
    word("Block", dim);
    same_line(8);
    auto block = static_cast<int64_t>(app.chosen().block);
    if (number_field("block", block, 84)) choose_block(app, block);
    same_line(8);
    word(frame_text("({}, {}) of {} × {}", app.chosen().block % grid.x, app.chosen().block / grid.x,
                    grid.x, grid.y * grid.z),
         dim);
    group(190);
    word("Warp", dim);
    same_line(8);
    auto warp = static_cast<int>(app.chosen().warp);
    if (button("warp-", "‹", {.enabled = warp > 0, .tooltip = "The warp before  ([)"}))
        choose_warp(app, warp - 1);
    same_line(6);
    word(frame_text("{} of {}", warp, picture.block.warps), mono);
    same_line(6);
    if (button("warp+", "›",
               {.enabled = warp + 1 < static_cast<int>(picture.block.warps),
                .tooltip = "The next warp  (])"}))
        choose_warp(app, warp + 1);
    group(110);
    draw_compare_button(app);
    draw_forge_button(app);
    if (app.chosen().lane < 0) return;
    group(90);
    if (button("lane", frame_text("Lane {}  ×", app.chosen().lane),
               {.selected = true, .tooltip = "Look at all lanes again  (Escape)"}))
        choose_lane(app, -1);
}

// Where a few rows of tools would leave nothing to see of the picture, the place is behind a button
// at the end of the access's row. Its keys act all the same.
static void draw_folded_place(App& app, Space space) {
    static bool open = false;  // only one window draws
    same_line(kFoldGap);
    if (button("place", "…",
               {.selected = open,
                .width = kFold,
                .tooltip = "Block, warp and lane, and what stands beside them"}))
        open = !open;
    if (!open) return;
    gap(4);
    draw_place(app, space);
}

// Where the room is for the picture: the chosen access alone, and the way to the others.
static void draw_one_access(App& app, Space space) {
    auto count = static_cast<int>(app.derived.rows_of[space == Space::shared].size());
    int chosen = chosen_row(app, space);
    if (scrubber_yields(app)) {
        draw_play(app);
        same_line(4);
    }
    if (button("access-", "‹", {.enabled = chosen > 0, .tooltip = "The access before  (↑)"}))
        look_at_access(app, space, chosen - 1);
    same_line(4);
    if (button("access+", "›", {.enabled = chosen + 1 < count, .tooltip = "The next access  (↓)"}))
        look_at_access(app, space, chosen + 1);
    same_line(4);
    const bool folded = is_compact() || is_learning(app);
    float width = available() - (folded ? px(kFold + kFoldGap) : 0);
    draw_row(app, space, std::clamp(chosen, 0, count - 1), true, number_width(count), width);
    if (folded) draw_folded_place(app, space);
}

bool in_little_room() {
    constexpr float kLittleRoom = 520;
    return ImGui::GetWindowHeight() < px(kLittleRoom);
}

static void draw_rows(App& app, Space space, int chosen, int shown = kRowsShown) {
    bool shared = space == Space::shared;
    auto count = static_cast<int>(app.derived.rows_of[shared].size());
    float height = px(kRowHeight) * static_cast<float>(std::min(count, shown));
    ImGui::BeginChild(shared ? "shared accesses" : "accesses", ImVec2(available(), height), false,
                      ImGuiWindowFlags_NoNavInputs);
    if (chosen >= 0 && app.sight.list_scrolled_to[shared] != chosen) {
        ImGui::SetScrollY(px(kRowHeight) * (static_cast<float>(chosen) + 0.5f) - height / 2);
        app.sight.list_scrolled_to[shared] = chosen;
    }
    ImGuiListClipper rows;  // a warp of a product makes thousands
    rows.Begin(count, px(kRowHeight));
    while (rows.Step())
        for (int i = rows.DisplayStart; i < rows.DisplayEnd; ++i)
            draw_row(app, space, i, i == chosen, number_width(count), available());
    ImGui::EndChild();
}

void draw_access_rows(App& app, Space space) {
    constexpr int kRowsInPane = 14;
    if (app.arrived.picture) draw_rows(app, space, chosen_row(app, space), kRowsInPane);
}

void draw_access_list(App& app, Space space) {
    bool shared = space == Space::shared;
    auto count = static_cast<int>(app.derived.rows_of[shared].size());
    const bool one = in_little_room() || is_learning(app);
    if (!(is_compact() || is_learning(app)) || count == 0) {
        draw_place(app, space);
        gap(8);
    }
    int chosen = chosen_row(app, space);
    constexpr float kRoomForTools = 560;
    if (is_learning(app) && count > 0 && window_points() < kRoomForTools) return;
    if (one && count > 0) {
        draw_one_access(app, space);
        gap(10);
        return;
    }
    if (count == 0)
        draw_no_access(app, space);
    else
        draw_rows(app, space, chosen);
    if (uint64_t left_out = app.arrived.picture->block.left_out)
        paragraph(frame_text("This block makes {} accesses more than can be listed; the counts "
                             "hold them all.",
                             with_thousands(left_out)),
                  {11, Ink::warn, Font::text});
    gap(8);
    rule();
    gap(12);
}

}  // namespace lanewise::ui
