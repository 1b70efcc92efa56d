// Points and lines over two axes: the size sweep, the roofline, the model's prediction against the
// measurement. One figure for all, since they differ in their data alone.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "figure/drawing/drawing.h"

namespace lanewise {

struct PlotTick {
    double value = 0;
    std::string label;
};

struct PlotAxis {
    std::string title;            // "GB/s"; below the axis or above it
    std::string csv;              // the column's name in a CSV: "gb_per_s"
    bool log = false;             // then from and to are positive
    double from = 0, to = 0;      // equal: from the data
    std::vector<PlotTick> ticks;  // instead of round numbers; those that lie outside are left out
};

struct PlotPoint {
    double x = 0, y = 0;
    double low = 0, high = 0;  // of y, 5th and 95th percentile; equal: no whisker
    std::string words;         // "Padded tile, 4,096 × 4,096: 3,185 GB/s"
    std::string source;        // "recorded on NVIDIA H200, 2026-11-21, 40 samples"
    std::string action = {};   // as HitBox::action
    bool filled = true;        // a mark is told apart by its form first, then by this
};

// No other is drawn as each of these, so that a picture needs no colours.
enum class PlotMark { none, dot, square, diamond, cross };

struct PlotSeries {
    std::string name;
    Ink ink = Ink::recorded;
    PlotMark mark = PlotMark::dot;
    bool joined = true, dashed = false;
    bool strong = false;  // the one to look at: thicker, over the others, named before them
    bool named = true;    // at its right end where there is room; else only for the pointer
    bool in_legend = false;
    std::string action = {};
    std::vector<PlotPoint> points;
};

// A stretch of the horizontal axis.
struct PlotRegion {
    double from = 0, to = 0;
    std::string name, because;  // "L2"; for the pointer
};

// A horizontal line.
struct PlotReference {
    double y = 0;
    std::string name, because;
    Ink ink = Ink::copy;
    bool dashed = false;
};

// A convex area behind everything.
struct PlotArea {
    std::vector<std::pair<double, double>> corners;
    std::string name;  // in the legend
    Ink ink = Ink::model;
};

// The part of the axes that is shown, in shares of their lengths; y upwards.
struct PlotWindow {
    double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
    bool operator==(const PlotWindow&) const = default;
};

struct PlotFigureInput {
    std::string caption;  // where the points come from
    PlotAxis x, y;
    std::vector<PlotSeries> series;
    std::vector<PlotRegion> regions;
    std::vector<PlotReference> references;
    std::vector<PlotArea> areas;
    std::vector<std::string> notes;  // below it, a paragraph each
    std::string nothing;             // said where there is no point at all
    PlotWindow window;
    float width = 900, height = 480;  // the height is a wish: a plot is never lower than 180
};
// Fits `width` from 300 points on. What lies outside the window is cut off at the plot's edges.
// Hits: each visible point (words and source), each name (its series' action), each region's name.
// `plot`, where given: takes the box between the axes.
Drawing plot_figure(const PlotFigureInput& input, const Measure& measure, Box* plot = nullptr);

// The ends of an axis: its own, else around `values`: from 0 on a linear axis, whole steps of 1, 2
// and 5 on a logarithmic one. Never empty.
std::pair<double, double> axis_range(const PlotAxis& axis, const std::vector<double>& values);

// Where `value` lies between the ends, 0 to 1 inside; of a logarithmic axis by its logarithm.
double share_of(const PlotAxis& axis, std::pair<double, double> range, double value);

// At most about `most` round values between the ends, both included: 1, 2 or 5 times a power of ten
// on a linear axis, powers of ten with 2 and 5 between them where there is room on a logarithmic.
std::vector<PlotTick> round_ticks(const PlotAxis& axis, std::pair<double, double> range, int most);

}  // namespace lanewise
