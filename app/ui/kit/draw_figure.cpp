#include "ui/kit/draw_figure.h"

#include <algorithm>
#include <cmath>

#include "figure/drawing/hatch.h"
#include "ui/kit/widgets.h"
#include "ui/look/glyphs.h"

namespace lanewise::ui {
namespace {

struct Canvas {
    ImDrawList* list;
    ImVec2 origin;
    float unit;  // pixels per point
    ImVec2 clip_low, clip_high;

    ImVec2 at(Point p) const { return {origin.x + p.x * unit, origin.y + p.y * unit}; }
    float right(const Box& b) const { return origin.x + (b.x + b.w) * unit; }
    float bottom(const Box& b) const { return origin.y + (b.y + b.h) * unit; }
    bool hidden(const Box& b) const {
        ImVec2 low = at({b.x, b.y});
        return low.x > clip_high.x || low.y > clip_high.y || right(b) < clip_low.x ||
               bottom(b) < clip_low.y;
    }
};

void draw_rect(const Canvas& c, const Shape& s) {
    if (c.hidden(s.box)) return;
    ImVec2 low = c.at({s.box.x, s.box.y}), high(c.right(s.box), c.bottom(s.box));
    float radius = s.radius * c.unit;
    if (ImU32 fill = color(s.fill)) c.list->AddRectFilled(low, high, fill, radius);
    if (ImU32 stroke = color(s.stroke))
        c.list->AddRect(low, high, stroke, radius, 0, std::max(1.f, s.stroke_width * c.unit));
}

void draw_dashes(const Canvas& c, ImVec2 from, ImVec2 to, ImU32 ink, float width) {
    float length = std::hypot(to.x - from.x, to.y - from.y);
    float dash = 4 * c.unit;
    for (float t = 0; t < length; t += 2 * dash) {
        float a = t / length, b = std::min(t + dash, length) / length;
        c.list->AddLine({from.x + (to.x - from.x) * a, from.y + (to.y - from.y) * a},
                        {from.x + (to.x - from.x) * b, from.y + (to.y - from.y) * b}, ink, width);
    }
}

void draw_line(const Canvas& c, const Shape& s) {
    ImU32 ink = color(s.stroke);
    float width = std::max(1.f, s.stroke_width * c.unit);
    for (size_t i = 1; i < s.points.size(); ++i) {
        ImVec2 from = c.at(s.points[i - 1]), to = c.at(s.points[i]);
        if (s.dashed)
            draw_dashes(c, from, to, ink, width);
        else
            c.list->AddLine(from, to, ink, width);
    }
}

void draw_polygon(const Canvas& c, const Shape& s) {
    c.list->PathClear();  // the list's own points: a frame allocates none
    for (const Point& p : s.points) c.list->PathLineTo(c.at(p));
    c.list->PathFillConvex(color(s.fill));
}

void draw_shape_text(const Canvas& c, const Shape& s) {
    if (c.hidden(s.box) || s.text.empty()) return;
    Fonts::Sized sized = look().fonts->pick(s.font, s.size);
    const char* begin = s.text.data();
    const char* end = begin + s.text.size();
    want_glyphs(s.text);
    ImVec2 extent = text_extent(sized.font, sized.pixels, begin, end);
    ImVec2 low = c.at({s.box.x, s.box.y});
    float spare = s.box.w * c.unit - extent.x;
    float x = low.x + (s.align == Align::right ? spare : s.align == Align::center ? spare / 2 : 0);
    float y = low.y + (s.box.h * c.unit - extent.y) / 2;
    ImVec2 at(std::round(x), std::round(y));
    // Only the letters' own height counts: a row may be lower than the font's full line.
    float letters = std::min(extent.y, s.size * c.unit), top = at.y + (extent.y - letters) / 2;
    audit().text(s.text, {at.x, top, at.x + extent.x, top + letters},
                 {low.x, low.y, c.right(s.box), c.bottom(s.box)}, color(s.fill), sized.pixels);
    c.list->AddText(sized.font, sized.pixels, at, color(s.fill), begin, end);
}

void draw_shape(const Canvas& c, const Shape& shape) {
    switch (shape.kind) {
        case Shape::Kind::rect:
            return draw_rect(c, shape);
        case Shape::Kind::line:
            return draw_line(c, shape);
        case Shape::Kind::polygon:
            return draw_polygon(c, shape);
        case Shape::Kind::text:
            return draw_shape_text(c, shape);
    }
}

}  // namespace

void draw_shapes(ImDrawList& list, const Drawing& drawing, ImVec2 origin, float unit,
                 ImVec2 clip_low, ImVec2 clip_high, int step) {
    Canvas canvas{&list, origin, unit, clip_low, clip_high};
    for (const Shape& shape : drawing.shapes)
        if (shape.stands(step)) draw_shape(canvas, shape);
}

void draw_hatch(ImDrawList& list, Rect box, ImU32 ink, float spacing) {
    const float unit = look().pixels_per_point();
    for_each_hatch_stroke({box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0}, spacing * unit,
                          [&](Point from, Point to) {
                              list.AddLine({from.x, from.y}, {to.x, to.y}, ink,
                                           std::max(1.f, unit));
                          });
}

std::string draw_figure(const char* id, const Drawing& drawing, int step, std::string* under) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    float unit = look().pixels_per_point();
    Canvas canvas{list, ImGui::GetCursorScreenPos(), unit, list->GetClipRectMin(),
                  list->GetClipRectMax()};
    draw_shapes(*list, drawing, canvas.origin, unit, canvas.clip_low, canvas.clip_high, step);

    ImVec2 size(std::max(1.f, drawing.width * unit), std::max(1.f, drawing.height * unit));
    bool clicked = ImGui::InvisibleButton(id, size);
    const Rect box{canvas.origin.x, canvas.origin.y, canvas.origin.x + size.x,
                   canvas.origin.y + size.y};
    audit().widget(id, box);
    audit().figure(id, box);
    if (audit().on)
        for (const HitBox& hit : drawing.hits)
            if (!hit.action.empty() && !canvas.hidden(hit.box)) {
                ImVec2 low = canvas.at({hit.box.x, hit.box.y});
                audit().widget(hit.action,
                               {low.x, low.y, canvas.right(hit.box), canvas.bottom(hit.box)});
            }
    if (!ImGui::IsItemHovered() && !clicked) return "";
    ImVec2 mouse = ImGui::GetIO().MousePos;
    Point pointer{(mouse.x - canvas.origin.x) / unit, (mouse.y - canvas.origin.y) / unit};
    for (size_t i = drawing.hits.size(); i-- > 0;) {
        const HitBox& hit = drawing.hits[i];
        if (!hit.box.contains(pointer)) continue;
        if (!hit.action.empty()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        show_tooltip(hit.tooltip);
        if (under) *under = hit.action;
        return clicked ? hit.action : "";
    }
    return "";
}

}  // namespace lanewise::ui
