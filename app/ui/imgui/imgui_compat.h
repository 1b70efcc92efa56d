// Everything that differs between Dear ImGui 1.86 and 1.92, in this header and its .cpp only.
#pragma once
#include <imgui.h>

#include <cstdint>
#include <string>
#include <vector>

struct GLFWwindow;

namespace lanewise::ui {

// The keys that the program listens to by position; letters and digits come as characters
// (typed()), so that they follow the keyboard's layout.
enum class Key {
    tab,
    left,
    right,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
    insert,
    remove,
    backspace,
    space,
    enter,
    escape,
    f1,
    f5,
    f6,
    f9,
    f10,
    f11,
    equal,
    minus,
    zero,
    a,
    c,
    e,
    f,
    o,
    p,
    s,
    v,
    x,
    y,
    z,
    keypad_add,
    keypad_subtract,
    keypad_0,
    count_
};

bool pressed(Key key);           // this frame, with the keyboard's repeat
bool typed(unsigned character);  // a character arrived this frame, and no field wants it

// Enter on the item before, while the keyboard is on it: 1.86 leaves that to Space alone.
bool enter_on_item();

// Up to 1.86 Dear ImGui does not see a key that goes down and up between two frames; and no version
// sees the Ctrl of a chord that is let go before its key in one batch of events. Call the first
// once, after its GLFW backend is installed, and the second after each frame: releases then wait
// until a frame has seen the press.
void hold_short_presses(GLFWwindow* window);
void release_held_keys();
// The same for a second window: what it must keep of the keys between two of its frames.
struct KeyEvent {
    int key, scancode, action, modifiers;
};
class HeldKeys {
  public:
    bool keeps(const KeyEvent& event);  // true: it is given back by take(), after a frame
    std::vector<KeyEvent> take();

  private:
    std::vector<int> fresh_;          // keys that went down since the last frame
    std::vector<KeyEvent> releases_;  // since the first of those
};
// Since 1.87 what was done faster than frames are drawn waits for its own frames; whether any does.
bool events_waiting();

// Of the multi-line text box drawn last in the current window under this label: where its text
// begins on the screen, scrolled as it is, and the part of the screen that shows it.
struct TextBoxView {
    ImVec2 origin, low, high;
};
TextBoxView text_box_view(const char* label);
void scroll_text_box(const char* label, float pixels);  // down, with the next frame
// Gives the keyboard to the text box of this label, which is drawn next, in the same window.
void focus_text_box(const char* label);
// Takes the keyboard from whatever item has it; a text box keeps what was typed (its own Escape
// would undo it).
void release_active_item();

// Input where there is no window system: offscreen and in tests.
void map_keys();
void send_key(Key key, bool down);
void send_modifiers(bool ctrl, bool shift);
void send_character(unsigned character);
void send_pointer(ImVec2 position);
void send_button(bool down);
void send_wheel(float notches);

// Adds a font file to the atlas; `merge`: its glyphs fill the gaps of the font added before.
// Returns null where the file cannot be read.
ImFont* add_font_file(const std::string& path, float pixels, const ImWchar* ranges, bool merge);
// The finished atlas as RGBA; the pixels belong to Dear ImGui until the next clear.
struct AtlasPixels {
    unsigned char* rgba = nullptr;
    int width = 0, height = 0;
};
AtlasPixels build_fonts();
void set_atlas_texture(unsigned texture);
// Readies a draw list of one's own, outside a frame, for the atlas as it was just built.
void begin_list(ImDrawList& list);
unsigned texture_of(const ImDrawCmd& command);

void push_font(ImFont* font, float pixels);  // for Dear ImGui's own widgets
float baked_pixels(const ImFont* font);
ImVec2 text_extent(ImFont* font, float pixels, const char* begin, const char* end);

// The colour of the frame around the item that the keyboard is on.
void set_keyboard_frame_color(ImVec4 color);

}  // namespace lanewise::ui
