// Shapes -> levels: a shape lies one above the highest of another look that it overlaps.
#include "figure/drawing/svg_layers.h"

#include <algorithm>

namespace lanewise {
namespace {

constexpr float kTile = 16;      // points
constexpr float kApart = 0.06f;  // what overlaps by less than a tenth of a point only touches

size_t tile(float at) { return static_cast<size_t>(std::max(0.f, at) / kTile); }

bool overlap(const Box& a, const Box& b) {
    return a.x + a.w > b.x + kApart && b.x + b.w > a.x + kApart && a.y + a.h > b.y + kApart &&
           b.y + b.h > a.y + kApart;
}

Box bounds_of(const Shape& shape) {
    if (shape.kind == Shape::Kind::rect || shape.kind == Shape::Kind::text) return shape.box;
    if (shape.points.empty()) return {};
    auto [left, right] = std::minmax_element(shape.points.begin(), shape.points.end(),
                                             [](Point a, Point b) { return a.x < b.x; });
    auto [top, bottom] = std::minmax_element(shape.points.begin(), shape.points.end(),
                                             [](Point a, Point b) { return a.y < b.y; });
    float width = shape.stroke_width, half = width / 2;
    return {left->x - half, top->y - half, right->x - left->x + width, bottom->y - top->y + width};
}

// Whether one path paints two of them that overlap as two paths would: not where both are pale, nor
// where the second covers the first's edge, nor of polygons, which may turn either way and then
// leave a hole.
bool joins_its_like(const Shape& shape) {
    if (shape.kind == Shape::Kind::text || shape.fill.kind == Fill::Kind::none) return true;
    return shape.kind == Shape::Kind::rect && shape.stroke.kind == Fill::Kind::none &&
           shape.fill.alpha >= 1;
}

}  // namespace

Layers::Layers(float width, float height)
    : across_(tile(width) + 1), tiles_((tile(height) + 1) * across_) {}

template <typename Visit>
void Layers::each_tile(const Box& box, Visit visit) {
    size_t rows = tiles_.size() / across_;
    for (size_t y = tile(box.y); y <= std::min(tile(box.y + box.h), rows - 1); ++y)
        for (size_t x = tile(box.x); x <= std::min(tile(box.x + box.w), across_ - 1); ++x)
            visit(tiles_[y * across_ + x]);
}

// A text's box is wider than its letters, which lie on no other text's.
size_t Layers::level_of(const Painted& shape, bool joins) {
    size_t level = 0;
    each_tile(shape.box, [&](const std::vector<Painted>& tile) {
        for (const Painted& other : tile) {
            if (other.level + 1 <= level || (shape.is_text && other.is_text)) continue;
            if (!overlap(other.box, shape.box)) continue;
            level = std::max(level, other.level + (other.look == shape.look && joins ? 0 : 1));
        }
    });
    return level;
}

void Layers::add(const Shape& shape, const ShapeLook& look) {
    size_t id = looks_.try_emplace(look, looks_.size()).first->second;
    Painted painted{bounds_of(shape), 0, id, shape.kind == Shape::Kind::text};
    painted.level = level_of(painted, joins_its_like(shape));
    each_tile(painted.box, [&](std::vector<Painted>& tile) { tile.push_back(painted); });
    if (painted.level >= levels_.size()) levels_.resize(painted.level + 1);
    layers_.resize(levels_.size());
    Level& level = levels_[painted.level];
    auto [layer, is_new] = layers_[painted.level].try_emplace(id, level.size());
    if (is_new) level.push_back({look, {}});
    level[layer->second].shapes.push_back(&shape);
}

std::vector<Level> Layers::levels() const {
    std::vector<Level> sorted = levels_;
    for (Level& level : sorted) {
        std::map<std::string, size_t> first;  // the order stays, but for what shares attributes
        for (const Layer& layer : level) first.try_emplace(layer.look.shared, first.size());
        std::stable_sort(level.begin(), level.end(), [&](const Layer& a, const Layer& b) {
            return first[a.look.shared] < first[b.look.shared];
        });
    }
    return sorted;
}

}  // namespace lanewise
