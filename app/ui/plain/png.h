// Pictures of the window as PNG.
#pragma once
#include <string>

namespace lanewise::ui {

// Of 24-bit RGB, top row first.
std::string png_of(int width, int height, const unsigned char* rgb);
// Throws Error(bad_input) naming the file.
void write_png(const std::string& file, int width, int height, const unsigned char* rgb);

}  // namespace lanewise::ui
