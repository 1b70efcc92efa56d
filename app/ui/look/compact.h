// A window so low, as on a small screen at 300 %, that what stands around a picture gives way to
// it: lower bars, one scroll instead of two, one row of tools.
#pragma once
#include "ui/look/look.h"

namespace lanewise::ui {

inline bool is_compact() {
    constexpr float kLow = 330;  // points
    return ImGui::GetIO().DisplaySize.y < kLow * look().pixels_per_point();
}

// The window's height in points, by which Learn's frame gives way to its picture.
inline float window_points() { return ImGui::GetIO().DisplaySize.y / look().pixels_per_point(); }

}  // namespace lanewise::ui
