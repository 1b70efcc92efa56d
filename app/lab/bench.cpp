// Timing: what is compared runs in turn, round after round, between events, the best copy in every
// round. The rules are those of "measuring honestly": nothing here may make a kernel look better.
#include "lab/bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "gpu/cublas.h"
#include "lab/copy_kernel.h"
#include "lab/devices.h"
#include "lab/hardware_counts.h"
#include "lab/mismatch_map.h"
#include "lab/needs.h"
#include "lab/prediction.h"
#include "lab/product_bench.h"
#include "lab/rig.h"
#include "lab/rounds.h"
#include "lab/stage_tensors.h"
#include "lab/threads.h"
#include "lab/verdict.h"

namespace lanewise {

static constexpr int kChoosingRounds = 9;
static constexpr size_t kSweepGroup = 16;  // jobs that are timed in the same rounds
// At least so much above the copy's speed is called a fault of the measurement.
static constexpr double kSmallestDoubt = 0.005;

namespace {
// One job, ready to launch.
struct Runner {
    Job job;
    Program program;            // of a library's call only who compiled it
    Cublas* library = nullptr;  // which then stands for the kernel
    GpuModule kernel;
    LaunchShape shape;
    Rig::Arguments arguments;
    Mismatch before, after;                  // of the checks around the timing
    std::shared_ptr<const MismatchMap> map;  // of the first that was wrong
    Reference reference() const {
        if (is_in_place(job.stage)) return Reference::in_place;
        return job.stage.reference == "copy" ? Reference::copy : Reference::transpose;
    }
    Input input() const { return library ? Input::numbers : Input::words; }
    void launch(Rig& rig) const {
        if (library)
            library->geam(rig.out(), rig.in(),
                          {rig.matrix().rows, rig.matrix().cols, rig.matrix().element_bytes});
        else
            rig.gpu().launch(kernel, shape, arguments.bytes, arguments.offsets);
    }
    Mismatch check(Rig& rig, double limit_s) {
        Mismatch found = rig.check([&] { launch(rig); }, reference(), limit_s, input());
        if (found.count > 0 && !map) map = map_of_output(rig);
        return found;
    }
    // Fetched piece by piece: the output may be larger than this machine's memory.
    std::shared_ptr<const MismatchMap> map_of_output(Rig& rig) const {
        TileShape tile{};
        if (job.stage.has_tile) tile = tile_shape(job.stage, job.knobs, job.type);
        std::vector<std::byte> piece;
        auto fetch = [&](uint64_t first, uint64_t bytes) {
            piece.resize(bytes);
            rig.output(piece, first);
            return std::span<const std::byte>(piece);
        };
        MappedOutput of{{job.rows, job.cols, job.batch, element_bytes(job.type),
                         reference() == Reference::copy},
                        tile.rows,
                        tile.cols,
                        reference() != Reference::in_place,
                        input()};
        MismatchMap made = map_mismatches(fetch, of, core_count(), rig.cancel());
        made.stage = job.stage.id;
        made.on_gpu = true;
        return std::make_shared<MismatchMap>(std::move(made));
    }
};
}  // namespace

// ---- What runs ---------------------------------------------------------------------------------

// The number of parameters in `.entry name( .param …, .param … )`.
static int parameter_count(const std::string& ptx, const std::string& entry) {
    size_t start = ptx.find(".entry " + entry + "(");
    size_t end = ptx.find(')', start);
    int count = 0;
    for (size_t at = ptx.find(".param", start); at < end; at = ptx.find(".param", at + 1)) ++count;
    return count;
}

static Runner make_runner(Job job, Rig& rig) {
    if (std::string why = cannot_launch(job.stage); !why.empty())
        throw Error(Status::bad_input, why);
    Runner runner;
    if (is_library_call(job.stage)) {
        runner.library = &Cublas::open(rig.gpu(), toolkit_library_folder());
        runner.program.compiler = "cuBLAS " + runner.library->version();
        runner.job = std::move(job);
        return runner;
    }
    CompileOptions options =
        compile_options(job.stage, job.knobs, job.type, rig.gpu().description().arch);
    runner.program = compile({job.stage.file, job.stage.source}, options);
    runner.kernel = rig.gpu().load(runner.program.cubin, runner.program.entry);
    runner.shape = launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch);
    std::vector<TensorMapBytes> maps;
    for (const StageTensor& tensor : stage_tensors(job, {rig.in().address(), rig.out().address()}))
        maps.push_back(tensor.map ? rig.gpu().describe(*tensor.map, tensor.type)
                                  : TensorMapBytes{});
    runner.job = std::move(job);
    runner.arguments = rig.arguments(parameter_count(runner.program.ptx, runner.program.entry),
                                     runner.reference(), maps);
    return runner;
}

// Every copy that may be the ceiling: the driver's first, then our own kernel's variants.
static std::vector<Racer> make_copies(Rig& rig) {
    std::vector<Racer> copies;
    copies.push_back(make_racer(
        rig.gpu(), [&rig] { rig.gpu().copy_on_device(rig.out(), rig.in(), rig.in().bytes()); }));
    for (size_t variant = 0; variant < copy_variants().size(); ++variant)
        copies.push_back(make_racer(rig.gpu(), [&rig, variant] { rig.wide_copy(variant); }));
    return copies;
}

static size_t fastest(const std::vector<Racer>& racers) {
    auto median = [](const Racer& racer) { return spread_of(racer.us).median; };
    auto best = std::min_element(racers.begin(), racers.end(), [&](const Racer& a, const Racer& b) {
        return median(a) < median(b);
    });
    return static_cast<size_t>(best - racers.begin());
}

static std::vector<Racer*> pointers(std::vector<Racer>& racers) {
    std::vector<Racer*> list;
    for (Racer& racer : racers) list.push_back(&racer);
    return list;
}

// ---- The result --------------------------------------------------------------------------------

// What is wrong with the measurement itself, if anything.
static std::string note_on(const Measurement& m, const RoundsTaken& rounds) {
    std::string note;
    auto say = [&](const std::string& sentence) {
        if (sentence.empty()) return;
        note += (note.empty() ? "" : " ") + sentence;
    };
    const Spread& ratio = m.ratio_to_copy;
    double doubt = std::max(ratio.p95 - ratio.p05, kSmallestDoubt);
    if (m.beyond_l2 && ratio.median > 1 + doubt)
        say(fmt::format("A fault of the measurement: {:.1f} % of the best copy's speed cannot be.",
                        100 * ratio.median));
    say(what_repeats_in(m));
    for (const std::string& sentence : sentences_on(rounds)) say(sentence);
    return note;
}

// 0 where the kernel cannot be interpreted; the measurement is worth as much without.
static double prediction_for(const Job& job) {
    try {
        return predict(job).gb_per_s;
    } catch (const Error&) {
        return 0;
    }
}

static Measurement result_of(const Runner& runner, const Racer& racer, const Racer& copy,
                             bool copy_is_memcpy, const Rig& rig, const GpuDescription& gpu,
                             const RoundsTaken& rounds) {
    const Job& job = runner.job;
    Measurement m;
    m.stage = job.stage.id;
    m.title = job.stage.title;
    m.knobs = job.knobs;
    m.type = job.type;
    m.rows = job.rows;
    m.cols = job.cols;
    m.batch = job.batch;
    m.correct = runner.before.count == 0 && runner.after.count == 0;
    m.mismatch = runner.before.count > 0 ? runner.before : runner.after;
    m.mismatch_map = runner.map;
    m.samples_us = racer.us;
    m.copy_samples_us = copy.us;
    m.launches_per_sample = racer.launches;
    m.copy_launches_per_sample = copy.launches;
    m.copy_kind = copy_is_memcpy ? "cudaMemcpy" : "tuned 16-byte kernel";
    m.time_us = spread_of(racer.us);
    m.copy_time_us = spread_of(copy.us);
    double useful = 2 * static_cast<double>(rig.matrix().bytes());
    m.gb_per_s = useful / m.time_us.median / 1e3;  // bytes per microsecond are MB/s
    m.copy_gb_per_s = useful / m.copy_time_us.median / 1e3;
    std::vector<double> ratios;
    for (size_t i = 0; i < racer.us.size(); ++i) ratios.push_back(copy.us[i] / racer.us[i]);
    m.ratio_to_copy = spread_of(ratios);
    m.cold_samples_us = racer.cold_us;
    m.copy_cold_samples_us = copy.cold_us;
    m.cold_time_us = spread_of(racer.cold_us);
    m.cold_gb_per_s = useful / m.cold_time_us.median / 1e3;
    m.copy_cold_gb_per_s = useful / spread_of(copy.cold_us).median / 1e3;
    m.beyond_l2 = useful >= 4 * static_cast<double>(gpu.l2_bytes);
    m.note = note_on(m, rounds);
    m.provenance = provenance_of(runner.program, job.stage.source, gpu, rounds);
    m.predicted_gb_per_s = prediction_for(job);
    return m;
}

// ---- The whole ---------------------------------------------------------------------------------

static Matrix shared_matrix(const std::vector<Job>& jobs) {
    auto matrix_of = [](const Job& job) {
        return Matrix{job.rows, job.cols, job.batch, element_bytes(job.type)};
    };
    Matrix matrix = matrix_of(jobs.front());
    for (const Job& job : jobs) {
        Matrix other = matrix_of(job);
        if (other.rows != matrix.rows || other.cols != matrix.cols || other.batch != matrix.batch ||
            other.element_bytes != matrix.element_bytes)
            throw Error(Status::bad_input,
                        "only jobs of one shape and element size can be measured together");
    }
    return matrix;
}

std::vector<Measurement> measure_together(std::vector<Job> jobs, const MeasureOptions& options,
                                          const Progress& progress, const CancelFlag* cancel) {
    if (jobs.empty()) return {};
    auto say = [&](double fraction, const std::string& what) {
        if (progress) progress(fraction, what);
    };
    for (Job& job : jobs) validate(job);
    auto multiplies = [](const Job& job) { return is_product(job.stage); };
    if (std::any_of(jobs.begin(), jobs.end(), multiplies))
        return measure_products(std::move(jobs), options, progress, cancel);
    Gpu& gpu = Gpu::open();
    Rig rig(gpu, shared_matrix(jobs), cancel);

    say(0, "compiling");
    std::vector<Runner> runners;
    for (Job& job : jobs) runners.push_back(make_runner(std::move(job), rig));
    std::vector<Racer> racers, copies = make_copies(rig);
    for (Runner& runner : runners) racers.push_back(make_racer(gpu, [&] { runner.launch(rig); }));

    double limit_s = options.time_limit_s * static_cast<double>(runners.size());
    for (size_t i = 0; i < runners.size(); ++i) {
        say(0.05, "checking " + runners[i].job.stage.title);
        runners[i].before = runners[i].check(rig, options.time_limit_s);
    }
    for (Racer& copy : copies)
        if (rig.check(copy.launch, Reference::copy, options.time_limit_s).count > 0)
            throw Error(Status::failed_check,
                        "the copy to compare with does not copy: something "
                        "is wrong with the card, its driver or Lanewise");

    say(0.1, "choosing the best copy");
    std::vector<Racer*> all = pointers(racers), all_copies = pointers(copies);
    all.insert(all.end(), all_copies.begin(), all_copies.end());
    run_quietly(rig, all, kEstimateRounds, limit_s);
    for (Racer* racer : all) fit_launches(gpu, *racer);
    run_quietly(rig, all_copies, kChoosingRounds, limit_s);
    size_t best = fastest(copies);

    std::vector<Racer*> contest = pointers(racers);
    contest.push_back(&copies[best]);
    warm_up(rig, contest, limit_s);
    RoundLimits limits = round_limits(options, limit_s);
    RoundsTaken rounds = run_rounds(rig, contest, limits, [&](int done) {
        bool more = done > limits.fewest;
        say(0.1 + 0.75 * std::min(1.0, static_cast<double>(done) / limits.fewest),
            fmt::format("round {} of {}{}", done, more ? limits.most : limits.fewest,
                        more ? " at most" : ""));
    });
    say(0.86, "with a cold cache");
    run_cold_rounds(rig, contest, limit_s, rounds);

    std::vector<Measurement> results;
    for (size_t i = 0; i < runners.size(); ++i) {
        runners[i].after = runners[i].check(rig, options.time_limit_s);
        results.push_back(result_of(runners[i], racers[i], copies[best], best == 0, rig,
                                    gpu.description(), rounds));
    }
    say(1, "measured");
    return results;
}

// K of a product of this size; kNoInner where nobody can know.
static int64_t inner_of(const MatrixSize& size) {
    return size.inner == kNoInner && size.rows == size.cols ? size.rows : size.inner;
}

// Headers that are not installed; "" where they are, or where it was compiled for this card before,
// with its default knobs.
static std::string lacks_headers(const Stage& stage, const std::string& type) {
    std::string why = is_library_call(stage) ? "" : cannot_interpret(stage);
    if (why.empty() || !gpu_status().found) return "";
    try {
        compile({stage.file, stage.source},
                compile_options(stage, default_knobs(stage), type, gpu_status().gpu.arch));
        return "";
    } catch (const Error&) {
        return stage.id + ": " + why;
    }
}

std::string left_out(const Stage& stage, const MatrixSize& size, const std::string& type) {
    if (is_product(stage) && inner_of(size) == kNoInner)
        return stage.id + " needs three numbers, MxNxK, where the first two differ";
    if (!is_product(stage) && size.inner != kNoInner)
        return stage.id + " has two sides, and a size of three is for products";
    if (is_in_place(stage) && size.rows != size.cols) return stage.id + " needs a square matrix";
    if (size.batch > 1 && !takes_batch(stage)) return stage.id + ": " + why_no_batch(stage);
    const std::vector<std::string>& types = stage.types;
    if (!type.empty() && std::find(types.begin(), types.end(), type) == types.end())
        return stage.id + " has no element type " + type;
    if (std::string why = cannot_launch(stage); !why.empty()) return why;
    return lacks_headers(stage, type.empty() && !types.empty() ? types.front() : type);
}

// The rig's check puts memory into the same state before each pass.
CounterReading count_stage_launch(const Job& given, double time_limit_s, const CancelFlag* cancel) {
    Job job = given;
    validate(job);
    if (is_product(job.stage)) return count_product_launch(job, time_limit_s, cancel);
    Gpu& gpu = Gpu::open();
    Rig rig(gpu, shared_matrix({job}), cancel);
    Runner runner = make_runner(job, rig);
    auto pass = [&](const auto& begin, const auto& end) {
        auto counted = [&] {
            rig.flush_l2_and_settle();
            rig.wait(time_limit_s);
            begin();
            runner.launch(rig);
            rig.wait(time_limit_s);
            end();
        };
        rig.check(counted, runner.reference(), time_limit_s, runner.input());
    };
    return read_counters(counter_metrics(), pass);
}

std::vector<Job> bench_jobs(const std::vector<Stage>& stages, const MatrixSize& size,
                            const BenchPlan& plan) {
    std::vector<Job> jobs;
    for (const Stage& stage : stages) {
        if (stages.size() > 1 && !left_out(stage, size, plan.type).empty()) continue;
        Job job;
        job.stage = stage;
        if (!stage.types.empty()) job.type = plan.type.empty() ? stage.types.front() : plan.type;
        job.rows = size.rows;
        job.cols = size.cols;
        job.batch = size.batch;
        if (is_product(stage)) {
            job.inner = inner_of(size);
            job.input = plan.input;
        }
        if (!plan.sweep) jobs.push_back(job);
        if (!plan.sweep) continue;
        for (const KnobValues& knobs : knob_combinations(stage, job.type)) {
            job.knobs = knobs;
            jobs.push_back(job);
        }
    }
    return jobs;
}

// Whether two jobs of one size can be timed in the same rounds.
static bool are_comparable(const Job& a, const Job& b) {
    if (is_product(a.stage) != is_product(b.stage)) return false;
    if (is_product(a.stage) && product_of(a).input != product_of(b).input) return false;
    return element_bytes(a.type) == element_bytes(b.type);
}

std::vector<Measurement> bench(const std::vector<Stage>& stages,
                               const std::vector<MatrixSize>& sizes, const BenchPlan& plan,
                               const MeasureOptions& options, const Progress& progress,
                               const CancelFlag* cancel) {
    std::vector<std::vector<Job>> groups;
    for (const MatrixSize& size : sizes) {
        size_t first = groups.size();
        for (Job& job : bench_jobs(stages, size, plan)) {
            auto fits = [&](const std::vector<Job>& group) {
                return are_comparable(group.front(), job) &&
                       (!plan.sweep || group.size() < kSweepGroup);
            };
            auto group =
                std::find_if(groups.begin() + static_cast<ptrdiff_t>(first), groups.end(), fits);
            if (group == groups.end()) group = groups.insert(groups.end(), std::vector<Job>());
            group->push_back(std::move(job));
        }
    }
    std::vector<Measurement> results;
    for (size_t i = 0; i < groups.size(); ++i) {
        auto of_this_group = [&](double fraction, const std::string& what) {
            const Job& job = groups[i].front();
            if (progress)
                progress((static_cast<double>(i) + fraction) / static_cast<double>(groups.size()),
                         fmt::format("{} x {}: {}", job.rows, job.cols, what));
        };
        for (Measurement& m : measure_together(groups[i], options, of_this_group, cancel))
            results.push_back(std::move(m));
    }
    return results;
}

}  // namespace lanewise
