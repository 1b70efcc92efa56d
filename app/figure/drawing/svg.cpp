// Drawing -> SVG text: shapes of one look share it, and plain cells are strokes of one path. Numbers
// carry a tenth of a point, half of what a screen of today shows.
#include "figure/drawing/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <vector>

namespace lanewise {
namespace {

// Fonts by class, named once per document: a thousand cells would repeat them otherwise.
constexpr const char* kFonts =
    ".t,.b{font-family:Inter,'DejaVu Sans',sans-serif}.b{font-weight:600}"
    ".m{font-family:'JetBrains Mono','DejaVu Sans Mono',monospace}";

const char* font_class(Font font) {
    return font == Font::mono ? "m" : font == Font::bold ? "b" : "t";
}

// 12.50 -> "12.5", 3.00 -> "3".
std::string shortest(std::string text) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}
std::string number(float value) {
    return shortest(fmt::format("{:.1f}", std::isfinite(value) ? value : 0.0f));
}
// Opacities, widths, and the middles of cells that are an odd number of tenths high.
std::string fine(float value) {
    return shortest(fmt::format("{:.2f}", std::isfinite(value) ? value : 0.0f));
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

// In a file of its own nobody else reads the names: "var(--b12)".
std::string short_variable(const Fill& fill) {
    if (fill.kind == Fill::Kind::bank) return fmt::format("var(--b{})", fill.index & 31);
    if (fill.kind == Fill::Kind::lane) return fmt::format("var(--l{})", fill.index & 31);
    return fmt::format("var(--i{})", static_cast<int>(fill.ink));
}

// "fill:#rrggbb;fill-opacity:0.5;"
std::string declaration(const char* what, const Fill& fill, const Paint& paint) {
    if (fill.kind == Fill::Kind::none) return fmt::format("{}:none;", what);
    std::string css = fmt::format("{}:{};", what, paint(fill));
    if (fill.alpha < 1) css += fmt::format("{}-opacity:{};", what, fine(fill.alpha));
    return css;
}

std::string style(const Shape& shape, const Paint& paint) {
    std::string css = declaration("fill", shape.fill, paint);
    if (shape.stroke.kind != Fill::Kind::none) {
        css += declaration("stroke", shape.stroke, paint);
        if (shape.stroke_width != 1)
            css += fmt::format("stroke-width:{};", fine(shape.stroke_width));
        if (shape.dashed) css += "stroke-dasharray:4 3;";
    }
    css.pop_back();
    return fmt::format(" style=\"{}\"", css);
}

std::string box_attributes(const Box& box) {
    return fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(box.x),
                       number(box.y), number(box.w), number(box.h));
}

const char* anchor_of(const Shape& shape) {
    if (shape.align == Align::center) return " text-anchor=\"middle\"";
    return shape.align == Align::right ? " text-anchor=\"end\"" : "";
}

Point text_place(const Shape& shape) {
    const Box& box = shape.box;
    float x = box.x;
    if (shape.align == Align::center) x += box.w / 2;
    if (shape.align == Align::right) x += box.w;
    return {x, box.y + box.h / 2 + shape.size * 0.36f};  // half of Inter's height of capitals
}

float in_tenths(float value) { return std::round(value * 10) / 10; }

// What of a shape stands in its element's look and what in its place: shapes of one look share it,
// and only their places are written one by one.
struct Element {
    std::string name, look, place, text = {};
    float y = 0;  // of a text
};

// "M1 2h3v4h-3z".
std::string outline_of(const Box& box) {
    float left = in_tenths(box.x), top = in_tenths(box.y);
    float width = in_tenths(box.x + box.w) - left, height = in_tenths(box.y + box.h) - top;
    return fmt::format("M{} {}h{}v{}h{}z", number(left), number(top), number(width), number(height),
                       number(-width));
}

// "M1 2H7": what goes along one axis says the other once; else steps from point to point.
std::string path_of(const Shape& shape) {
    std::string path;
    Point at;
    for (const Point& each : shape.points) {
        Point point{in_tenths(each.x), in_tenths(each.y)};
        if (path.empty())
            path = fmt::format("M{} {}", number(point.x), number(point.y));
        else if (point.y == at.y)
            path += "H" + number(point.x);
        else if (point.x == at.x)
            path += "V" + number(point.y);
        else
            path += fmt::format("l{} {}", number(point.x - at.x), number(point.y - at.y));
        at = point;
    }
    return shape.kind == Shape::Kind::polygon ? path + "z" : path;
}

Element element_of(const Shape& shape, const Paint& paint) {
    std::string css = style(shape, paint);
    constexpr float kSeen = 1;  // a smaller radius is not, beside a stroke
    if (shape.kind == Shape::Kind::rect && shape.radius > kSeen)
        return {"rect", css,
                fmt::format("{} rx=\"{}\"", box_attributes(shape.box), number(shape.radius))};
    if (shape.kind == Shape::Kind::rect) return {"path", css, outline_of(shape.box)};
    if (shape.kind != Shape::Kind::text) return {"path", css, path_of(shape)};
    Point at = text_place(shape);
    return {"text",
            fmt::format(" class=\"{}\" font-size=\"{}\"{}{}", font_class(shape.font),
                        number(shape.size), anchor_of(shape), css),
            number(at.x), escaped(shape.text), at.y};
}

// Plain cells of one colour, which are most of every large figure. Those that touch become one; the
// others are strokes of one path for each height: "M8 6h12" is twelve wide, and as high as the stroke.
class Cells {
  public:
    void add(const Box& box) {
        Cell cell{in_tenths(box.x), in_tenths(box.y), in_tenths(box.x + box.w),
                  in_tenths(box.y + box.h), box.h};
        if (!cells_.empty() && cells_.back().top == cell.top &&
            cells_.back().bottom == cell.bottom && cells_.back().right == cell.left) {
            cells_.back().right = cell.right;
            return;
        }
        auto [above, is_new] = lowest_.try_emplace(cell.left, cells_.size());
        if (!is_new && cells_[above->second].right == cell.right &&
            cells_[above->second].bottom == cell.top) {
            cells_[above->second].bottom = cell.bottom;
            cells_[above->second].height = 0;
            return;
        }
        above->second = cells_.size();
        cells_.push_back(cell);
    }

    // One path each; neighbours of one look are written below it.
    struct Strokes {
        std::string look, colour, path;
    };
    std::vector<Strokes> strokes_of(const Fill& fill, const Paint& paint) const {
        std::map<std::string, std::string> strokes;  // by height
        std::map<std::string, Point> ends;
        std::string filled;
        for (const Cell& cell : cells_) {
            if (cell.height == 0) {
                filled += outline_of(
                    {cell.left, cell.top, cell.right - cell.left, cell.bottom - cell.top});
                continue;
            }
            std::string height = fine(cell.height);
            Point& end = ends[height];
            Point at{cell.left, (cell.top + cell.bottom) / 2};
            std::string there = fmt::format("M{} {}", number(at.x), number(at.y));
            std::string on = fmt::format("m{} {}", number(in_tenths(at.x) - end.x),
                                         number(in_tenths(at.y) - end.y));
            std::string& path = strokes[height];
            path += path.empty() || there.size() <= on.size() ? there : on;
            path += "h" + number(cell.right - cell.left);
            end = {cell.right, in_tenths(at.y)};
        }
        std::vector<Strokes> all;
        if (!filled.empty()) all.push_back({opacity("fill", fill), "fill:" + paint(fill), filled});
        for (const auto& [height, path] : strokes)
            all.push_back({opacity("stroke", fill) + "stroke-width:" + height,
                           "stroke:" + paint(fill), path});
        return all;
    }

  private:
    struct Cell {
        float left, top, right, bottom;
        float height;  // as drawn; 0: of several
    };
    static std::string opacity(const char* what, const Fill& fill) {
        return fill.alpha < 1 ? fmt::format("{}-opacity:{};", what, fine(fill.alpha)) : "";
    }
    std::vector<Cell> cells_;
    std::map<float, size_t> lowest_;  // by left edge: the last one there
};

Box bounds_of(const Shape& shape) {
    if (shape.kind == Shape::Kind::rect || shape.kind == Shape::Kind::text) return shape.box;
    Box box{shape.points.front().x, shape.points.front().y, 0, 0};
    for (const Point& point : shape.points) {
        float right = std::max(box.x + box.w, point.x), bottom = std::max(box.y + box.h, point.y);
        box.x = std::min(box.x, point.x);
        box.y = std::min(box.y, point.y);
        box.w = right - box.x;
        box.h = bottom - box.y;
    }
    float half = shape.stroke_width / 2;
    return {box.x - half, box.y - half, box.w + 2 * half, box.h + 2 * half};
}

// Shapes of one look, in the order in which they are painted. A shape joins those of its look where
// nothing painted since lies under it, so that the picture stays the same.
class Layers {
  public:
    Layers(const Paint& paint, float width, float height)
        : paint_(paint), across_(tile(width) + 1), tiles_((tile(height) + 1) * across_) {}

    void add(const Shape& shape) {
        if (shape.kind == Shape::Kind::rect && shape.radius == 0 &&
            shape.stroke.kind == Fill::Kind::none && shape.fill.kind != Fill::Kind::none)
            return add_cell(shape);
        Element element = element_of(shape, paint_);
        Box box = bounds_of(shape);
        bool is_text = shape.kind == Shape::Kind::text;
        size_t layer = layer_of(element.name + element.look, box, is_text);
        if (layer == layers_.size()) layers_.push_back({element.name, element.look, {}, {}, {}});
        note(box, layer, is_text);
        layers_[layer].elements.push_back(std::move(element));
    }

    std::string text() const {
        std::string all, look;
        auto begin = [&](const std::string& next) {
            if (next == look) return;
            if (!look.empty()) all += "</g>\n";
            look = next;
            if (!look.empty()) all += fmt::format("<g style=\"{}\">\n", look);
        };
        for (const Layer& layer : layers_) {
            if (layer.name != "cells") {
                begin("");
                all += element_text(layer);
                continue;
            }
            for (const Cells::Strokes& each : layer.cells.strokes_of(layer.fill, paint_)) {
                begin(each.look);
                all += fmt::format("<path style=\"{}\" d=\"{}\"/>\n", each.colour, each.path);
            }
        }
        begin("");
        return all;
    }

  private:
    struct Layer {
        std::string name, look;
        Fill fill;  // of cells
        std::vector<Element> elements;
        Cells cells;
    };
    struct Painted {
        Box box;
        size_t layer;
        bool is_text;  // whose box is wider than its letters, which lie on no others
    };
    static constexpr float kTile = 16;  // points; large figures have thousands of shapes
    static constexpr float kApart = 0.06f;

    static std::string joined(const std::vector<Element>& elements) {
        std::string path;
        for (const Element& element : elements) path += element.place;
        return path;
    }

    static std::string element_text(const Layer& layer) {
        if (layer.name == "path")
            return fmt::format("<path d=\"{}\"{}/>\n", joined(layer.elements), layer.look);
        return layer.name == "text" ? texts(layer) : rects(layer);
    }

    static std::string rects(const Layer& layer) {
        if (layer.elements.size() == 1)
            return fmt::format("<rect{}{}/>\n", layer.elements[0].place, layer.look);
        std::string all;
        for (const Element& element : layer.elements)
            all += fmt::format("<rect{}/>\n", element.place);
        return fmt::format("<g{}>\n{}</g>\n", layer.look, all);
    }

    // Those that stand on one line are one element.
    static std::string texts(const Layer& layer) {
        const std::vector<Element>& all = layer.elements;
        std::string text;
        for (size_t i = 0; i < all.size();) {
            size_t end = i + 1;
            while (end < all.size() && number(all[end].y) == number(all[i].y)) ++end;
            std::string look = all.size() == 1 ? layer.look : std::string();
            if (end == i + 1)
                text += fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", all[i].place,
                                    number(all[i].y), look, all[i].text);
            else
                text += fmt::format("<text y=\"{}\"{}>{}</text>\n", number(all[i].y), look,
                                    spans(all, i, end));
            i = end;
        }
        return all.size() == 1 ? text : fmt::format("<g{}>\n{}</g>\n", layer.look, text);
    }

    static std::string spans(const std::vector<Element>& all, size_t begin, size_t end) {
        std::string text;
        for (size_t i = begin; i < end; ++i)
            text += fmt::format("<tspan x=\"{}\">{}</tspan>", all[i].place, all[i].text);
        return text;
    }

    static size_t tile(float at) { return static_cast<size_t>(std::max(0.f, at) / kTile); }

    template <typename Visit>
    void each_tile(const Box& box, Visit visit) {
        size_t rows = tiles_.size() / across_;
        for (size_t y = tile(box.y); y <= std::min(tile(box.y + box.h), rows - 1); ++y)
            for (size_t x = tile(box.x); x <= std::min(tile(box.x + box.w), across_ - 1); ++x)
                visit(tiles_[y * across_ + x]);
    }

    static bool overlap(const Box& a, const Box& b) {
        return a.x + a.w > b.x + kApart && b.x + b.w > a.x + kApart && a.y + a.h > b.y + kApart &&
               b.y + b.h > a.y + kApart;
    }

    // Of this look, and not below anything that lies under the box; else a new one.
    size_t layer_of(const std::string& look, const Box& box, bool is_text = false) {
        auto [last, is_new] = last_.try_emplace(look, layers_.size());
        if (is_new) return last->second;
        size_t top = 0;
        each_tile(box, [&](const std::vector<Painted>& tile) {
            for (const Painted& other : tile)
                if (other.layer >= top && !(is_text && other.is_text) && overlap(other.box, box))
                    top = other.layer;
        });
        if (last->second < top) last->second = layers_.size();
        return last->second;
    }

    void note(const Box& box, size_t layer, bool is_text = false) {
        each_tile(box, [&](std::vector<Painted>& tile) { tile.push_back({box, layer, is_text}); });
    }

    void add_cell(const Shape& shape) {
        std::string look = paint_(shape.fill) + " " + fine(shape.fill.alpha);
        size_t layer = layer_of("cells " + look, shape.box);
        if (layer == layers_.size()) layers_.push_back({"cells", look, shape.fill, {}, {}});
        layers_[layer].cells.add(shape.box);
        note(shape.box, layer);
    }

    const Paint& paint_;
    size_t across_;
    std::vector<std::vector<Painted>> tiles_;
    std::vector<Layer> layers_;
    std::map<std::string, size_t> last_;  // by look
};

// Invisible, on top, so that a browser shows the tooltip wherever the pointer is.
std::string hit_elements(const Drawing& drawing) {
    std::string all;
    for (const HitBox& hit : drawing.hits)
        if (!hit.tooltip.empty())
            all += fmt::format("<rect{}><title>{}</title></rect>\n", box_attributes(hit.box),
                               escaped(hit.tooltip));
    return all.empty() ? all : "<g fill=\"#000\" fill-opacity=\"0\">\n" + all + "</g>\n";
}

std::string document(const Drawing& drawing, const Paint& paint, const std::string& label,
                     const std::string& css = {}, bool with_tooltips = true) {
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" role=\"img\" aria-label=\"{2}\">\n<title>{2}</title>\n<style>{3}{4}</style>\n",
        number(drawing.width), number(drawing.height), escaped(label), css, kFonts);
    Layers layers(paint, drawing.width, drawing.height);
    for (const Shape& shape : drawing.shapes)
        if (shape.stands(kAtRest)) layers.add(shape);
    return out + layers.text() + (with_tooltips ? hit_elements(drawing) : "") + "</svg>\n";
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

std::string svg_for_both_themes(const Drawing& drawing, const std::string& label) {
    std::map<std::string, std::pair<Color, Color>> used;  // light, dark
    auto paint = [&](const Fill& fill) {
        std::string name = short_variable(fill);
        used[name.substr(4, name.size() - 5)] = {palette("light").resolve(fill),
                                                 palette("dark").resolve(fill)};
        return name;
    };
    document(drawing, paint, label);  // to see which it uses
    std::string light, dark;
    for (const auto& [name, colors] : used) {
        light += fmt::format("{}:{};", name, hex_color(colors.first));
        dark += fmt::format("{}:{};", name, hex_color(colors.second));
    }
    return document(drawing, short_variable, label,
                    fmt::format(":root{{{}}}@media screen and (prefers-color-scheme:dark)"
                                "{{:root{{{}}}}}",
                                light, dark),
                    false);
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
