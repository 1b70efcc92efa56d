// A drawing as a self-contained SVG document (fonts by family name with fallbacks).
#pragma once
#include <string>
#include <string_view>

#include "figure/drawing/drawing.h"

namespace lanewise {

// `text` with & < > " as entities and no control characters: safe in SVG, XML and HTML.
std::string escaped(std::string_view text);

// Tooltips become <title> elements. The background is left transparent. `label` is the document's
// accessible title.
std::string svg(const Drawing& drawing, const Palette& palette, const std::string& label);

// The same for a page that follows the reader's theme: colours are CSS variables, which
// css_variables() defines ("--text:#1a1d23;--bank-0:…").
std::string svg_for_page(const Drawing& drawing, const std::string& label);
std::string css_variables(const Palette& palette);
// A file beside a page, which shows it as an image: its colours are classes of its own, of the light
// theme or, on a screen that prefers it, the dark one. It has no tooltips, since an image shows none.
std::string svg_for_both_themes(const Drawing& drawing, const std::string& label);

}  // namespace lanewise
