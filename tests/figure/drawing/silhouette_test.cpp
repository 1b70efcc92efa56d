// A good picture and a bad one differ before a word of them is read: drawn in grey and without text,
// in at least a fifth of their pixels, and in where their ink lies.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "../examples.h"
#include "figure/flow/bytes_figure.h"
#include "figure/flow/timeline_figure.h"

namespace lanewise {
namespace {

constexpr int kAcross = 300, kDown = 220;  // pixels of a picture, whatever its points

// Pixels in grey, 0 to 255, on the theme's background; texts are left out.
class Grey {
  public:
    Grey(const Drawing& drawing, const std::string& theme, float width, float height)
        : colours_(palette(theme)), x_(kAcross / width), y_(kDown / height) {
        back_ = grey(colours_.resolve(Fill::of(Ink::background)));
        pixels_.fill(back_);
        for (const Shape& shape : drawing.shapes)
            if (shape.stands(kAtRest)) draw(shape);
    }
    double at(int x, int y) const { return pixels_[static_cast<size_t>(y * kAcross + x)]; }
    double ink(int x, int y) const { return std::abs(at(x, y) - back_); }

  private:
    static double grey(Color c) { return 0.299 * c.r + 0.587 * c.g + 0.114 * c.b; }

    void draw(const Shape& shape) {
        if (shape.kind == Shape::Kind::text) return;
        if (shape.kind == Shape::Kind::rect) {
            const Box& b = shape.box;
            fill({{b.x, b.y}, {b.x + b.w, b.y}, {b.x + b.w, b.y + b.h}, {b.x, b.y + b.h}},
                 shape.fill);
            return;
        }
        if (shape.kind == Shape::Kind::polygon) return fill(shape.points, shape.fill);
        for (size_t i = 1; i < shape.points.size(); ++i)
            line(shape.points[i - 1], shape.points[i], shape);
    }
    void line(Point a, Point b, const Shape& shape) {
        const float length = std::hypot(b.x - a.x, b.y - a.y);
        if (length == 0) return;
        const float wide = std::max(1.f, shape.stroke_width) / 2 / length;
        const Point side{-(b.y - a.y) * wide, (b.x - a.x) * wide};
        fill({{a.x + side.x, a.y + side.y},
              {b.x + side.x, b.y + side.y},
              {b.x - side.x, b.y - side.y},
              {a.x - side.x, a.y - side.y}},
             shape.stroke);
    }
    // Pixels whose middles lie within a convex outline.
    void fill(const std::vector<Point>& outline, const Fill& paint) {
        const Color colour = colours_.resolve(paint);
        if (colour.a == 0 || outline.size() < 3) return;
        float low_x = 1e9f, high_x = -1e9f, low_y = 1e9f, high_y = -1e9f;
        for (Point p : outline) {
            low_x = std::min(low_x, p.x * x_), high_x = std::max(high_x, p.x * x_);
            low_y = std::min(low_y, p.y * y_), high_y = std::max(high_y, p.y * y_);
        }
        for (int y = std::max(0, int(low_y)); y < std::min<int>(kDown, int(high_y) + 1); ++y)
            for (int x = std::max(0, int(low_x)); x < std::min<int>(kAcross, int(high_x) + 1); ++x)
                if (within(outline, (float(x) + 0.5f) / x_, (float(y) + 0.5f) / y_)) {
                    double& pixel = pixels_[static_cast<size_t>(y * kAcross + x)];
                    pixel += (grey(colour) - pixel) * colour.a / 255;
                }
    }
    static bool within(const std::vector<Point>& outline, float x, float y) {
        bool left = false, right = false;
        for (size_t i = 0; i < outline.size(); ++i) {
            const Point a = outline[i], b = outline[(i + 1) % outline.size()];
            const float side = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
            left |= side > 0;
            right |= side < 0;
        }
        return !(left && right);
    }

    const Palette& colours_;
    float x_, y_;
    double back_ = 0;
    std::array<double, size_t{kAcross} * kDown> pixels_{};
};

struct Difference {
    double pixels = 0;  // share that look different
    double ink = 0;     // share of all ink that would have to move, on a grid of 10 by 11 fields
};

Difference difference(const Drawing& a, const Drawing& b, const std::string& theme) {
    constexpr double kSeen = 16;  // of 255: a step that is told apart
    constexpr int kFieldsX = 10, kFieldsY = 11;
    const float width = std::max(a.width, b.width), height = std::max(a.height, b.height);
    const Grey one(a, theme, width, height), two(b, theme, width, height);
    Difference found;
    std::array<double, size_t{kFieldsX} * kFieldsY> ink[2] = {};
    double all[2] = {0, 0};
    for (int y = 0; y < kDown; ++y)
        for (int x = 0; x < kAcross; ++x) {
            found.pixels += std::abs(one.at(x, y) - two.at(x, y)) > kSeen;
            const auto field =
                static_cast<size_t>(y * kFieldsY / kDown * kFieldsX + x * kFieldsX / kAcross);
            for (int i : {0, 1}) {
                const double here = (i ? two : one).ink(x, y);
                ink[i][field] += here;
                all[i] += here;
            }
        }
    found.pixels /= kAcross * kDown;
    for (size_t i = 0; i < ink[0].size(); ++i)
        found.ink += std::abs(ink[0][i] / all[0] - ink[1][i] / all[1]) / 2;
    return found;
}

void expect_told_apart(const Drawing& good, const Drawing& bad, const char* what) {
    for (const char* theme : {"dark", "light"}) {
        const Difference seen = difference(good, bad, theme);
        EXPECT_GE(seen.pixels, 0.2) << what << ", " << theme;
        EXPECT_GE(seen.ink, 0.1) << what << ", " << theme;
    }
}

TEST(Silhouette, ADrawingDoesNotDifferFromItself) {
    NamedWarp named = warp_examples()[0];
    Example made = example(named.access);
    const Drawing drawing = warp_figure(warp_input(named, made, 900), measure_approximately);
    EXPECT_EQ(0, difference(drawing, drawing, "dark").pixels);
    EXPECT_EQ(0, difference(drawing, drawing, "dark").ink);
}

TEST(Silhouette, CoalescedAndStrided) {
    std::vector<NamedWarp> all = warp_examples();
    Drawing drawings[2];
    int i = 0;
    for (size_t at : {size_t{0}, size_t{3}}) {
        Example made = example(all[at].access);
        WarpFigureInput input = warp_input(all[at], made, 900);
        input.height = 500;
        drawings[i++] = warp_figure(input, measure_approximately);
    }
    expect_told_apart(drawings[0], drawings[1], "the microscope");
}

TEST(Silhouette, ConflictFreeAndConflicting) {
    Drawing drawings[2];
    int i = 0;
    for (int pad : {1, 0}) {
        NamedBanks named = tile_example(32, pad, 4, true);
        Example made = example(named.access);
        BankFigureInput input = bank_input(named, made, 600);
        input.height = 500;
        input.most_wavefronts = 32;
        drawings[i++] = bank_figure(input, measure_approximately);
    }
    expect_told_apart(drawings[0], drawings[1], "the banks");
}

BytesFigureInput bytes(double vain) {
    BytesFigureInput input;
    auto add = [&](BytesLevel from, BytesLevel to, double in_vain) {
        BytesPipe pipe;
        pipe.from = from, pipe.to = to;
        pipe.useful = 1e6, pipe.vain = in_vain;
        input.pipes.push_back(pipe);
    };
    using L = BytesLevel;
    for (auto [from, to] : {std::pair{L::l1, L::registers},
                            {L::l2, L::l1},
                            {L::memory, L::l2},
                            {L::l2, L::memory},
                            {L::shared, L::registers},
                            {L::registers, L::shared}})
        add(from, to, 0);
    add(L::registers, L::l1, vain);
    add(L::l1, L::l2, vain);
    input.width = 900;
    input.height = 400;
    return input;
}

TEST(Silhouette, BytesThatArriveAndBytesInVain) {
    expect_told_apart(bytes_figure(bytes(0), measure_approximately),
                      bytes_figure(bytes(7e6), measure_approximately), "the bytes");
}

// Four loads and four reads a warp; the reads with one wavefront, or with 32.
BlockTimeline block(int wavefronts) {
    BlockTimeline timeline;
    timeline.warps.resize(8);
    for (auto& warp : timeline.warps)
        for (int i = 0; i < 8; ++i) {
            TimelineSegment each;
            each.step.moment = i < 4 ? Moment::load : Moment::shared_load;
            each.step.access = 0;
            each.step.cost = i < 4 ? 4 : wavefronts;
            each.step.ideal = i < 4 ? 4 : 1;
            each.begin = warp.empty() ? 0 : warp.back().end;
            each.end = each.begin + static_cast<uint64_t>(each.step.cost);
            warp.push_back(each);
            timeline.ticks = std::max(timeline.ticks, each.end);
        }
    return timeline;
}

TEST(Silhouette, WarpsWithoutAndWithConflicts) {
    BlockTimeline good = block(1), bad = block(32);
    auto drawn = [](const BlockTimeline& timeline) {
        TimelineFigureInput input;
        input.timeline = &timeline;
        input.width = 900;
        input.height = 420;
        return timeline_figure(input, measure_approximately);
    };
    expect_told_apart(drawn(good), drawn(bad), "the timeline");
}

}  // namespace
}  // namespace lanewise
