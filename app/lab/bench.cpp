// Timing: what is compared runs in turn, round after round, between events, the best copy in every
// round. The rules are those of "measuring honestly": nothing here may make a kernel look better.
#include "lab/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "base/error.h"
#include "base/hash.h"
#include "lab/copy_kernel.h"
#include "lab/devices.h"
#include "lab/prediction.h"
#include "lab/rig.h"

namespace lanewise {

using Clock = std::chrono::steady_clock;

static constexpr int kFewestSamples = 30;
static constexpr int kEstimateRounds = 5, kChoosingRounds = 9;
static constexpr double kWarmUpS = 0.05;
// Starting and ending a sample costs one to two microseconds; in a sample of 200 that is lost in
// the noise. Shorter launches are repeated until they fill it.
static constexpr double kSampleUs = 200;
static constexpr int kMostLaunches = 50;
static constexpr double kEnqueueUs = 30;  // for the CPU to put one racer's work into the stream
// At least so much above the copy's speed is called a fault of the measurement.
static constexpr double kSmallestDoubt = 0.005;

namespace {
// What runs in turn with others: a stage, or a copy.
struct Racer {
    std::function<void()> launch;
    int launches = 1;  // per sample
    GpuGraph graph;    // of so many launches, where it is more than one
    GpuEvent start, stop;
    std::vector<double> us;  // per launch, one entry per round
};

struct Rounds {
    std::vector<double> sm_clocks_mhz;
    std::string slowed_down_by;  // of the rounds left out
    int left_out = 0;            // rounds during which the card was slowed down
    bool all_slow = false;       // so many that they were taken after all
};

// One job, ready to launch.
struct Runner {
    Job job;
    Program program;
    GpuModule kernel;
    LaunchShape shape;
    std::vector<std::byte> arguments;
    Mismatch before, after;  // of the checks around the timing
    bool is_copy() const { return job.stage.reference == "copy"; }
};
}  // namespace

static Racer make_racer(Gpu& gpu, std::function<void()> launch) {
    Racer racer;
    racer.launch = std::move(launch);
    racer.start = gpu.event();
    racer.stop = gpu.event();
    return racer;
}

// ---- Rounds ------------------------------------------------------------------------------------

// One round: every racer once, the first one another each time so that no place favours anybody.
// The GPU waits until all is in its stream, so that no time contains the CPU's launching.
static void run_round(Rig& rig, std::span<Racer* const> racers, size_t first, double limit_s) {
    Gpu& gpu = rig.gpu();
    rig.hold(kEnqueueUs * static_cast<double>(racers.size() + 1));
    for (size_t i = 0; i < racers.size(); ++i) {
        Racer& racer = *racers[(first + i) % racers.size()];
        gpu.record(racer.start);
        if (racer.launches > 1)
            gpu.launch(racer.graph);
        else
            racer.launch();
        gpu.record(racer.stop);
    }
    rig.wait(limit_s);
    for (Racer* racer : racers)
        racer->us.push_back(racer->stop.us_since(racer->start) / racer->launches);
}

// Runs rounds until every racer has `samples` of them or limit_s has passed. Rounds in which the
// card was slowed down are left out, unless that never ends.
static Rounds run_rounds(Rig& rig, std::span<Racer* const> racers, int samples, double limit_s,
                         const std::function<void(int done)>& progress) {
    Rounds rounds;
    auto start = Clock::now();
    auto left = [&] {
        return limit_s - std::chrono::duration<double>(Clock::now() - start).count();
    };
    for (Racer* racer : racers) racer->us.clear();
    for (int done = 0, turn = 0; done < samples && (turn == 0 || left() > 0); ++turn) {
        run_round(rig, racers, static_cast<size_t>(turn), std::max(left(), 1.0));
        std::string slowed = rig.gpu().slowed_down_by();
        if (!slowed.empty()) rounds.slowed_down_by = slowed;
        if (!slowed.empty() && rounds.left_out < samples) {
            ++rounds.left_out;
            for (Racer* racer : racers) racer->us.pop_back();
            continue;
        }
        rounds.all_slow |= !slowed.empty();
        if (double mhz = rig.gpu().sm_clock_mhz_now(); mhz > 0) rounds.sm_clocks_mhz.push_back(mhz);
        progress(++done);
    }
    return rounds;
}

static void run_quietly(Rig& rig, std::span<Racer* const> racers, int rounds, double limit_s) {
    for (Racer* racer : racers) racer->us.clear();
    for (int round = 0; round < rounds; ++round)
        run_round(rig, racers, static_cast<size_t>(round), limit_s);
}

// Fits launches per sample to the time of one launch as just estimated, and records the graph.
static void fit_launches(Gpu& gpu, Racer& racer) {
    double us = std::max(spread_of(racer.us).median, 0.1);
    racer.launches = std::clamp(static_cast<int>(std::ceil(kSampleUs / us)), 1, kMostLaunches);
    if (racer.launches == 1) return;
    racer.graph = gpu.capture([&] {
        for (int i = 0; i < racer.launches; ++i) racer.launch();
    });
}

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
    Runner runner;
    CompileOptions options;
    options.kernel = name_expression(job.stage, job.knobs, job.type);
    options.arch = rig.gpu().description().arch;
    runner.program = compile({job.stage.file, job.stage.source}, options);
    runner.kernel = rig.gpu().load(runner.program.cubin, runner.program.entry);
    runner.shape = launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch);
    runner.arguments = rig.arguments(parameter_count(runner.program.ptx, runner.program.entry));
    runner.job = std::move(job);
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

static std::string date_now() {
    std::time_t now = std::time(nullptr);
    std::tm utc = {};
    ::gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

static Provenance provenance_of(const Runner& runner, const GpuDescription& gpu,
                                const Rounds& rounds) {
    Provenance from;
    from.card = gpu.name;
    from.driver = gpu.driver;
    from.compiler = runner.program.compiler;
    from.arch = gpu.arch;
    from.date = date_now();
    from.source_hash = hex(hash(runner.job.stage.source));
    from.sm_clock_mhz = spread_of(rounds.sm_clocks_mhz).median;
    from.datasheet_gb_per_s = device_in_use().datasheet_gb_per_s;
    from.l2_bytes = gpu.l2_bytes;
    return from;
}

// What is wrong with the measurement itself, if anything.
static std::string note_on(const Measurement& m, const Rounds& rounds) {
    std::string note;
    auto say = [&](const std::string& sentence) { note += (note.empty() ? "" : " ") + sentence; };
    const Spread& ratio = m.ratio_to_copy;
    double doubt = std::max(ratio.p95 - ratio.p05, kSmallestDoubt);
    if (m.beyond_l2 && ratio.median > 1 + doubt)
        say(fmt::format("A fault of the measurement: {:.1f} % of the best copy's speed cannot be.",
                        100 * ratio.median));
    if (ratio.samples < kFewestSamples)
        say(fmt::format("Only {} samples fit into the time limit.", ratio.samples));
    if (rounds.left_out > 0 && !rounds.all_slow)
        say(fmt::format("{} rounds were left out because the card was slowed down: {}.",
                        rounds.left_out, rounds.slowed_down_by));
    if (rounds.all_slow)
        say(fmt::format("The card was slowed down all the time: {}.", rounds.slowed_down_by));
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
                             const Rounds& rounds) {
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
    m.beyond_l2 = useful >= 4 * static_cast<double>(gpu.l2_bytes);
    m.note = note_on(m, rounds);
    m.provenance = provenance_of(runner, gpu, rounds);
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
    Gpu& gpu = Gpu::open();
    Rig rig(gpu, shared_matrix(jobs), cancel);

    say(0, "compiling");
    std::vector<Runner> runners;
    for (Job& job : jobs) runners.push_back(make_runner(std::move(job), rig));
    std::vector<Racer> racers, copies = make_copies(rig);
    for (Runner& runner : runners)
        racers.push_back(
            make_racer(gpu, [&] { gpu.launch(runner.kernel, runner.shape, runner.arguments); }));

    double limit_s = options.time_limit_s * static_cast<double>(runners.size());
    for (size_t i = 0; i < runners.size(); ++i) {
        say(0.05, "checking " + runners[i].job.stage.title);
        runners[i].before = rig.check(racers[i].launch, runners[i].is_copy(), options.time_limit_s);
    }
    for (Racer& copy : copies)
        if (rig.check(copy.launch, true, options.time_limit_s).count > 0)
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
    for (auto start = Clock::now();
         std::chrono::duration<double>(Clock::now() - start).count() < kWarmUpS;)
        run_quietly(rig, contest, 1, limit_s);
    int samples = std::max(options.samples, kFewestSamples);
    Rounds rounds = run_rounds(rig, contest, samples, limit_s, [&](int done) {
        say(0.1 + 0.85 * done / samples, fmt::format("round {} of {}", done, samples));
    });

    std::vector<Measurement> results;
    for (size_t i = 0; i < runners.size(); ++i) {
        runners[i].after = rig.check(racers[i].launch, runners[i].is_copy(), options.time_limit_s);
        results.push_back(result_of(runners[i], racers[i], copies[best], best == 0, rig,
                                    gpu.description(), rounds));
    }
    say(1, "measured");
    return results;
}

std::vector<Measurement> bench(const std::vector<Stage>& stages,
                               const std::vector<MatrixSize>& sizes, const MeasureOptions& options,
                               const Progress& progress, const CancelFlag* cancel) {
    std::vector<Measurement> results;
    for (size_t i = 0; i < sizes.size(); ++i) {
        std::vector<Job> jobs;
        for (const Stage& stage : stages) {
            Job job;
            job.stage = stage;
            job.type = stage.types.empty() ? job.type : stage.types.front();
            job.rows = sizes[i].rows;
            job.cols = sizes[i].cols;
            jobs.push_back(std::move(job));
        }
        auto of_this_size = [&](double fraction, const std::string& what) {
            if (progress)
                progress((static_cast<double>(i) + fraction) / static_cast<double>(sizes.size()),
                         fmt::format("{} x {}: {}", sizes[i].rows, sizes[i].cols, what));
        };
        for (Measurement& m : measure_together(std::move(jobs), options, of_this_size, cancel))
            results.push_back(std::move(m));
    }
    return results;
}

}  // namespace lanewise
