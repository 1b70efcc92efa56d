// A Drawing as a PNG, drawn without a GPU: files look the same in a window, offscreen and in tests.
#pragma once
#include <functional>
#include <string>

#include "figure/drawing/drawing.h"

namespace lanewise::ui {

// The bytes of a PNG of `fineness` pixels per point, in the colours of the theme. `make` is called
// when the fonts of that size are there (window_measure() then measures with them). Not within a
// frame: fonts are baked anew, and the next frame must bake its own.
std::string picture_of(float fineness, const std::function<Drawing()>& make);

// The same pixels as they are: RGB, from the top.
struct Pixels {
    int width = 0, height = 0;
    std::string rgb;
};
Pixels pixels_of(float fineness, const std::function<Drawing()>& make);

}  // namespace lanewise::ui
