// The bandwidth model (model/bandwidth.h) applied to a launch, and how far it is from measurements.
#pragma once
#include <string>
#include <vector>

#include "figure/drawing/figures.h"
#include "lab/job/measurement.h"
#include "lab/machine/prepared.h"
#include "model/traffic.h"

namespace lanewise {

// How the traffic of a launch is spread, from a few consecutive blocks in the middle of the grid.
// Interprets them once more: buffers then hold what they held, unless the kernel adds to them.
// Throws Cancelled when `cancel` (may be null) is set.
TrafficSample sample_traffic(const PreparedKernel& prepared, const LaunchShape& launch,
                             StageLaunch& stage, const CancelFlag* cancel = nullptr);

// What a few blocks in the middle of a stage's grid ask for, each as an average one.
inline constexpr uint64_t kSampledBlocks = 16;
Traffic traffic_of_blocks(const PreparedKernel& prepared, const Job& job,
                          uint64_t most = kSampledBlocks);
// What of a block's bytes is read and written at best, of its buffers' (moved_bytes()).
void tell_bytes(const Job& job, Traffic& traffic);

// What the model says of a stage's job, for the card in use, without interpreting the whole launch:
// the few blocks stand for all; of a product they walk two short ways along K, and what they ask
// for is taken to grow with K as between the two. Throws as analyse() does.
BandwidthPrediction predict(const Job& job);

// The way down from the datasheet's peak, station by station: of the memory in GB/s, of what does
// the arithmetic of a product in GFLOP/s. measured: in the same unit; 0 where there is none.
WaterfallFigureInput waterfall_of(const BandwidthPrediction& model, double measured);

// "3,185 GB/s"; of a product "24,100 GFLOP/s", or where it is launch-bound "3.2 µs".
std::string speed_words(const BandwidthPrediction& model);
// As of a measurement (lab/job/measurement.h).
bool is_launch_bound(const BandwidthPrediction& model);
inline constexpr const char* kLaunchBound = "Launch-bound: next to nothing of it is arithmetic.";

struct ModelErrors {
    int compared = 0;
    double mean = 0, worst = 0;  // of |predicted / measured - 1|
    std::string worst_at;        // "transpose/10_naive 8192 x 8192"
};
// Of the measurements that have a prediction; measurements of parts of the cache are left out.
ModelErrors model_errors(const std::vector<Measurement>& measurements);
double model_error(const Measurement& measurement);  // predicted / measured - 1

}  // namespace lanewise
