#include "ui/chart/view_speed.h"

#include "base/text.h"
#include "lab/analysis/prediction.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/launch/charts.h"
#include "ui/plain/frame_text.h"
#include "ui/state/laid_out.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kWidest = 900;  // points; longer bars say no more
constexpr const char* kModelOfProducts =
    "Tensor cores are taken at their datasheet's rate, and waiting between their products counts "
    "nothing here. Expect the model to be too fast for them, and for WMMA by far. bench --predict "
    "prints its error beside every recorded product.";

template <class Make>
void figure(App& app, LaidOut& kept, const char* id, Make make) {
    float width = std::min(kWidest, available() / look().pixels_per_point());
    draw_figure(id, laid_out(kept, app, width, make));
}

}  // namespace

// The model's waterfall, and what fits on a multiprocessor.
static void draw_model(App& app) {
    if (!app.of_launch()) {
        line(app.activity.busy() ? "Counting the whole launch …" : "Not counted.", kDim);
        return;
    }
    const BandwidthPrediction& model = app.of_launch()->prediction;
    if (model.stations.empty()) {
        paragraph(
            "There is no model of this kernel: what it must move at least is not known, so there "
            "is nothing to hold its time against.",
            kBody);
    } else {
        std::string_view words =
            is_launch_bound(model)
                ? frame_text("As the bandwidth model has it for {}, this takes {}. {}", model.device,
                             speed_words(model), kLaunchBound)
                : frame_text(
                      "Where the {} go, as the bandwidth model explains it for {}: {} are left, "
                      "limited by {}. Point at a row for the sum behind it.",
                      model.gflop_per_s > 0 ? "GFLOP/s" : "GB/s", model.device, speed_words(model),
                      model.limited_by);
        paragraph(words, kBody);
        gap(8);
        figure(app, app.sight.figures.waterfall, "waterfall", [&](float points) {
            WaterfallFigureInput input = waterfall_of(app);
            input.width = points;
            return waterfall_figure(input, window_measure());
        });
        gap(14);
        if (model.gflop_per_s > 0) {
            paragraph(kModelOfProducts, kDim);
            gap(14);
        }
    }
    figure(app, app.sight.figures.occupancy, "occupancy", [&](float points) {
        OccupancyFigureInput input = occupancy_of(app);
        input.width = points;
        return occupancy_figure(input, window_measure());
    });
}

void draw_speed(App& app) {
    draw_model(app);
    draw_staircase(app);
}

}  // namespace lanewise::ui
