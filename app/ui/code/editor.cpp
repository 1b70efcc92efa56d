#include "ui/code/editor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ui/code/code_panes.h"
#include "ui/code/editor_parts.h"
#include "ui/look/glyphs.h"
#include "ui/plain/frame_text.h"
#include "ui/plain/wide_characters.h"
#include "ui/state/edits.h"

namespace lanewise::ui {

namespace {

constexpr float kCosts = 74, kEditorNumbers = 34;
constexpr const char* kBox = "##editor";

// What the text box reports and wants while it has the keyboard.
struct Exchange {
    std::string* text;
    size_t before = 0;  // bytes of the text before this frame
    size_t cursor = 0;
    size_t go_to = std::string::npos, select = 0;  // where to put the cursor, and what to mark
    size_t blanks = 0;                             // to be typed
};

int on_text_box(ImGuiInputTextCallbackData* data) {
    auto& exchange = *static_cast<Exchange*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        exchange.text->resize(static_cast<size_t>(data->BufTextLen));
        data->Buf = exchange.text->data();
        return 0;
    }
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) {
        if (data->EventChar != '\t') return 0;
        exchange.blanks += 4;
        return 1;
    }
    auto length = static_cast<size_t>(data->BufTextLen);
    exchange.cursor = static_cast<size_t>(data->CursorPos);
    if (length == exchange.before + 1 && exchange.cursor > 0 &&
        data->Buf[exchange.cursor - 1] == '\n')
        exchange.blanks += indent_after(std::string(data->Buf, length), exchange.cursor - 1);
    exchange.before = length;
    if (exchange.go_to == std::string::npos) return 0;
    auto at = static_cast<int>(std::min(exchange.go_to, length));
    auto end = static_cast<int>(std::min(exchange.go_to + exchange.select, length));
    data->SelectionStart = at;
    data->SelectionEnd = data->CursorPos = end;
    exchange.go_to = std::string::npos;
    return 0;
}

// Kept between frames: one editor is open at a time.
struct EditorState {
    Exchange exchange;
    SourceText shown;  // of the text as it is now
    WideCharacters wide;
    int generation = -1;
    float height = 0;  // of the text box, in pixels
    int lift_in = 0;   // frames until the line that was gone to is brought up from the lower edge
};
EditorState& state() {
    static EditorState one;
    return one;
}

void draw_spans(const std::string& text, const SourceLine& spans, ImVec2 at, Rect room) {
    for (const TokenSpan& span : spans) {
        std::string piece = text.substr(span.begin, span.end - span.begin);
        TextStyle style = kEditorCode;
        style.ink = ink_of(span.token);
        want_glyphs(piece);
        if (!trimmed(piece).empty())
            ImGui::GetWindowDrawList()->AddText(look().fonts->pick(style.font, style.points).font,
                                                look().fonts->pick(style.font, style.points).pixels,
                                                at, color(style.ink), piece.c_str());
        at.x += extent_of(piece, style).x;
        if (at.x > room.x1) break;
    }
}

// Under the word at the compiler's column, or under the whole line.
void underline(const std::string& text, int column, ImVec2 at, float height) {
    size_t first = text.find_first_not_of(' ');
    size_t begin = column > 0 ? static_cast<size_t>(column - 1) : std::min(first, text.size());
    begin = std::min(begin, text.size());
    size_t end = begin;
    auto in_word = [&](size_t i) {
        return std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_';
    };
    while (end < text.size() && (column <= 0 || in_word(end))) ++end;
    end = std::max(end, begin + 1);
    float x0 = at.x + extent_of(text.substr(0, begin), kEditorCode).x;
    float x1 = x0 + std::max(extent_of(text.substr(begin, end - begin), kEditorCode).x, px(6));
    float y = at.y + height - px(1);
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (float x = x0; x < x1; x += px(4)) {  // a wave, as every editor draws it
        list->AddLine(ImVec2(x, y), ImVec2(std::min(x + px(2), x1), y - px(2)), color(Ink::bad),
                      px(1));
        list->AddLine(ImVec2(std::min(x + px(2), x1), y - px(2)),
                      ImVec2(std::min(x + px(4), x1), y), color(Ink::bad), px(1));
    }
}

// A line's cost relative to its ideal, as a number in a tinted box; nothing while what is shown is
// not what was counted.
void draw_worst(const App& app, int number, Rect box) {
    auto note = app.derived.line_notes.find(number);
    if (app.editing.changed || note == app.derived.line_notes.end()) return;
    double worst = 0;
    for (const LineCost& cost : note->second.cost)
        if (cost.accesses && cost.ideal > 0) worst = std::max(worst, cost.each / cost.ideal);
    if (worst == 0) return;
    bool wasteful = worst > 1.01;
    float heat =
        wasteful ? 0.2f + 0.3f * static_cast<float>(std::min((worst - 1) / 31, 1.0)) : 0.12f;
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(box.x0, box.y0 + 1),
                                              ImVec2(box.x1, box.y1 - 1),
                                              color(wasteful ? Ink::warn : Ink::good, heat), px(4));
    TextStyle style{11, Ink::text, Font::mono};
    std::string text = wasteful ? fmt::format("{:.3g}×", worst) : "ideal";
    float y = box.y0 + (box.y1 - box.y0 - extent_of(text, style).y) / 2;
    draw_text(ImVec2(box.x1 - px(5) - extent_of(text, style).x, y), text, style, box);
    if (ImGui::IsMouseHoveringRect(ImVec2(box.x0, box.y0), ImVec2(box.x1, box.y1)))
        show_tooltip(note->second.tooltip);
}

void draw_margin(const App& app, int number, Rect row) {
    draw_worst(app, number, {row.x0, row.y0, row.x0 + px(kCosts - 8), row.y1});
    std::string digits = std::to_string(number);
    bool wrong = app.arrived.diagnostics.contains(number) && !app.editing.changed;
    TextStyle style = kEditorNumber;
    if (wrong) style = {11, Ink::bad, Font::bold};
    float y = row.y0 + (row.y1 - row.y0 - extent_of(digits, style).y) / 2;
    draw_text(ImVec2(row.x0 + px(kCosts + kEditorNumbers) - extent_of(digits, style).x, y), digits,
              style, {row.x0, row.y0, row.x0 + px(kCosts + kEditorNumbers), row.y1});
}

void draw_cursor(const App& app, ImVec2 origin, float height) {
    int number = line_at(app.editing.text, app.editing.cursor);
    size_t begin = begin_of_line(app.editing.text, number);
    std::string before = app.editing.text.substr(begin, app.editing.cursor - begin);
    ImVec2 at(origin.x + extent_of(before, kEditorCode).x,
              origin.y + height * static_cast<float>(number - 1));
    ImGui::GetWindowDrawList()->AddLine(at, ImVec2(at.x, at.y + height), color(Ink::accent),
                                        px(1.5f));
}

// Everything around the text box's own text, which is drawn invisibly: only the lines in sight.
void draw_over(App& app, TextBoxView view, float left, bool has_keyboard) {
    float height = look().fonts->pick(kEditorCode.font, kEditorCode.points).pixels;
    const SourceText& source = state().shown;
    auto count = static_cast<int>(source.lines.size());
    int first = std::max(0, static_cast<int>((view.low.y - view.origin.y) / height));
    int last = std::min(count, static_cast<int>((view.high.y - view.origin.y) / height) + 1);
    ImDrawList* list = ImGui::GetWindowDrawList();
    int chosen = highlighted_line(app);
    list->PushClipRect(ImVec2(left, view.low.y), view.high, true);
    for (int i = first; i < last; ++i) {
        float y = view.origin.y + height * static_cast<float>(i);
        if (i + 1 == chosen)
            list->AddRectFilled(ImVec2(left, y), ImVec2(view.high.x, y + height),
                                color(Ink::accent, 0.1f));
        draw_margin(app, i + 1, {left, y, view.low.x, y + height});
    }
    list->PopClipRect();
    list->PushClipRect(view.low, view.high, true);
    for (int i = first; i < last; ++i) {
        ImVec2 at(view.origin.x, view.origin.y + height * static_cast<float>(i));
        const std::string& text = source.lines[static_cast<size_t>(i)];
        draw_spans(text, source.spans[static_cast<size_t>(i)], at,
                   {view.low.x, view.low.y, view.high.x, view.high.y});
        auto wrong = app.arrived.diagnostics.find(i + 1);
        if (app.editing.changed || wrong == app.arrived.diagnostics.end()) continue;
        auto column = app.arrived.diagnostic_columns.find(i + 1);
        underline(text, column == app.arrived.diagnostic_columns.end() ? 0 : column->second, at,
                  height);
        if (audit().on)
            audit().widget(frame_text("underline:{}", i + 1),
                           {at.x, at.y, view.high.x, at.y + height});
    }
    if (has_keyboard) draw_cursor(app, view.origin, height);
    list->PopClipRect();
}

void follow_text(App& app) {
    EditorState& s = state();
    if (s.generation != app.editing.generation) {
        s.generation = app.editing.generation;
        s.exchange.before = s.wide.boxed(app.editing.text).size();
        if (ImGui::GetIO().WantTextInput) {  // the text box's copy of the text is an old one
            release_active_item();
            app.editing.focus_wanted = true;
        }
    }
    if (s.shown.text == app.editing.text && s.shown.of == app.course_id()) return;
    Stage shown;
    shown.id = app.course_id();
    shown.source = app.editing.text;
    s.shown = SourceText(shown);
    // An empty last line can be typed into.
    if (app.editing.text.empty() || app.editing.text.ends_with('\n')) {
        s.shown.lines.emplace_back();
        s.shown.spans.emplace_back();
    }
}

// Typing chooses the line that the cursor is in, so that the lists beside follow.
void follow_cursor(App& app) {
    size_t cursor = state().wide.unboxed_place(*state().exchange.text, state().exchange.cursor);
    if (app.editing.cursor == cursor) return;
    app.editing.cursor = cursor;
    int number = line_at(app.editing.text, app.editing.cursor);
    if (number != app.chosen().line && !app.editing.changed) choose_line(app, number);
    select(app, [&](Selection& now) { now.line = number; });
}

// The compiler's messages below take room from the text, and the line that they speak of is most
// often the one that was typed in last: where they would hide it the text moves up.
void keep_cursor_in_sight(const App& app, TextBoxView view, float height) {
    float lost = state().height - height;
    state().height = height;
    if (lost <= 0) return;
    float line = look().fonts->pick(kEditorCode.font, kEditorCode.points).pixels;
    float bottom =
        view.origin.y + line * static_cast<float>(line_at(app.editing.text, app.editing.cursor));
    if (bottom > view.high.y && bottom <= view.high.y + lost + line)
        scroll_text_box(kBox, bottom - view.high.y);
}

// What follows a line is read with it: it stands in the upper third.
void lift_line(const App& app, TextBoxView view) {
    if (state().lift_in == 0 || --state().lift_in > 0) return;
    float line = look().fonts->pick(kEditorCode.font, kEditorCode.points).pixels;
    float top = view.origin.y +
                line * static_cast<float>(line_at(app.editing.text, app.editing.cursor) - 1);
    float wanted = view.low.y + (view.high.y - view.low.y) / 4;
    if (top > wanted) scroll_text_box(kBox, top - wanted);
}

void draw_text_box(App& app, float below) {
    follow_text(app);
    EditorState& s = state();
    ImVec2 at = ImGui::GetCursorScreenPos();
    float margin = px(kCosts + kEditorNumbers + 8);
    ImVec2 size(available() - margin, ImGui::GetContentRegionAvail().y - below);
    ImGui::SetCursorScreenPos(ImVec2(at.x + margin, at.y));
    if (app.editing.go_to_line > 0) {
        place_cursor(app, begin_of_line(app.editing.text, app.editing.go_to_line), 0);
        s.lift_in = 3;  // Dear ImGui has placed it by then, and scrolled as little as it could
    }
    app.editing.go_to_line = 0;
    if (app.editing.focus_wanted) focus_text_box(kBox);
    app.editing.focus_wanted = false;
    std::string typed = s.wide.boxed(app.editing.text);
    s.exchange.text = &typed;
    Fonts::Sized font = look().fonts->pick(kEditorCode.font, kEditorCode.points);
    push_font(font.font, font.pixels);
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0, 0, 0, 0));
    ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4(0, 0, 0, 0));
    bool changed = ImGui::InputTextMultiline(
        kBox, typed.data(), typed.capacity() + 1, size,
        ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_CallbackAlways |
            ImGuiInputTextFlags_CallbackCharFilter | ImGuiInputTextFlags_AllowTabInput,
        on_text_box, &s.exchange);
    bool has_keyboard = ImGui::IsItemActive();
    ImGui::PopStyleColor(2);
    ImGui::PopFont();
    audit().widget("editor", {at.x + margin, at.y, at.x + margin + size.x, at.y + size.y});
    TextBoxView view = text_box_view(kBox);
    if (changed) type_source(app, s.wide.unboxed(typed));
    follow_text(app);
    follow_cursor(app);
    for (; s.exchange.blanks > 0; --s.exchange.blanks) ImGui::GetIO().AddInputCharacter(' ');
    keep_cursor_in_sight(app, view, size.y);
    lift_line(app, view);
    draw_over(app, view, at.x, has_keyboard);
}

}  // namespace

void place_cursor(App& app, size_t byte, size_t marked) {
    EditorState& s = state();
    const std::string& text = app.editing.text;
    s.exchange.go_to = s.wide.boxed_place(text, byte);
    s.exchange.select = s.wide.boxed_place(text, byte + marked) - s.exchange.go_to;
    app.editing.focus_wanted = true;
}

void draw_editor(App& app) {
    draw_editor_bar(app);
    if (app.editing.show_changes) return draw_editor_changes(app);
    draw_text_box(app, editor_messages_height(app));
    draw_editor_messages(app);
}

}  // namespace lanewise::ui
