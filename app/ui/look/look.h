// How the window looks just now: theme, scale, fonts. One per process, like Dear ImGui's own
// context, because every widget needs it.
#pragma once
#include <memory>
#include <string>

#include "figure/drawing/drawing.h"
#include "ui/look/fonts.h"

namespace lanewise::ui {

inline constexpr float kLeastScale = 0.75f, kMostScale = 3.0f;

struct Look {
    std::string theme = "dark";
    const Palette* palette = nullptr;
    float scale = 1;    // what the user chose
    float density = 1;  // pixels per point of the screen itself
    std::unique_ptr<Fonts> fonts;
    bool fonts_changed = true;  // the atlas must be baked and uploaded before the next frame

    float pixels_per_point() const { return scale * density; }
};
Look& look();

// Throws Error(bad_input) for an unknown theme.
void set_theme(const std::string& theme);
void set_scale(float scale);  // clamped to kLeastScale … kMostScale
const char* next_theme(const std::string& theme);

// Points to pixels, rounded to whole ones.
float px(float points);
ImU32 color(Ink ink, float alpha = 1);
ImU32 color(const Fill& fill);
// The palette's measure: exactly what the window draws.
Measure window_measure();

}  // namespace lanewise::ui
