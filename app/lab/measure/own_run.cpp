#include "lab/measure/own_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"
#include "base/threads.h"
#include "lab/kernel/kernel_arguments.h"
#include "lab/machine/interpret.h"
#include "lab/measure/hardware_counts.h"
#include "lab/measure/own_card.h"
#include "lab/measure/rounds.h"
#include "ptx/cluster.h"

namespace lanewise {

namespace {

uint64_t element(const std::byte* bytes, uint64_t index, uint64_t size) {
    uint64_t value = 0;
    std::memcpy(&value, bytes + index * size, size);
    return value;
}

// The bits of a float's fields; every type of kernel_arguments.h that is one.
struct FloatFormat {
    const char* type;
    int bits, mantissa_bits;
    uint64_t magnitude(uint64_t value) const {
        return value & ~(uint64_t{1} << (bits - 1)) & (~uint64_t{0} >> (64 - bits));
    }
    bool is_negative(uint64_t value) const { return value >> (bits - 1) & 1; }
    bool is_nan(uint64_t value) const {
        uint64_t infinity = (uint64_t{1} << (bits - 1)) - (uint64_t{1} << mantissa_bits);
        return magnitude(value) > infinity;
    }
    // Representable values in between; -0 and 0 are one.
    uint64_t distance(uint64_t a, uint64_t b) const {
        uint64_t x = magnitude(a), y = magnitude(b);
        if (is_negative(a) != is_negative(b)) return x + y;
        return x > y ? x - y : y - x;
    }
    bool is_near(uint64_t a, uint64_t b) const {
        if (is_nan(a) || is_nan(b)) return is_nan(a) && is_nan(b);
        return distance(a, b) <= kNearUlps;
    }
};
constexpr FloatFormat kFormats[] = {
    {"f16", 16, 10}, {"bf16", 16, 7}, {"f32", 32, 23}, {"f64", 64, 52}};

const FloatFormat* format_of(const std::string& type) {
    for (const FloatFormat& format : kFormats)
        if (type == format.type) return &format;
    return nullptr;
}

}  // namespace

BufferDifference compare_buffer(const std::string& type, const std::byte* machine,
                                const std::byte* gpu, uint64_t bytes) {
    auto size = static_cast<uint64_t>(parse_argument(type + "[1]").element_bytes);
    const FloatFormat* format = format_of(type);
    BufferDifference result;
    result.type = type;
    result.elements = bytes / size;
    if (std::memcmp(machine, gpu, result.elements * size) == 0) return result;
    bool first_is_near = true;
    for (uint64_t i = 0; i < result.elements; ++i) {
        uint64_t ours = element(machine, i, size), theirs = element(gpu, i, size);
        if (ours == theirs) continue;
        bool near = format && format->is_near(ours, theirs);
        if (result.different == 0 || (first_is_near && !near)) {
            result.first = i;
            result.machine = fmt::format("{:0{}x}", ours, 2 * size);
            result.gpu = fmt::format("{:0{}x}", theirs, 2 * size);
            first_is_near = near;
        }
        ++result.different;
        result.near += near;
    }
    return result;
}

bool OwnMeasurement::is_near() const {
    auto near = [](const BufferDifference& buffer) { return buffer.is_near(); };
    return std::all_of(before.begin(), before.end(), near) &&
           std::all_of(after.begin(), after.end(), near);
}

namespace {

// Module variables keep on the card what the launches before have left; the machine has one launch.
constexpr const char* kVariables =
    "The kernel has global variables, which keep on the card what earlier launches left in them. "
    "So only the comparison before timing is of the same launch.";

}  // namespace

CounterReading count_own_launch(const Job& given, double time_limit_s, const CancelFlag* cancel) {
    Gpu& gpu = Gpu::open();
    Job job = given;
    job.arch = gpu.description().arch;
    validate(job);
    Preparation preparation = prepare(job);
    StageLaunch untouched(job, preparation.kernel->kernel, core_count());
    Rig rig(gpu, {1, 1, 1, 4}, cancel);  // whose own matrix is not used
    OwnCard card(gpu, *preparation.kernel, untouched);
    auto pass = [&](const auto& begin, const auto& end) {
        card.fill();
        rig.flush_l2_and_settle();
        rig.wait(time_limit_s);
        begin();
        card.launch(job.own.shape);
        rig.wait(time_limit_s);
        end();
    };
    return read_counters(counter_metrics(), pass);
}

OwnMeasurement measure_own(const Job& given, const MeasureOptions& options,
                           const Progress& progress, const CancelFlag* cancel) {
    auto say = [&](double fraction, const std::string& what) {
        if (progress) progress(fraction, what);
    };
    Gpu& gpu = Gpu::open();
    Job job = given;
    job.arch = gpu.description().arch;
    validate(job);
    say(0, "compiling");
    Preparation preparation = prepare(job);
    const PreparedKernel& prepared = *preparation.kernel;
    const LaunchShape& shape = job.own.shape;

    OwnMeasurement m;
    m.file = job.stage.file;
    m.kernel = job.own.kernel;
    m.launch = shape;
    const ptx::BlockLimit cluster = ptx::cluster_size(prepared.kernel).blocks;
    m.cluster = {cluster.x, cluster.y, cluster.z};
    m.arguments = job.own.arguments;
    say(0.05, "interpreting");
    StageLaunch untouched(job, prepared.kernel, core_count());
    StageLaunch interpreted(job, prepared.kernel, core_count());
    m.findings = interpret(prepared, shape, interpreted, core_count(), cancel).findings.size();

    Rig rig(gpu, {1, 1, 1, 4}, cancel);  // whose own matrix is not used
    OwnCard card(gpu, prepared, untouched);
    auto compare = [&] {
        card.fill();
        card.launch(shape);
        rig.wait(options.time_limit_s);
        return card.differences(interpreted);
    };
    say(0.3, "comparing");
    m.before = compare();
    m.provenance = provenance_of(prepared.program, job.stage.source, gpu.description(), {});
    if (options.samples == 0) return m;
    Racer racer = make_racer(gpu, [&] { card.launch(shape); });
    Racer* alone[] = {&racer};
    run_quietly(rig, alone, kEstimateRounds, options.time_limit_s);
    fit_launches(gpu, racer);
    warm_up(rig, alone, options.time_limit_s);
    RoundLimits limits = round_limits(options, options.time_limit_s);
    RoundsTaken rounds = run_rounds(rig, alone, limits, [&](int done) {
        say(0.35 + 0.6 * std::min(1.0, static_cast<double>(done) / limits.fewest),
            fmt::format("round {} of {}", done,
                        done > limits.fewest ? limits.most : limits.fewest));
    });
    m.notes = sentences_on(rounds);
    const auto& variables = prepared.kernel.variables;
    if (std::all_of(variables.begin(), variables.end(), [](auto& v) { return v.is_constant; }))
        m.after = compare();
    else
        m.notes.push_back(kVariables);
    m.samples_us = racer.us;
    m.launches_per_sample = racer.launches;
    m.time_us = spread_of(racer.us);
    m.provenance = provenance_of(prepared.program, job.stage.source, gpu.description(), rounds);
    say(1, "measured");
    return m;
}

}  // namespace lanewise
