// The PTX and the memory operations of the SASS, each a list that follows the chosen source line.
#include "ui/code/code_panes.h"

#include <algorithm>

#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"

namespace lanewise::ui {
namespace {

constexpr TextStyle kListCode{11, Ink::text, Font::mono};
constexpr TextStyle kDimListCode{11, Ink::text_dim, Font::mono};
constexpr TextStyle kListNumber{10, Ink::text_dim, Font::mono};
constexpr float kRow = 18;

// One row of either list: its background, and whether it was clicked.
struct Row {
    Rect box;
    bool clicked = false, hovered = false;
    bool strong = false;  // on so strong a ground that dim text could not be read
};

Row begin_row(const App& app, CodeFocus& focus, std::string_view id, int line, bool strong) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    Row row{{at.x, at.y, at.x + available(), at.y + px(kRow)}};
    row.clicked =
        ImGui::InvisibleButton(item_id(id), ImVec2(row.box.x1 - row.box.x0, px(kRow))) && line > 0;
    row.hovered = ImGui::IsItemHovered();
    if (row.hovered && line > 0) focus.hovered = line;
    row.strong = strong && line > 0 && line == focus.chosen;
    float alpha = line == 0                        ? 0
                  : line == focus.chosen           ? strong ? 2 * kChosenAlpha : kChosenAlpha
                  : line == app.sight.hovered_line ? kHoveredAlpha
                                                   : 0;
    if (alpha > 0)
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(row.box.x0, row.box.y0),
                                                  ImVec2(row.box.x1, row.box.y1),
                                                  color(Ink::accent, alpha), px(3));
    audit().widget(id, row.box);
    return row;
}

// Text in a row from `from` to `to` points of its left edge; what does not fit is shortened.
bool cell(const Row& row, float from, float to, std::string_view text, TextStyle style) {
    float x0 = row.box.x0 + px(from), x1 = std::min(row.box.x0 + px(to), row.box.x1);
    if (x1 <= x0 || text.empty()) return true;
    if (row.strong) style.ink = Ink::text;
    std::string_view shown = fitted(text, style, x1 - x0);
    float y = row.box.y0 + (px(kRow) - extent_of("X", style).y) / 2;
    draw_text(ImVec2(x0, y), shown, style, {x0, row.box.y0, x1, row.box.y1});
    return shown == text;
}

// Brings row `first` to the middle once after each new choice.
void follow(int& shown_for, const CodeFocus& focus, const std::vector<size_t>& rows) {
    if (shown_for == focus.chosen || rows.empty()) return;
    shown_for = focus.chosen;
    float middle = px(kRow) * static_cast<float>(rows.front()) - ImGui::GetWindowHeight() / 2;
    ImGui::SetScrollY(std::max(0.f, middle + px(kRow)));
}

const LineCode& code_of(const App& app, int line) {
    static const LineCode none;
    auto found = app.derived.code_of.find(line);
    return found == app.derived.code_of.end() ? none : found->second;
}

template <class DrawRow>
void draw_rows(size_t count, DrawRow draw_row) {
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(count), px(kRow));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
            draw_row(static_cast<size_t>(i));
    clipper.End();
}

void draw_ptx_row(App& app, CodeFocus& focus, size_t index) {
    const PtxRow& ptx = app.arrived.picture->code.ptx[index];
    bool is_access = ptx.access >= 0, is_label = ptx.text.ends_with(':');
    Row row = begin_row(app, focus, frame_text("ptx:{}", ptx.line), ptx.source_line,
                        is_access && ptx.access == focus.instruction);
    cell(row, 4, 34, std::to_string(ptx.line), kListNumber);
    // Accesses to memory stand out from the arithmetic around them.
    TextStyle style = is_access ? kListCode : kDimListCode;
    bool whole = cell(row, is_label ? 38 : 48, 4000, ptx.text, style);
    if (row.hovered && !whole) show_tooltip(ptx.text);
    if (row.clicked) choose_instruction(app, ptx.access, ptx.source_line);
}

int access_at(const CodeListing& code, int ptx_line) {
    auto row = std::lower_bound(code.ptx.begin(), code.ptx.end(), ptx_line,
                                [](const PtxRow& r, int line) { return r.line < line; });
    return row != code.ptx.end() && row->line == ptx_line ? row->access : -1;
}

void draw_sass_row(App& app, CodeFocus& focus, size_t index) {
    const CodeListing& code = app.arrived.picture->code;
    const SassRow& sass = code.sass[index];
    int access = access_at(code, sass.ptx_line);
    Row row = begin_row(app, focus, frame_text("sass:{:x}", sass.address), sass.source_line,
                        access >= 0 && access == focus.instruction);
    bool never = sass.predicate == "@!PT";
    TextStyle style = never ? kDimListCode : kListCode;
    cell(row, 4, 40, frame_text("{:04x}", sass.address), kListNumber);
    cell(row, 42, 80, sass.predicate, kDimListCode);
    cell(row, 80, 156, sass.opcode, style);
    cell(row, 158, 196, sass.bytes_per_lane ? frame_text("{} B", sass.bytes_per_lane) : "",
         kDimListCode);
    cell(row, 200, 4000, never ? "never runs" : sass.relation, {11, Ink::text, Font::text});
    if (row.hovered && sass.ptx_line) show_tooltip(frame_text("from PTX line {}", sass.ptx_line));
    if (row.clicked) choose_instruction(app, access, sass.source_line);
}

// What became of the chosen line's accesses, above the list.
void draw_notes(const App& app, const CodeFocus& focus) {
    const LineCode& chosen = code_of(app, focus.chosen);
    TextStyle style{11, Ink::text, Font::text};
    if (!app.arrived.picture->code.remark.empty())
        paragraph(app.arrived.picture->code.remark, {11, Ink::warn, Font::text});
    for (const std::string& note : chosen.notes)
        paragraph(frame_text("Line {}, {}", focus.chosen, note), style);
    if (chosen.notes.empty() && !chosen.sass.empty())
        paragraph(frame_text("Line {}: one to one with the PTX", focus.chosen),
                  {11, Ink::text_dim, Font::text});
}

}  // namespace

void draw_ptx_pane(App& app, CodeFocus& focus) {
    if (!app.arrived.picture) return;
    ImGui::BeginChild("ptx", ImVec2(0, 0), false, ImGuiWindowFlags_NoNavInputs);
    follow(app.sight.source.shown_ptx_for, focus, code_of(app, focus.chosen).ptx);
    std::shared_ptr<const Picture> kept = app.arrived.picture;
    draw_rows(kept->code.ptx.size(), [&](size_t i) { draw_ptx_row(app, focus, i); });
    ImGui::EndChild();
}

void draw_sass_pane(App& app, CodeFocus& focus) {
    if (!app.arrived.picture) return;
    draw_notes(app, focus);
    gap(4);
    ImGui::BeginChild("sass", ImVec2(0, 0), false, ImGuiWindowFlags_NoNavInputs);
    follow(app.sight.source.shown_sass_for, focus, code_of(app, focus.chosen).sass);
    std::shared_ptr<const Picture> kept = app.arrived.picture;
    draw_rows(kept->code.sass.size(), [&](size_t i) { draw_sass_row(app, focus, i); });
    ImGui::EndChild();
}

}  // namespace lanewise::ui
