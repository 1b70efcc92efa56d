// Draws the window into a PNG file, with no display.
#pragma once
#include "ui/options.h"

namespace lanewise::ui {

// Waits for the engine's results, draws, writes options.screenshot. Throws Error(bad_input) where
// there is no EGL or the file cannot be written, Error(out_of_time) where no result comes; and, once
// the picture is written, what it says of a kernel or an engine from the command line that cannot be
// used: Error(no_compile), say.
void draw_offscreen(const Options& options);

// 24-bit RGB, top row first. Throws Error(bad_input) naming the file.
std::string png_of(int width, int height, const unsigned char* rgb);
void write_png(const std::string& file, int width, int height, const unsigned char* rgb);

}  // namespace lanewise::ui
