#include "ui/chart/picture.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/imgui/imgui_compat.h"
#include "ui/kit/audit.h"
#include "ui/kit/draw_figure.h"
#include "ui/look/look.h"
#include "ui/plain/png.h"

namespace lanewise::ui {
namespace {

struct Colour {
    float r, g, b, a;
};
Colour colour_of(ImU32 packed) {
    return {static_cast<float>(packed >> IM_COL32_R_SHIFT & 255),
            static_cast<float>(packed >> IM_COL32_G_SHIFT & 255),
            static_cast<float>(packed >> IM_COL32_B_SHIFT & 255),
            static_cast<float>(packed >> IM_COL32_A_SHIFT & 255)};
}

// Fills the triangles of a draw list, in its order, like a GPU would: pixels whose centres lie
// inside, those on a shared edge once.
class Canvas {
  public:
    Canvas(int width, int height, Color back, AtlasPixels atlas)
        : width_(width), height_(height), atlas_(atlas) {
        pixels_.resize(static_cast<size_t>(width) * static_cast<size_t>(height),
                       {float(back.r), float(back.g), float(back.b), 255});
    }

    void draw(const ImDrawList& list) {
        for (const ImDrawCmd& command : list.CmdBuffer)
            for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
                const ImDrawVert* corner[3];
                for (unsigned k = 0; k < 3; ++k)
                    corner[k] = &list.VtxBuffer[static_cast<int>(
                        list.IdxBuffer[static_cast<int>(command.IdxOffset + i + k)] +
                        command.VtxOffset)];
                triangle(*corner[0], *corner[1], *corner[2]);
            }
    }

    std::string rgb() const {
        std::string bytes;
        bytes.reserve(3 * pixels_.size());
        for (const Colour& p : pixels_)
            for (float part : {p.r, p.g, p.b}) bytes += static_cast<char>(std::lround(part));
        return bytes;
    }

  private:
    // Twice the area of a, b, p; positive where p lies on the inner side of the edge.
    static float side(ImVec2 a, ImVec2 b, ImVec2 p) {
        return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    }
    // Of two triangles that share an edge only one owns the pixels on it.
    static bool owns(ImVec2 a, ImVec2 b) { return a.y == b.y ? b.x > a.x : b.y < a.y; }

    void triangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
        float area = side(a.pos, b.pos, c.pos);
        if (area == 0) return;
        if (area < 0) return triangle(a, c, b);
        const ImDrawVert* v[3] = {&a, &b, &c};
        Colour colours[3] = {colour_of(a.col), colour_of(b.col), colour_of(c.col)};
        auto clamped = [](float value, int most) {
            return std::clamp(static_cast<int>(value), 0, most);
        };
        auto [left, right] = std::minmax({a.pos.x, b.pos.x, c.pos.x});
        auto [top, bottom] = std::minmax({a.pos.y, b.pos.y, c.pos.y});
        for (int y = clamped(top, height_); y < clamped(std::ceil(bottom), height_); ++y)
            for (int x = clamped(left, width_); x < clamped(std::ceil(right), width_); ++x) {
                ImVec2 p(float(x) + 0.5f, float(y) + 0.5f);
                float weight[3];
                bool inside = true;
                for (int k = 0; k < 3 && inside; ++k) {
                    ImVec2 from = v[(k + 1) % 3]->pos, to = v[(k + 2) % 3]->pos;
                    weight[k] = side(from, to, p) / area;
                    inside = weight[k] > 0 || (weight[k] == 0 && owns(from, to));
                }
                if (inside) blend(x, y, v, colours, weight);
            }
    }

    void blend(int x, int y, const ImDrawVert* const v[3], const Colour colours[3],
               const float weight[3]) {
        Colour mixed{0, 0, 0, 0};
        ImVec2 uv;
        for (int k = 0; k < 3; ++k) {
            mixed.r += weight[k] * colours[k].r;
            mixed.g += weight[k] * colours[k].g;
            mixed.b += weight[k] * colours[k].b;
            mixed.a += weight[k] * colours[k].a;
            uv.x += weight[k] * v[k]->uv.x;
            uv.y += weight[k] * v[k]->uv.y;
        }
        float alpha = mixed.a / 255 * coverage(uv);
        Colour& under = pixels_[static_cast<size_t>(y * width_ + x)];
        under.r += alpha * (mixed.r - under.r);
        under.g += alpha * (mixed.g - under.g);
        under.b += alpha * (mixed.b - under.b);
    }

    // Of the atlas, which is white: between the four texels around, since letters of sizes that
    // were not baked do not lie pixel on pixel.
    float coverage(ImVec2 uv) const {
        float u = uv.x * static_cast<float>(atlas_.width) - 0.5f;
        float v = uv.y * static_cast<float>(atlas_.height) - 0.5f;
        float left = std::floor(u), top = std::floor(v);
        auto texel = [&](float column, float line) {
            int x = std::clamp(static_cast<int>(column), 0, atlas_.width - 1);
            int y = std::clamp(static_cast<int>(line), 0, atlas_.height - 1);
            return static_cast<float>(atlas_.rgba[4 * (y * atlas_.width + x) + 3]);
        };
        float upper = std::lerp(texel(left, top), texel(left + 1, top), u - left);
        float lower = std::lerp(texel(left, top + 1), texel(left + 1, top + 1), u - left);
        return std::lerp(upper, lower, v - top) / 255;
    }

    int width_, height_;
    AtlasPixels atlas_;
    std::vector<Colour> pixels_;
};

}  // namespace

Pixels pixels_of(float fineness, const std::function<Drawing()>& make) {
    Look& now = look();
    float scale = now.scale, density = now.density;
    bool listening = audit().on;
    audit().on = false;
    now.scale = fineness, now.density = 1;
    now.fonts->bake(fineness);
    AtlasPixels atlas = build_fonts();
    Drawing drawing = make();
    ImDrawList list(ImGui::GetDrawListSharedData());
    begin_list(list);
    ImVec2 size(std::ceil(drawing.width * fineness), std::ceil(drawing.height * fineness));
    draw_shapes(list, drawing, ImVec2(0, 0), fineness, ImVec2(0, 0), size);
    Pixels made{static_cast<int>(size.x), static_cast<int>(size.y), {}};
    Canvas canvas(made.width, made.height, now.palette->resolve(Fill::of(Ink::background)), atlas);
    canvas.draw(list);
    made.rgb = canvas.rgb();
    now.scale = scale, now.density = density;
    now.fonts_changed = true;
    audit().on = listening;
    return made;
}

std::string picture_of(float fineness, const std::function<Drawing()>& make) {
    Pixels pixels = pixels_of(fineness, make);
    return png_of(pixels.width, pixels.height,
                  reinterpret_cast<const unsigned char*>(pixels.rgb.data()));
}

}  // namespace lanewise::ui
