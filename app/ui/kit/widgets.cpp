#include "ui/kit/widgets.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "base/text.h"
#include "ui/look/glyphs.h"
#include "ui/plain/frame_text.h"
#include "ui/plain/wide_characters.h"

namespace lanewise::ui {

// ---- raw text

ImVec2 extent_of(std::string_view text, TextStyle style) {
    Fonts::Sized sized = look().fonts->pick(style.font, style.points);
    return text_extent(sized.font, sized.pixels, text.data(), text.data() + text.size());
}

float line_height(TextStyle style) { return px(std::round(style.points * 1.55f)); }

void draw_text(ImVec2 at, std::string_view text, TextStyle style, Rect room) {
    Fonts::Sized sized = look().fonts->pick(style.font, style.points);
    at = ImVec2(std::round(at.x), std::round(at.y));
    want_glyphs(text);
    if (audit().on) {
        ImVec2 extent = extent_of(text, style);
        audit().text(text, {at.x, at.y, at.x + extent.x, at.y + extent.y}, room, color(style.ink),
                     sized.pixels);
    }
    ImGui::GetWindowDrawList()->AddText(sized.font, sized.pixels, at, color(style.ink), text.data(),
                                        text.data() + text.size());
}

namespace {

constexpr std::string_view kEllipsis = "…";

}  // namespace

size_t bytes_that_fit(std::string_view text, TextStyle style, float pixels) {
    size_t low = 0, high = text.size();
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (extent_of(text.substr(0, middle), style).x <= pixels)
            low = middle;
        else
            high = middle - 1;
    }
    while (low > 0 && low < text.size() && (static_cast<unsigned char>(text[low]) & 0xc0) == 0x80)
        --low;
    return low;
}

std::string_view fitted(std::string_view text, TextStyle style, float pixels) {
    if (extent_of(text, style).x <= pixels) return text;
    float room = pixels - extent_of(kEllipsis, style).x;
    return joined(text.substr(0, bytes_that_fit(text, style, room)), kEllipsis);
}

std::string elided(std::string_view text, TextStyle style, float pixels) {
    return std::string(fitted(text, style, pixels));
}

// ---- the flow

void gap(float points) { ImGui::Dummy(ImVec2(0, px(points))); }

namespace {

// Cards are drawn behind their content once its height is known.
struct Card {
    ImVec2 at;
    float width;
    Ink edge;
};
std::vector<Card>& cards() {
    static std::vector<Card> open;
    return open;
}
constexpr float kCardPadding = 12;

// Centres one line of `style` in a row of `height` pixels.
float centred(TextStyle style, float height) {
    return std::floor((height - extent_of("X", style).y) / 2);
}

}  // namespace

float available() {
    return ImGui::GetContentRegionAvail().x - static_cast<float>(cards().size()) * px(kCardPadding);
}

void line(std::string_view text, TextStyle style) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = available(), height = line_height(style);
    std::string_view shown = fitted(text, style, width);
    draw_text(ImVec2(at.x, at.y + centred(style, height)), shown, style,
              {at.x, at.y, at.x + width, at.y + height});
    ImGui::Dummy(ImVec2(extent_of(shown, style).x, height));
    if (shown != text) tooltip(text);
}

namespace {

// The end of the first row of `text`, which has no line break: after the last word that fits, or
// within a word that is wider than the column (a path, say).
size_t end_of_row(std::string_view text, TextStyle style, float width) {
    size_t end = 0;
    while (end < text.size()) {
        size_t next = std::min(text.find(' ', end + (end > 0)), text.size());
        if (end == 0 && next == 0) next = std::min(text.find(' ', 1), text.size());
        if (extent_of(text.substr(0, next), style).x > width) break;
        end = next;
    }
    if (end > 0) return end;
    size_t word = std::min(text.find(' ', 1), text.size());
    size_t fits = bytes_that_fit(text.substr(0, word), style, width);
    return fits == 0 ? word : fits;
}

}  // namespace

float rows_of_text(ImVec2 at, std::string_view text, TextStyle style, float width, bool shown) {
    float height = line_height(style), y = 0;
    auto put = [&](std::string_view row) {
        if (shown)
            draw_text(ImVec2(at.x, at.y + y + centred(style, height)), row, style,
                      {at.x, at.y + y, at.x + width, at.y + y + height});
        y += height;
    };
    for (size_t begin = 0; begin <= text.size();) {
        size_t end = std::min(text.find('\n', begin), text.size());
        if (begin == text.size() && begin > 0) break;  // a line break at the very end
        std::string_view rest = text.substr(begin, end - begin);
        do {
            size_t row = end_of_row(rest, style, width);
            put(rest.substr(0, row));
            rest.remove_prefix(row);
            if (rest.starts_with(' ')) rest.remove_prefix(1);
        } while (!rest.empty());
        begin = end + 1;
    }
    return y;
}

void paragraph(std::string_view text, TextStyle style) {
    float width = available();
    ImGui::Dummy(ImVec2(width, rows_of_text(ImGui::GetCursorScreenPos(), text, style, width)));
}

void section(std::string_view title) {
    gap(16);
    line(title, kCaption);
    gap(4);
}

namespace {

constexpr TextStyle kBadge{12, Ink::text, Font::text};
constexpr float kBadgeHeight = 22, kDot = 7;

Rect badge_box(std::string_view word) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = px(9) + px(kDot) + px(6) + extent_of(word, kBadge).x + px(9);
    return {at.x, at.y, at.x + width, at.y + px(kBadgeHeight)};
}

void draw_badge_face(Rect box, std::string_view word, Ink ink, bool framed) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 low(box.x0, box.y0), high(box.x1, box.y1);
    float height = box.y1 - box.y0, dot = px(kDot);
    list->AddRectFilled(low, high, color(ink, 0.16f), height / 2);
    if (framed) list->AddRect(low, high, color(ink), height / 2);
    list->AddCircleFilled(ImVec2(low.x + px(9) + dot / 2, low.y + height / 2), dot / 2, color(ink));
    draw_text(ImVec2(low.x + px(9) + dot + px(6), low.y + centred(kBadge, height)), word, kBadge,
              box);
}

}  // namespace

void badge(std::string_view word, Ink ink, std::string_view why) {
    Rect box = badge_box(word);
    draw_badge_face(box, word, ink, false);
    ImGui::Dummy(ImVec2(box.x1 - box.x0, box.y1 - box.y0));
    tooltip(why);
}

bool badge_button(std::string_view id, std::string_view word, Ink ink, std::string_view why,
                  bool open) {
    Rect box = badge_box(word);
    bool clicked = ImGui::Button(item_id(id), ImVec2(box.x1 - box.x0, box.y1 - box.y0));
    clicked = clicked || enter_on_item();
    draw_badge_face(box, word, ink, open || ImGui::IsItemHovered());
    audit().widget(id, box);
    tooltip(why);
    return clicked;
}

void rule() {
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddLine(at, ImVec2(at.x + available(), at.y), color(Ink::border));
    ImGui::Dummy(ImVec2(0, 1));
}

void show_tooltip(std::string_view text) {
    if (text.empty()) return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(10), px(7)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(6));
    ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, 1);
    float most = px(340), widest = 0;
    for (std::string_view row : lines_of(text)) widest = std::max(widest, extent_of(row, kDim).x);
    ImGui::SetNextWindowContentSize(ImVec2(std::min(most, widest + 1), 0));
    ImGui::BeginTooltip();
    paragraph(text, {12, Ink::text, Font::text});
    ImGui::EndTooltip();
    ImGui::PopStyleVar(3);
}

void tooltip(std::string_view text) {
    if (!text.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
        show_tooltip(text);
}

// ---- buttons

namespace {

struct ButtonLook {
    float height, padding;
    TextStyle text;
};
constexpr ButtonLook kButtons[] = {
    {32, 16, {13, Ink::background, Font::bold}},  // primary
    {26, 10, {12, Ink::text, Font::text}},        // quiet
    {32, 12, {13, Ink::text_dim, Font::text}},    // tab
    {26, 10, {12, Ink::text, Font::mono}},        // choice
    {28, 8, {13, Ink::text, Font::text}},         // row
};
const ButtonLook& look_of(ButtonKind kind) { return kButtons[static_cast<int>(kind)]; }

void draw_button_face(ButtonKind kind, Rect box, bool selected, bool enabled, bool hot, bool held) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 low(box.x0, box.y0), high(box.x1, box.y1);
    float radius = px(6);
    switch (kind) {
        case ButtonKind::primary:
            list->AddRectFilled(low, high,
                                enabled ? color(Ink::accent) : color(Ink::text_dim, 0.1f), radius);
            if (hot) list->AddRectFilled(low, high, color(Ink::text, held ? 0.2f : 0.1f), radius);
            break;
        case ButtonKind::tab:
            if (hot) list->AddRectFilled(low, high, color(Ink::text, 0.06f), radius);
            if (selected)
                list->AddRectFilled(ImVec2(low.x + px(8), high.y - px(2)),
                                    ImVec2(high.x - px(8), high.y), color(Ink::accent), px(1));
            break;
        case ButtonKind::row:
            if (selected)
                list->AddRectFilled(low, high, color(Ink::accent, 0.16f), radius);
            else if (hot)
                list->AddRectFilled(low, high, color(Ink::text, 0.06f), radius);
            break;
        default:
            list->AddRectFilled(low, high, selected ? color(Ink::accent, 0.2f) : color(Ink::panel),
                                radius);
            if (hot) list->AddRectFilled(low, high, color(Ink::text, held ? 0.12f : 0.06f), radius);
            list->AddRect(low, high,
                          color(selected ? Ink::accent : Ink::border, enabled ? 1.f : 0.5f),
                          radius);
    }
}

Ink ink_of(ButtonKind kind, const ButtonOptions& options) {
    if (!options.enabled) return Ink::text_dim;
    if (kind == ButtonKind::tab && options.selected) return Ink::text;
    return look_of(kind).text.ink;
}

}  // namespace

const char* item_id(std::string_view id) {
    static std::string kept;  // its memory serves for all
    kept.assign("##").append(id);
    return kept.c_str();
}

bool button(std::string_view id, std::string_view text, ButtonOptions options) {
    const ButtonLook& face = look_of(options.kind);
    TextStyle style = face.text;
    if (options.kind == ButtonKind::row && options.selected) style.font = Font::bold;
    style.ink = ink_of(options.kind, options);
    float width = options.width > 0 ? px(options.width)
                                    : std::ceil(extent_of(text, style).x) + 2 * px(face.padding);
    // A choice in words takes as many rows as it needs; whatever stands in a bar keeps to one.
    const bool wraps = options.width == 0 && width > available() &&
                       (options.kind == ButtonKind::primary || options.kind == ButtonKind::choice);
    width = std::min(width, available());
    float height = px(face.height);
    ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 words(at.x + px(face.padding), at.y + (height - line_height(style)) / 2);
    const float words_width = width - 2 * px(face.padding);
    if (wraps) height += rows_of_text(words, text, style, words_width, false) - line_height(style);
    Rect box{at.x, at.y, at.x + width, at.y + height};

    bool clicked = ImGui::Button(item_id(id), ImVec2(width, height));
    clicked = (clicked || enter_on_item()) && options.enabled;
    draw_button_face(options.kind, box, options.selected, options.enabled,
                     options.enabled && ImGui::IsItemHovered(), ImGui::IsItemActive());
    audit().widget(id, box, options.enabled);
    if (wraps) {
        rows_of_text(words, text, style, words_width, true);
        tooltip(options.tooltip);
        return clicked;
    }
    // Tabs may stand closer than they like to.
    float inset = options.kind == ButtonKind::tab ? px(3) : px(face.padding);
    float room = width - 2 * inset + 1;
    std::string_view shown = fitted(text, style, room);
    float x = options.kind == ButtonKind::row ? at.x + px(face.padding)
                                              : at.x + (width - extent_of(shown, style).x) / 2;
    draw_text(ImVec2(x, at.y + centred(style, height)), shown, style, box);
    std::string_view hint = options.tooltip;
    if (shown != text) hint = hint.empty() ? text : joined(text, "\n", hint);
    tooltip(hint);
    return clicked;
}

void same_line(float spacing) { ImGui::SameLine(0, px(spacing)); }

void flow(std::string_view text, float spacing) {
    const ButtonLook& face = look_of(ButtonKind::choice);
    float width = extent_of(text, face.text).x + 2 * px(face.padding);
    same_line(spacing);
    if (available() < width) {
        ImGui::NewLine();
        gap(spacing);
    }
}

bool number_field(std::string_view id, int64_t& value, float width) {
    char text[24];
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(value));
    Fonts::Sized font = look().fonts->pick(Font::mono, 12);
    push_font(font.font, font.pixels);
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetNextItemWidth(std::min(px(width), available()));
    bool entered =
        ImGui::InputText(item_id(id), text, sizeof text,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    entered = entered || ImGui::IsItemDeactivatedAfterEdit();
    ImVec2 end = ImGui::GetItemRectMax();
    audit().widget(id, {at.x, at.y, end.x, end.y});
    ImGui::PopStyleVar();
    ImGui::PopFont();
    int64_t given = 0;
    if (!entered) return false;
    // What is no number at all becomes 0, which every caller refuses with its own sentence.
    given = parse_integer(trimmed(text), given) ? given : 0;
    bool changed = given != value;
    value = given;
    return changed;
}

bool text_field(std::string_view id, std::string& text, float width) {
    constexpr size_t kMost = 2048;
    static char typed[kMost];
    static WideCharacters wide;
    bool plain = std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
    std::snprintf(typed, sizeof typed, "%s", plain ? text.c_str() : wide.boxed(text).c_str());
    Fonts::Sized font = look().fonts->pick(Font::mono, 12);
    push_font(font.font, font.pixels);
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetNextItemWidth(width > 0 ? std::min(px(width), available()) : available());
    bool changed = ImGui::InputText(item_id(id), typed, sizeof typed);
    ImVec2 end = ImGui::GetItemRectMax();
    audit().widget(id, {at.x, at.y, end.x, end.y});
    ImGui::PopStyleVar();
    ImGui::PopFont();
    if (changed) text = wide.unboxed(typed);
    return changed;
}

// ---- cards

void begin_card(const char* id, Ink edge) {
    ImGui::PushID(id);
    cards().push_back({ImGui::GetCursorScreenPos(), available(), edge});
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->ChannelsSplit(2);
    list->ChannelsSetCurrent(1);
    gap(10);
    ImGui::Indent(px(kCardPadding));
}

void end_card() {
    Card card = cards().back();
    cards().pop_back();
    ImGui::Unindent(px(12));
    gap(10);
    ImVec2 end(card.at.x + card.width, ImGui::GetCursorScreenPos().y);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->ChannelsSetCurrent(0);
    list->AddRectFilled(card.at, end, color(Ink::background), px(8));
    list->AddRect(card.at, end, color(card.edge), px(8));
    list->ChannelsMerge();
    ImGui::PopID();
}

}  // namespace lanewise::ui
