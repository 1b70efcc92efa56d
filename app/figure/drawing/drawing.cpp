// Builders of a Drawing, and how wide its texts are where no font is at hand.
#include "figure/drawing/drawing.h"

#include <array>
#include <cmath>
#include <utility>

namespace lanewise {

Shape& Drawing::rect(Box box, Fill fill, Fill stroke, float radius) {
    Shape& shape = shapes.emplace_back();
    shape.kind = Shape::Kind::rect;
    shape.box = box;
    shape.fill = fill;
    shape.stroke = stroke;
    shape.radius = radius;
    return shape;
}

Shape& Drawing::line(Point from, Point to, Fill stroke, float stroke_width) {
    return polyline({from, to}, stroke, stroke_width);
}

Shape& Drawing::polyline(std::vector<Point> points, Fill stroke, float stroke_width) {
    Shape& shape = shapes.emplace_back();
    shape.kind = Shape::Kind::line;
    shape.points = std::move(points);
    shape.stroke = stroke;
    shape.stroke_width = stroke_width;
    return shape;
}

Shape& Drawing::polygon(std::vector<Point> points, Fill fill) {
    Shape& shape = shapes.emplace_back();
    shape.kind = Shape::Kind::polygon;
    shape.points = std::move(points);
    shape.fill = fill;
    return shape;
}

Shape& Drawing::text(Box box, std::string words, float size, Fill fill, Align align, Font font) {
    Shape& shape = shapes.emplace_back();
    shape.kind = Shape::Kind::text;
    shape.box = box;
    shape.text = std::move(words);
    shape.size = size;
    shape.fill = fill;
    shape.align = align;
    shape.font = font;
    return shape;
}

void Drawing::hit(Box box, std::string tooltip, std::string action) {
    hits.push_back({box, std::move(tooltip), std::move(action)});
}

void Drawing::add(const Drawing& other, Point at) {
    for (Shape shape : other.shapes) {
        shape.box.x += at.x;
        shape.box.y += at.y;
        for (Point& point : shape.points) point = {point.x + at.x, point.y + at.y};
        shapes.push_back(std::move(shape));
    }
    for (HitBox hit : other.hits) {
        hit.box.x += at.x;
        hit.box.y += at.y;
        hits.push_back(std::move(hit));
    }
}

Drawing framed(const Drawing& drawing, float margin) {
    Drawing whole;
    whole.width = drawing.width + 2 * margin;
    whole.height = drawing.height + 2 * margin;
    whole.rect({0, 0, whole.width, whole.height}, Fill::of(Ink::background));
    whole.add(drawing, {margin, margin});
    return whole;
}

// ---- widths. Advances of ASCII 32..126 in 1/1000 em, as Inter 4's hmtx table has them; bold is
// the wider of its SemiBold and Bold, since either may stand in. Kerning only narrows.
constexpr std::array<uint16_t, 95> kRegular = {
    282, 279, 404, 631, 638, 813, 640, 222, 363, 363, 500, 660, 280, 461, 276, 357, 625, 465, 606,
    637, 643, 608, 624, 572, 617, 624, 276, 280, 660, 660, 660, 508, 937, 677, 651, 728, 719, 599,
    587, 743, 741, 265, 543, 652, 563, 890, 753, 762, 635, 762, 640, 638, 643, 742, 677, 949, 643,
    665, 625, 363, 357, 363, 469, 452, 498, 564, 621, 559, 621, 583, 361, 610, 591, 238, 238, 545,
    238, 870, 586, 597, 610, 610, 373, 523, 364, 581, 557, 813, 540, 557, 542, 363, 327, 363, 660,
};
constexpr std::array<uint16_t, 95> kBold = {
    249, 325, 396, 650, 655, 860, 675, 214, 410, 410, 565, 680, 303, 469,  298, 390, 689, 490,  630,
    660, 678, 645, 661, 595, 661, 661, 298, 303, 680, 680, 680, 563, 1031, 748, 661, 753, 728,  613,
    586, 761, 747, 281, 570, 690, 568, 915, 741, 782, 648, 783, 657, 655,  669, 734, 748, 1036, 715,
    725, 667, 410, 390, 410, 488, 477, 498, 581, 636, 588, 636, 598, 386,  634, 625, 273, 273,  582,
    273, 912, 622, 614, 633, 633, 409, 562, 389, 622, 586, 851, 574, 586,  572, 410, 374, 410,  680,
};
constexpr int kWideGlyph = 1000;  // arrows, dashes and whatever else lies beyond ASCII
constexpr int kMonoGlyph = 600;   // every glyph of JetBrains Mono

float measure_approximately(const std::string& text, float size, Font font) {
    int sum = 0;
    for (unsigned char byte : text) {
        if ((byte & 0xc0) == 0x80) continue;  // the rest of a UTF-8 character
        if (font == Font::mono)
            sum += kMonoGlyph;
        else if (byte < 32 || byte > 126)
            sum += kWideGlyph;
        else
            sum += (font == Font::bold ? kBold : kRegular)[byte - 32u];
    }
    return static_cast<float>(sum) * size / 1000;
}

static bool fits(const Shape& shape, const Drawing& drawing, const Measure& measure) {
    constexpr float slack = 0.1f;
    const Box& box = shape.box;
    bool inside = box.x >= -slack && box.y >= -slack && box.x + box.w <= drawing.width + slack &&
                  box.y + box.h <= drawing.height + slack;
    return inside && shape.size <= box.h + slack &&
           measure(shape.text, shape.size, shape.font) <= box.w + slack;
}

std::vector<std::string> cut_texts(const Drawing& drawing, const Measure& measure) {
    std::vector<std::string> cut;
    for (const Shape& shape : drawing.shapes)
        if (shape.kind == Shape::Kind::text && !shape.text.empty() &&
            !fits(shape, drawing, measure))
            cut.push_back(shape.text);
    return cut;
}

}  // namespace lanewise
