// Cutting lines and convex areas off at the edges of a plot. Private to figure/.
#pragma once
#include <vector>

#include "figure/drawing/drawing.h"

namespace lanewise {

// Cuts the stretch off at the box; false where nothing of it lies inside (Liang and Barsky, 1984).
bool clip_line(Point& from, Point& to, const Box& box);

// What of a convex polygon lies inside the box (Sutherland and Hodgman, 1974); convex, or empty.
std::vector<Point> clip_polygon(std::vector<Point> corners, const Box& box);

}  // namespace lanewise
