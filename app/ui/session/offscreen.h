// Draws the window into a PNG file, with no display.
#pragma once
#include "ui/session/options.h"

namespace lanewise::ui {

// Waits for the engine's results, draws, writes options.files.screenshot. Throws Error(bad_input) where
// there is no EGL or the file cannot be written, Error(out_of_time) where no result comes; and, once
// the picture is written, what it says of a kernel or an engine from the command line that cannot be
// used: Error(no_compile), say.
void draw_offscreen(const Options& options);

}  // namespace lanewise::ui
