// The window's fonts: Inter and JetBrains Mono from the system's folders, with DejaVu Sans filling
// in the mathematics and arrows that they lack.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"
#include "ui/imgui/imgui_compat.h"

namespace lanewise::ui {

// Sizes are those of the em square, in points, as in CSS and SVG; Dear ImGui counts from ascender
// to descender instead, so each face carries its own ratio.
class Fonts {
  public:
    // Looks through the folders once (LANEWISE_FONTS, a list with ':', replaces the system's).
    Fonts();
    // Bakes every size for `scale` into Dear ImGui's atlas; the caller then uploads build_fonts().
    void bake(float scale);
    struct Sized {
        ImFont* font = nullptr;
        float pixels = 0;  // what to hand to Dear ImGui for the size asked for
    };
    Sized pick(Font kind, float points) const;
    // One sentence where a font is missing: what is used instead, what to install. Else empty.
    const std::string& problem() const { return problem_; }
    float scale() const { return scale_; }

  private:
    struct Baked {
        Font kind;
        float points, ratio;
        ImFont* font;
    };
    struct Face {
        std::filesystem::path file;
        float ratio = 1;  // (ascender - descender) / em
    };
    void choose(Font kind, const std::vector<std::string>& names, const char* package);

    Face faces_[3], fallback_;
    std::vector<Baked> baked_;
    std::string problem_;
    float scale_ = 1;
};

}  // namespace lanewise::ui
