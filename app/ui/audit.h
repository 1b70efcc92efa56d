// A record of what one frame drew: every text with the room it had, every widget with its place.
// The tests assert on it that nothing is cut or overlaps; scripts find widgets in it.
#pragma once
#include <imgui.h>

#include <string>
#include <vector>

namespace lanewise::ui {

struct Rect {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

struct TextRecord {
    std::string text;
    Rect extent;  // where the glyphs are
    Rect room;    // what they must stay inside
    Rect clip;    // what the window shows of it (a scrolled list shows less than it holds)
};

struct WidgetRecord {
    std::string id;
    Rect box;
    bool enabled = true;
};

struct Audit {
    bool on = false;
    std::vector<TextRecord> texts;
    std::vector<WidgetRecord> widgets;

    void clear();
    void text(const std::string& text, Rect extent, Rect room);
    void widget(const std::string& id, Rect box, bool enabled = true);
};
Audit& audit();

// One sentence per text that leaves its room, is cut off sideways, or lies over another text.
std::vector<std::string> text_faults(const Audit& audit);

}  // namespace lanewise::ui
