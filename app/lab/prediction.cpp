#include "lab/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/devices.h"
#include "trace/counter.h"

namespace lanewise {

static constexpr uint64_t kSampledBlocks = 16;

namespace {
struct Sampled {
    uint64_t begin, end;
};
}  // namespace

static Sampled middle_of(const LaunchShape& launch) {
    uint64_t blocks = launch.grid.count(), count = std::min(kSampledBlocks, blocks);
    uint64_t begin = std::min(blocks / 2, blocks - count);
    return {begin, begin + count};
}

static uint32_t warps_of(const LaunchShape& launch) {
    return static_cast<uint32_t>((launch.block.count() + 31) / 32);
}

TrafficSample sample_traffic(const PreparedKernel& prepared, const LaunchShape& launch,
                             StageLaunch& stage, const CancelFlag* cancel) {
    Sampled blocks = middle_of(launch);
    TrafficSampler sampler(warps_of(launch), prepared.load_groups);
    Machine::Limits limits;
    limits.cancel = cancel;
    prepared.machine->run(launch, stage.arguments(), stage.memory, blocks.begin, blocks.end,
                          sampler, limits);
    if (cancel && *cancel) throw Cancelled{};
    return sampler.take();
}

BandwidthPrediction predict(const Job& given) {
    Job job = given;
    validate(job);
    std::shared_ptr<const PreparedKernel> prepared = prepare(job).kernel;
    LaunchShape launch =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
    StageLaunch stage(job, prepared->kernel);
    Sampled blocks = middle_of(launch);
    Counter counter(prepared->kernel, prepared->counting.count_as);
    uint64_t executed = prepared->machine->run(launch, stage.arguments(), stage.memory,
                                               blocks.begin, blocks.end, counter);
    const Counter* counters[] = {&counter};
    Report report = merge(prepared->kernel, counters, launch, stage.memory);
    Traffic traffic = traffic_of(report.totals, executed, blocks.end - blocks.begin,
                                 sample_traffic(*prepared, launch, stage));
    traffic.blocks = static_cast<double>(launch.grid.count());
    Occupancy fit = occupancy(
        device_in_use(), static_cast<int>(launch.block.count()),
        prepared->resources.registers_per_thread,
        prepared->resources.static_shared_bytes + static_cast<int>(launch.dynamic_shared_bytes));
    uint64_t bytes = static_cast<uint64_t>(job.rows) * static_cast<uint64_t>(job.cols) *
                     static_cast<uint64_t>(job.batch) *
                     static_cast<uint64_t>(element_bytes(job.type));
    return predict_bandwidth(device_in_use(), traffic, fit, 2 * bytes);
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
