// A chart: the input of any of the figures that compare stages, with what one can do to all of them
// alike: draw as large as there is room, look closer, save as a table.
#pragma once
#include <string>
#include <variant>

#include "figure/chart/occupancy_figure.h"
#include "figure/chart/pairs_figure.h"
#include "figure/chart/plot_figure.h"
#include "figure/chart/sweep_figure.h"
#include "figure/drawing/drawing.h"
#include "figure/drawing/figures.h"

namespace lanewise {

using ChartInput =
    std::variant<PlotFigureInput, LadderFigureInput, SweepFigureInput, PairsFigureInput,
                 OccupancyFigureInput, WaterfallFigureInput, StaircaseFigureInput>;

// Plots fill the height and are looked into along both axes. All others are as high as they need,
// and are stretched along their width.
bool is_plot(const ChartInput& chart);

struct DrawnChart {
    Drawing drawing;
    Box plot;  // where the axes lie; of others the whole drawing
};
// For a view of `width` x `height` points that shows `window` of the chart. The drawing of a plot
// is as wide as the view; of any other chart wider by what the window leaves out on both sides.
DrawnChart draw_chart(const ChartInput& chart, float width, float height, const PlotWindow& window,
                      const Measure& measure);

// A table with a line for each mark and a head of comments: the title, where the values come from,
// and what the figure says below itself. Values carry the digits that they have; fields are quoted
// where they must be (RFC 4180).
std::string chart_csv(const ChartInput& chart, const std::string& title);

// `factor` times as close (less than 1: further away) around the point that stands at the shares
// (x, y) of what is shown; never closer than a 200th of an axis, never beyond its ends.
PlotWindow zoomed(const PlotWindow& window, double x, double y, double factor);
// Moved by these shares of what is shown, up to the ends.
PlotWindow moved(const PlotWindow& window, double x, double y);

}  // namespace lanewise
