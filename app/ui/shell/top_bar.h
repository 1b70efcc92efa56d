// The bar on top, the messages below it, and the sheet of keys.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

void draw_top_bar(App& app, double now);
// Its buttons, from the right end of the window's `width` to the left, in at most `room` pixels;
// gives back where they begin. bar_buttons.cpp.
float draw_bar_buttons(App& app, float width, float room);
void draw_messages(App& app);  // the last error and the notices; nothing where there are none

}  // namespace lanewise::ui
