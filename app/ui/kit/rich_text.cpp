#include "ui/kit/rich_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "course/glossary.h"
#include "ui/kit/term_mark.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"

namespace lanewise::ui {
namespace {

using Kind = LessonBlock::Kind;

struct Piece {  // a word, or what of it is in one style
    std::string_view text;
    TextStyle style;
    const LessonRun* run;
    bool blank_before, line_break;
};

// Pieces with no blank between them: a number and the full stop behind it. They stay in one row
// where a row can hold them. Fixed, since a steady frame allocates nothing.
struct Chain {
    std::array<Piece, 8> pieces;
    size_t count = 0;
    float width = 0;
};

bool is_term(const LessonRun& run) { return run.link.starts_with(kTermLink); }

TextStyle style_of(const LessonRun& run, TextStyle base) {
    if (run.strong || !run.query.empty()) base.font = Font::bold;
    if (run.code) base = {base.points - 1, base.ink, Font::mono};
    if (!run.link.empty() && !is_term(run)) base.ink = Ink::accent;
    return base;
}

std::string_view text_of(const LessonRun& run, const std::map<std::string, std::string>& answers) {
    if (run.query.empty()) return run.text;
    auto answer = answers.find(run.query);
    return answer == answers.end() ? std::string_view("…") : answer->second;
}

// Hands each piece of the block to `take`, in order.
template <class Take>
void each_piece(const LessonBlock& block, const std::map<std::string, std::string>& answers,
                TextStyle base, Take take) {
    bool blank = false, broken = false;
    for (const LessonRun& run : block.runs) {
        std::string_view text = text_of(run, answers);
        // A number and its unit stay together.
        const char* ends = run.query.empty() ? " \n" : "\n";
        for (size_t at = 0; at < text.size();) {
            size_t end = std::min(text.find_first_of(ends, at), text.size());
            if (end > at) {
                take(Piece{text.substr(at, end - at), style_of(run, base), &run, blank, broken});
                blank = broken = false;
            }
            if (end == text.size()) break;
            blank = true;
            broken = broken || text[end] == '\n';
            at = end + 1;
        }
    }
}

struct Flow {
    ImVec2 origin;
    float width, row_height, x = 0, y = 0;
    const std::string* clicked;  // the link of a run
    int id;
    Chain chain;  // not drawn yet
};

void break_row(Flow& flow) {
    flow.x = 0;
    flow.y += flow.row_height;
}

void put(Flow& flow, const Piece& piece) {
    ImVec2 extent = extent_of(piece.text, piece.style);
    if (flow.x > 0 && flow.x + extent.x > flow.width) break_row(flow);
    ImVec2 low(flow.origin.x + flow.x, flow.origin.y + flow.y);
    Rect room{flow.origin.x, low.y, flow.origin.x + flow.width, low.y + flow.row_height};
    ImVec2 at(low.x, low.y + (flow.row_height - extent.y) / 2);
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (piece.run->code)
        list->AddRectFilled(ImVec2(at.x - px(2), at.y),
                            ImVec2(at.x + extent.x + px(2), at.y + extent.y),
                            color(Ink::text, 0.07f), px(3));
    draw_text(at, piece.text, piece.style, room);
    if (is_term(*piece.run))
        mark_term(std::string_view(piece.run->link).substr(kTermLink.size()),
                  {low.x, low.y, low.x + extent.x, low.y + flow.row_height},
                  at.y + extent.y - px(1));
    else if (!piece.run->link.empty()) {
        ImGui::SetCursorScreenPos(low);
        ImGui::PushID(flow.id++);
        ImVec2 end(low.x + extent.x, low.y + flow.row_height);
        if (ImGui::Button("##link", ImVec2(extent.x, flow.row_height)) || enter_on_item())
            flow.clicked = &piece.run->link;
        float underline = at.y + extent.y - px(1);
        bool hot = ImGui::IsItemHovered();
        list->AddLine(ImVec2(low.x, underline), ImVec2(end.x, underline),
                      color(Ink::accent, hot ? 1.f : 0.45f));
        if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        ImGui::PopID();
        audit().widget(joined("link:", piece.run->link), {low.x, low.y, end.x, end.y});
    }
    flow.x += extent.x;
}

// Draws the chain, in the next row if this one has no room for all of it.
void put_chain(Flow& flow) {
    if (flow.chain.count == 0) return;
    const Piece& first = flow.chain.pieces[0];
    float space = first.blank_before && flow.x > 0 ? extent_of(" ", kBody).x : 0;
    if (first.line_break || (flow.x > 0 && flow.x + space + flow.chain.width > flow.width))
        break_row(flow);
    else
        flow.x += space;
    for (size_t i = 0; i < flow.chain.count; ++i) put(flow, flow.chain.pieces[i]);
    flow.chain.count = 0;
    flow.chain.width = 0;
}

// How much of a word that is wider than a row goes into one: up to a sign that names are made with.
size_t first_part(const Piece& piece, float width) {
    size_t fits = std::max<size_t>(bytes_that_fit(piece.text, piece.style, width), 1);
    size_t sign = piece.text.substr(0, fits).find_last_of("_./:-");
    return sign == std::string_view::npos || sign < fits / 2 ? fits : sign + 1;
}

void add(Flow& flow, Piece piece) {
    while (extent_of(piece.text, piece.style).x > flow.width && piece.text.size() > 1) {
        size_t end = first_part(piece, flow.width);
        if (end == piece.text.size()) break;
        Piece part = piece;
        part.text = piece.text.substr(0, end);
        add(flow, part);
        piece.text.remove_prefix(end);
        piece.blank_before = piece.line_break = false;
    }
    Chain& chain = flow.chain;
    if (piece.blank_before || piece.line_break || chain.count == chain.pieces.size())
        put_chain(flow);
    chain.pieces[chain.count++] = piece;
    chain.width += extent_of(piece.text, piece.style).x;
}

std::string draw_flow(const LessonBlock& block, const std::map<std::string, std::string>& answers,
                      TextStyle base, float indent, std::string_view mark, int index) {
    ImVec2 start = ImGui::GetCursorScreenPos();
    float row = line_height(base);
    if (!mark.empty())
        draw_text(ImVec2(start.x + indent - px(16), start.y + (row - extent_of(mark, base).y) / 2),
                  mark, {base.points, Ink::text_dim, base.font},
                  {start.x, start.y, start.x + indent, start.y + row});
    Flow flow{.origin = ImVec2(start.x + indent, start.y),
              .width = available() - indent,
              .row_height = row,
              .clicked = nullptr,
              .id = index * 1000,
              .chain = {}};
    float width = available();
    each_piece(block, answers, base, [&](const Piece& piece) { add(flow, piece); });
    put_chain(flow);
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy(ImVec2(width, flow.y + row));
    return flow.clicked ? *flow.clicked : std::string();
}

void draw_code_block(const LessonBlock& block) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    std::string text;
    for (const LessonRun& run : block.runs) text += run.text;
    TextStyle style{11, Ink::text, Font::mono};
    float row = line_height(style), width = available(), padding = px(8);
    std::vector<std::string_view> rows = lines_of(text);
    ImVec2 end(at.x + width, at.y + row * static_cast<float>(rows.size()) + 2 * padding);
    ImGui::GetWindowDrawList()->AddRectFilled(at, end, color(Ink::text, 0.05f), px(6));
    float y = at.y + padding;
    for (std::string_view source : rows) {
        std::string_view shown = fitted(kept_text(source), style, width - 2 * padding);
        draw_text(ImVec2(at.x + padding, y), shown, style, {at.x, y, end.x, y + row});
        y += row;
    }
    ImGui::Dummy(ImVec2(width, end.y - at.y));
}

}  // namespace

void draw_paragraph(const LessonBlock& block, TextStyle style) {
    static const std::map<std::string, std::string> kNoAnswers;
    draw_flow(block, kNoAnswers, style, 0, "", 0);
}

std::string draw_block(const LessonBlock& block, const std::map<std::string, std::string>& answers,
                       int index) {
    std::string clicked;
    float level = static_cast<float>(std::max(block.level, 1));
    switch (block.kind) {
        case Kind::heading:
            gap(8);
            clicked = draw_flow(block, answers, {14, Ink::text, Font::bold}, 0, "", index);
            break;
        case Kind::bullet:
            clicked = draw_flow(block, answers, kBody, px(16 * level), "•", index);
            break;
        case Kind::numbered:
            clicked = draw_flow(block, answers, kBody, px(20 * level),
                                frame_text("{}.", block.number), index);
            break;
        case Kind::quote:
            clicked = draw_flow(block, answers, {13, Ink::text_dim, Font::text}, px(12), "", index);
            break;
        case Kind::code:
            draw_code_block(block);
            break;
        case Kind::rule:
            gap(4);
            rule();
            break;
        case Kind::paragraph:
            clicked = draw_flow(block, answers, kBody, 0, "", index);
            break;
    }
    gap(block.kind == Kind::bullet || block.kind == Kind::numbered ? 4 : 8);
    return clicked;
}

}  // namespace lanewise::ui
