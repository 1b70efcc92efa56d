#include "ui/kit/term_mark.h"

#include <algorithm>

#include "ui/imgui/imgui_compat.h"
#include "ui/kit/widgets.h"
#include "ui/look/look.h"
#include "ui/plain/frame_text.h"

namespace lanewise::ui {

TermMark& term_mark() {
    static TermMark mark;  // only one window draws
    return mark;
}

void begin_term_marks() { term_mark() = {}; }

namespace {

void dotted_line(float from, float to, float y, ImU32 ink) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float dot = std::max(1.f, px(1)), step = 3 * dot;
    for (float x = from; x < to; x += step)
        list->AddRectFilled(ImVec2(x, y), ImVec2(std::min(x + dot, to), y + dot), ink);
}

}  // namespace

void mark_term(std::string_view term, Rect word, float underline) {
    TermMark& mark = term_mark();
    const ImVec2 kept = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(ImVec2(word.x0, word.y0));
    ImGui::PushID(mark.drawn++);
    const bool clicked = ImGui::Button("##term", ImVec2(std::max(1.f, word.x1 - word.x0),
                                                        std::max(1.f, word.y1 - word.y0))) ||
                         enter_on_item();
    const bool focused = ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
    const bool hot = ImGui::IsItemHovered() || focused;
    ImGui::PopID();
    dotted_line(word.x0, word.x1, underline, color(hot ? Ink::accent : Ink::text_dim));
    audit().widget(joined("term:", term), word);
    if (hot || clicked) {
        mark.over = kept_text(term);
        mark.at = word;
        mark.pressed = mark.pressed || clicked;
    }
    ImGui::SetCursorScreenPos(kept);
}

}  // namespace lanewise::ui
