// Drawing -> SVG text, shape by shape. Numbers carry two decimals: a hundredth of a point is
// beyond what a printer shows.
#include "figure/drawing/svg.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <iterator>

namespace lanewise {
namespace {

// Fonts by class, named once per document: a thousand cells would repeat them otherwise.
constexpr const char* kFonts =
    "<style>.t,.b{font-family:Inter,'DejaVu Sans',sans-serif}.b{font-weight:600}"
    ".m{font-family:'JetBrains Mono','DejaVu Sans Mono',monospace}</style>\n";

const char* font_class(Font font) {
    return font == Font::mono ? "m" : font == Font::bold ? "b" : "t";
}

// 12.50 -> "12.5", 3.00 -> "3".
std::string number(float value) {
    std::string text = fmt::format("{:.2f}", std::isfinite(value) ? value : 0.0f);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string hex_color(Color c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

// As the CSS variables are called, in the order of Ink.
constexpr const char* kInkNames[] = {
    "background",   "panel",     "border", "grid",      "text",   "text-dim",
    "text-on-fill", "accent",    "good",   "warn",      "bad",    "useful",
    "wasted",       "refetched", "load",   "store",     "copy",   "datasheet",
    "model",        "recorded",  "live",   "published", "padding"};
static_assert(std::size(kInkNames) == static_cast<size_t>(Ink::count_));

// The CSS value of a fill's colour, without its alpha.
using Paint = std::function<std::string(const Fill& fill)>;

std::string variable(const Fill& fill) {
    switch (fill.kind) {
        case Fill::Kind::bank:
            return fmt::format("var(--bank-{})", fill.index & 31);
        case Fill::Kind::lane:
            return fmt::format("var(--lane-{})", fill.index & 31);
        default:
            return fmt::format("var(--{})", kInkNames[static_cast<int>(fill.ink)]);
    }
}

// "fill:#rrggbb;fill-opacity:0.5;"
std::string declaration(const char* what, const Fill& fill, const Paint& paint) {
    if (fill.kind == Fill::Kind::none) return fmt::format("{}:none;", what);
    std::string css = fmt::format("{}:{};", what, paint(fill));
    if (fill.alpha < 1) css += fmt::format("{}-opacity:{};", what, number(fill.alpha));
    return css;
}

std::string style(const Shape& shape, const Paint& paint) {
    std::string css = declaration("fill", shape.fill, paint);
    if (shape.stroke.kind != Fill::Kind::none) {
        css += declaration("stroke", shape.stroke, paint);
        if (shape.stroke_width != 1)
            css += fmt::format("stroke-width:{};", number(shape.stroke_width));
        if (shape.dashed) css += "stroke-dasharray:4 3;";
    }
    css.pop_back();
    return fmt::format(" style=\"{}\"", css);
}

std::string box_attributes(const Box& box) {
    return fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(box.x),
                       number(box.y), number(box.w), number(box.h));
}

std::string rect_element(const Shape& shape, const Paint& paint) {
    std::string radius =
        shape.radius > 0 ? fmt::format(" rx=\"{}\"", number(shape.radius)) : std::string();
    return fmt::format("<rect{}{}{}/>\n", box_attributes(shape.box), radius, style(shape, paint));
}

std::string points_element(const char* name, const Shape& shape, const Paint& paint) {
    std::string points;
    for (const Point& point : shape.points)
        points +=
            fmt::format("{}{},{}", points.empty() ? "" : " ", number(point.x), number(point.y));
    return fmt::format("<{} points=\"{}\"{}/>\n", name, points, style(shape, paint));
}

std::string text_element(const Shape& shape, const Paint& paint) {
    const Box& box = shape.box;
    float x = box.x;
    const char* anchor = "";
    if (shape.align == Align::center) x += box.w / 2, anchor = " text-anchor=\"middle\"";
    if (shape.align == Align::right) x += box.w, anchor = " text-anchor=\"end\"";
    float baseline = box.y + box.h / 2 + shape.size * 0.36f;  // half of Inter's height of capitals
    return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}>{}</text>\n",
                       font_class(shape.font), number(x), number(baseline), number(shape.size),
                       anchor, style(shape, paint), escaped(shape.text));
}

std::string element(const Shape& shape, const Paint& paint) {
    switch (shape.kind) {
        case Shape::Kind::rect:
            return rect_element(shape, paint);
        case Shape::Kind::line:
            return points_element("polyline", shape, paint);
        case Shape::Kind::polygon:
            return points_element("polygon", shape, paint);
        case Shape::Kind::text:
            return text_element(shape, paint);
    }
    return "";
}

// Invisible, on top, so that a browser shows the tooltip wherever the pointer is.
std::string hit_element(const HitBox& hit) {
    return fmt::format("<rect{} fill=\"#000\" fill-opacity=\"0\"><title>{}</title></rect>\n",
                       box_attributes(hit.box), escaped(hit.tooltip));
}

std::string document(const Drawing& drawing, const Paint& paint, const std::string& label) {
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" role=\"img\" aria-label=\"{2}\">\n<title>{2}</title>\n",
        number(drawing.width), number(drawing.height), escaped(label));
    out += kFonts;
    for (const Shape& shape : drawing.shapes)
        if (shape.stands(kAtRest)) out += element(shape, paint);
    for (const HitBox& hit : drawing.hits)
        if (!hit.tooltip.empty()) out += hit_element(hit);
    return out + "</svg>\n";
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string safe;
    for (char c : text) {
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                // Other control characters are not allowed in XML at all.
                if (static_cast<unsigned char>(c) >= 32 || c == '\n' || c == '\t') safe += c;
        }
    }
    return safe;
}

std::string svg(const Drawing& drawing, const Palette& palette, const std::string& label) {
    return document(
        drawing, [&](const Fill& fill) { return hex_color(palette.resolve(fill)); }, label);
}

std::string svg_for_page(const Drawing& drawing, const std::string& label) {
    return document(drawing, variable, label);
}

std::string css_variables(const Palette& palette) {
    std::string css;
    for (int i = 0; i < static_cast<int>(Ink::count_); ++i)
        css += fmt::format("--{}:{};", kInkNames[i], hex_color(palette.inks[i]));
    for (int i = 0; i < 32; ++i)
        css += fmt::format("--bank-{0}:{1};--lane-{0}:{2};", i, hex_color(palette.banks[i]),
                           hex_color(palette.lanes[i]));
    return css;
}

}  // namespace lanewise
