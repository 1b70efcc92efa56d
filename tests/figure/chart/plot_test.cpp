// The plot: where values lie, what is cut off at its edges, what is named, and that nothing is cut
// at any width.
#include <gtest/gtest.h>

#include "../drawn.h"
#include "figure/chart/plot_clip.h"
#include "figure/chart/plot_figure.h"

namespace lanewise {
namespace {

PlotFigureInput two_series(float width, float height = 400) {
    PlotFigureInput input;
    input.caption = "Recorded on NVIDIA Test, 2026-11-21";
    input.x = {"matrix side", "side", true, 100, 10000, {}};
    input.y = {"GB/s", "gb_per_s", false, 0, 1000, {}};
    PlotSeries strong;
    strong.name = "Padded tile";
    strong.ink = Ink::accent;
    strong.strong = true;
    strong.action = "stage:padded";
    strong.points = {{100, 250, 240, 260, "at 100", "source"},
                     {1000, 500, 0, 0, "at 1,000", "source"},
                     {10000, 750, 0, 0, "at 10,000", ""}};
    PlotSeries other;
    other.name = "A naive transpose with a long name";
    other.points = {{1000, 100, 0, 0, "naive", "source"}};
    input.series = {strong, other};
    input.regions = {{100, 1000, "L2", "fits"}, {1000, 10000, "HBM", "does not fit"}};
    input.references = {{1000, "datasheet 1,000", "the vendor's", Ink::datasheet, true}};
    input.notes = {"A note."};
    input.nothing = "Nothing was measured.";
    input.width = width;
    input.height = height;
    return input;
}

Point middle(const HitBox& hit) { return {hit.box.x + hit.box.w / 2, hit.box.y + hit.box.h / 2}; }

}  // namespace

// A name of two lines reaches below the grid's first line, which then goes on behind it.
TEST(PlotFigure, StrikesNoRegionsNameThroughWithItsGrid) {
    const std::string name = "here sparse is the faster";
    size_t broken = 0;
    for (float height = 300; height < 500; height += 7) {
        PlotFigureInput input = two_series(900, height);
        input.y = {"GB/s", "gb_per_s", true, 1, 1500, {}};
        input.regions = {{100, 5000, "cache", ""}, {5000, 10000, name, ""}};
        Drawing drawing = plot_figure(input, measure_approximately);
        std::vector<Box> names;
        for (const Shape& shape : drawing.shapes)
            if (shape.text.size() > 3 && name.find(shape.text) != name.npos)
                names.push_back(shape.box);
        ASSERT_GE(names.size(), 2u);
        for (const Shape& shape : drawing.shapes) {
            bool lies = shape.kind == Shape::Kind::line && shape.points.size() == 2 &&
                        shape.points[0].y == shape.points[1].y && shape.stroke.ink == Ink::grid;
            if (!lies) continue;
            for (const Box& box : names) {
                float middle = box.x + box.w / 2, y = shape.points[0].y;
                bool beside = y > box.y && y < box.y + box.h;
                broken += beside;
                EXPECT_FALSE(beside && shape.points[0].x < middle && shape.points[1].x > middle)
                    << height;
            }
        }
    }
    EXPECT_GT(broken, 0u);
}

TEST(PlotFigure, PlacesPointsByTheirLogarithmAndTheirValue) {
    Drawing drawing = plot_figure(two_series(900), measure_approximately);
    ASSERT_TRUE(hit_beginning(drawing, "at 100\nsource") && hit_beginning(drawing, "at 1,000") &&
                hit_beginning(drawing, "at 10,000"));
    Point a = middle(*hit_beginning(drawing, "at 100\n")), b = middle(*hit_beginning(drawing, "at 1,000")),
          c = middle(*hit_beginning(drawing, "at 10,000")), low = middle(*hit_beginning(drawing, "naive"));
    EXPECT_NEAR(b.x - a.x, c.x - b.x, 0.01);  // equal ratios, equal distances
    EXPECT_NEAR(a.y - b.y, b.y - c.y, 0.01);  // equal steps of 250
    EXPECT_NEAR(b.x, low.x, 0.01);
    // 1,000 is 500 above 500 and 900 above 100.
    float top = b.y - 2 * (b.y - c.y);
    EXPECT_NEAR((low.y - top) / (b.y - top), 900.0 / 500.0, 0.001);
    EXPECT_EQ("stage:padded", hit_beginning(drawing, "at 100\n")->action);
}

TEST(PlotFigure, IsSoundAtEveryWidthAndInEveryWindow) {
    for (float width : {300.0f, 519.0f, 520.0f, 900.0f, 1800.0f})
        for (PlotWindow window :
             {PlotWindow{}, PlotWindow{0.2, 0.7, 0.1, 0.6}, PlotWindow{0.45, 0.55, 0.45, 0.55}}) {
            PlotFigureInput input = two_series(width);
            input.window = window;
            Drawing drawing = plot_figure(input, measure_approximately);
            EXPECT_FLOAT_EQ(width, drawing.width);
            EXPECT_LE(drawing.height, 401);
            EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately));
            for (const Shape& shape : drawing.shapes) {
                if (shape.points.empty()) {
                    EXPECT_TRUE(inside(drawing, shape.box)) << shape.text;
                }
                for (Point p : shape.points)
                    EXPECT_TRUE(inside(drawing, {p.x, p.y, 0, 0})) << p.x << " " << p.y;
            }
            for (const HitBox& each : drawing.hits) EXPECT_TRUE(inside(drawing, each.box));
        }
}

TEST(PlotFigure, AWindowShowsOnlyWhatLiesInIt) {
    PlotFigureInput input = two_series(900);
    input.window = {0.4, 0.6, 0.4, 0.6};  // around (1,000, 500)
    Drawing drawing = plot_figure(input, measure_approximately);
    EXPECT_FALSE(hit_beginning(drawing, "at 100\n"));
    EXPECT_FALSE(hit_beginning(drawing, "naive"));
    EXPECT_FALSE(has_text(drawing, "datasheet 1,000"));
    ASSERT_TRUE(hit_beginning(drawing, "at 1,000"));
    // In the middle of the plot: as far from the names of 400 and of 600.
    Point at = middle(*hit_beginning(drawing, "at 1,000"));
    EXPECT_TRUE(has_text(drawing, "500"));
    for (const Shape& shape : drawing.shapes)
        if (shape.text == "500") {
            EXPECT_NEAR(at.y, shape.box.y + shape.box.h / 2, 0.01);
        }
    EXPECT_TRUE(has_text(drawing, "Padded tile"));  // its line still goes through
}

TEST(PlotFigure, NamesWhatIsStrongEvenWhereThereIsNoRoomForAll) {
    PlotFigureInput input = two_series(900, 180);
    input.series.front().points.back().y = 990;
    for (int i = 0; i < 30; ++i) {
        PlotSeries more = input.series.back();
        more.name = "stage " + std::to_string(i);
        input.series.insert(input.series.begin(), more);
    }
    Drawing drawing = plot_figure(input, measure_approximately);
    EXPECT_TRUE(has_text(drawing, "Padded tile"));
    EXPECT_TRUE(has_text(drawing, "datasheet 1,000"));
    EXPECT_EQ(std::vector<std::string>{}, cut_texts(drawing, measure_approximately));
    float bottom = 0;
    std::vector<Box> names;
    for (const Shape& shape : drawing.shapes)
        if (shape.text.starts_with("stage ") || shape.text == "Padded tile")
            names.push_back(shape.box);
    ASSERT_GT(names.size(), 3u);
    for (const Box& box : names) {  // from top to bottom, none over another
        EXPECT_GE(box.y, bottom - 0.01);
        bottom = box.y + box.h;
    }
}

TEST(PlotFigure, WithoutPointsItSaysSo) {
    PlotFigureInput input = two_series(400);
    input.series.clear();
    Drawing drawing = plot_figure(input, measure_approximately);
    ASSERT_EQ(1u, drawing.shapes.size());
    EXPECT_EQ("Nothing was measured.", drawing.shapes[0].text);
}

TEST(PlotAxis, RangesAreTheAxisOwnOrRound) {
    using Range = std::pair<double, double>;
    PlotAxis log{"", "", true, 0, 0, {}}, linear;
    EXPECT_EQ(Range(200, 5000), axis_range(log, {300, 4000, 0, -1}));
    EXPECT_EQ(Range(1, 10), axis_range(log, {}));
    EXPECT_EQ(Range(1000, 10000), axis_range(log, {1000}));
    EXPECT_EQ(Range(0, 105), axis_range(linear, {20, 100}));
    EXPECT_EQ(Range(0, 1), axis_range(linear, {}));
    linear.from = 5, linear.to = 6;
    EXPECT_EQ(Range(5, 6), axis_range(linear, {20}));
}

TEST(PlotAxis, TicksAreRound) {
    auto labels = [](const PlotAxis& axis, std::pair<double, double> range, int most) {
        std::string all;
        for (const PlotTick& tick : round_ticks(axis, range, most)) all += tick.label + " ";
        return all;
    };
    PlotAxis linear, log;
    log.log = true;
    EXPECT_EQ("0 1,000 2,000 3,000 4,000 ", labels(linear, {0, 4700}, 5));
    EXPECT_EQ("0.4 0.5 0.6 ", labels(linear, {0.4, 0.6}, 3));
    EXPECT_EQ("10 20 50 100 200 500 1,000 ", labels(log, {10, 1000}, 8));
    EXPECT_EQ("10 100 1,000 ", labels(log, {10, 1000}, 4));
    EXPECT_EQ("1 100 10,000 ", labels(log, {1, 20000}, 3));
    EXPECT_EQ("500 600 700 ", labels(log, {480, 720}, 4));  // too short for powers
}

TEST(PlotClip, CutsLinesAndAreasAtTheEdges) {
    Box box{0, 0, 10, 10};
    Point from{-5, 5}, to{15, 5};
    ASSERT_TRUE(clip_line(from, to, box));
    EXPECT_EQ(0, from.x);
    EXPECT_EQ(10, to.x);
    from = {-5, 20}, to = {15, 30};
    EXPECT_FALSE(clip_line(from, to, box));
    from = {12, 0}, to = {12, 10};  // beside it, along an edge
    EXPECT_FALSE(clip_line(from, to, box));
    // A triangle with two corners outside: a quarter of the box, cut off diagonally.
    std::vector<Point> cut = clip_polygon({{0, 0}, {20, 0}, {0, 20}}, box);
    ASSERT_EQ(4u, cut.size());
    EXPECT_TRUE(clip_polygon({{20, 20}, {30, 20}, {20, 30}}, box).empty());
}

}  // namespace lanewise
