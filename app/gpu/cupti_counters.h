// The hardware's counters around one launch, through CUPTI's range profiler: one range, replayed by
// us as often as the counters need passes. Where that cannot be done, the result says why, and
// everything else goes on.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lanewise {

struct Cupti;

struct CounterReading {
    std::map<std::string, double> values;  // by the name asked for; those that the card has
    std::vector<std::string> unknown;      // those that it has not
    size_t passes = 0;                     // launches that it took
    std::string problem;                   // why there are none, with what to do; "" where fine
};

// One pass: puts memory and caches into the state of the first launch, calls begin(), launches,
// waits for the end, and calls end().
using ReplayedPass =
    std::function<void(const std::function<void()>& begin, const std::function<void()>& end)>;

// metrics: with their rollup, e.g. "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"; times
// (gpu__time_…) are of a launch of their own. Throws only
// what `pass` throws. The GPU must be open and its context current (Gpu::open). One at a time in
// a process.
CounterReading read_counters(const std::vector<std::string>& metrics, const ReplayedPass& pass);

// The same with this CUPTI and this CUcontext of CUDA device `device`.
CounterReading read_counters(const Cupti& api, void* context, int device,
                             const std::vector<std::string>& metrics, const ReplayedPass& pass);

// Why read_counters() cannot work here, as far as that can be told without a GPU: CUPTI is missing,
// or the driver keeps the counters for administrators. "" where nothing is known to be in the way.
std::string missing_counters();

}  // namespace lanewise
