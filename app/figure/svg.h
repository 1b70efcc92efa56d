// A drawing as a self-contained SVG document (fonts by family name with fallbacks).
#pragma once
#include <string>

#include "figure/drawing.h"

namespace lanewise {

// Tooltips become <title> elements. `label` is the document's accessible title.
std::string svg(const Drawing& drawing, const Palette& palette, const std::string& label);

}  // namespace lanewise
