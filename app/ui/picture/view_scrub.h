// The strip at the bottom of the pictures: play, and the warp's life to move through.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

// What is drawn between the two scrolls above the strip, which stays.
void begin_above_scrubber(const App& app);
void end_above_scrubber(App& app);

// Whether the strip has given way to the picture: its button then stands beside the access.
bool scrubber_yields(const App& app);
void draw_play(App& app);

// A triangle, or two bars while it plays. True when it is pressed.
bool draw_play_button(const char* id, bool playing, bool enabled, const char* tooltip);

}  // namespace lanewise::ui
