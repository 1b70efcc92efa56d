// Micro-benchmarks: what a card can do in one respect at a time. The constants of the bandwidth
// model come from these and from no stage (model/fit.h). Run by `lanewise-engine calibrate`.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "lab/job/measurement.h"

namespace lanewise {

// One launch, described in full: the kernel is instantiated and launched as kernel(memory, bytes,
// a, b). What `a`, `b` and the template parameters mean: micro_kernels.cpp.
struct Microbench {
    std::string name = {};    // what it is about: "dram_read"
    std::string kernel = {};  // name expression: "micro_read<uint4, 4, 1>"
    uint32_t blocks = 1, threads = 256, dynamic_shared = 0;
    uint64_t bytes = 0, a = 0, b = 0;
    double work = 0;  // of one launch, in `unit`
    std::string unit = {};
};

struct MicrobenchResult {
    Microbench bench;
    int blocks_per_sm = 0;  // resident, as the driver says
    Spread us;              // per launch
    double rate() const { return us.median > 0 ? bench.work / us.median : 0; }  // unit per us
};

// What the list depends on.
struct MicrobenchCard {
    int sm_count = 0, shared_bytes_per_sm = 0;
    uint64_t memory_bytes = 0;  // to work in: a power of two
    uint64_t reach_bytes = 0;   // over which few accesses may be spread: a power of two
    uint64_t l2_bytes = 0;      // that surely stay in L2: a power of two
};

std::vector<Microbench> microbenches(const MicrobenchCard& card);

// The CUDA source of every kernel.
const char* micro_source();
// The kernels of microbenches(), of any card, and of occupancy_sweep(): name expressions, each
// once.
std::vector<std::string> microbench_kernels();
// What occupancy_sweep() instantiates: words that stay live, bytes of static shared memory.
struct OccupyingKernel {
    int live;
    uint32_t shared;
    std::string name() const;
};
std::vector<OccupyingKernel> occupying_kernels();

struct CalibrateOptions {
    std::string only;   // prefix of a name; "" = all
    bool once = false;  // one launch each, untimed: for a profiler
};

// Needs a GPU: throws Error(needs_gpu), or as Gpu does.
std::vector<MicrobenchResult> run_microbenches(const CalibrateOptions& options,
                                               const Progress& progress = {},
                                               const CancelFlag* cancel = nullptr);

// One line per result under a head that names card, driver, compiler, clock and date; and back.
std::string calibration_csv(const std::vector<MicrobenchResult>& results);

// What the driver says of kernels with many or few registers and much or little shared memory:
// CSV with threads, registers, static_shared, dynamic_shared, blocks_per_sm.
std::string occupancy_sweep(const Progress& progress = {});

}  // namespace lanewise
