// How fast every rung is interpreted and counted, all blocks, on one core: the program as its users
// meet it, where interpret_bench.cpp looks at the machine alone.
#include <benchmark/benchmark.h>

#include <string>

#include "base/files.h"
#include "course/catalogue.h"
#include "lab/analysis/analysis.h"
#include "lab/job/needs.h"
#include "lab/product/product.h"

namespace lanewise {
namespace {

// Bytes that a transpose has to move, or multiplications and additions that a product has to do.
double work_of(const Job& job) {
    double rows = static_cast<double>(job.rows), cols = static_cast<double>(job.cols);
    return is_product(job.stage) ? 2 * rows * cols * static_cast<double>(job.inner)
                                 : 2 * rows * cols * element_bytes(job.type);
}

// The time is that of counting and of the search for races together; compiling stands apart, and so
// do filling the buffers and comparing the result.
//
// Rungs are compared by warp_instructions a second as long as their instructions are of a kind. In
// 84_tma and in the products on tensor cores they are not: a bulk copy by one thread moves 4,096
// bytes, as much as eight vector accesses of whole warps, so that the rung has 975 warp
// instructions for a tile for which 80_register_tiles has 2,370; and one mma.sync of m16n8k16
// multiplies and adds 2,048 times, and a warp's part of one wgmma of m64n256k16 65,536 times, where
// an fma does it 32 times. For those, compare the second figure.
void interpret(benchmark::State& state, const Job& job) {
    double executed = 0, work = 0;
    for (auto _ : state) {
        Analysis analysis = analyse(job, 1);
        executed += static_cast<double>(analysis.report.warp_instructions);
        work += work_of(job);
        state.SetIterationTime(analysis.interpret_ms / 1000);
    }
    using benchmark::Counter;
    state.counters["warp_instructions"] = Counter(executed, Counter::kIsRate);
    state.counters[is_product(job.stage) ? "flop" : "bytes"] = Counter(work, Counter::kIsRate);
}

// A transpose of 4096 x 4096; a product small enough to be as much work.
Job job_for(const Stage& stage) {
    Job job;
    job.stage = stage;
    job.type = stage.types.front();
    job.rows = job.cols = is_product(stage) ? 256 : 4096;
    return job;
}

const bool registered = [] {
    static const Catalogue catalogue = Catalogue::load(content_folder());
    for (const Stage& stage : catalogue.stages())
        if (stage.error.empty() && cannot_interpret(stage).empty())
            benchmark::RegisterBenchmark(("interpret/" + stage.id).c_str(), interpret,
                                         job_for(stage))
                ->Unit(benchmark::kMillisecond)
                ->UseManualTime();
    return true;
}();

}  // namespace
}  // namespace lanewise
