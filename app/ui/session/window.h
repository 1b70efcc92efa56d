// The window: GLFW and OpenGL. Draws only when something has happened.
#pragma once
#include "ui/session/options.h"

namespace lanewise::ui {

// Runs until the window is closed. Throws Error(bad_input) where there is no display.
void run_window(const Options& options);

}  // namespace lanewise::ui
