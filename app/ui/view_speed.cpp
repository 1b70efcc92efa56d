#include "ui/view_speed.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "figure/occupancy_figure.h"
#include "model/occupancy_rows.h"
#include "ui/draw_figure.h"
#include "ui/laid_out.h"
#include "ui/views.h"
#include "ui/widgets.h"

namespace lanewise::ui {
namespace {

constexpr float kWidest = 900;  // points; longer bars say no more

// None where they cannot be read: the engine says why when it needs them.
std::vector<DeviceProfile> readable_profiles(const App& app) {
    try {
        return device_profiles(app.catalogue.content());
    } catch (const Error&) {
        return {};
    }
}

// The card that the model is for; null where its profile is not among ours. Read once.
const DeviceProfile* profile_of(const App& app, const std::string& device) {
    static const std::vector<DeviceProfile> profiles = readable_profiles(app);
    for (const DeviceProfile& profile : profiles)
        if (profile.name == device) return &profile;
    return nullptr;
}

// Of a model with stations.
WaterfallFigureInput waterfall_of(const App& app, const BandwidthPrediction& model) {
    WaterfallFigureInput input;
    input.peak_name = "datasheet";
    input.peak_gb_per_s = model.peak_gb_per_s;
    for (const Station& station : model.stations)
        input.steps.push_back({station.name, station.gb_per_s, station.because});
    if (model.stations.front().gb_per_s > model.peak_gb_per_s)
        input.caption = "All of it stays in L2, so DRAM's peak is no limit here.";
    Shown shown = shown_measurement(app);
    if (shown.measurement && shown.measurement->provenance.card == model.device)
        input.measured_gb_per_s = shown.measurement->gb_per_s;
    return input;
}

OccupancyBar bar_of(const OccupancyRow& row, int64_t blocks) {
    OccupancyBar bar{row.resource, row.per_block, row.room, row.limits, "", ""};
    bool bytes = row.resource == "shared memory";
    auto amount = [&](int64_t value) {
        auto number = static_cast<uint64_t>(value);
        return bytes ? in_bytes(number) : with_thousands(number);
    };
    bar.words = amount(blocks * row.per_block) + " of " + amount(row.room);
    bar.tooltip = row.blocks == kAnyNumber
                      ? fmt::format("{}: a block takes none", row.resource)
                      : fmt::format("{}: a block takes {}, so {} would fit by this alone{}",
                                    row.resource, amount(row.per_block), row.blocks,
                                    row.limits ? "; this is full first" : "");
    return bar;
}

OccupancyFigureInput occupancy_of(const App& app, const Analysis& analysis) {
    const Occupancy& fit = analysis.occupancy;
    OccupancyFigureInput input;
    input.blocks = fit.blocks_per_sm;
    if (const DeviceProfile* device = profile_of(app, analysis.prediction.device))
        for (const OccupancyRow& row : occupancy_rows(sm_limits(*device), fit))
            input.bars.push_back(bar_of(row, fit.blocks_per_sm));
    input.caption = fmt::format(
        "{} blocks, {} warps ({:.0f} %) on a multiprocessor, limited by {}; {} registers a thread",
        fit.blocks_per_sm, fit.warps_per_sm, 100 * fit.fraction, fit.limited_by,
        fit.registers_per_thread);
    return input;
}

// Only one window draws, so each figure is kept here.
template <class Make>
void figure(App& app, LaidOut& kept, const char* id, Make make) {
    float width = std::min(kWidest, available() / look().pixels_per_point());
    draw_figure(id, laid_out(kept, app, width, make));
}

}  // namespace

// The model's waterfall, and what fits on a multiprocessor.
static void draw_model(App& app) {
    static LaidOut waterfall, occupancy;
    if (!app.analysis) {
        line(app.activity.busy() ? "Counting the whole launch …" : "Not counted.", kDim);
        return;
    }
    const BandwidthPrediction& model = app.analysis->prediction;
    if (model.stations.empty()) {
        paragraph(
            "There is no model of this kernel: what it must move at least is not known, so there "
            "is nothing to hold its time against.",
            kBody);
    } else {
        paragraph(
            fmt::format("Where the GB/s go, as the model explains it for {}: {} GB/s are "
                        "left, limited by {}. Point at a row for the sum behind it.",
                        model.device, with_thousands(static_cast<uint64_t>(model.gb_per_s + 0.5)),
                        model.limited_by),
            kBody);
        gap(8);
        figure(app, waterfall, "waterfall", [&](float points) {
            WaterfallFigureInput input = waterfall_of(app, model);
            input.width = points;
            return waterfall_figure(input, window_measure());
        });
        gap(14);
    }
    figure(app, occupancy, "occupancy", [&](float points) {
        OccupancyFigureInput input = occupancy_of(app, *app.analysis);
        input.width = points;
        return occupancy_figure(input, window_measure());
    });
}

void draw_speed(App& app) {
    draw_model(app);
    draw_staircase(app);
}

}  // namespace lanewise::ui
