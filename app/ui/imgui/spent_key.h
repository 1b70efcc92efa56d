// A key that somebody has acted on. The palette that Enter closes gives the keyboard back to a column in the same
// frame; what the keyboard is at there must not take that Enter for its own.
#pragma once
#include "ui/imgui/imgui_compat.h"

namespace lanewise::ui {

void spend(Key key);  // for the rest of this frame pressed() has not seen it

}  // namespace lanewise::ui
