// One zoom through the warp microscope: grid, block, warp, lane. Each level shows where the next
// one lies in it.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

void choose_zoom(App& app, Zoom zoom);  // a lane where none is chosen: the first active one
void step_zoom(App& app, int by);       // 1: nearer

// "Grid › Block › Warp › Lane": where one is, and the way to the others.
void draw_breadcrumb(App& app);
// The level's picture, where it is not the warp's.
void draw_zoomed(App& app);

}  // namespace lanewise::ui
