// The small marks that all figures share: wrapped words, hatching, legends, brackets, numbers in
// words. Private to figure/.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"
#include "trace/report.h"

namespace lanewise {

// Text heights in points. kSmallest is the least that is still read from a chair.
inline constexpr float kTitleSize = 15, kBodySize = 13, kNoteSize = 11, kSmallest = 8;

inline constexpr float line_height(float size) { return size * 1.4f; }

// `text` broken at blanks into lines no wider than `width`; a word that alone is wider is
// shortened.
std::vector<std::string> wrapped(const std::string& text, float width, float size, Font font,
                                 const Measure& measure);

// `text`, or as much of it as fits `width` with an ellipsis.
std::string shortened(const std::string& text, float width, float size, Font font,
                      const Measure& measure);

// Writes `text` from `at` downwards over at most `width`; returns the y below its last line.
float paragraph(Drawing& drawing, Point at, float width, const std::string& text, float size,
                Fill fill, const Measure& measure, Font font = Font::text);

// Like Drawing::text, but draws nothing, and returns false, where the text does not fit its box.
bool text_if_it_fits(Drawing& drawing, Box box, const std::string& text, float size, Fill fill,
                     const Measure& measure, Align align = Align::center, Font font = Font::mono);

// The largest text height of kSmallest … `most` at which `widest` fits the box; 0 where none does.
float size_that_fits(Box box, const std::string& widest, float most, Font font,
                     const Measure& measure);

// Diagonal strokes over a box: "fetched but wasted", "padding". Works without colour.
void hatch(Drawing& drawing, Box box, Fill ink, float spacing = 5);

struct LegendItem {
    Fill fill, stroke;
    bool hatched = false;
    std::string words;
};
// Swatches with words, in as many rows as `width` needs; returns the y below the last.
float legend(Drawing& drawing, Point at, float width, const std::vector<LegendItem>& items,
             const Measure& measure);

// A bracket over [x0, x1] opening downwards, its bar at y.
void bracket(Drawing& drawing, float x0, float x1, float y, float height, Fill ink);

// 0x1f40.
std::string hex_of(uint64_t value);
// "0-31", "5", "0, 4, 8 …": the lanes of a mask as few characters as tell them.
std::string lanes_of(uint32_t mask);
// 3487.4 -> "3,487"; 12.34 -> "12.3".
std::string rate(double gb_per_s);

// Whether access number `access` exists and goes to `space`.
bool has_access(const BlockTrace* block, const Report* report, int access, Space space);

// A figure of one line of words, for what cannot be drawn.
Drawing words_only(const std::string& words, float width, const Measure& measure);

}  // namespace lanewise
