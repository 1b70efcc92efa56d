// A drawing: a flat list of shapes in points, made by pure functions from results and rendered by
// anyone: figure/drawing/svg.h writes it as SVG, ui/ draws it into the window. One description, both media.
// A drawing may show how something comes about, in steps from 0: each shape stands from one step up
// to another. At rest, which is all that a file shows, every shape stands that never leaves.
// Three rules for who renders: a text stands vertically centred in its box; a polygon is convex; a
// rect's and a polygon's fill is painted before its stroke, and strokes straddle the edge.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lanewise {

// Colours by meaning; a Palette gives each its value per theme, so that drawings know no theme.
enum class Ink : uint8_t {
    background,
    panel,
    border,
    grid,
    text,
    text_dim,
    text_on_fill,
    accent,  // the selection, the thing to look at
    good,
    warn,
    bad,  // conflict-free / wasteful / wrong; never without a word beside it
    useful,
    wasted,
    refetched,  // bytes
    load,
    store,
    copy,
    datasheet,
    model,
    recorded,
    live,       // reference lines and provenance
    published,  // somebody else's figure
    padding,    // shared words that hold no data
    count_
};
struct Color {
    uint8_t r = 0, g = 0, b = 0, a = 255;
    bool operator==(const Color&) const = default;
};
struct Fill {  // an ink, or a bank's or lane's own hue
    enum class Kind : uint8_t { none, ink, bank, lane } kind = Kind::none;
    Ink ink = Ink::text;
    int index = 0;  // bank or lane number 0..31
    float alpha = 1;
    static Fill none() { return {}; }
    static Fill of(Ink ink, float alpha = 1) { return {Kind::ink, ink, 0, alpha}; }
    static Fill bank(int index, float alpha = 1) { return {Kind::bank, Ink::text, index, alpha}; }
    static Fill lane(int index, float alpha = 1) { return {Kind::lane, Ink::text, index, alpha}; }
};

struct Point {
    float x = 0, y = 0;
};
struct Box {
    float x = 0, y = 0, w = 0, h = 0;
    bool contains(Point p) const { return p.x >= x && p.y >= y && p.x < x + w && p.y < y + h; }
};

enum class Font : uint8_t { text, bold, mono };
enum class Align : uint8_t { left, center, right };

inline constexpr int kAtRest = 1 << 30;  // the step after all others

struct Shape {
    enum class Kind : uint8_t { rect, line, text, polygon } kind = Kind::rect;
    Box box;                    // rect and text; a text's box is what it must fit into
    std::vector<Point> points;  // line (polyline) and polygon
    Fill fill, stroke;
    float stroke_width = 1, radius = 0;
    std::string text;
    float size = 13;  // text height in points
    Font font = Font::text;
    Align align = Align::left;
    bool dashed = false;
    int from = 0, until = kAtRest;  // stands at steps from <= step < until
    // What is the same thing in another drawing of the same figure, and moves there (motion.h); 0:
    // nothing.
    uint32_t mark = 0;
    bool stands(int step) const { return from <= step && (step < until || until == kAtRest); }
};

// Something the pointer can hit: what it says, and what a click means to the view that drew it.
struct HitBox {
    Box box;
    std::string tooltip;  // says the number and where it comes from
    std::string action;   // e.g. "lane:5", "access:3", "stage:transpose/30_padded"; may be empty
};

struct Drawing {
    float width = 0, height = 0;
    std::vector<Shape> shapes;  // painter's order
    std::vector<HitBox> hits;   // later ones lie on top

    // Builders, so that a figure reads as a list of marks.
    Shape& rect(Box box, Fill fill, Fill stroke = Fill::none(), float radius = 0);
    Shape& line(Point from, Point to, Fill stroke, float width = 1);
    Shape& polyline(std::vector<Point> points, Fill stroke, float width = 1);
    Shape& polygon(std::vector<Point> points, Fill fill);
    Shape& text(Box box, std::string text, float size, Fill fill = Fill::of(Ink::text),
                Align align = Align::left, Font font = Font::text);
    void hit(Box box, std::string tooltip, std::string action = {});
    // Puts all of `other` at `at`, hits included.
    void add(const Drawing& other, Point at);
};

// `drawing` on the theme's background with a margin around it: what a file of its own needs.
Drawing framed(const Drawing& drawing, float margin);

// Width in points of `text`; figures lay themselves out with it. The window measures with its
// fonts, the engine with measure_approximately (never narrower than Inter and JetBrains Mono).
using Measure = std::function<float(const std::string& text, float size, Font font)>;
float measure_approximately(const std::string& text, float size, Font font);

// Texts that do not fit their boxes (wider, or taller than the box; 0.1 points are forgiven), or
// whose boxes leave the drawing: the tests want none.
std::vector<std::string> cut_texts(const Drawing& drawing, const Measure& measure);

struct Palette {
    Color inks[static_cast<int>(Ink::count_)];
    Color banks[32];  // even steps around the hue circle: bank 31 is as close to 0 as to 30
    Color lanes[32];  // even steps along an open ramp: lane 0 and lane 31 lie furthest apart
    Color resolve(const Fill& fill) const;  // alpha included
};
// "dark", "light" or "projector"; throws Error(bad_input) for any other.
const Palette& palette(const std::string& theme);
std::vector<std::string> palette_names();

// WCAG 2.1 contrast ratio of two opaque colours, 1 to 21; text wants 4.5.
double contrast(Color a, Color b);
// `top` over an opaque `bottom`, alpha applied.
Color blend(Color top, Color bottom);

}  // namespace lanewise
