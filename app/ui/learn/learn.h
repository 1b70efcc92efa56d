// Learn: the ladder across the top, the coach on the left, and below the one picture what it comes
// to and the lesson's knobs. Each is drawn in the current window, as high as it says.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

inline constexpr float kLowWindow = 560;  // points: a lower one has no spine, and a low foot

// In pixels; 0 where the window is so low that the picture needs the room.
float spine_height();
float foot_height(const App& app);

void draw_spine(App& app);
void draw_coach(App& app);
void draw_foot(App& app);  // the strip of results, and the lesson's knobs

}  // namespace lanewise::ui
