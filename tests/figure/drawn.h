// What the figures' tests look for in a drawing.
#pragma once
#include <algorithm>
#include <string>

#include "figure/drawing/drawing.h"

namespace lanewise {

// A text has these words in it.
inline bool says(const Drawing& drawing, const std::string& words) {
    return std::any_of(drawing.shapes.begin(), drawing.shapes.end(),
                       [&](const Shape& shape) { return shape.text.find(words) != std::string::npos; });
}

// A text is this one, from its first letter to its last.
inline bool has_text(const Drawing& drawing, const std::string& text) {
    return std::any_of(drawing.shapes.begin(), drawing.shapes.end(),
                       [&](const Shape& shape) { return shape.text == text; });
}

// The first whose tooltip begins so; null where none does.
inline const HitBox* hit_beginning(const Drawing& drawing, const std::string& words) {
    for (const HitBox& each : drawing.hits)
        if (each.tooltip.starts_with(words)) return &each;
    return nullptr;
}

inline bool inside(const Drawing& drawing, const Box& box) {
    constexpr float slack = 0.5f;
    return box.x >= -slack && box.y >= -slack && box.x + box.w <= drawing.width + slack &&
           box.y + box.h <= drawing.height + slack;
}

}  // namespace lanewise
