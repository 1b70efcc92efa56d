// The window's frame: top bar, messages, three columns, the sheet of keys. One call per frame.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

// Builds the interface of one frame, between ImGui::NewFrame() and ImGui::Render(). Handles keys
// and clicks; draws what `app` holds. `now`: seconds, for elapsed times.
void build_interface(App& app, double now);

// From now on the chosen view and its setting alone are shown, without bar and tabs: a figure with its
// knobs, for a page within a page.
void show_embedded();

// Which columns fit a window of this many points: wide windows show all three, narrower ones the
// picture with one side, the narrowest only the region that has the focus.
struct Layout {
    float course = 0, picture = 0, controls = 0;  // widths in points; 0: not shown
};
Layout layout_for(float width, Region focus, Region side);
// In Learn: the coach and the picture, or the one of them that has the focus.
Layout learn_layout_for(float width, Region focus);

}  // namespace lanewise::ui
