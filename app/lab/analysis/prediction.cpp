#include "lab/analysis/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/text.h"
#include "lab/analysis/rate.h"
#include "lab/job/devices.h"
#include "lab/job/operation_code.h"
#include "lab/product/product.h"
#include "ptx/cluster.h"
#include "ptx/grid_barrier.h"
#include "trace/both.h"
#include "trace/count/counter.h"

namespace lanewise {

namespace {
struct Sampled {
    uint64_t begin, end;
};

// The launch has been interpreted before, and what it left in memory may let a block wait for ever:
// for a ticket that was drawn already, say. No other is then begun.
class EndingSampler : public TrafficSampler {
  public:
    using TrafficSampler::TrafficSampler;
    void on_fault(const Fault& fault) override {
        if (fault.kind == Fault::Kind::runaway || fault.kind == Fault::Kind::deadlock) stop = true;
    }
    std::atomic<bool> stop = false;
};
}  // namespace

static Sampled middle_of(const LaunchShape& launch, uint64_t most) {
    uint64_t blocks = launch.grid.count(), count = std::min(most, blocks);
    uint64_t begin = std::min(blocks / 2, blocks - count);
    return {begin, begin + count};
}

static uint32_t warps_of(const LaunchShape& launch) {
    return static_cast<uint32_t>((launch.block.count() + 31) / 32);
}

TrafficSample sample_traffic(const PreparedKernel& prepared, const LaunchShape& launch,
                             StageLaunch& stage, const CancelFlag* cancel) {
    // Blocks that wait for each other take turns, and a sampler sees one block after another.
    bool take_turns =
        ptx::waits_for_grid(prepared.kernel) || ptx::works_in_clusters(prepared.kernel);
    Sampled blocks = middle_of(launch, take_turns ? 1 : kSampledBlocks);
    EndingSampler sampler(warps_of(launch), prepared.load_groups);
    Machine::Limits limits = stage.limits;
    limits.cancel = cancel;
    limits.stop = &sampler.stop;
    prepared.machine->run(launch, stage.arguments(), stage.memory, blocks.begin, blocks.end,
                          sampler, limits);
    if (cancel && *cancel) throw Cancelled{};
    return sampler.take();
}

// What a few blocks ask for, each as an average one of the launch.
Traffic traffic_of_blocks(const PreparedKernel& prepared, const Job& job, uint64_t most) {
    LaunchShape launch =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
    StageLaunch stage(job, prepared.kernel);
    Sampled blocks = middle_of(launch, most);
    Counter counter(prepared.kernel, prepared.counting.count_as);
    TrafficSampler sampler(warps_of(launch), prepared.load_groups);
    Both both(counter, sampler);
    uint64_t executed = prepared.machine->run(launch, stage.arguments(), stage.memory, blocks.begin,
                                              blocks.end, both, stage.limits);
    const Counter* counters[] = {&counter};
    Report report = merge(prepared.kernel, counters, launch, stage.memory);
    Traffic traffic =
        traffic_of(report.totals, executed, blocks.end - blocks.begin, sampler.take());
    traffic.blocks = static_cast<double>(launch.grid.count());
    tell_bytes(job, traffic);
    return traffic;
}

void tell_bytes(const Job& job, Traffic& traffic) {
    MovedBytes moved = moved_bytes(job);
    traffic.read_bytes = static_cast<double>(moved.read) / traffic.blocks;
    traffic.write_bytes = static_cast<double>(moved.written) / traffic.blocks;
}

BandwidthPrediction predict(const Job& given) {
    Job job = given;
    validate(job);
    std::shared_ptr<const PreparedKernel> prepared = prepare(job).kernel;
    LaunchShape launch =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
    Traffic traffic = code_of(job.stage).traffic(*prepared, job);
    Occupancy fit = occupancy(
        device_in_use(), static_cast<int>(launch.block.count()),
        prepared->resources.registers_per_thread,
        prepared->resources.static_shared_bytes + static_cast<int>(launch.dynamic_shared_bytes));
    return predict_bandwidth(device_in_use(), traffic, fit, code_of(job.stage).useful_bytes(job));
}

WaterfallFigureInput waterfall_of(const BandwidthPrediction& model, double measured) {
    WaterfallFigureInput input;
    if (model.stations.empty()) return input;
    bool computes = model.gflop_per_s > 0;
    double factor = computes ? model.gflop_per_s / model.gb_per_s : 1;
    input.unit = computes ? "GFLOP/s" : "GB/s";
    input.peak_name = computes ? model.unit + ", datasheet" : "datasheet";
    input.peak_gb_per_s = computes ? model.peak_gflop_per_s : model.peak_gb_per_s;
    for (const Station& station : model.stations)
        input.steps.push_back({station.name, factor * station.gb_per_s, station.because});
    if (!computes && model.stations.front().gb_per_s > model.peak_gb_per_s)
        input.caption = "All of it stays in L2, so DRAM's peak is no limit here.";
    input.measured_gb_per_s = measured;
    return input;
}

bool is_launch_bound(const BandwidthPrediction& model) {
    return model.gflop_per_s > 0 &&
           is_launch_bound(model.time_us, 1e3 * model.gflop_per_s * model.time_us);
}

std::string speed_words(const BandwidthPrediction& model) {
    if (is_launch_bound(model)) return fmt::format("{:.1f} µs", model.time_us);
    double value = model.gflop_per_s > 0 ? model.gflop_per_s : model.gb_per_s;
    std::string number = in_three_digits(value);
    return number + (model.gflop_per_s > 0 ? " GFLOP/s" : " GB/s");
}

double model_error(const Measurement& m) { return m.predicted_gb_per_s / m.gb_per_s - 1; }

ModelErrors model_errors(const std::vector<Measurement>& measurements) {
    ModelErrors errors;
    for (const Measurement& m : measurements) {
        if (!m.beyond_l2 || m.predicted_gb_per_s <= 0 || m.gb_per_s <= 0) continue;
        double error = std::fabs(model_error(m));
        ++errors.compared;
        errors.mean += error;
        if (error < errors.worst) continue;
        errors.worst = error;
        errors.worst_at = fmt::format("{} {} x {}", m.stage, m.rows, m.cols);
    }
    if (errors.compared > 0) errors.mean /= errors.compared;
    return errors;
}

}  // namespace lanewise
