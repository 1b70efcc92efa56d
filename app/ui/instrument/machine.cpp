#include "ui/instrument/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "lab/flow/access_index.h"
#include "ui/desk/tools.h"
#include "ui/launch/charts.h"
#include "ui/look/look.h"

namespace lanewise::ui {
namespace {

// The card that the model is for; null while that is not known.
const DeviceProfile* card_of(const App& app) {
    if (!app.of_launch()) return nullptr;
    for (const DeviceProfile& profile : app.content.profiles)
        if (profile.name == app.of_launch()->prediction.device) return &profile;
    return nullptr;
}

std::string whose_latencies(const DeviceProfile& card) {
    return card.costs_like.empty()
               ? fmt::format("Latencies: measured on {} by lanewise-engine calibrate.", card.name)
               : fmt::format("Latencies: of {}, carried over from {} and not measured.", card.name,
                             card.costs_like);
}

template <class Input, Drawing (*Make)(const Input&, const Measure&), Input (*Of)(const App&)>
Drawing drawn(const App& app, float width, float height) {
    Input input = Of(app);
    input.width = width;
    input.height = height;
    return Make(input, window_measure());
}

constexpr MachinePart kParts[] = {
    {"workers", "Workers", drawn<WorkersFigureInput, workers_figure, workers_of>},
    {"multiprocessor", "Multiprocessor",
     drawn<MultiprocessorFigureInput, multiprocessor_figure, multiprocessor_of>},
    {"launch", "Launch", drawn<LaunchFigureInput, launch_figure, launch_of>},
    {"levels", "Levels of memory", drawn<LevelsFigureInput, levels_figure, levels_of>},
};

size_t part_called(const std::string& id) {
    std::vector<std::string> ids;
    for (size_t i = 0; i < std::size(kParts); ++i) {
        if (id == kParts[i].id) return i;
        ids.emplace_back(kParts[i].id);
    }
    std::string near = closest(id, ids), all;
    for (const std::string& each : ids) all += (all.empty() ? "" : ", ") + each;
    throw Error(Status::bad_input,
                "no picture of the machine \"" + id + "\"" +
                    (near.empty() ? "; there are " + all : "; did you mean \"" + near + "\"?"));
}

bool uses(const Picture& picture, Space space) {
    for (const InstructionReport& each : picture.report.instructions)
        if (each.space == space) return true;
    return false;
}

}  // namespace

std::span<const MachinePart> machine_parts() { return kParts; }

void check_machine_part(const std::string& id) { part_called(id); }

std::string_view no_machine(const App& app) {
    return app.chosen().operation->has_inner() ? "The Product view shows what a product does." : "";
}

void choose_machine_part(App& app, const std::string& id) {
    app.tools->machine_part = part_called(id);
}

// The block's own trace: how many numbers it loads, and how often its first warp asks.
WorkersFigureInput workers_of(const App& app) {
    WorkersFigureInput input;
    if (!app.arrived.picture) return input;
    const Picture& picture = *app.arrived.picture;
    const auto element = static_cast<uint64_t>(std::max(1, picture.element_bytes));
    input.numbers = picture.report.totals.global_load.bytes / element;
    input.threads = static_cast<uint32_t>(picture.launch.block.count());
    for (const TracedAccess& access : picture.block.accesses) {
        const InstructionReport& of = picture.report.instructions[access.instruction];
        input.waits += access.warp == 0 && of.space == Space::global && !of.is_store;
    }
    if (const DeviceProfile* card = card_of(app)) {
        input.latency_clocks = card->costs.dram_latency_clocks;
        input.source = whose_latencies(*card);
    }
    return input;
}

MultiprocessorFigureInput multiprocessor_of(const App& app) {
    MultiprocessorFigureInput input;
    const DeviceProfile* card = card_of(app);
    if (!card) return input;
    const Occupancy& fit = app.of_launch()->occupancy;
    input.card = card->name;
    input.multiprocessors = card->sm_count;
    input.room_for_warps = card->max_warps_per_sm;
    input.blocks = fit.blocks_per_sm;
    input.warps_per_block = (fit.threads_per_block + 31) / 32;
    input.bars = occupancy_of(app).bars;
    return input;
}

// The chosen warp's load by the chosen lane, or by lane 0.
LaunchFigureInput launch_of(const App& app) {
    LaunchFigureInput input;
    if (!app.arrived.picture) return input;
    const Picture& picture = *app.arrived.picture;
    input.grid = picture.launch.grid;
    input.block = picture.launch.block;
    input.chosen = picture.block.block;
    input.warp = static_cast<uint32_t>(app.chosen().warp);
    input.lane = std::max(0, app.chosen().lane);
    const auto lane = static_cast<size_t>(input.lane);
    for (size_t i = 0; i < picture.block.accesses.size(); ++i) {
        const TracedAccess& access = picture.block.accesses[i];
        const InstructionReport& of = picture.report.instructions[access.instruction];
        if (access.warp != input.warp || of.space != Space::global || of.is_store) continue;
        input.element =
            access.addresses[lane] / static_cast<uint64_t>(std::max(1, picture.element_bytes));
        if (auto index = index_of_lane(job_of(app), picture, static_cast<int>(i), input.lane)) {
            input.expression = index->expression;
            input.numbers = index->numbers;
        }
        break;
    }
    return input;
}

LevelsFigureInput levels_of(const App& app) {
    LevelsFigureInput input;
    const DeviceProfile* card = card_of(app);
    if (!card || !app.arrived.picture) return input;
    auto of_one = [](double bytes) {
        return in_bytes(static_cast<uint64_t>(bytes)) + " in each multiprocessor";
    };
    const bool global = uses(*app.arrived.picture, Space::global);
    // A register's is how long an instruction waits for the result of the one before.
    input.levels = {
        {"Registers", of_one(4.0 * card->registers_per_sm), card->costs.instruction_clocks, true},
        {"Shared memory", of_one(card->shared_bytes_per_sm), 0,
         uses(*app.arrived.picture, Space::shared)},
        {"L1", of_one(card->l1_bytes_per_sm) + ", shared memory included",
         card->costs.l1_latency_clocks, false},
        {"L2", in_bytes(static_cast<uint64_t>(card->l2_bytes)) + " for the whole card",
         card->costs.l2_latency_clocks, false},
        {"DRAM", "", card->costs.dram_latency_clocks, global}};
    input.source = whose_latencies(*card) +
                   " Registers: from one instruction to the next that needs its result.";
    return input;
}

}  // namespace lanewise::ui
