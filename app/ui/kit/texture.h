// A picture that was drawn elsewhere, with OpenGL, as part of a frame.
#pragma once
#include "ui/kit/audit.h"

namespace lanewise::ui {

// `texture`: its name for OpenGL, shared by all windows; its first row is the lowest.
void draw_texture(unsigned texture, Rect box);

}  // namespace lanewise::ui
