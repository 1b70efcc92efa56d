// Timing products: as transpose_bench.cpp times transposes, but what runs in every round beside the
// stages is cuBLAS instead of a copy.
#include "lab/measure/product_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "lab/job/devices.h"
#include "lab/job/needs.h"
#include "lab/measure/bench.h"
#include "lab/measure/hardware_counts.h"
#include "lab/measure/measured.h"
#include "lab/measure/rounds.h"
#include "lab/measure/verdict.h"

namespace lanewise {

namespace {

// One job, ready to launch.
struct Runner {
    Job job;
    Product product;
    Program program;  // of a library's call only who compiled it
    Cublas* library = nullptr;
    std::unique_ptr<SparseProduct> sparse;
    GpuModule kernel;
    LaunchShape shape;
    Rig::Arguments arguments;
    Mismatch before, after;  // of the checks around the timing
    ProductError error, error_after;
    std::shared_ptr<const MismatchMap> map;  // of the first that was wrong

    void launch(Rig& rig, ProductRig& operands) const {
        if (sparse)
            sparse->multiply();
        else if (library)
            operands.multiply(*library, product.sum == SumKind::tf32);
        else
            rig.gpu().launch(kernel, shape, arguments.bytes, arguments.offsets);
    }
    void map_if_wrong(ProductRig& operands, const Mismatch& found) {
        if (found.count > 0 && !map) map = operands.map(bound_of(product));
    }
    bool is_right() const {
        return before.count == 0 && after.count == 0 && error.is_small() && error_after.is_small();
    }
};

Runner make_runner(Job job, Rig& rig, ProductRig& operands) {
    if (std::string why = cannot_launch(job.stage); !why.empty())
        throw Error(Status::bad_input, why);
    Runner runner;
    runner.product = product_of(job);
    runner.job = std::move(job);
    const Job& it = runner.job;
    if (it.stage.library == "cusparse_spmm") {
        runner.sparse = operands.sparse_product();
        runner.program.compiler = "cuSPARSE " + runner.sparse->version();
        return runner;
    }
    if (is_library_call(it.stage)) {
        runner.library = &Cublas::open(rig.gpu(), toolkit_library_folder());
        runner.program.compiler = "cuBLAS " + runner.library->version();
        return runner;
    }
    runner.program =
        compile({it.stage.file, it.stage.source},
                compile_options(it.stage, it.knobs, it.type, rig.gpu().description().arch));
    runner.kernel = rig.gpu().load(runner.program.gpu_code(), runner.program.entry);
    runner.shape = launch_shape(it.stage, it.knobs, it.type, it.rows, it.cols, it.batch, it.inner);
    runner.arguments = operands.arguments(it);
    return runner;
}

Product shared_product(const std::vector<Job>& jobs) {
    Product product = product_of(jobs.front());
    for (const Job& job : jobs) {
        Product other = product_of(job);
        if (!is_product(job.stage) || other.m != product.m || other.n != product.n ||
            other.k != product.k || other.type != product.type || other.input != product.input)
            throw Error(Status::bad_input,
                        "only products of one shape, type, input and share of zeros can be "
                        "measured together");
    }
    return product;
}

// The process's cuBLAS, started and warm once it has been checked; null where there is none.
Cublas* yardstick(Gpu& gpu) {
    bool found = cublas_status(toolkit_library_folder()).found;
    return found ? &Cublas::open(gpu, toolkit_library_folder()) : nullptr;
}

struct Unit {
    const char* name;
    double DeviceProfile::*tflop_per_s;
};
// What does the arithmetic of a product: tensor cores only where the stage's library or head says.
Unit unit_of(const Runner& runner) {
    switch (runner.product.sum) {
        case SumKind::halves:
            return {"FP16 tensor cores", &DeviceProfile::fp16_tflop_per_s};
        case SumKind::tf32:
            return {"TF32 tensor cores", &DeviceProfile::tf32_tflop_per_s};
        case SumKind::floats:
            break;
    }
    return {"FP32", &DeviceProfile::fp32_tflop_per_s};
}

std::string product_note(const Measurement& m, const Runner& runner, const RoundsTaken& rounds,
                         bool yardstick_is_right) {
    std::string note;
    auto say = [&](const std::string& sentence) {
        if (sentence.empty()) return;
        note += (note.empty() ? "" : " ") + sentence;
    };
    say(sentence_on(m.mismatch, m.error, runner.product));
    if (runner.product.k > 0 && is_launch_bound(m))
        say(fmt::format("Launch-bound: of {:.1f} us next to nothing is arithmetic.",
                        m.time_us.median));
    if (m.arithmetic.datasheet_gflop_per_s > 0 && gflop_per_s(m) > m.arithmetic.datasheet_gflop_per_s)
        say(fmt::format("A fault of the measurement: {:.0f} GFLOP/s is more than the {} can do.",
                        gflop_per_s(m), m.arithmetic.unit));
    if (runner.sparse)
        say(
            fmt::format("{:.4g} % of A are zeros. GFLOP/s count them like all others, so that they "
                        "compare with the dense product.",
                        100 * runner.product.zero_share));
    if (m.yardstick.samples_us.empty())
        say("There is no cuBLAS here to compare with: " +
            cublas_status(toolkit_library_folder()).advice + ".");
    if (!yardstick_is_right) say("cuBLAS itself is beyond the bound on these data.");
    say(what_repeats_in(m));
    for (const std::string& sentence : sentences_on(rounds)) say(sentence);
    return note;
}

Measurement product_result(const Runner& runner, const Racer& racer, const Racer* library,
                           const GpuDescription& gpu) {
    const Job& job = runner.job;
    double bytes = bytes_once(job.rows, job.cols, job.inner, element_bytes(job.type));
    Measurement m = measured(job, bytes, racer, library, gpu.l2_bytes);
    m.input = job.input;
    Unit unit = unit_of(runner);
    m.arithmetic.unit = unit.name;
    // What is left out because a factor is zero needs no unit.
    if (!runner.sparse) m.arithmetic.datasheet_gflop_per_s = 1e3 * (device_in_use().*unit.tflop_per_s);
    m.correct = runner.is_right();
    m.mismatch = runner.before.count > 0 ? runner.before : runner.after;
    m.mismatch_map = runner.map;
    m.error = runner.error.is_small() ? runner.error_after : runner.error;
    if (library) m.yardstick.kind = m.type == "f16" ? "cuBLAS, half" : "cuBLAS, float";
    return m;
}

}  // namespace

std::vector<Measurement> measure_products(std::vector<Job> jobs, const MeasureOptions& options,
                                          const Progress& progress, const CancelFlag* cancel) {
    auto say = [&](double fraction, const std::string& what) {
        if (progress) progress(fraction, what);
    };
    Product product = shared_product(jobs);
    Gpu& gpu = Gpu::open();
    Rig rig(gpu, Matrix{1, 1, 1, 4}, cancel);  // for its clock, its cache and its waiting
    say(0, "computing the reference in doubles");
    ProductRig operands(rig, product, cancel);

    say(0.03, "compiling");
    std::vector<Runner> runners;
    for (Job& job : jobs) runners.push_back(make_runner(std::move(job), rig, operands));
    std::vector<Racer> racers;
    for (Runner& runner : runners)
        racers.push_back(make_racer(gpu, [&] { runner.launch(rig, operands); }));

    double limit_s = options.time_limit_s * static_cast<double>(runners.size());
    for (size_t i = 0; i < runners.size(); ++i) {
        say(0.05, "checking " + runners[i].job.stage.title);
        runners[i].before = operands.check(racers[i].launch, bound_of(runners[i].product),
                                           options.time_limit_s, runners[i].error);
        runners[i].map_if_wrong(operands, runners[i].before);
    }
    Cublas* cublas = yardstick(gpu);
    bool cublas_is_right = true;
    if (cublas) {
        racers.push_back(make_racer(gpu, [&] { operands.multiply(*cublas, false); }));
        ProductError error;
        Product plain = product;
        if (plain.sum == SumKind::tf32) plain.sum = SumKind::floats;
        Mismatch wrong =
            operands.check(racers.back().launch, bound_of(plain), options.time_limit_s, error);
        cublas_is_right = wrong.count == 0 && error.is_small();
    }

    say(0.1, "estimating");
    std::vector<Racer*> contest;
    for (Racer& racer : racers) contest.push_back(&racer);
    run_quietly(rig, contest, kEstimateRounds, limit_s);
    for (Racer* racer : contest) fit_launches(gpu, *racer);
    warm_up(rig, contest, limit_s);
    RoundLimits limits = round_limits(options, limit_s);
    RoundsTaken rounds = run_rounds(rig, contest, limits, [&](int done) {
        say(0.1 + 0.75 * std::min(1.0, static_cast<double>(done) / limits.fewest),
            fmt::format("round {}", done));
    });
    say(0.86, "with a cold cache");
    run_cold_rounds(rig, contest, limit_s, rounds);

    std::vector<Measurement> results;
    for (size_t i = 0; i < runners.size(); ++i) {
        Runner& runner = runners[i];
        runner.after = operands.check(racers[i].launch, bound_of(runner.product),
                                      options.time_limit_s, runner.error_after);
        runner.map_if_wrong(operands, runner.after);
        Measurement m =
            product_result(runner, racers[i], cublas ? &racers.back() : nullptr, gpu.description());
        m.note = product_note(m, runner, rounds, cublas_is_right);
        m.provenance =
            provenance_of(runner.program, runner.job.stage.source, gpu.description(), rounds);
        results.push_back(std::move(m));
    }
    say(1, "measured");
    return results;
}

CounterReading count_product_launch(const Job& job, double time_limit_s, const CancelFlag* cancel) {
    Gpu& gpu = Gpu::open();
    Rig rig(gpu, Matrix{1, 1, 1, 4}, cancel);
    ProductRig operands(rig, product_of(job), cancel);
    Runner runner = make_runner(job, rig, operands);
    auto pass = [&](const auto& begin, const auto& end) {
        auto counted = [&] {
            rig.flush_l2_and_settle();
            rig.wait(time_limit_s);
            begin();
            runner.launch(rig, operands);
            rig.wait(time_limit_s);
            end();
        };
        ProductError error;
        operands.check(counted, bound_of(runner.product), time_limit_s, error);
    };
    return read_counters(counter_metrics(), pass);
}

}  // namespace lanewise
