#include "figure/chart/plot_clip.h"

#include <algorithm>

namespace lanewise {

bool clip_line(Point& from, Point& to, const Box& box) {
    float dx = to.x - from.x, dy = to.y - from.y, begin = 0, end = 1;
    // Of each edge: how fast the line leaves through it, and how far inside it starts.
    const float edges[][2] = {{-dx, from.x - box.x},
                              {dx, box.x + box.w - from.x},
                              {-dy, from.y - box.y},
                              {dy, box.y + box.h - from.y}};
    for (auto [outwards, inside] : edges) {
        if (outwards == 0 && inside < 0) return false;
        if (outwards < 0) begin = std::max(begin, inside / outwards);
        if (outwards > 0) end = std::min(end, inside / outwards);
    }
    if (begin > end) return false;
    Point start = from;
    from = {start.x + begin * dx, start.y + begin * dy};
    to = {start.x + end * dx, start.y + end * dy};
    return true;
}

std::vector<Point> clip_polygon(std::vector<Point> corners, const Box& box) {
    // Of each edge: a·x + b·y <= c is inside.
    const float edges[][3] = {
        {-1, 0, -box.x}, {1, 0, box.x + box.w}, {0, -1, -box.y}, {0, 1, box.y + box.h}};
    for (auto [a, b, c] : edges) {
        std::vector<Point> kept;
        auto excess = [a = a, b = b, c = c](Point p) { return a * p.x + b * p.y - c; };
        for (size_t i = 0; i < corners.size(); ++i) {
            Point p = corners[i], q = corners[(i + 1) % corners.size()];
            float at_p = excess(p), at_q = excess(q);
            if (at_p <= 0) kept.push_back(p);
            if ((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0)) {
                float t = at_p / (at_p - at_q);
                kept.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
            }
        }
        corners = std::move(kept);
    }
    return corners;
}

}  // namespace lanewise
