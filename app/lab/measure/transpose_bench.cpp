// Timing transposes: what is compared runs in turn, round after round, between events, the best
// copy in every round. The rules are those of "measuring honestly": nothing here may make a kernel
// look better.
#include "lab/measure/transpose_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/threads.h"
#include "gpu/cublas.h"
#include "lab/analysis/prediction.h"
#include "lab/job/devices.h"
#include "lab/job/needs.h"
#include "lab/machine/stage_tensors.h"
#include "lab/measure/copy_kernel.h"
#include "lab/measure/hardware_counts.h"
#include "lab/measure/measured.h"
#include "lab/measure/rig.h"
#include "lab/measure/rounds.h"
#include "lab/measure/verdict.h"
#include "lab/mismatch/mismatch_map.h"

namespace lanewise {

static constexpr int kChoosingRounds = 9;
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
    runner.kernel = rig.gpu().load(runner.program.gpu_code(), runner.program.entry);
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
    double once_in_once_out = 2 * static_cast<double>(rig.matrix().bytes());
    Measurement m = measured(runner.job, once_in_once_out, racer, &copy, gpu.l2_bytes);
    m.correct = runner.before.count == 0 && runner.after.count == 0;
    m.mismatch = runner.before.count > 0 ? runner.before : runner.after;
    m.mismatch_map = runner.map;
    m.copy_kind = copy_is_memcpy ? "cudaMemcpy" : "tuned 16-byte kernel";
    m.note = note_on(m, rounds);
    m.provenance = provenance_of(runner.program, runner.job.stage.source, gpu, rounds);
    m.predicted_gb_per_s = prediction_for(runner.job);
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

std::vector<Measurement> measure_transposes(std::vector<Job> jobs, const MeasureOptions& options,
                                            const Progress& progress, const CancelFlag* cancel) {
    auto say = [&](double fraction, const std::string& what) {
        if (progress) progress(fraction, what);
    };
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

// The rig's check puts memory into the same state before each pass.
CounterReading count_transpose_launch(const Job& job, double time_limit_s,
                                      const CancelFlag* cancel) {
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

}  // namespace lanewise
