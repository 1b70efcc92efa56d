// Drawing -> SVG text: shapes of one look share it, and plain cells of a lattice are strokes of one
// path. svg_layers.h says in which order, svg_path.h how places are written.
#include "figure/drawing/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "figure/drawing/motion.h"
#include "figure/drawing/moving_svg.h"
#include "figure/drawing/svg_dashes.h"
#include "figure/drawing/svg_lattice.h"
#include "figure/drawing/svg_layers.h"
#include "figure/drawing/svg_paint.h"
#include "figure/drawing/svg_path.h"

namespace lanewise {
namespace {

// Fonts by class, named once per document: a thousand cells would repeat them otherwise.
constexpr const char* kFonts =
    ".t,.b{font-family:Inter,'DejaVu Sans',sans-serif}.b{font-weight:600}"
    ".m{font-family:'JetBrains Mono','DejaVu Sans Mono',monospace}";

const char* font_class(Font font) {
    return font == Font::mono ? "m" : font == Font::bold ? "b" : "t";
}

// ---- looks

std::string opacity(const char* what, const Fill& fill) {
    if (fill.kind == Fill::Kind::none || fill.alpha >= 1) return "";
    return fmt::format(" {}-opacity=\"{}\"", what, in_decimals(fill.alpha, 2));
}

ShapeLook look_of_text(const Shape& shape, Paint& paint) {
    const char* anchor = shape.align == Align::center  ? " text-anchor=\"middle\""
                         : shape.align == Align::right ? " text-anchor=\"end\""
                                                       : "";
    return {ShapeLook::Element::text,
            paint.attributes(shape.fill, Fill::none(), font_class(shape.font)),
            fmt::format(" font-size=\"{}\"{}{}", in_tenths(shape.size), anchor,
                        opacity("fill", shape.fill))};
}

// A cell is a stroke as wide as its lattice's rows are high, or part of a larger filled one.
ShapeLook look_of_cell(const Shape& shape, int index, const Lattice& lattice, Paint& paint) {
    std::string shared =
        lattice.transform() + opacity("stroke", shape.fill) + opacity("fill", shape.fill);
    return {ShapeLook::Element::cells, paint.attributes(shape.fill, Fill::none(), ""), shared,
            paint.attributes(Fill::none(), shape.fill, ""), index};
}

ShapeLook::Element element_of(const Shape& shape) {
    if (shape.kind == Shape::Kind::polygon) return ShapeLook::Element::polygon;
    bool is_round = shape.kind == Shape::Kind::rect && !is_plain(shape);
    return is_round ? ShapeLook::Element::rect : ShapeLook::Element::path;
}

// What has one colour and hides what is behind it may be one stroke as well as many pieces.
std::string stroke_alone(const Shape& shape, Paint& paint) {
    const bool is_filled = shape.fill.kind != Fill::Kind::none;
    if (is_filled == (shape.stroke.kind != Fill::Kind::none) || shape.dashed) return {};
    const Fill& colour = is_filled ? shape.fill : shape.stroke;
    return colour.alpha < 1 ? "" : paint.attributes(Fill::none(), colour, "");
}

ShapeLook look_of(const Shape& shape, Paint& paint) {
    if (shape.kind == Shape::Kind::text) return look_of_text(shape, paint);
    std::string shared = opacity("fill", shape.fill);
    if (shape.stroke.kind != Fill::Kind::none) {
        shared += opacity("stroke", shape.stroke);
        if (shape.stroke_width != 1)
            shared += fmt::format(" stroke-width=\"{}\"", in_decimals(shape.stroke_width, 2));
        if (shape.dashed) shared += " stroke-dasharray=\"4 3\"";
    }
    return {element_of(shape), paint.attributes(shape.fill, shape.stroke, ""), shared,
            stroke_alone(shape, paint)};
}

// ---- elements, with a look where they are the only one of it

std::string path_element(const std::string& path, const std::string& look) {
    return path.empty() ? "" : fmt::format("<path{} d=\"{}\"/>\n", look, path);
}

// Filled boxes that touch are one. In tenths of a point.
std::vector<CellBlock> boxes_of(const Layer& layer) {
    std::vector<CellBlock> blocks;
    for (const Shape* shape : layer.shapes) {
        auto tenths = [](float value) { return static_cast<int>(std::lround(value * 10)); };
        if (!is_cell(*shape)) continue;
        int left = tenths(shape->box.x), top = tenths(shape->box.y);
        blocks.push_back({top, left, tenths(shape->box.y + shape->box.h) - top,
                          tenths(shape->box.x + shape->box.w) - left});
    }
    return joined(std::move(blocks));
}

bool is_straight(const Shape& shape) {
    return shape.kind == Shape::Kind::line && shape.points.size() == 2 && !shape.dashed;
}

// What is neither a filled box nor a straight line.
void write_others(const Layer& layer, PathText& path) {
    for (const Shape* shape : layer.shapes) {
        if (is_cell(*shape) || is_straight(*shape)) continue;
        if (shape->kind == Shape::Kind::rect)
            path.box(shape->box, true);
        else
            path.through(shape->points, shape->kind != Shape::Kind::line);
    }
}

void write_pieces(const std::vector<CellBlock>& pieces, PathText& path) {
    auto points = [](int col, int row) {
        return Point{static_cast<float>(col) / 10, static_cast<float>(row) / 10};
    };
    for (const CellBlock& piece : pieces) {
        Point from = points(piece.col, piece.row), size = points(piece.cols, piece.rows);
        if (piece.cols > 0 && piece.rows > 0)
            path.box({from.x, from.y, size.x, size.y}, false);
        else
            path.either_way(from, {from.x + size.x, from.y + size.y});
    }
}

std::string dashed_elements(const Dashes& dashes, const std::string& look) {
    std::string all;
    for (const auto& [dash, path] : dashes.paths) all += path_element(path, look + dash.attributes());
    return all;
}

// `stroke`: the look of what it shows as dashes, where that is shorter; empty where nothing may be.
std::string path_element(const Layer& layer, const std::string& look, const std::string& stroke) {
    PathText path;
    write_others(layer, path);
    StraightLines lines;
    for (const Shape* shape : layer.shapes)
        if (is_straight(*shape)) lines.add(shape->points[0], shape->points[1]);
    std::vector<CellBlock> pieces = boxes_of(layer);
    for (const CellBlock& line : lines.along_axes(path)) pieces.push_back(line);

    PathText all = path;
    write_pieces(pieces, all);
    std::string plain = path_element(all.text(), look);
    if (stroke.empty()) return plain;
    Dashes dashes = dashes_of(pieces);
    write_pieces(dashes.rest, path);
    std::string dashed = path_element(path.text(), look) + dashed_elements(dashes, stroke);
    return dashed.size() < plain.size() ? dashed : plain;
}

std::string cells_element(const Layer& layer, const Lattice& lattice, const std::string& shared) {
    std::vector<CellBlock> cells;
    for (const Shape* shape : layer.shapes) cells.push_back(lattice.place(shape->box));
    CellPaths paths = cell_paths(cells);
    return path_element(paths.fills.text(), layer.look.own + shared) +
           path_element(paths.strokes.text(), layer.look.own_stroke + shared);
}

// Several of one look stand in a group that has it.
std::string grouped(const std::string& look, const std::string& elements) {
    return fmt::format("<g{}>\n{}</g>\n", look, elements);
}

std::string rect_element(const Shape& shape, const std::string& look) {
    return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"{}/>\n",
                       in_tenths(shape.box.x), in_tenths(shape.box.y), in_tenths(shape.box.w),
                       in_tenths(shape.box.h), in_tenths(shape.radius), look);
}

std::string rect_elements(const Layer& layer, const std::string& look) {
    if (layer.shapes.size() == 1) return rect_element(*layer.shapes[0], look);
    std::string all;
    for (const Shape* shape : layer.shapes) all += rect_element(*shape, "");
    return grouped(look, all);
}

Point text_place(const Shape& shape) {
    const Box& box = shape.box;
    float x = box.x;
    if (shape.align == Align::center) x += box.w / 2;
    if (shape.align == Align::right) x += box.w;
    return {x, box.y + box.h / 2 + shape.size * 0.36f};  // half of Inter's height of capitals
}

struct Words {
    std::string x, text;
};

// Those that stand on one line are one element.
std::string line_of_text(float y, const std::vector<Words>& line, const std::string& look) {
    if (line.size() == 1)
        return fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", line[0].x, in_tenths(y), look,
                           line[0].text);
    std::string spans;
    for (const Words& words : line)
        spans += fmt::format("<tspan x=\"{}\">{}</tspan>", words.x, words.text);
    return fmt::format("<text y=\"{}\"{}>{}</text>\n", in_tenths(y), look, spans);
}

std::string text_elements(const Layer& layer, const std::string& look) {
    std::map<long, std::vector<Words>> lines;  // by their tenth of a point
    for (const Shape* shape : layer.shapes) {
        Point at = text_place(*shape);
        lines[std::lround(at.y * 10)].push_back({in_tenths(at.x), escaped(shape->text)});
    }
    bool alone = lines.size() == 1;
    std::string all;
    for (const auto& [y, line] : lines)
        all += line_of_text(static_cast<float>(y) / 10, line, alone ? look : "");
    return alone ? all : grouped(look, all);
}

// With the attributes that it shares where no group around it has them.
std::string layer_text(const Layer& layer, const Lattices& lattices, const std::string& shared) {
    std::string look = layer.look.own + shared;
    switch (layer.look.element) {
        case ShapeLook::Element::rect:
            return rect_elements(layer, look);
        case ShapeLook::Element::text:
            return text_elements(layer, look);
        case ShapeLook::Element::cells:
            return cells_element(layer, lattices[layer.look.lattice], shared);
        default:
            return path_element(layer, look,
                                layer.look.own_stroke.empty() ? "" : layer.look.own_stroke + shared);
    }
}

std::string level_text(const Level& level, const Lattices& lattices) {
    std::string all;
    for (size_t i = 0; i < level.size();) {
        const std::string& shared = level[i].look.shared;
        size_t end = i + 1;
        while (end < level.size() && level[end].look.shared == shared) ++end;
        bool group = end - i > 1 && !shared.empty();
        std::string layers;
        for (; i < end; ++i) layers += layer_text(level[i], lattices, group ? "" : shared);
        all += group ? grouped(shared, layers) : layers;
    }
    return all;
}

// ---- documents

std::string shapes_text(const Drawing& drawing, const Lattices& lattices, Paint& paint) {
    Layers layers(drawing.width, drawing.height);
    for (const Shape& shape : drawing.shapes) {
        bool is_seen = shape.fill.kind != Fill::Kind::none || shape.stroke.kind != Fill::Kind::none;
        if (!is_seen || !shape.stands(kAtRest)) continue;
        int lattice = lattices.of(shape);
        layers.add(shape, lattice < 0 ? look_of(shape, paint)
                                      : look_of_cell(shape, lattice, lattices[lattice], paint));
    }
    std::string all;
    for (const Level& level : layers.levels()) all += level_text(level, lattices);
    return all;
}

// Lattices pay in a tile's picture; elsewhere boxes of many sizes touch, and are one without them.
std::string shapes_text(const Drawing& drawing, Paint& paint) {
    std::string with = shapes_text(drawing, Lattices(drawing), paint);
    std::string without = shapes_text(drawing, Lattices(), paint);
    return with.size() < without.size() ? with : without;
}

// Invisible, on top, so that a browser shows the tooltip wherever the pointer is.
std::string hit_elements(const Drawing& drawing) {
    std::string all;
    for (const HitBox& hit : drawing.hits)
        if (!hit.tooltip.empty())
            all += fmt::format(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>\n",
                in_tenths(hit.box.x), in_tenths(hit.box.y), in_tenths(hit.box.w),
                in_tenths(hit.box.h), escaped(hit.tooltip));
    return all.empty() ? all : grouped(" fill=\"#000\" fill-opacity=\"0\"", all);
}

std::string document(const Drawing& drawing, const std::string& label, const std::string& css,
                     const std::string& elements) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" role=\"img\" aria-label=\"{2}\">\n<title>{2}</title>\n<style>{3}{4}</style>\n{5}"
        "</svg>\n",
        in_tenths(drawing.width), in_tenths(drawing.height), escaped(label), css, kFonts, elements);
}

std::string styled_document(const Drawing& drawing, const std::string& label,
                            StylePaint::Value value) {
    StylePaint paint(std::move(value));
    return document(drawing, label, "", shapes_text(drawing, paint) + hit_elements(drawing));
}

// ---- a document that moves

// Both stand still for as long as it takes to look at them. Every part goes by the same clock.
constexpr const char* kMoving =
    ".go,.one,.two{animation:8s ease-in-out infinite}.go{animation-name:go}"
    ".one{animation-name:one}.two{animation-name:two}"
    "@keyframes go{0%,35%,100%{transform:var(--m)}50%,90%{transform:none}}"
    "@keyframes one{0%,35%,100%{opacity:1}50%,90%{opacity:0}}"
    "@keyframes two{0%,35%,100%{opacity:0}50%,90%{opacity:1}}"
    "@media(prefers-reduced-motion:reduce){.go,.one,.two{animation:none}.one{opacity:0}}";

std::string group_of_class(const char* name, const std::string& elements) {
    return elements.empty() ? "" : grouped(fmt::format(" class=\"{}\"", name), elements);
}

std::string shape_text(const Shape& shape, Paint& paint) {
    Drawing alone;
    alone.width = shape.box.x + shape.box.w;
    alone.height = shape.box.y + shape.box.h;
    alone.shapes.push_back(shape);
    return shapes_text(alone, paint);
}

// Both looks go the same way, where they differ: the old one fades into the new one.
std::string moved_text(const Motion::Moved& moved, Paint& paint) {
    const Box &was = moved.before.box, &is = moved.after.box;
    Shape old_look = moved.before;
    old_look.box = is;
    const std::string before = shape_text(old_look, paint);
    const std::string after = shape_text(moved.after, paint);
    // About the new box's corner, so that the old box's lands where it was.
    const std::string from =
        fmt::format("--m:translate({}px,{}px) scale({},{});transform-origin:{}px {}px",
                    in_tenths(was.x - is.x), in_tenths(was.y - is.y), in_decimals(was.w / is.w, 3),
                    in_decimals(was.h / is.h, 3), in_tenths(is.x), in_tenths(is.y));
    return grouped(
        fmt::format(" class=\"go\" style=\"{}\"", from),
        before == after ? after : group_of_class("one", before) + group_of_class("two", after));
}

}  // namespace

std::string moving_svg(const Drawing& from, const Drawing& to, const Palette& palette,
                       const std::string& label) {
    const Motion::Parts parts = Motion(from, to).parts();
    StylePaint paint([&](const Fill& fill) { return hex_value(palette.resolve(fill)); });
    std::string all = shapes_text(parts.still, paint) +
                      group_of_class("one", shapes_text(parts.leaving, paint)) +
                      group_of_class("two", shapes_text(parts.entering, paint));
    for (const Motion::Moved& moved : parts.moved) all += moved_text(moved, paint);
    return document(parts.still, label, kMoving, all);
}

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
    return styled_document(drawing, label,
                           [&](const Fill& fill) { return hex_value(palette.resolve(fill)); });
}

std::string svg_for_page(const Drawing& drawing, const std::string& label) {
    return styled_document(drawing, label, variable_value);
}

std::string svg_for_both_themes(const Drawing& drawing, const std::string& label) {
    ClassPaint paint;
    std::string shapes = shapes_text(drawing, paint);
    return document(drawing, label, paint.rules(shapes), shapes);
}

}  // namespace lanewise
