// Where the keyboard is among what can be pressed.
#pragma once
#include "ui/kit/audit.h"

namespace lanewise::ui {

// The box of the item that the keyboard is at, in pixels of the window, as the frame before drew it; empty where
// the keyboard is at none, or the pointer was used since.
Rect focused_box();

}  // namespace lanewise::ui
