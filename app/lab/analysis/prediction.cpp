#include "lab/analysis/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/text.h"
#include "lab/analysis/rate.h"
#include "lab/job/devices.h"
#include "lab/product/product.h"
#include "trace/both.h"
#include "trace/count/counter.h"

namespace lanewise {

static constexpr uint64_t kSampledBlocks = 16, kSampledOfProduct = 4;

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
    Sampled blocks = middle_of(launch, kSampledBlocks);
    EndingSampler sampler(warps_of(launch), prepared.load_groups);
    Machine::Limits limits = stage.limits;
    limits.cancel = cancel;
    limits.stop = &sampler.stop;
    prepared.machine->run(launch, stage.arguments(), stage.memory, blocks.begin, blocks.end,
                          sampler, limits);
    if (cancel && *cancel) throw Cancelled{};
    return sampler.take();
}

namespace {

constexpr int64_t kShortSum = 128, kLongSum = 256;  // and what is left over from tiles of 64

// What the few blocks ask for, each as an average one of the launch.
Traffic traffic_of_blocks(const PreparedKernel& prepared, const Job& job) {
    LaunchShape launch =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
    StageLaunch stage(job, prepared.kernel);
    Sampled blocks = middle_of(launch, is_product(job.stage) ? kSampledOfProduct : kSampledBlocks);
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
    return traffic;
}

Traffic traffic_of_product(const PreparedKernel& prepared, const Job& job) {
    Traffic traffic;
    int64_t rest = job.inner % 64;
    if (job.inner <= kLongSum + rest) {
        traffic = traffic_of_blocks(prepared, job);
        traffic.sectors_in_use = traffic.load_sectors_once;
    } else {
        Job shorter = job, longer = job;
        shorter.inner = kShortSum + rest;
        longer.inner = kLongSum + rest;
        Traffic at_long = traffic_of_blocks(prepared, longer);
        traffic = extrapolated(traffic_of_blocks(prepared, shorter), at_long,
                               static_cast<double>(shorter.inner),
                               static_cast<double>(longer.inner), static_cast<double>(job.inner));
        traffic.sectors_in_use = at_long.load_sectors_once;
    }
    Product product = product_of(job);
    traffic.operations = flops_of(job.rows, job.cols, job.inner) / traffic.blocks;
    traffic.read_bytes =
        static_cast<double>(product.a_bytes() + product.b_bytes()) / traffic.blocks;
    traffic.write_bytes = static_cast<double>(product.c_bytes()) / traffic.blocks;
    return traffic;
}

uint64_t useful_bytes(const Job& job) {
    if (is_product(job.stage))
        return static_cast<uint64_t>(
            bytes_once(job.rows, job.cols, job.inner, element_bytes(job.type)));
    return 2 * static_cast<uint64_t>(job.rows) * static_cast<uint64_t>(job.cols) *
           static_cast<uint64_t>(job.batch) * static_cast<uint64_t>(element_bytes(job.type));
}

}  // namespace

BandwidthPrediction predict(const Job& given) {
    Job job = given;
    validate(job);
    std::shared_ptr<const PreparedKernel> prepared = prepare(job).kernel;
    LaunchShape launch =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
    Traffic traffic = is_product(job.stage) ? traffic_of_product(*prepared, job)
                                            : traffic_of_blocks(*prepared, job);
    Occupancy fit = occupancy(
        device_in_use(), static_cast<int>(launch.block.count()),
        prepared->resources.registers_per_thread,
        prepared->resources.static_shared_bytes + static_cast<int>(launch.dynamic_shared_bytes));
    return predict_bandwidth(device_in_use(), traffic, fit, useful_bytes(job));
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
