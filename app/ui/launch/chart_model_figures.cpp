// The model's figures of the chosen setting: its waterfall, and what fits on a multiprocessor.
#include <fmt/format.h>

#include "base/text.h"
#include "lab/analysis/prediction.h"
#include "model/occupancy_rows.h"
#include "ui/launch/charts.h"

namespace lanewise::ui {
namespace {

// The card that the model is for; null where its profile is not among ours.
const DeviceProfile* profile_called(const App& app, const std::string& device) {
    for (const DeviceProfile& profile : app.content.profiles)
        if (profile.name == device) return &profile;
    return nullptr;
}

OccupancyBar bar_of(const OccupancyRow& row, int64_t blocks) {
    OccupancyBar bar{row.resource, row.per_block, row.room, row.limits, "", ""};
    bool bytes = row.resource == "shared memory";
    auto amount = [&](int64_t value) {
        auto number = static_cast<uint64_t>(value);
        return bytes ? in_bytes(number) : with_thousands(number);
    };
    if (row.blocks == kUnknownNumber) {
        bar.words = kNotKnown;
        bar.tooltip = fmt::format(
            "{}: only NVIDIA's assembler says how many, so fewer blocks may fit", row.resource);
        return bar;
    }
    bar.words = amount(blocks * row.per_block) + " of " + amount(row.room);
    bar.tooltip = row.blocks == kAnyNumber
                      ? fmt::format("{}: a block takes none", row.resource)
                      : fmt::format("{}: a block takes {}, so {} would fit by this alone{}",
                                    row.resource, amount(row.per_block), row.blocks,
                                    row.limits ? "; this is full first" : "");
    return bar;
}

}  // namespace

WaterfallFigureInput waterfall_of(const App& app) {
    if (!app.of_launch()) return {};
    const BandwidthPrediction& model = app.of_launch()->prediction;
    Shown shown = shown_measurement(app);
    bool same_card = shown.measurement && shown.measurement->provenance.card == model.device;
    double measured = !same_card              ? 0
                      : model.gflop_per_s > 0 ? gflop_per_s(*shown.measurement)
                                              : shown.measurement->gb_per_s;
    return lanewise::waterfall_of(model, measured);
}

OccupancyFigureInput occupancy_of(const App& app) {
    OccupancyFigureInput input;
    if (!app.of_launch()) return input;
    const Occupancy& fit = app.of_launch()->occupancy;
    input.blocks = fit.blocks_per_sm;
    if (const DeviceProfile* device = profile_called(app, app.of_launch()->prediction.device))
        for (const OccupancyRow& row : occupancy_rows(sm_limits(*device), fit))
            input.bars.push_back(bar_of(row, fit.blocks_per_sm));
    input.caption = fmt::format("{}; {}", in_words(fit), registers_in_words(fit));
    return input;
}

}  // namespace lanewise::ui
