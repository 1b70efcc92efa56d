// The window's own widgets on top of Dear ImGui: it keeps the layout, the input and the keyboard's
// place; the looks are ours. Lengths are points. Every text goes through draw_text, which records
// it for the audit.
#pragma once
#include <string>

#include "ui/audit.h"
#include "ui/look.h"

namespace lanewise::ui {

struct TextStyle {
    float points = 13;
    Ink ink = Ink::text;
    Font font = Font::text;
};
inline constexpr TextStyle kBody{13, Ink::text, Font::text};
inline constexpr TextStyle kDim{12, Ink::text_dim, Font::text};
inline constexpr TextStyle kStrong{13, Ink::text, Font::bold};
inline constexpr TextStyle kTitle{18, Ink::text, Font::bold};
inline constexpr TextStyle kFigure{24, Ink::text, Font::bold};
inline constexpr TextStyle kCaption{11, Ink::text_dim, Font::bold};
inline constexpr TextStyle kMono{12, Ink::text, Font::mono};

// ---- raw text, in pixels
ImVec2 extent_of(const std::string& text, TextStyle style);
float line_height(TextStyle style);
// Draws at `at`; `room` is what the text must stay inside.
void draw_text(ImVec2 at, const std::string& text, TextStyle style, Rect room);
// `text`, shortened with … to at most `pixels`.
std::string elided(const std::string& text, TextStyle style, float pixels);

// ---- in the flow of the current window
void gap(float points);
float available();                                            // pixels to the right edge
void line(const std::string& text, TextStyle style = kBody);  // one line; elided with a tooltip
void paragraph(const std::string& text, TextStyle style = kBody);  // wraps
void section(const std::string& title);  // a small heading with room above
void badge(const std::string& word, Ink ink, const std::string& tooltip);  // ● correct
// The same as a button; `open`: what it opens is shown.
bool badge_button(const std::string& id, const std::string& word, Ink ink,
                  const std::string& tooltip, bool open);
void rule();
void tooltip(const std::string& text);       // of the item before, while hovered
void show_tooltip(const std::string& text);  // at the pointer, now

enum class ButtonKind { primary, quiet, tab, choice, row };
struct ButtonOptions {
    ButtonKind kind = ButtonKind::quiet;
    bool selected = false, enabled = true;
    float width = 0;  // points; 0: as wide as its text
    std::string tooltip{};
};
bool button(const std::string& id, const std::string& text, ButtonOptions options = {});
// The next button goes beside the last where there is room for `text`, else on a new line.
void flow(const std::string& text, float spacing = 6);
void same_line(float spacing = 6);

// A number field; true when a new value is entered. Any text is accepted: the caller judges.
bool number_field(const std::string& id, int64_t& value, float width);

// A text field; true whenever its text changes. width in points; 0: all there is.
bool text_field(const std::string& id, std::string& text, float width);

// A box with rounded corners behind what is drawn between the two.
void begin_card(const char* id, Ink edge = Ink::border);
void end_card();

}  // namespace lanewise::ui
