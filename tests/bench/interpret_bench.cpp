// How fast the machine is: the padded transpose interpreted and counted, one thread at 1024 x 1024
// and all cores at 4096 x 4096. warp_instructions is the rate that matters.
#include <benchmark/benchmark.h>

#include <memory>
#include <thread>

#include "../sim/run_ptx.h"
#include "trace/count/counter.h"

namespace lanewise {
namespace {

void interpret_padded(benchmark::State& state) {
    auto side = static_cast<uint32_t>(state.range(0));
    auto threads = static_cast<size_t>(state.range(1));
    ptx::Kernel kernel = fixture("padded.ptx");
    Machine machine(kernel);
    Memory memory;
    uint64_t bytes = uint64_t{side} * side * 4;
    Arguments arguments;
    arguments.add(memory.allocate_unique_words(bytes, "in"))
        .add(memory.allocate(bytes, "out"))
        .add(side)
        .add(side);
    LaunchShape shape{{side / 32, side / 32}, {32, 8}};
    uint64_t executed = 0;
    for (auto _ : state) {
        std::vector<std::unique_ptr<Counter>> counters;
        std::vector<Observer*> observers;
        std::vector<const Counter*> results;
        for (size_t i = 0; i < threads; ++i) {
            counters.push_back(std::make_unique<Counter>(kernel));
            observers.push_back(counters.back().get());
            results.push_back(counters.back().get());
        }
        executed += machine.run_all(shape, arguments, memory, observers, {});
        benchmark::DoNotOptimize(merge(kernel, results, shape, memory));
    }
    state.counters["warp_instructions"] =
        benchmark::Counter(static_cast<double>(executed), benchmark::Counter::kIsRate);
}

BENCHMARK(interpret_padded)
    ->ArgNames({"side", "threads"})
    ->Args({1024, 1})
    ->Args({4096, std::max(1, static_cast<int>(std::thread::hardware_concurrency()))})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Repetitions(5)
    ->ReportAggregatesOnly();

void prepare_padded(benchmark::State& state) {
    std::string text = read_file(std::string(TESTS_FOLDER) + "/sim/fixtures/padded.ptx");
    for (auto _ : state) {
        ptx::Kernel kernel = ptx::parse(text).kernels.at(0);
        Machine machine(kernel);
        benchmark::DoNotOptimize(machine.static_shared_bytes());
    }
}
BENCHMARK(prepare_padded)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace lanewise
