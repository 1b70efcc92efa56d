#include "lab/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>

#include "base/error.h"
#include "base/text.h"
#include "lab/devices.h"
#include "lab/expected.h"
#include "lab/prepared.h"
#include "lab/threads.h"
#include "trace/counter.h"

namespace lanewise {

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void check_dimension(const char* name, int64_t value) {
    if (value >= 1 && value <= kMaxDimension) return;
    throw Error(Status::bad_input,
                fmt::format("{} is {}; choose a number from 1 to {}", name, value,
                            with_thousands(static_cast<uint64_t>(kMaxDimension))));
}

void check_type(const Job& job) {
    const auto& types = job.stage.types;
    if (std::find(types.begin(), types.end(), job.type) != types.end()) return;
    throw Error(Status::bad_input, fmt::format("{} has no element type \"{}\"; it offers {}",
                                               job.stage.id, job.type, fmt::join(types, ", ")));
}

ExpectedOutput expected_output(const Job& job) {
    return {job.rows, job.cols, job.batch, element_bytes(job.type), job.stage.reference == "copy"};
}

// The output alone is held in memory: the input is computed as it is read.
void check_memory(const Job& job, uint64_t bytes) {
    constexpr double kUsable = 0.9;  // the rest is for everybody else on this machine
    uint64_t available = available_memory_bytes();
    if (available == 0 || static_cast<double>(bytes) <= kUsable * static_cast<double>(available))
        return;
    throw Error(
        Status::bad_input,
        fmt::format("{} x {} x {} elements of {} need {} of memory for the output, and this "
                    "machine has {} free; choose fewer rows or columns",
                    job.batch, job.rows, job.cols, job.type, in_bytes(bytes), in_bytes(available)));
}

Occupancy occupancy_of(const LaunchShape& launch, const KernelResources& resources) {
    return occupancy(device_in_use(), static_cast<int>(launch.block.count()),
                     resources.registers_per_thread,
                     resources.static_shared_bytes + static_cast<int>(launch.dynamic_shared_bytes));
}

std::string how_compiled(const Preparation& preparation) {
    const Program& program = preparation.kernel->program;
    if (preparation.reused) return "compiled before";
    switch (program.origin) {
        case Program::Origin::compiled:
            return fmt::format("compiled by {} in {:.0f} ms", program.compiler,
                               program.milliseconds);
        case Program::Origin::cached:
            return "compiled by " + program.compiler + ", from the cache";
        case Program::Origin::prebuilt:
            return "compiled by " + program.compiler + " when this program was built";
    }
    return {};
}

// What the results of both kinds have in common.
template <typename Result>
void describe(Result& result, const Job& job, const LaunchShape& launch,
              const Preparation& preparation) {
    result.stage = job.stage.id;
    result.knobs = job.knobs;
    result.type = job.type;
    result.rows = job.rows;
    result.cols = job.cols;
    result.batch = job.batch;
    result.launch = launch;
    result.resources = preparation.kernel->resources;
    result.occupancy = occupancy_of(launch, result.resources);
    result.compile_ms = preparation.milliseconds;
}

// Hands one block's events to two observers.
class Both : public Observer {
  public:
    Both(Observer& first, Observer& second) : first_(first), second_(second) {}
    void on_memory(const MemoryEvent& event) override {
        first_.on_memory(event);
        second_.on_memory(event);
    }
    void on_fault(const Fault& fault) override {
        first_.on_fault(fault);
        second_.on_fault(fault);
    }
    void on_print(const Print& print) override {
        first_.on_print(print);
        second_.on_print(print);
    }
    void on_block_end(uint32_t block) override {
        first_.on_block_end(block);
        second_.on_block_end(block);
    }

  private:
    Observer& first_;
    Observer& second_;
};

// Counts, and gives the whole launch up at the first block that would never end: each of the others
// would take as long to be found out.
class StoppingCounter : public Counter {
  public:
    StoppingCounter(const ptx::Kernel& kernel, std::atomic<bool>& stop)
        : Counter(kernel), stop_(stop) {}
    void on_fault(const Fault& fault) override {
        Counter::on_fault(fault);
        if (fault.kind == Fault::Kind::runaway) stop_ = true;
    }

  private:
    std::atomic<bool>& stop_;
};

// Interprets every block; the counts do not depend on the number of threads.
Report interpret(const PreparedKernel& prepared, const LaunchShape& launch, StageLaunch& stage,
                 int threads, const CancelFlag* cancel) {
    std::atomic<bool> stop = false;
    std::deque<StoppingCounter> counters;  // which cannot be moved
    for (int i = 0; i < threads; ++i) counters.emplace_back(prepared.kernel, stop);
    uint64_t blocks = launch.grid.count();
    uint64_t grain = std::clamp<uint64_t>(blocks / static_cast<uint64_t>(16 * threads), 1, 64);
    std::atomic<uint64_t> executed = 0;
    Machine::Limits limits;
    limits.cancel = &stop;
    in_ranges(blocks, grain, threads, [&](int thread, uint64_t begin, uint64_t end) {
        if (cancel && *cancel) throw Cancelled{};
        executed += prepared.machine->run(launch, stage.arguments(), stage.memory, begin, end,
                                          counters[static_cast<size_t>(thread)], limits);
    });
    std::vector<const Counter*> pointers;
    for (const Counter& counter : counters) pointers.push_back(&counter);
    Report report = merge(prepared.kernel, pointers, launch, stage.memory);
    report.warp_instructions = executed;
    return report;
}

}  // namespace

void validate(Job& job) {
    if (!job.stage.error.empty()) throw Error(Status::bad_input, job.stage.error);
    check_type(job);
    for (const auto& [name, value] : default_knobs(job.stage)) job.knobs.try_emplace(name, value);
    std::string problem = knob_problem(job.stage, job.knobs, job.type);
    if (!problem.empty()) throw Error(Status::bad_input, problem);
    check_shape(job.rows, job.cols, job.batch);
}

void check_shape(int64_t rows, int64_t cols, int64_t batch) {
    check_dimension("rows", rows);
    check_dimension("cols", cols);
    check_dimension("batch", batch);
}

Picture trace_block(const Job& given, uint64_t block) {
    Job job = given;
    validate(job);
    LaunchShape launch =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch);
    if (block >= launch.grid.count())
        throw Error(Status::bad_input, fmt::format("there is no block {}; the grid has {} of them",
                                                   block, launch.grid.count()));
    Preparation preparation = prepare(job);
    const PreparedKernel& prepared = *preparation.kernel;

    Picture picture;
    describe(picture, job, launch, preparation);
    picture.compiled = how_compiled(preparation);
    picture.element_bytes = element_bytes(job.type);
    if (job.stage.has_tile) picture.tile = tile_shape(job.stage, job.knobs, job.type);

    auto start = Clock::now();
    StageLaunch stage(job, prepared.kernel);
    Counter counter(prepared.kernel);
    BlockRecorder recorder(prepared.kernel, launch, stage.memory);
    Both observers(counter, recorder);
    uint64_t executed =
        prepared.machine->run(launch, stage.arguments(), stage.memory, block, block + 1, observers);
    const Counter* counters[] = {&counter};
    picture.report = merge(prepared.kernel, counters, launch, stage.memory);
    picture.report.warp_instructions = executed;
    picture.block = recorder.take();
    picture.interpret_ms = ms_since(start);
    return picture;
}

Analysis analyse(const Job& given, int threads, const CancelFlag* cancel) {
    Job job = given;
    validate(job);
    LaunchShape launch =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch);
    ExpectedOutput expected = expected_output(job);
    check_memory(job, expected.bytes());
    Preparation preparation = prepare(job);
    const PreparedKernel& prepared = *preparation.kernel;

    Analysis analysis;
    describe(analysis, job, launch, preparation);
    analysis.threads = threads > 0 ? threads : core_count();

    StageLaunch stage(job, prepared.kernel);
    poison(stage.output(), expected, analysis.threads, cancel);
    auto start = Clock::now();
    analysis.report = interpret(prepared, launch, stage, analysis.threads, cancel);
    analysis.interpret_ms = ms_since(start);
    analysis.mismatch = compare(stage.output(), expected, analysis.threads, cancel);
    analysis.correct = analysis.mismatch.count == 0;
    analysis.prediction = predict_bandwidth(device_in_use(), analysis.report.totals,
                                            analysis.report.warp_instructions, analysis.occupancy,
                                            launch.grid.count(), 2 * expected.bytes());
    return analysis;
}

}  // namespace lanewise
