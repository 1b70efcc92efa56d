// Whether every text can be read on what lies under it. The ground is found by painting, at one
// point, what the frame draws before the text: every filled triangle that covers it, in order.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ui/kit/audit.h"

namespace lanewise::ui {
namespace {

struct Light {
    double r = 0, g = 0, b = 0;  // 0 to 1, as encoded
};

Light light_of(ImU32 color) {
    auto part = [&](int shift) { return static_cast<double>(color >> shift & 255) / 255; };
    return {part(IM_COL32_R_SHIFT), part(IM_COL32_G_SHIFT), part(IM_COL32_B_SHIFT)};
}

// `over` with its opacity on top of `ground`.
Light painted(Light ground, ImU32 over) {
    double alpha = static_cast<double>(over >> IM_COL32_A_SHIFT & 255) / 255;
    Light top = light_of(over);
    auto mix = [&](double below, double above) { return below + alpha * (above - below); };
    return {mix(ground.r, top.r), mix(ground.g, top.g), mix(ground.b, top.b)};
}

double luminance(Light light) {
    auto linear = [](double x) {
        return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(light.r) + 0.7152 * linear(light.g) + 0.0722 * linear(light.b);
}

double contrast(Light a, Light b) {
    double one = luminance(a) + 0.05, other = luminance(b) + 0.05;
    return std::max(one, other) / std::min(one, other);
}

// A triangle without an area, as of a line that is cut to a point, covers nothing.
bool covers(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, ImVec2 at) {
    auto side_of = [](const ImDrawVert& from, const ImDrawVert& to, ImVec2 p) {
        return (to.pos.x - from.pos.x) * (p.y - from.pos.y) -
               (to.pos.y - from.pos.y) * (p.x - from.pos.x);
    };
    if (side_of(a, b, c.pos) == 0) return false;
    float ab = side_of(a, b, at), bc = side_of(b, c, at), ca = side_of(c, a, at);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

// Letters are textured; fills use the one white pixel of the atlas.
bool is_fill(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
    auto same = [](ImVec2 x, ImVec2 y) { return x.x == y.x && x.y == y.y; };
    return same(a.uv, b.uv) && same(b.uv, c.uv);
}

class Ground {
  public:
    explicit Ground(ImVec2 at) : at_(at) {}
    Light light;

    // Paints `list` up to the vertex `end`.
    void paint(const ImDrawList& list, unsigned end) {
        for (const ImDrawCmd& command : list.CmdBuffer) {
            const ImVec4& clip = command.ClipRect;
            bool shown = at_.x >= clip.x && at_.x < clip.z && at_.y >= clip.y && at_.y < clip.w;
            for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
                unsigned first = command.IdxOffset + i;
                auto index = [&](unsigned k) {
                    return command.VtxOffset + list.IdxBuffer[static_cast<int>(first + k)];
                };
                if (index(0) == end) return;
                if (shown) paint_triangle(list, index(0), index(1), index(2));
            }
        }
    }

  private:
    void paint_triangle(const ImDrawList& list, unsigned ia, unsigned ib, unsigned ic) {
        const ImDrawVert& a = list.VtxBuffer[static_cast<int>(ia)];
        const ImDrawVert& b = list.VtxBuffer[static_cast<int>(ib)];
        const ImDrawVert& c = list.VtxBuffer[static_cast<int>(ic)];
        if (is_fill(a, b, c) && covers(a, b, c, at_)) light = painted(light, a.col);
    }
    ImVec2 at_;
};

bool visible(const TextRecord& r, ImVec2 at) {
    return at.x > r.clip.x0 && at.x < r.clip.x1 && at.y > r.clip.y0 && at.y < r.clip.y1;
}

}  // namespace

double contrast(ImU32 a, ImU32 b) { return contrast(light_of(a), light_of(b)); }

std::vector<std::string> contrast_faults(const Audit& audit, const ImDrawData& frame, float scale) {
    constexpr double kLeast = 4.5, kLeastLarge = 3;
    constexpr float kLargePoints = 24;
    std::vector<std::string> faults;
    for (const TextRecord& text : audit.texts) {
        ImVec2 at((text.extent.x0 + text.extent.x1) / 2, (text.extent.y0 + text.extent.y1) / 2);
        if (!text.list || !visible(text, at)) continue;
        Ground ground(at);
        for (int i = 0; i < frame.CmdListsCount; ++i) {
            bool own = frame.CmdLists[i] == text.list;
            ground.paint(*frame.CmdLists[i], own ? text.first_vertex : ~0u);
            if (own) break;
        }
        double found = contrast(painted(ground.light, text.ink), ground.light);
        double least = text.pixels >= kLargePoints * scale ? kLeastLarge : kLeast;
        if (found >= least) continue;
        char words[64];
        std::snprintf(words, sizeof words, "\" at %.0f,%.0f has a contrast of %.2f", at.x, at.y,
                      found);
        faults.push_back("\"" + text.text + words);
    }
    return faults;
}

}  // namespace lanewise::ui
