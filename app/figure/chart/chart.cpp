#include "figure/chart/chart.h"

#include <algorithm>

namespace lanewise {
namespace {

constexpr double kClosest = 1.0 / 200;

Drawing drawn(LadderFigureInput input, float width, float height, const Measure& measure) {
    input.width = width;
    input.height = height;
    return ladder_figure(input, measure);
}
Drawing drawn(SweepFigureInput input, float width, float height, const Measure& measure) {
    input.width = width;
    input.height = height;
    return sweep_figure(input, measure);
}
Drawing drawn(PairsFigureInput input, float width, float, const Measure& measure) {
    input.width = width;
    return pairs_figure(input, measure);
}
Drawing drawn(OccupancyFigureInput input, float width, float, const Measure& measure) {
    input.width = width;
    return occupancy_figure(input, measure);
}
Drawing drawn(WaterfallFigureInput input, float width, float, const Measure& measure) {
    input.width = width;
    return waterfall_figure(input, measure);
}
Drawing drawn(StaircaseFigureInput input, float width, float, const Measure& measure) {
    input.width = width;
    return staircase_figure(input, measure);
}

// A stretch of at least kClosest within 0 … 1, as long as the wanted one where that can be.
void place(double& from, double& to, double begin, double length) {
    length = std::clamp(length, kClosest, 1.0);
    from = std::clamp(begin, 0.0, 1 - length);
    to = from + length;
}

}  // namespace

bool is_plot(const ChartInput& chart) { return std::holds_alternative<PlotFigureInput>(chart); }

DrawnChart draw_chart(const ChartInput& chart, float width, float height, const PlotWindow& window,
                      const Measure& measure) {
    DrawnChart made;
    if (const auto* plot = std::get_if<PlotFigureInput>(&chart)) {
        PlotFigureInput input = *plot;
        input.width = width;
        input.height = height;
        input.window = window;
        made.drawing = plot_figure(input, measure, &made.plot);
        return made;
    }
    float stretched = width / static_cast<float>(window.x1 - window.x0);
    std::visit(
        [&](const auto& input) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(input)>, PlotFigureInput>)
                made.drawing = drawn(input, stretched, height, measure);
        },
        chart);
    made.plot = {0, 0, made.drawing.width, made.drawing.height};
    return made;
}

PlotWindow zoomed(const PlotWindow& window, double x, double y, double factor) {
    double wide = window.x1 - window.x0, high = window.y1 - window.y0;
    double new_wide = std::clamp(wide / factor, kClosest, 1.0);
    double new_high = std::clamp(high / factor, kClosest, 1.0);
    PlotWindow made;
    place(made.x0, made.x1, window.x0 + x * (wide - new_wide), new_wide);
    place(made.y0, made.y1, window.y0 + y * (high - new_high), new_high);
    return made;
}

PlotWindow moved(const PlotWindow& window, double x, double y) {
    double wide = window.x1 - window.x0, high = window.y1 - window.y0;
    PlotWindow made;
    place(made.x0, made.x1, window.x0 + x * wide, wide);
    place(made.y0, made.y1, window.y0 + y * high, high);
    return made;
}

}  // namespace lanewise
