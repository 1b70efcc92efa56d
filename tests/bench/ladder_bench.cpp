// How fast every rung is interpreted and counted, all blocks, on one core: the program as its users
// meet it, where interpret_bench.cpp looks at the machine alone.
#include <benchmark/benchmark.h>

#include <string>

#include "base/files.h"
#include "course/catalogue.h"
#include "lab/analysis.h"
#include "lab/needs.h"

namespace lanewise {
namespace {

// The time is the interpreter's own: compiling, and the search for races, stand apart from it.
void interpret(benchmark::State& state, const Job& job) {
    double executed = 0;
    for (auto _ : state) {
        Analysis analysis = analyse(job, 1);
        executed += static_cast<double>(analysis.report.warp_instructions);
        state.SetIterationTime(analysis.interpret_ms / 1000);
    }
    state.counters["warp_instructions"] = benchmark::Counter(executed, benchmark::Counter::kIsRate);
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
