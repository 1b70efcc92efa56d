// Paths written short: the shorter of an absolute and a relative step, and cells as strokes.
#include "figure/drawing/svg_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanewise {
namespace {

// 125 -> "12.5", -3 -> "-.3".
std::string tenths_text(long tenths) {
    std::string sign = tenths < 0 ? "-" : "";
    long size = std::abs(tenths);
    if (size % 10 == 0) return sign + std::to_string(size / 10);
    std::string whole = size < 10 ? "" : std::to_string(size / 10);
    return sign + whole + "." + std::to_string(size % 10);
}

// A minus parts two numbers as well as a space does.
std::string pair_text(long x, long y) {
    return tenths_text(x) + (y < 0 ? "" : " ") + tenths_text(y);
}

std::string shorter(std::string a, std::string b) { return b.size() < a.size() ? b : a; }

std::string along_axis(char axis, long from, long to) {
    char absolute = axis == 'x' ? 'H' : 'V', relative = axis == 'x' ? 'h' : 'v';
    return shorter(absolute + tenths_text(to), relative + tenths_text(to - from));
}

}  // namespace

std::string in_decimals(float value, int decimals) {
    std::string text = fmt::format("{:.{}f}", std::isfinite(value) ? value : 0.0f, decimals);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text.empty() || text == "-0" || text == "-" ? "0" : text;
}

PathText::Tenths PathText::tenths(Point point) {
    auto rounded = [](float value) { return std::isfinite(value) ? std::lround(value * 10) : 0; };
    return {rounded(point.x), rounded(point.y)};
}

std::string PathText::start_text(Tenths to) const {
    std::string absolute = "M" + pair_text(to.x, to.y);
    if (text_.empty()) return absolute;
    return shorter(absolute, "m" + pair_text(to.x - at_.x, to.y - at_.y));
}

std::string PathText::step_text(Tenths from, Tenths to) {
    if (from.x == to.x && from.y == to.y) return "";
    if (from.y == to.y) return along_axis('x', from.x, to.x);
    if (from.x == to.x) return along_axis('y', from.y, to.y);
    return shorter("L" + pair_text(to.x, to.y), "l" + pair_text(to.x - from.x, to.y - from.y));
}

void PathText::start(Tenths at) {
    text_ += start_text(at);
    at_ = start_ = at;
}

void PathText::step(Tenths to) {
    text_ += step_text(at_, to);
    at_ = to;
}

void PathText::close() {
    text_ += "z";
    at_ = start_;
}

void PathText::through(const std::vector<Point>& points, bool closed) {
    if (points.empty()) return;
    start(tenths(points.front()));
    for (const Point& point : points) step(tenths(point));
    if (closed) close();
}

void PathText::box(const Box& box, bool closed) {
    Tenths begin = tenths({box.x, box.y}), end = tenths({box.x + box.w, box.y + box.h});
    start(begin);
    step({end.x, begin.y});
    step(end);
    step({begin.x, end.y});
    if (closed) close();
}

void PathText::either_way(Point from, Point to) {
    Tenths a = tenths(from), b = tenths(to);
    size_t there = start_text(a).size() + step_text(a, b).size();
    size_t back = start_text(b).size() + step_text(b, a).size();
    if (back < there) std::swap(a, b);
    start(a);
    step(b);
}

}  // namespace lanewise
