// Numbers and paths as SVG writes them: true to a tenth of a point, half of what a screen of today
// shows, and no longer than that takes.
#pragma once
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"

namespace lanewise {

// 12.50 -> "12.5", 3.00 -> "3"; what is no number is "0".
std::string in_decimals(float value, int decimals);
inline std::string in_tenths(float value) { return in_decimals(value, 1); }

// The `d` of a path. Each step is written the shorter way, absolute or relative; steps are whole
// tenths, so that relative ones do not drift.
class PathText {
  public:
    void through(const std::vector<Point>& points, bool closed);
    // Its last side is written only where it is closed: a fill needs none.
    void box(const Box& box, bool closed);
    // A straight line that looks the same from both ends.
    void either_way(Point from, Point to);
    const std::string& text() const { return text_; }

  private:
    struct Tenths {
        long x = 0, y = 0;
    };
    static Tenths tenths(Point point);
    std::string start_text(Tenths to) const;
    static std::string step_text(Tenths from, Tenths to);
    void start(Tenths at);
    void step(Tenths to);
    void close();

    std::string text_;
    Tenths at_, start_;
};

}  // namespace lanewise
