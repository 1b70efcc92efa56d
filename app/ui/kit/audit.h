// A record of what one frame drew: every text with the room it had, every widget with its place.
// The tests assert on it that nothing is cut or overlaps; scripts find widgets in it.
#pragma once
#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

namespace lanewise::ui {

struct Rect {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

float area_of(Rect box);  // 0 where it has none
Rect common(Rect a, Rect b);

struct TextRecord {
    std::string text;
    Rect extent;  // where the glyphs are
    Rect room;    // what they must stay inside
    Rect clip;    // what the window shows of it (a scrolled list shows less than it holds)
    // For its contrast: in which colour, and where in the frame's drawing it comes.
    ImU32 ink = 0;
    float pixels = 0;  // the size of its font
    const ImDrawList* list = nullptr;
    unsigned first_vertex = 0;
};

struct WidgetRecord {
    std::string id;
    Rect box;
    bool enabled = true;
    Rect clip = {};  // as a text's
};

struct Audit {
    bool on = false;
    std::vector<TextRecord> texts;
    std::vector<WidgetRecord> widgets;
    std::vector<WidgetRecord> figures;  // the pictures, as far as they can be seen

    void clear();
    // Call it just before the text is added to the current window's draw list.
    void text(std::string_view text, Rect extent, Rect room, ImU32 ink, float pixels);
    void widget(std::string_view id, Rect box, bool enabled = true);
    void figure(std::string_view id, Rect box);
};
Audit& audit();

// One sentence per text that leaves its room, is cut off sideways, or lies over another text.
std::vector<std::string> text_faults(const Audit& audit);

// The contrast of two opaque colours, 1 to 21, as WCAG 2.2 defines it.
double contrast(ImU32 a, ImU32 b);

// One sentence per visible text whose contrast with what lies under its middle is less than WCAG's
// level AA asks for: 4.5, or 3 for text of 24 points and more. `scale`: pixels per point.
std::vector<std::string> contrast_faults(const Audit& audit, const ImDrawData& frame, float scale);

}  // namespace lanewise::ui
