#include "lab/analysis/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "base/threads.h"
#include "lab/analysis/issues.h"
#include "lab/analysis/prediction.h"
#include "lab/analysis/product_sample.h"
#include "lab/analysis/rate.h"
#include "lab/job/devices.h"
#include "lab/job/operation_code.h"
#include "lab/kernel/own_kernel.h"
#include "lab/machine/cluster_block.h"
#include "lab/machine/cooperative.h"
#include "lab/machine/interpret.h"
#include "lab/machine/prepared.h"
#include "lab/product/product.h"
#include "ptx/cluster.h"
#include "trace/both.h"
#include "trace/check/checker.h"
#include "trace/count/counter.h"

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

// What analyse() does to a stage's buffers before the launch, and how it looks at them after it.
struct Verifier {
    const Job& job;
    int threads;
    const CancelFlag* cancel;
    std::optional<ProductSample> sample = {};  // where not all blocks are interpreted

    const OperationCode& code() const { return code_of(job.stage); }
    uint64_t memory_bytes(bool of_sample) const {
        return of_sample ? ProductSample::host_bytes(product_of(job)) : code().host_bytes(job);
    }
    void prepare(StageLaunch& stage) const {
        if (sample)
            sample->prepare(stage, threads, cancel);
        else
            code().fill(stage, job, threads, cancel);
    }
    void judge(StageLaunch& stage, Analysis& analysis) const {
        if (sample)
            judge_sample(stage, analysis);
        else
            code().judge(stage, job, threads, cancel, analysis);
    }

  private:
    void judge_sample(StageLaunch& stage, Analysis& analysis) const {
        sample->judge(stage.output(), analysis, threads, cancel);
        conclude(analysis, product_of(job));
    }
};

void check_memory(const Job& job, uint64_t bytes) {
    constexpr double kUsable = 0.9;  // the rest is for everybody else on this machine
    uint64_t available = available_memory_bytes();
    if (available == 0 || static_cast<double>(bytes) <= kUsable * static_cast<double>(available))
        return;
    throw Error(Status::bad_input, code_of(job.stage).too_large(job, bytes, available));
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
        case Program::Origin::shipped:
            return "compiled beforehand by " + program.compiler;
    }
    return {};
}

// What the results of both kinds have in common.
template <typename Result>
void describe(Result& result, const Job& job, const LaunchShape& launch,
              const Preparation& preparation) {
    take_setting(result, job);
    result.launch = launch;
    result.compiler = preparation.kernel->program.compiler;
    result.resources = preparation.kernel->resources;
    result.occupancy = occupancy_of(launch, result.resources);
    result.compile_ms = preparation.milliseconds;
}

LaunchShape launch_of(const Job& job) {
    if (job.own.is_used()) return job.own.shape;
    return launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
}

// A kernel of the user's own: no reference to verify with, and the bytes that it asks for stand for
// those that it has to move.
void finish_own(Analysis& analysis, uint64_t& useful_bytes) {
    const Counts& totals = analysis.report.totals;
    useful_bytes = totals.global_load.bytes + totals.global_store.bytes;
    analysis.has_reference = false;
    analysis.notes.push_back(
        "Not verified: there is no reference for a kernel from outside the catalogue.");
}

}  // namespace

void validate(Job& job) {
    if (job.own.is_used()) {
        job.knobs.clear();
        job.type.clear();
        job.rows = job.cols = job.batch = 0;
        return check_own(job.own);
    }
    if (!job.stage.error.empty()) throw Error(Status::bad_input, job.stage.error);
    check_type(job);
    for (const auto& [name, value] : default_knobs(job.stage)) job.knobs.try_emplace(name, value);
    std::string problem = knob_problem(job.stage, job.knobs, job.type);
    if (!problem.empty()) throw Error(Status::bad_input, problem);
    check_shape(job.rows, job.cols, job.batch);
    code_of(job.stage).check(job);
}

StageSetting setting_of(const Job& job) {
    StageSetting setting{job, job.stage.id, job.knobs, job.type};
    setting.inner = inner_for(job.stage, job.inner);
    return setting;
}

void check_shape(int64_t rows, int64_t cols, int64_t batch) {
    check_dimension("rows", rows);
    check_dimension("cols", cols);
    check_dimension("batch", batch);
}

void check_inner(int64_t inner) {
    if (inner != 0) check_dimension("inner", inner);
}

Picture trace_block(const Job& given, uint64_t block, const CancelFlag* cancel) {
    Job job = given;
    validate(job);
    LaunchShape launch = launch_of(job);
    if (block >= launch.grid.count())
        throw Error(Status::bad_input, fmt::format("there is no block {}; the grid has {} of them",
                                                   block, launch.grid.count()));
    Preparation preparation = prepare(job);
    const PreparedKernel& prepared = *preparation.kernel;

    Picture picture;
    describe(picture, job, launch, preparation);
    picture.code = prepared.listing;
    picture.compiled = how_compiled(preparation);
    if (!job.own.is_used()) picture.element_bytes = element_bytes(job.type);
    if (job.stage.has_tile) picture.tile = tile_shape(job.stage, job.knobs, job.type);

    check_cooperative(prepared, launch);
    auto start = Clock::now();
    StageLaunch stage(job, prepared.kernel);
    Counter counter(prepared.kernel, prepared.counting.count_as);
    BlockRecorder recorder(prepared.kernel, launch, stage.memory, prepared.counting.count_as);
    Checker checker(prepared.kernel, stage.memory, stage.outputs);
    Both counts_and_records(counter, recorder);
    Both observers(counts_and_records, checker);
    Machine::Limits limits = stage.limits;
    limits.cancel = cancel;
    uint64_t executed =
        ptx::works_in_clusters(prepared.kernel)
            ? run_block_of_cluster(prepared, launch, stage, block, observers, checker, &counter,
                                   limits)
            : prepared.machine->run(launch, stage.arguments(), stage.memory, block, block + 1,
                                    observers, limits);
    if (cancel && *cancel) throw Cancelled{};
    const Counter* counters[] = {&counter};
    picture.report = merge(prepared.kernel, counters, launch, stage.memory);
    const Checker* checkers[] = {&checker};
    add_findings(picture.report, prepared.kernel, checkers, launch, stage.memory);
    picture.report.warp_instructions = executed;
    picture.report.checked_blocks = 1;
    picture.block = recorder.take();
    picture.interpret_ms = ms_since(start);
    return picture;
}

std::string first_wrong_element(const Job& job, const Analysis& a) {
    if (a.batch != 1 || a.sample.is_used() || a.mismatch.count == 0) return {};
    const Operation& operation = operation_of(job.stage);
    const bool keeps_shape = job.stage.reference == "copy" || operation.computes;
    const int64_t pitch = keeps_shape ? a.cols : a.rows;
    return fmt::format("{}[{}]", operation.buffers.back(), a.mismatch.row * pitch + a.mismatch.col);
}

std::string result_in_words(const Analysis& a) {
    bool one = operation_of(a).one_result;
    if (a.correct && one) return "What the launch wrote adds up to the right sum.";
    if (one)
        return fmt::format("What the launch wrote adds up to {}; it should be {}.",
                           a.mismatch.actual, a.mismatch.expected);
    uint64_t elements = static_cast<uint64_t>(a.rows) * static_cast<uint64_t>(a.cols) *
                        static_cast<uint64_t>(a.batch);
    if (a.correct)
        return fmt::format("All {} elements of the output are right.", with_thousands(elements));
    bool part = a.sample.is_used();
    return fmt::format("{} of {} elements{} are wrong, first at row {}, column {}.",
                       with_thousands(a.mismatch.count),
                       with_thousands(part ? a.sample.elements : elements),
                       part ? " that were computed" : "", a.mismatch.row, a.mismatch.col);
}

Analysis nothing_counted(const Job& job) {
    Analysis analysis;
    take_setting(analysis, job);
    return analysis;
}

// What is left on the heap is no finding: another kernel may free it.
static void add_notes_on_heap(const Heap& heap, std::vector<std::string>& notes) {
    Heap::Left left = heap.left();
    if (left.allocations > 0)
        notes.push_back(fmt::format("{} of malloc, {} in all, {} not freed by this launch.",
                                    counted(left.allocations, "allocation"), in_bytes(left.bytes),
                                    left.allocations == 1 ? "was" : "were"));
    if (left.ran_out)
        notes.push_back("malloc gave NULL at least once: the heap has " + in_bytes(Heap::kBytes) +
                        " here, as on a card where the program asks for no more.");
    if (left.given > 0)
        notes.push_back(
            "Where a card places what malloc and new give is not known: the sectors of "
            "those accesses are of the machine's own addresses.");
}

// traffic: null where it is not kept.
static void add_issues(Analysis& analysis, const Traffic* traffic, uint64_t useful_bytes) {
    analysis.issues = issues_of({&analysis.report, &analysis.prediction, &analysis.occupancy,
                                 &device_in_use(), traffic, useful_bytes});
}

// Blocks of a wrong kernel may write the same places, or read what others have written. Where there are few,
// they are interpreted one after the other, so that what comes out does not hang on how many cores there are.
static int threads_for(const Job& job, const LaunchShape& launch) {
    constexpr uint64_t kFew = 64, kFewOfAnExercise = 1024;
    const bool is_suspect = is_exercise(job.stage) || is_in_place(job.stage);
    uint64_t few = is_suspect ? kFewOfAnExercise : kFew;
    if (operation_of(job.stage).computes) few = is_suspect ? kFew : 0;  // their blocks take longer
    return launch.grid.count() <= few ? 1 : core_count();
}

Analysis analyse(const Job& given, int threads, const CancelFlag* cancel, uint64_t blocks,
                 const LookAtMemory& look) {
    Job job = given;
    validate(job);
    LaunchShape launch = launch_of(job);
    bool has_reference = !job.own.is_used();
    bool is_sample = blocks > 0 && blocks < launch.grid.count();
    if (is_sample && !operation_of(job.stage).computes)
        throw Error(Status::bad_input,
                    "only a product is interpreted in part; of others, ask for "
                    "all blocks");
    Verifier verifier{job, threads > 0 ? threads : threads_for(job, launch), cancel};
    if (has_reference) check_memory(job, verifier.memory_bytes(is_sample));
    Preparation preparation = prepare(job);
    const PreparedKernel& prepared = *preparation.kernel;

    Analysis analysis;
    describe(analysis, job, launch, preparation);
    analysis.threads = verifier.threads;
    if (operation_of(job.stage).computes) analysis.input = job.input;

    if (is_sample) verifier.sample.emplace(job, prepared, launch, blocks, verifier.threads, cancel);
    StageLaunch stage(job, prepared.kernel, analysis.threads);
    if (has_reference) verifier.prepare(stage);
    auto start = Clock::now();
    std::span<const uint64_t> only;
    if (is_sample) only = verifier.sample->blocks();
    analysis.report = interpret(prepared, launch, stage, analysis.threads, cancel, only);
    analysis.interpret_ms = ms_since(start);
    analysis.notes = prepared.counting.notes;
    add_notes_on_heap(stage.memory.heap(), analysis.notes);
    if (job.own.is_used())
        for (std::string& note : notes_on_variables(stage, prepared.kernel))
            analysis.notes.push_back(std::move(note));
    if (look) look(stage);
    uint64_t useful_bytes = 0;
    if (has_reference) {
        useful_bytes = verifier.code().useful_bytes(job);
        verifier.judge(stage, analysis);
    } else {
        finish_own(analysis, useful_bytes);
    }
    // The model samples some blocks again: not those that do not come to an end.
    bool ends = std::none_of(analysis.report.findings.begin(), analysis.report.findings.end(),
                             [](const Finding& finding) {
                                 return finding.kind == "runaway" || finding.kind == "deadlock";
                             });
    if (!ends) return analysis;
    if (operation_of(job.stage).computes) {  // whose blocks may be as long as their sums
        analysis.prediction = predict(job);
        add_issues(analysis, nullptr, useful_bytes);
        return analysis;
    }
    // Nor for longer than those of the launch took, or much longer.
    constexpr uint64_t kLonger = 1024, kLeast = 1'000'000;
    uint64_t usual = analysis.report.warp_instructions / launch.grid.count();
    stage.limits.instructions_per_block =
        std::min(stage.limits.instructions_per_block, kLeast + kLonger * usual);
    Traffic traffic =
        traffic_of(analysis.report.totals, analysis.report.warp_instructions, launch.grid.count(),
                   sample_traffic(prepared, launch, stage, cancel));
    if (has_reference) tell_bytes(job, traffic);
    analysis.prediction =
        predict_bandwidth(device_in_use(), traffic, analysis.occupancy, useful_bytes);
    add_issues(analysis, &traffic, useful_bytes);
    return analysis;
}

}  // namespace lanewise
