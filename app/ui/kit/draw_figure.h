// Renders a Drawing (figure/drawing/drawing.h) into the window, with its tooltips and clicks.
#pragma once
#include <imgui.h>

#include <string>

#include "figure/drawing/drawing.h"
#include "ui/kit/audit.h"

namespace lanewise::ui {

// Draws at the cursor, one drawing point being one point of the window. Returns the action of the
// hit box that was clicked, else "". `step`: how far the drawing has come (figure/drawing/drawing.h).
// `under`: where not null, the action of the hit box that the pointer is over.
std::string draw_figure(const char* id, const Drawing& drawing, int step = kAtRest,
                        std::string* under = nullptr);

// The shapes alone, at `origin` with `unit` pixels per point; what lies outside the clip is left
// out.
void draw_shapes(ImDrawList& list, const Drawing& drawing, ImVec2 origin, float unit,
                 ImVec2 clip_low, ImVec2 clip_high, int step = kAtRest);

// Hatches a place of the window as figures do; the box in pixels, the spacing in points.
void draw_hatch(ImDrawList& list, Rect box, ImU32 ink, float spacing = 5);

}  // namespace lanewise::ui
