// The kernel's source with what each line costs in the margin, and its excerpt around one line. A
// click on a line chooses it and its access. The costs are bars: their ink is what the launch pays.
#include <algorithm>

#include "base/text.h"
#include "ui/code/code_panes.h"
#include "ui/instrument/panes.h"
#include "ui/instrument/why.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"

namespace lanewise::ui {
namespace {

constexpr TextStyle kCode{12, Ink::text, Font::mono};
constexpr TextStyle kNumber{11, Ink::text_dim, Font::mono};
constexpr float kNumbers = 30;   // width of the margin for the lines' numbers, in points
constexpr float kRequests = 52;  // of the first column of the notes
constexpr float kFewTime = 44;   // the same, in a narrow pane
constexpr float kNotes = 196, kFewNotes = 78;
constexpr float kHits = 92;  // more, where hits in the caches are known
constexpr float kNarrow = 600;  // points of the pane: then a third of it and more would be notes
constexpr float kVeryNarrow = 420;  // then even the time would take too much
constexpr size_t kHangingIndent = 4;  // columns that a wrapped line's rest is set in by

// Where a line must be broken to fit `columns`: the begin of each row, and the end. Breaks at
// blanks where there are any. Stands until the next call.
const std::vector<size_t>& row_breaks(const std::string& text, size_t columns) {
    static std::vector<size_t> breaks;
    breaks.assign(1, 0);
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

// In a narrow pane one column of costs stands beside the time: the worse one of a line's two. In a very
// narrow one it stands alone.
bool pane_is_narrow = false;  // as it is drawn; its list may be narrower by a scroll bar
bool time_is_shown = false;
// What its loads find in the caches has columns of its own in a wide pane. Elsewhere it stands in place
// of the costs, where the reader has asked for that.
enum class Hits { none, beside_costs, instead_of_costs } hits_shown = Hits::none;
float few_time() { return time_is_shown ? kFewTime : 0; }
float notes_width() {
    return pane_is_narrow ? few_time() + kFewNotes
                          : kNotes + (hits_shown == Hits::beside_costs ? kHits : 0);
}

int worse_side(const LineNote& note) {
    auto waste = [](const LineCost& cost) {
        return cost.accesses == 0 ? -1 : cost.ideal > 0 ? cost.each / cost.ideal : 0;
    };
    return waste(note.cost[1]) > waste(note.cost[0]);
}

// The place of a line's global (0) or shared (1) cost in the margin.
Rect cost_box(ImVec2 at, int side, float height) {
    if (pane_is_narrow)
        return {at.x + px(few_time()), at.y, at.x + px(notes_width() - 8), at.y + height};
    float each = (kNotes - kRequests - 16) / 2;
    float x = at.x + px(kRequests + 8 + (each + 4) * static_cast<float>(side));
    return {x, at.y, x + px(each), at.y + height};
}

// The place of a line's hits in L1 (0) or L2 (1).
Rect hit_box(ImVec2 at, int level, float height) {
    if (hits_shown == Hits::instead_of_costs) {
        if (!pane_is_narrow) return cost_box(at, level, height);
        Rect box = cost_box(at, 0, height);
        const float half = (box.x1 - box.x0 - px(4)) / 2;
        (level ? box.x0 : box.x1) += (half + px(4)) * (level ? 1.f : -1.f);
        return box;
    }
    const float each = (kHits - 8) / 2, x = at.x + px(kNotes + (each + 4) * static_cast<float>(level));
    return {x, at.y, x + px(each), at.y + height};
}

void draw_row(const std::string& text, const SourceLine& spans, size_t begin, size_t end, ImVec2 at,
              Rect room) {
    // The blank at which a line was broken stays invisible beyond the edge.
    while (end > begin && text[end - 1] == ' ') --end;
    for (const TokenSpan& span : spans) {
        size_t from = std::max(begin, span.begin), to = std::min(end, span.end);
        if (from >= to) continue;
        TextStyle style = kCode;
        style.ink = ink_of(span.token);
        std::string_view piece = std::string_view(text).substr(from, to - from);
        float width = extent_of(piece, style).x;
        if (!trimmed(piece).empty()) draw_text(at, piece, style, room);
        at.x += width;
    }
}

// 524288 -> "524 k".
std::string_view in_short(uint64_t number) {
    if (number < 10'000) return kept_text(with_thousands(number));
    bool millions = number >= 10'000'000, billions = number >= 10'000'000'000;
    double value = static_cast<double>(number) / (billions ? 1e9 : millions ? 1e6 : 1e3);
    const char* unit = billions ? "G" : millions ? "M" : "k";
    return value < 100 ? frame_text("{:.3g}\u00a0{}", value, unit)
                       : frame_text("{:.0f}\u00a0{}", value, unit);
}

// The line's share of the time, 0 to 1, by the model of launches; by the bandwidth model where that is
// all there is. Negative: not known, or none to speak of.
float time_share(const App& app, int line, const LineNote* note) {
    if (!app.arrived.analysis) return -1;
    if (!has_line_shares(app)) return note ? note->time : -1;
    constexpr double kLeast = 0.005;  // it would read 0 %
    const double share = line_share(app, line);
    return share < kLeast ? -1 : static_cast<float>(share);
}

// All of the column is all of the launch.
void draw_time(float share, ImVec2 at, float y, float height) {
    if (share < 0 || !time_is_shown) return;
    TextStyle style{11, Ink::text, Font::mono};
    Rect box{at.x, at.y, at.x + px(pane_is_narrow ? kFewTime - 4 : kRequests), at.y + height};
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(box.x0, box.y0 + 1),
        ImVec2(box.x0 + (box.x1 - box.x0) * std::min(1.f, share), box.y1 - 1),
        color(Ink::accent, 0.34f), px(2));
    std::string_view text = frame_text("{:.0f} %", 100 * share);
    draw_text(ImVec2(box.x1 - px(2) - extent_of(text, style).x, y), text, style, box);
}

void draw_requests(const LineNote& note, ImVec2 at, float y, float height) {
    uint64_t requests = note.cost[0].accesses;
    if (requests == 0) return;
    TextStyle style{11, Ink::text_dim, Font::mono};
    Rect box{at.x, at.y, at.x + px(kRequests), at.y + height};
    std::string_view text = in_short(requests);
    draw_text(ImVec2(box.x1 - extent_of(text, style).x, y), text, style, box);
}

// "32 / 4": what an access costs and the least that would do; the colour says how much is wasted.
void draw_cost(const LineCost& cost, Rect box, float y) {
    if (cost.accesses == 0) return;
    double waste = cost.ideal > 0 ? cost.each / cost.ideal - 1 : 0;
    bool wasteful = waste > 0.01;
    // As long as what the line costs in all; what of it is in vain has the warning colour and is hatched.
    const float room = box.x1 - box.x0, all = std::max(px(2), room * cost.of_dearest);
    const float needed = wasteful ? std::min(all, room * cost.ideal_of_dearest) : all;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(box.x0, box.y0 + 1), ImVec2(box.x0 + needed, box.y1 - 1),
                        color(wasteful ? Ink::load : Ink::good, 0.3f), px(2));
    if (all - needed >= 1) {
        const Rect vain{box.x0 + needed, box.y0 + 1, box.x0 + all, box.y1 - 1};
        list->AddRectFilled(ImVec2(vain.x0, vain.y0), ImVec2(vain.x1, vain.y1),
                            color(Ink::warn, 0.36f), px(2));
        draw_hatch(*list, vain, color(Ink::background, 0.7f));
    }
    TextStyle style{11, Ink::text, Font::mono};
    std::string_view text = wasteful ? frame_text("{:.3g} / {:.3g}", cost.each, cost.ideal)
                                     : frame_text("{:.3g}", cost.each);
    // Two long figures need all the room that there is, or fewer digits: the tooltip has them all.
    auto too_long = [&] { return wasteful && extent_of(text, style).x > box.x1 - box.x0 - px(10); };
    if (too_long()) text = frame_text("{:.3g}/{:.3g}", cost.each, cost.ideal);
    if (too_long())
        text = frame_text("{:.{}f}/{:.{}f}", cost.each, cost.each < 10 ? 1 : 0, cost.ideal,
                          cost.ideal < 10 ? 1 : 0);
    draw_text(ImVec2(box.x1 - px(6) - extent_of(text, style).x, y), text, style, box);
}

// The share of a line's sectors that L1 has, and of the others the share that L2 has.
void draw_hits(const LineHits& hits, ImVec2 at, float y, float height) {
    const TextStyle style{11, Ink::text, Font::mono};
    for (int level : {0, 1}) {
        if ((level ? hits.l2_sectors : hits.l1_sectors) < 0.5) continue;
        const auto share = static_cast<float>(level ? hits.l2_hit : hits.l1_hit);
        const Rect box = hit_box(at, level, height);
        ImDrawList* list = ImGui::GetWindowDrawList();
        const float split = box.x0 + (box.x1 - box.x0) * share;
        if (split - box.x0 >= 1)
            list->AddRectFilled(ImVec2(box.x0, box.y0 + 1), ImVec2(split, box.y1 - 1),
                                color(Ink::good, 0.3f), px(2));
        list->AddRect(ImVec2(box.x0, box.y0 + 1), ImVec2(box.x1, box.y1 - 1),
                      color(Ink::border), px(2));
        std::string_view text = frame_text("{:.0f} %", 100 * share);
        if (extent_of(text, style).x > box.x1 - box.x0 - px(4))  // 100 % in half a column
            text = frame_text("{:.0f}", 100 * share);
        draw_text(ImVec2(box.x1 - px(4) - extent_of(text, style).x, y), text, style, box);
    }
}

// What the model of launches knows of the line, below `words`.
void line_tooltip(const App& app, int line, std::string_view words) {
    if (double share = line_share(app, line); share > 0)
        words = frame_text("{}{}By the model of launches, {:.1f} % of the warps' time passes here: at work, "
                           "waiting for what it reads, or at its barrier",
                           words, words.empty() ? "" : "\n", 100 * share);
    const LineHits* hits = line_hits(app, line);
    if (!hits) return words.empty() ? void() : tooltip(words);
    tooltip(frame_text("{}{}Of {} sectors that it loads, {:.1f} % are in L1; of the rest, {:.1f} % are "
                       "in L2, by the model of launches",
                       words, words.empty() ? "" : "\n",
                       with_thousands(static_cast<uint64_t>(hits->l1_sectors + 0.5)),
                       100 * hits->l1_hit, 100 * hits->l2_hit));
}

// Above the columns that stand for the costs or for the hits, where there is no room for both: a press
// shows the others.
void draw_hits_switch(App& app, Rect box) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(ImVec2(box.x0, box.y0));
    if (ImGui::InvisibleButton("##columns:hits", ImVec2(box.x1 - box.x0, box.y1 - box.y0)))
        switch_code_hits(app);
    audit().widget("columns:hits", box);
    tooltip(app.saved.panes.code_hits
                ? "Shows what each line's accesses cost instead"
                : "Shows how many of their sectors a line's loads find in L1 and in L2 instead");
    const ImU32 ink = color(ImGui::IsItemHovered() ? Ink::text : Ink::text_dim);
    const float x = box.x0 + px(4), y = (box.y0 + box.y1) / 2, size = px(3);
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (float side : {-1.f, 1.f})  // two arrowheads: up and down
        list->AddTriangleFilled(ImVec2(x - size, y + side * px(1)), ImVec2(x + size, y + side * px(1)),
                                ImVec2(x, y + side * px(5)), ink);
    ImGui::SetCursorScreenPos(at);
}

// What the columns of the margin are.
void draw_margin_heads(App& app) {
    TextStyle style{10, Ink::text_dim, Font::text};
    ImVec2 at = ImGui::GetCursorScreenPos();
    float height = line_height(style);
    auto head = [&](const char* title, Rect box) {
        draw_text(ImVec2(box.x1 - extent_of(title, style).x, at.y), title, style, box);
    };
    bool narrow = pane_is_narrow, instead = hits_shown == Hits::instead_of_costs;
    if (!narrow)
        head(app.arrived.analysis ? "% time" : "requests",
             {at.x, at.y, at.x + px(kRequests), at.y + height});
    else if (time_is_shown)
        head("% time", {at.x, at.y, at.x + px(kFewTime - 4), at.y + height});
    if (hits_shown != Hits::none) {
        head(narrow ? "in L1" : "L1 hits", hit_box(at, 0, height));
        head(narrow ? "in L2" : "L2 hits", hit_box(at, 1, height));
    }
    if (narrow && !instead) head("cost / ideal", cost_box(at, 0, height));
    if (!narrow && !instead) {
        head("sectors", cost_box(at, 0, height));
        head("wavefronts", cost_box(at, 1, height));
    }
    if (has_line_hits(app) && hits_shown != Hits::beside_costs) {
        Rect box = cost_box(at, 0, height);
        box.x1 = cost_box(at, 1, height).x1;
        draw_hits_switch(app, box);
    }
    float x = at.x + px(notes_width() + kNumbers) + px(12), room = at.x + available() - x;
    const char* whole = narrow ? "sectors, or wavefronts, of each access; whole launch"
                               : "of each access / ideal, whole launch";
    const char* block = narrow ? "sectors, or wavefronts, of each access; this block"
                               : "of each access / ideal, this block";
    const char* hits = "of the sectors that it loads, by the model of launches";
    std::string_view what =
        fitted(instead ? hits : app.arrived.analysis ? whole : block, style, room);
    draw_text(ImVec2(x, at.y), what, style, {x, at.y, x + room, at.y + height});
    ImGui::Dummy(ImVec2(available(), height));
    gap(4);
}

void mark_chosen(SourceSight& source, int number, Rect box) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 low(box.x0, box.y0), high(box.x1, box.y1);
    list->AddRectFilled(low, high, color(Ink::accent, 0.14f), px(4));
    list->AddRectFilled(low, ImVec2(low.x + px(3), high.y), color(Ink::accent), px(1));
    // A scroll bar that appears makes long lines wrap: only the frames after it know where this is.
    if (source.shown_line != number) source.frames_to_follow = 3;
    source.shown_line = number;
    if (source.frames_to_follow-- > 0) ImGui::SetScrollHereY(0.5f);
}

// The stage's head in one line, with the sign of what opens or closes it.
void draw_head_fold(App& app) {
    SourceText& source = app.derived.source;
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float row = line_height(kCode), width = available();
    const Rect box{at.x, at.y, at.x + width, at.y + row};
    if (ImGui::InvisibleButton("##head:fold", ImVec2(width, row)))
        source.head_open = !source.head_open;
    audit().widget("head:fold", box);
    tooltip(source.head_open ? "Folds the head of the stage again"
                             : "Opens the head of the stage: title, block, grid and knobs");
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float x = at.x + px(notes_width() + kNumbers) - px(5), y = at.y + row / 2, size = px(4);
    const ImU32 ink = color(ImGui::IsItemHovered() ? Ink::text : Ink::text_dim);
    if (source.head_open)
        list->AddTriangleFilled(ImVec2(x - size, y - size / 2), ImVec2(x + size, y - size / 2),
                                ImVec2(x, y + size), ink);
    else
        list->AddTriangleFilled(ImVec2(x - size / 2, y - size), ImVec2(x + size, y),
                                ImVec2(x - size / 2, y + size), ink);
    const float text_x = at.x + px(notes_width() + kNumbers) + px(12);
    TextStyle style{12, Ink::text_dim, Font::mono};
    std::string_view words =
        fitted(frame_text("head of the stage: {} lines", source.head_last - source.head_first + 1),
               style, box.x1 - text_x);
    draw_text(ImVec2(text_x, at.y + (row - extent_of("X", style).y) / 2), words, style, box);
}

void draw_source_line(App& app, int number, bool chosen, CodeFocus& focus) {
    const std::string& text = app.derived.source.lines[static_cast<size_t>(number - 1)];
    const SourceLine& spans = app.derived.source.spans[static_cast<size_t>(number - 1)];
    auto note = app.derived.line_notes.find(number);
    bool noted = note != app.derived.line_notes.end();
    ImVec2 at = ImGui::GetCursorScreenPos();
    float row = line_height(kCode), cell = extent_of("x", kCode).x, width = available();
    float text_x = at.x + px(notes_width() + kNumbers) + px(12);
    auto columns = static_cast<size_t>(std::max(16.f, (at.x + width - text_x) / cell));
    const std::vector<size_t>& breaks = row_breaks(text, columns);
    Rect box{at.x, at.y, at.x + width, at.y + row * static_cast<float>(breaks.size() - 1)};

    std::string_view id = frame_text("line:{}", number);
    bool clicked = ImGui::InvisibleButton(item_id(id), ImVec2(width, box.y1 - box.y0));
    bool has_code = app.derived.code_of.contains(number);
    const float share = time_share(app, number, noted ? &note->second : nullptr);
    if ((noted || share >= 0) && ImGui::IsItemHovered())
        line_tooltip(app, number, noted ? std::string_view(note->second.tooltip) : std::string_view());
    if (clicked && (has_code || noted)) choose_line(app, number);
    if (has_code && ImGui::IsItemHovered()) focus.hovered = number;
    if (chosen)
        mark_chosen(app.sight.source, number, box);
    else if (has_code && app.sight.hovered_line == number)
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(box.x0, box.y0), ImVec2(box.x1, box.y1),
                                                  color(Ink::accent, kHoveredAlpha), px(4));
    float y = at.y + (row - extent_of("X", kCode).y) / 2;
    if (noted) {
        bool narrow = pane_is_narrow;
        for (int side : {0, 1})
            if (hits_shown != Hits::instead_of_costs && (!narrow || side == worse_side(note->second)))
                draw_cost(note->second.cost[side], cost_box(at, side, row), y);
        if (!narrow && !app.arrived.analysis) draw_requests(note->second, at, y, row);
        if (const LineHits* hits = hits_shown != Hits::none ? line_hits(app, number) : nullptr)
            draw_hits(*hits, at, y, row);
    }
    draw_time(share, at, y, row);
    if (noted || has_code) audit().widget(id, box);
    std::string digits = std::to_string(number);
    draw_text(ImVec2(at.x + px(notes_width() + kNumbers) - extent_of(digits, kNumber).x, y), digits,
              kNumber, box);
    for (size_t i = 0; i + 1 < breaks.size(); ++i) {
        float indent = i ? cell * static_cast<float>(kHangingIndent) : 0;
        draw_row(text, spans, breaks[i], breaks[i + 1],
                 ImVec2(text_x + indent, y + row * static_cast<float>(i)), box);
    }
}

// Below its line: what the compiler says, and what the machine found or the GPU ran into.
void draw_remarks(const App& app, int number) {
    auto remark = [](std::string_view text) {
        float indent = px(notes_width() + kNumbers + 12);
        ImGui::Indent(indent);
        paragraph(text, {12, Ink::bad, Font::text});
        ImGui::Unindent(indent);
    };
    if (auto found = app.arrived.diagnostics.find(number); found != app.arrived.diagnostics.end())
        remark(joined("error: ", found->second));
    if (auto found = app.derived.line_findings.find(number);
        found != app.derived.line_findings.end())
        for (const std::string& text : found->second) remark(joined("▲ ", text));
}

}  // namespace

Ink ink_of(TokenKind token) {
    switch (token) {
        case TokenKind::keyword:
            return Ink::accent;
        case TokenKind::cuda:
            return Ink::store;
        case TokenKind::number:
            return Ink::load;
        case TokenKind::text:
            return Ink::good;
        case TokenKind::comment:
            return Ink::text_dim;
        case TokenKind::preprocessor:
            return Ink::store;
        case TokenKind::plain:
            break;
    }
    return Ink::text;
}

void draw_source_pane(App& app, CodeFocus& focus) {
    pane_is_narrow = available() < px(kNarrow);
    time_is_shown = app.arrived.analysis && available() >= px(kVeryNarrow);
    hits_shown = !has_line_hits(app)                     ? Hits::none
                 : available() >= px(kNarrow + kHits) ? Hits::beside_costs
                 : app.saved.panes.code_hits          ? Hits::instead_of_costs
                                                      : Hits::none;
    draw_margin_heads(app);
    ImGui::BeginChild("source", ImVec2(0, 0), false, ImGuiWindowFlags_NoNavInputs);
    for (size_t i = 0; i < app.derived.source.lines.size(); ++i) {
        auto number = static_cast<int>(i) + 1;
        if (number == app.derived.source.head_first) draw_head_fold(app);
        if (app.derived.source.folds_away(number)) continue;
        draw_source_line(app, number, number == focus.chosen, focus);
        draw_remarks(app, number);
    }
    gap(16);
    ImGui::EndChild();
}

float excerpt_width(const App& app, int line) {
    auto index = static_cast<size_t>(line - 1);
    if (index >= app.derived.source.lines.size()) return 0;
    auto columns = static_cast<float>(app.derived.source.lines[index].size() + 1);
    return px(kNumbers + 8) + columns * extent_of("x", kCode).x;
}

void draw_source_excerpt(const App& app, int line, int around) {
    draw_source_lines(app, line - around, line + around, line);
}

void draw_source_lines(const App& app, int first, int last, int marked) {
    float row = line_height(kCode), width = available();
    auto count = static_cast<int>(app.derived.source.lines.size());
    for (int number = std::max(1, first); number <= std::min(count, last); ++number) {
        const std::string& text = app.derived.source.lines[static_cast<size_t>(number - 1)];
        ImVec2 at = ImGui::GetCursorScreenPos();
        Rect box{at.x, at.y, at.x + width, at.y + row};
        if (number == marked)
            ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(box.x0, box.y0),
                                                      ImVec2(box.x1, box.y1),
                                                      color(Ink::accent, kChosenAlpha), px(4));
        float y = at.y + (row - extent_of("X", kCode).y) / 2, text_x = at.x + px(kNumbers + 8);
        std::string digits = std::to_string(number);
        draw_text(ImVec2(at.x + px(kNumbers) - extent_of(digits, kNumber).x, y), digits, kNumber,
                  box);
        auto columns = static_cast<size_t>((box.x1 - text_x) / extent_of("x", kCode).x);
        bool whole = text.size() <= columns;
        size_t end = whole ? text.size() : columns - 1;
        draw_row(text, app.derived.source.spans[static_cast<size_t>(number - 1)], 0, end,
                 ImVec2(text_x, y), box);
        if (!whole)
            draw_text(ImVec2(text_x + extent_of(std::string_view(text).substr(0, end), kCode).x, y),
                      "…", kCode, box);
        ImGui::Dummy(ImVec2(width, row));
    }
}

}  // namespace lanewise::ui
