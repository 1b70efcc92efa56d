// The window's own widgets on top of Dear ImGui: it keeps the layout, the input and the keyboard's
// place; the looks are ours. Lengths are points. Every text goes through draw_text, which records
// it for the audit.
#pragma once
#include <string>
#include <string_view>

#include "ui/kit/audit.h"
#include "ui/look/look.h"

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
ImVec2 extent_of(std::string_view text, TextStyle style);
float line_height(TextStyle style);
// Draws at `at`; `room` is what the text must stay inside.
void draw_text(ImVec2 at, std::string_view text, TextStyle style, Rect room);
// Draws `text` from `at` on in rows of at most `pixels`; returns their height. `shown`: else it is
// only measured.
float rows_of_text(ImVec2 at, std::string_view text, TextStyle style, float pixels,
                   bool shown = true);
// How many bytes of its beginning are at most so wide, whole characters.
size_t bytes_that_fit(std::string_view text, TextStyle style, float pixels);
// `text`, shortened with … to at most `pixels`.
std::string elided(std::string_view text, TextStyle style, float pixels);
// The same for this frame only (frame_text.h): the text itself where it fits.
std::string_view fitted(std::string_view text, TextStyle style, float pixels);

// ---- in the flow of the current window
void gap(float points);
float available();                                               // pixels to the right edge
void line(std::string_view text, TextStyle style = kBody);       // one line; elided with a tooltip
void paragraph(std::string_view text, TextStyle style = kBody);  // wraps
void section(std::string_view title);                            // a small heading with room above
void badge(std::string_view word, Ink ink, std::string_view tooltip);  // ● correct
// The same as a button; `open`: what it opens is shown.
bool badge_button(std::string_view id, std::string_view word, Ink ink, std::string_view tooltip,
                  bool open);
void rule();
void tooltip(std::string_view text);       // of the item before, while hovered
void show_tooltip(std::string_view text);  // at the pointer, now

enum class ButtonKind { primary, quiet, tab, choice, row };
struct ButtonOptions {
    ButtonKind kind = ButtonKind::quiet;
    bool selected = false, enabled = true;
    float width = 0;             // points; 0: as wide as its text
    std::string_view tooltip{};  // must stand until the button is drawn
};
// Where there is no room for its text, a primary one or a choice has several rows, unless its width
// is given; any other is cut, with the whole text in its tooltip.
bool button(std::string_view id, std::string_view text, ButtonOptions options = {});
// What Dear ImGui is to know an item by; stands until the next call.
const char* item_id(std::string_view id);
// The next button goes beside the last where there is room for `text`, else on a new line.
void flow(std::string_view text, float spacing = 6);
void same_line(float spacing = 6);

// A number field; true when a new value is entered. Any text is accepted: the caller judges.
bool number_field(std::string_view id, int64_t& value, float width);

// A text field; true whenever its text changes. width in points; 0: all there is.
bool text_field(std::string_view id, std::string& text, float width);

// A box with rounded corners behind what is drawn between the two.
void begin_card(const char* id, Ink edge = Ink::border);
void end_card();

}  // namespace lanewise::ui
