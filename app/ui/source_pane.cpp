// The stage's source with what each line costs in the margin. A click on a line chooses its access.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ui/views.h"
#include "ui/widgets.h"

namespace lanewise::ui {
namespace {

constexpr TextStyle kCode{12, Ink::text, Font::mono};
constexpr TextStyle kNumber{11, Ink::text_dim, Font::mono};
constexpr float kNotes = 140, kNumbers = 34;  // widths of the two margins, in points
constexpr size_t kHangingIndent = 4;          // columns that a wrapped line's rest is set in by

Ink ink_of(Token token) {
    switch (token) {
        case Token::keyword:
            return Ink::accent;
        case Token::cuda:
            return Ink::store;
        case Token::number:
            return Ink::load;
        case Token::text:
            return Ink::good;
        case Token::comment:
            return Ink::text_dim;
        case Token::preprocessor:
            return Ink::store;
        case Token::plain:
            break;
    }
    return Ink::text;
}

// Where a line must be broken to fit `columns`: the begin of each row, and the end. Breaks at
// blanks where there are any.
std::vector<size_t> row_breaks(const std::string& text, size_t columns) {
    std::vector<size_t> breaks{0};
    size_t room = columns;
    while (text.size() - breaks.back() > room) {
        size_t begin = breaks.back();
        size_t blank = text.rfind(' ', begin + room);
        size_t indent = text.find_first_not_of(' ', begin);
        size_t next = blank != text.npos && blank > indent ? blank + 1 : begin + room;
        while (next > begin + 1 && (static_cast<unsigned char>(text[next]) & 0xc0) == 0x80) --next;
        breaks.push_back(next);
        room = columns - kHangingIndent;
    }
    breaks.push_back(text.size());
    return breaks;
}

// The place of a line's global (0) or shared (1) cost in the margin.
Rect cost_box(ImVec2 at, int side, float height) {
    float each = (kNotes - 12) / 2;
    float x = at.x + px(6 + (each + 4) * static_cast<float>(side));
    return {x, at.y, x + px(each), at.y + height};
}

void draw_row(const std::string& text, const SourceLine& spans, size_t begin, size_t end, ImVec2 at,
              Rect room) {
    // The blank at which a line was broken stays invisible beyond the edge.
    while (end > begin && text[end - 1] == ' ') --end;
    for (const Span& span : spans) {
        size_t from = std::max(begin, span.begin), to = std::min(end, span.end);
        if (from >= to) continue;
        TextStyle style = kCode;
        style.ink = ink_of(span.token);
        std::string piece = text.substr(from, to - from);
        float width = extent_of(piece, style).x;
        if (!trimmed(piece).empty()) draw_text(at, piece, style, room);
        at.x += width;
    }
}

// "32 / 4": what an access costs and the least that would do; the colour says how much is wasted.
void draw_cost(const LineCost& cost, Rect box, float y) {
    if (cost.accesses == 0) return;
    double waste = cost.ideal > 0 ? cost.each / cost.ideal - 1 : 0;
    bool wasteful = waste > 0.01;
    // From a tint for a little waste to a strong colour for 32 times the least.
    float heat = wasteful ? 0.2f + 0.3f * static_cast<float>(std::min(waste / 31, 1.0)) : 0.12f;
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(box.x0, box.y0 + 1),
                                              ImVec2(box.x1, box.y1 - 1),
                                              color(wasteful ? Ink::warn : Ink::good, heat), px(4));
    TextStyle style{11, Ink::text, Font::mono};
    std::string text = wasteful ? fmt::format("{:.3g} / {:.3g}", cost.each, cost.ideal)
                                : fmt::format("{:.3g}", cost.each);
    std::string shown = elided(text, style, box.x1 - box.x0 - px(10));
    draw_text(ImVec2(box.x1 - px(6) - extent_of(shown, style).x, y), shown, style, box);
}

// What the two columns of the margin are.
void draw_margin_heads(const App& app) {
    constexpr const char* kTitles[] = {"sectors", "wavefronts"};
    TextStyle style{10, Ink::text_dim, Font::text};
    ImVec2 at = ImGui::GetCursorScreenPos();
    float height = line_height(style);
    for (int side : {0, 1}) {
        Rect box = cost_box(at, side, height);
        draw_text(ImVec2(box.x1 - extent_of(kTitles[side], style).x, at.y), kTitles[side], style,
                  box);
    }
    std::string what =
        std::string("per warp access / ideal") + (app.analysis ? ", whole launch" : ", this block");
    float x = at.x + px(kNotes + kNumbers) + px(12);
    draw_text(ImVec2(x, at.y), what, style, {x, at.y, at.x + available(), at.y + height});
    ImGui::Dummy(ImVec2(available(), height));
    gap(4);
}

void mark_chosen(SourceText& source, int number, Rect box) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 low(box.x0, box.y0), high(box.x1, box.y1);
    list->AddRectFilled(low, high, color(Ink::accent, 0.14f), px(4));
    list->AddRectFilled(low, ImVec2(low.x + px(3), high.y), color(Ink::accent), px(1));
    if (source.shown_line != number) ImGui::SetScrollHereY(0.5f);
    source.shown_line = number;
}

void draw_source_line(App& app, int number, bool chosen) {
    const std::string& text = app.source.lines[static_cast<size_t>(number - 1)];
    const SourceLine& spans = app.source.spans[static_cast<size_t>(number - 1)];
    auto note = app.line_notes.find(number);
    bool noted = note != app.line_notes.end(), clickable = noted && note->second.in_block;
    ImVec2 at = ImGui::GetCursorScreenPos();
    float row = line_height(kCode), cell = extent_of("x", kCode).x, width = available();
    float text_x = at.x + px(kNotes + kNumbers) + px(12);
    auto columns = static_cast<size_t>(std::max(16.f, (at.x + width - text_x) / cell));
    std::vector<size_t> breaks = row_breaks(text, columns);
    Rect box{at.x, at.y, at.x + width, at.y + row * static_cast<float>(breaks.size() - 1)};

    std::string id = fmt::format("line:{}", number);
    bool clicked = ImGui::InvisibleButton(id.c_str(), ImVec2(width, box.y1 - box.y0));
    if (noted) tooltip(note->second.tooltip);
    if (clicked && clickable) {
        choose_access(app, note->second.space, static_cast<int>(note->second.row));
        app.quoted_line = number;
    }
    if (chosen)
        mark_chosen(app.source, number, box);
    else if (clickable && ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(box.x0, box.y0), ImVec2(box.x1, box.y1),
                                                  color(Ink::text, 0.05f), px(4));
    float y = at.y + (row - extent_of("X", kCode).y) / 2;
    if (noted) {
        for (int side : {0, 1}) draw_cost(note->second.cost[side], cost_box(at, side, row), y);
        audit().widget(id, box, clickable);
    }
    std::string digits = std::to_string(number);
    draw_text(ImVec2(at.x + px(kNotes + kNumbers) - extent_of(digits, kNumber).x, y), digits,
              kNumber, box);
    for (size_t i = 0; i + 1 < breaks.size(); ++i) {
        float indent = i ? cell * static_cast<float>(kHangingIndent) : 0;
        draw_row(text, spans, breaks[i], breaks[i + 1],
                 ImVec2(text_x + indent, y + row * static_cast<float>(i)), box);
    }
}

}  // namespace

void draw_code(App& app) {
    draw_margin_heads(app);
    ImGui::BeginChild("source", ImVec2(0, 0), false, ImGuiWindowFlags_NoNavInputs);
    int chosen = highlighted_line(app);
    for (size_t i = 0; i < app.source.lines.size(); ++i) {
        auto number = static_cast<int>(i) + 1;
        draw_source_line(app, number, number == chosen);
    }
    gap(16);
    ImGui::EndChild();
}

}  // namespace lanewise::ui
