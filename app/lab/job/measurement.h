// What the hardware says about one run: launch, verify, time. Needs a GPU.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lab/job/job.h"
#include "lab/job/results.h"

namespace lanewise {

struct MismatchMap;  // figure/product/mismatch_figure.h

// Sorted-sample summary; empty samples give zeros.
struct Spread {
    double median = 0, p05 = 0, p95 = 0;
    int samples = 0;
};
Spread spread_of(std::vector<double> samples);

struct Provenance {
    std::string card;      // "NVIDIA H200"
    std::string driver;    // "580.159.04", or the driver's CUDA version where unknown
    std::string compiler;  // "NVRTC 13.0"
    std::string arch;
    std::string date;               // ISO 8601, UTC
    std::string source_hash;        // of the stage's .cu
    double sm_clock_mhz = 0;        // as sampled around the run; 0 where unknown
    double datasheet_gb_per_s = 0;  // from the card's profile, or memory clock x bus width
    uint64_t l2_bytes = 0;
};

// One launch per sample, each with an L2 cache full of other, unwritten bytes. Empty in recordings
// from before these were taken.
struct ColdTimes {
    std::vector<double> samples_us;
    Spread time_us;
    double gb_per_s = 0;  // 0 where not taken
};

// What is timed in the same rounds as a stage, as its ceiling: the best copy of the same bytes. Of a
// product (inner is not kNoInner) cuBLAS, with floats, halves or TF32 as the stage has; empty where
// there is none.
struct Yardstick {
    std::string kind;  // "cudaMemcpy" or "tuned 16-byte kernel", whichever was faster
    std::vector<double> samples_us;  // each stands beside the stage's own, same bytes
    int launches_per_sample = 1;
    Spread time_us;
    double gb_per_s = 0;
    ColdTimes cold;
    Spread ratio;  // of interleaved pairs: its time / the stage's time
};

// What does a product's arithmetic.
struct Arithmetic {
    std::string unit;                  // "FP32", "TF32 tensor cores", …
    double datasheet_gflop_per_s = 0;  // of that unit; 0 where unknown
};

// A stage's launches beside a yardstick's of the same run. Of a product gb_per_s counts the bytes of
// A, B and C once; and how fast it is tells gflop_per_s().
struct Measurement : StageSetting {
    std::string title;
    bool correct = false;  // verified before and after timing, output poisoned each time
    Mismatch mismatch;
    std::shared_ptr<const MismatchMap> mismatch_map;  // null: correct, or see lab/mismatch/mismatch_map.h
    // Microseconds per launch. A sample is launches_per_sample launches back to back between two
    // events (more than one where a launch alone would be too short to time), divided by their
    // number.
    std::vector<double> samples_us;
    int launches_per_sample = 1;
    Spread time_us;
    double gb_per_s = 0;  // 2 * rows * cols * size * batch / median time, 10^9
    ColdTimes cold;
    Yardstick yardstick;
    bool beyond_l2 = false;  // working set >= 4 x L2: only then is % of HBM said
    std::string note;        // a fault of the measurement, in words; empty when fine
    Provenance provenance;
    double predicted_gb_per_s = 0;  // the model's for this card; 0 where it was not asked
    // Of a product:
    std::string input;  // which data (lab/product/product.h)
    ProductError error;  // of the launch before timing
    Arithmetic arithmetic;
};

// Of a product 2 M N K over the median time, 10^9; of anything else 0. And cuBLAS's.
double gflop_per_s(const Measurement& measurement);
double library_gflop_per_s(const Measurement& measurement);
// Whether so little is computed (fewer than 64 x 64 x 64 multiplications, in less than 10
// microseconds) that the time is one of starting: no GFLOP/s are told then, only the time.
bool is_launch_bound(const Measurement& measurement);
bool is_launch_bound(double time_us, double flops);  // of a product

struct MeasureOptions {
    int samples = 40;          // the fewest; at least 30
    int most_samples = 200;    // where the fewest do not tell the medians precisely enough
    double precision = 0.003;  // half the 95 % confidence interval of a median, relative to it
    double time_limit_s = 5;   // for launches; compiling does not count
};

using Progress = std::function<void(double fraction, const std::string& what)>;

// Launches on this machine's GPU (job.arch is not looked at), verifies, times, verifies again.
// A wrong result is timed too, and says so. Throws Error(needs_gpu) with advice where there is no
// usable GPU, Error(failed_check) where the launch fails, Error(out_of_time) where it does not end;
// after the last two Gpu::lost() may be true, and only a new process can measure again.
Measurement measure(const Job& job, const MeasureOptions& options = {},
                    const Progress& progress = {}, const CancelFlag* cancel = nullptr);

}  // namespace lanewise
