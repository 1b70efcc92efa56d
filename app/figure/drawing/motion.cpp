#include "figure/drawing/motion.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

namespace lanewise {
namespace {

bool same(Point a, Point b) { return a.x == b.x && a.y == b.y; }
bool same(const Box& a, const Box& b) {
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}
bool same(const Fill& a, const Fill& b) {
    return a.kind == b.kind && a.ink == b.ink && a.index == b.index && a.alpha == b.alpha;
}
bool same_place(const Shape& a, const Shape& b) {
    return same(a.box, b.box) && a.points.size() == b.points.size() &&
           std::equal(a.points.begin(), a.points.end(), b.points.begin(),
                      [](Point p, Point q) { return same(p, q); });
}
bool same_look(const Shape& a, const Shape& b) {
    return a.kind == b.kind && a.text == b.text && same(a.fill, b.fill) &&
           same(a.stroke, b.stroke) && a.from == b.from && a.until == b.until;
}

float between(float a, float b, float part) { return a + (b - a) * part; }
Box between(const Box& a, const Box& b, float part) {
    return {between(a.x, b.x, part), between(a.y, b.y, part), between(a.w, b.w, part),
            between(a.h, b.h, part)};
}

void fade(Shape& shape, float strength) {
    shape.fill.alpha *= strength;
    shape.stroke.alpha *= strength;
}

// Whether one is the other after a move and a change of size.
bool goes_over(const Shape& a, const Shape& b) {
    if (!a.points.empty() || a.box.w <= 0 || a.box.h <= 0 || b.box.w <= 0 || b.box.h <= 0)
        return false;
    return a.kind != Shape::Kind::text || (a.size == b.size && a.box.w == b.box.w);
}

// What lies at one place and is of one kind: candidates for being the same.
std::string place_of(const Shape& shape) {
    std::string key(1, static_cast<char>(shape.kind));
    auto add = [&](float value) {
        key.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    for (float value : {shape.box.x, shape.box.y, shape.box.w, shape.box.h}) add(value);
    if (!shape.points.empty()) add(shape.points.front().x), add(shape.points.front().y);
    return key;
}

}  // namespace

float eased(double part) {
    const double left = 1 - std::clamp(part, 0.0, 1.0);
    return static_cast<float>(1 - left * left * left);
}

Motion::Motion(const Drawing& from, const Drawing& to)
    : from_(from), to_(to), from_of_(to.shapes.size(), -1) {
    using Key = std::tuple<uint32_t, Shape::Kind, int>;  // a mark's n-th shape of its kind
    std::map<Key, size_t> marked;
    std::map<std::pair<uint32_t, Shape::Kind>, int> seen;
    std::unordered_multimap<std::string, size_t> placed;
    for (size_t i = 0; i < from.shapes.size(); ++i) {
        const Shape& shape = from.shapes[i];
        if (shape.mark)
            marked[{shape.mark, shape.kind, seen[{shape.mark, shape.kind}]++}] = i;
        else
            placed.emplace(place_of(shape), i);
    }
    seen.clear();
    std::vector<bool> stays(from.shapes.size(), false);
    for (size_t i = 0; i < to.shapes.size(); ++i) {
        const Shape& shape = to.shapes[i];
        if (shape.mark) {
            auto found = marked.find({shape.mark, shape.kind, seen[{shape.mark, shape.kind}]++});
            if (found == marked.end()) continue;
            const Shape& before = from.shapes[found->second];
            if (before.points.size() != shape.points.size()) continue;
            from_of_[i] = static_cast<int64_t>(found->second);
            stays[found->second] = true;
            moves_ |= !same_place(before, shape);
            continue;
        }
        auto [begin, end] = placed.equal_range(place_of(shape));
        for (auto each = begin; each != end; ++each) {
            const Shape& before = from.shapes[each->second];
            if (stays[each->second] || !same_place(before, shape) || !same_look(before, shape))
                continue;
            from_of_[i] = static_cast<int64_t>(each->second);
            stays[each->second] = true;
            break;
        }
    }
    for (size_t i = 0; i < stays.size(); ++i)
        if (!stays[i]) leaving_.push_back(i);
}

Motion::Parts Motion::parts() const {
    Parts parts;
    for (Drawing* each : {&parts.still, &parts.leaving, &parts.entering}) {
        each->width = std::max(from_.width, to_.width);
        each->height = std::max(from_.height, to_.height);
    }
    for (size_t i : leaving_) parts.leaving.shapes.push_back(from_.shapes[i]);
    for (size_t i = 0; i < to_.shapes.size(); ++i) {
        const Shape& shape = to_.shapes[i];
        if (from_of_[i] < 0) {
            parts.entering.shapes.push_back(shape);
            continue;
        }
        const Shape& before = from_.shapes[static_cast<size_t>(from_of_[i])];
        if (same_look(before, shape) && same_place(before, shape)) {
            parts.still.shapes.push_back(shape);
        } else if (shape.mark && goes_over(before, shape)) {
            parts.moved.push_back({before, shape});
        } else {
            parts.leaving.shapes.push_back(before);
            parts.entering.shapes.push_back(shape);
        }
    }
    return parts;
}

Drawing Motion::at(float part) const {
    Drawing drawing;
    drawing.width = to_.width;
    drawing.height = to_.height;
    drawing.hits = to_.hits;
    drawing.shapes.reserve(leaving_.size() + to_.shapes.size());
    for (size_t i : leaving_) fade(drawing.shapes.emplace_back(from_.shapes[i]), 1 - part);
    for (size_t i = 0; i < to_.shapes.size(); ++i) {
        Shape& shape = drawing.shapes.emplace_back(to_.shapes[i]);
        if (from_of_[i] < 0) {
            fade(shape, part);
            continue;
        }
        const Shape& before = from_.shapes[static_cast<size_t>(from_of_[i])];
        shape.box = between(before.box, shape.box, part);
        for (size_t k = 0; k < shape.points.size(); ++k)
            shape.points[k] = {between(before.points[k].x, shape.points[k].x, part),
                               between(before.points[k].y, shape.points[k].y, part)};
        if (!same(before.fill, shape.fill) && part < 0.5f) shape.fill = before.fill;
    }
    return drawing;
}

}  // namespace lanewise
