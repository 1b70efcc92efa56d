// The rules are those of "measuring honestly": what is compared runs in turn, round after round,
// between events, the best copy in every round, and nothing here may make a kernel look better.
#include "lab/measure/copy_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "lab/analysis/prediction.h"
#include "lab/analysis/rate.h"
#include "lab/job/needs.h"
#include "lab/measure/copy_kernel.h"
#include "lab/measure/hardware_counts.h"
#include "lab/measure/measured.h"
#include "lab/measure/rounds.h"
#include "lab/measure/verdict.h"
#include "lab/mismatch/mismatch_map.h"

namespace lanewise {

static constexpr int kChoosingRounds = 9;
// At least so much above the copy's speed is called a fault of the measurement.
static constexpr double kSmallestDoubt = 0.005;

LoadedStage load_stage(const Job& job, Rig& rig) {
    if (std::string why = cannot_launch(job.stage); !why.empty())
        throw Error(Status::bad_input, why);
    LoadedStage loaded;
    loaded.program =
        compile({job.stage.file, job.stage.source},
                compile_options(job.stage, job.knobs, job.type, rig.gpu().description().arch));
    loaded.kernel = rig.gpu().load(loaded.program.gpu_code(), loaded.program.entry);
    loaded.shape =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
    return loaded;
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
    const Spread& ratio = m.yardstick.ratio;
    double doubt = std::max(ratio.p95 - ratio.p05, kSmallestDoubt);
    // Only what moves as the copy does, both ways, cannot be faster.
    if (m.beyond_l2 && operation_of(m).writes_all && ratio.median > 1 + doubt)
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

static Measurement result_of(const CopyRunner& runner, const Racer& racer, const Racer& copy,
                             bool copy_is_memcpy, const Rig& rig, const GpuDescription& gpu,
                             const RoundsTaken& rounds) {
    double copied = 2 * static_cast<double>(rig.matrix().bytes());
    Measurement m =
        measured(runner.job, runner.useful_bytes(rig), racer, &copy, gpu.l2_bytes, copied);
    m.correct = runner.before.count == 0 && runner.after.count == 0;
    m.mismatch = runner.before.count > 0 ? runner.before : runner.after;
    m.mismatch_map = runner.map;
    m.yardstick.kind = copy_is_memcpy ? "cudaMemcpy" : "tuned 16-byte kernel";
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

std::vector<Measurement> measure_beside_copy(std::vector<Job> jobs, const MakeRunner& make,
                                             const MeasureOptions& options,
                                             const Progress& progress, const CancelFlag* cancel) {
    auto say = [&](double fraction, const std::string& what) {
        if (progress) progress(fraction, what);
    };
    Gpu& gpu = Gpu::open();
    Rig rig(gpu, shared_matrix(jobs), cancel);

    say(0, "compiling");
    std::vector<std::unique_ptr<CopyRunner>> runners;
    for (Job& job : jobs) runners.push_back(make(std::move(job), rig));
    std::vector<Racer> racers, copies = make_copies(rig);
    for (const auto& runner : runners)
        racers.push_back(make_racer(gpu, [&] { runner->launch(rig); }));
    auto check = [&](CopyRunner& runner) {
        return runner.check(
            rig, [&] { runner.launch(rig); }, options.time_limit_s);
    };

    double limit_s = options.time_limit_s * static_cast<double>(runners.size());
    for (size_t i = 0; i < runners.size(); ++i) {
        say(0.05, "checking " + runners[i]->job.stage.title);
        runners[i]->before = check(*runners[i]);
    }
    for (Racer& copy : copies)
        if (rig.check(copy.launch, Reference::copy, options.time_limit_s).count > 0)
            throw Error(Status::failed_check,
                        "the copy to compare with does not copy: something "
                        "is wrong with the card, its driver or Lanewise");

    for (const auto& runner : runners) runner->fill(rig);
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
        runners[i]->after = check(*runners[i]);
        results.push_back(result_of(*runners[i], racers[i], copies[best], best == 0, rig,
                                    gpu.description(), rounds));
    }
    say(1, "measured");
    return results;
}

// The rig's check puts memory into the same state before each pass.
CounterReading count_beside_copy(const Job& job, const MakeRunner& make, double time_limit_s,
                                 const CancelFlag* cancel) {
    Gpu& gpu = Gpu::open();
    Rig rig(gpu, shared_matrix({job}), cancel);
    std::unique_ptr<CopyRunner> runner = make(job, rig);
    auto pass = [&](const auto& begin, const auto& end) {
        auto counted = [&] {
            rig.flush_l2_and_settle();
            rig.wait(time_limit_s);
            begin();
            runner->launch(rig);
            rig.wait(time_limit_s);
            end();
        };
        runner->check(rig, counted, time_limit_s);
    };
    return read_counters(counter_metrics(), pass);
}

}  // namespace lanewise
