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
#include "lab/measure/rounds.h"

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

// The launch on the card: its buffers there, and the arguments with their addresses.
class OnTheCard {
  public:
    OnTheCard(Gpu& gpu, const PreparedKernel& prepared, const StageLaunch& untouched)
        : gpu_(gpu),
          kernel_(gpu.load(prepared.program.gpu_code(), prepared.program.entry)),
          variables_(prepared.kernel.variables),
          untouched_(untouched) {
        auto packed = untouched.arguments();
        arguments_.assign(packed.begin(), packed.end());
        const auto& buffers = untouched.memory.buffers();
        for (const Memory::Buffer& buffer : buffers) buffers_.push_back(gpu.allocate(buffer.bytes));
        place(arguments_, StageLaunch::kArguments, false);
        for (const ptx::Parameter& parameter : prepared.kernel.parameters)
            if (!untouched.maps.empty()) offsets_.push_back(parameter.offset);
    }
    void launch(const LaunchShape& shape) { gpu_.launch(kernel_, shape, arguments_, offsets_); }
    void fill() {
        for (size_t i = 0; i < buffers_.size(); ++i) {
            const Memory::Buffer& from = untouched_.memory.buffers()[i];
            std::span<const std::byte> bytes(from.storage, static_cast<size_t>(from.bytes));
            if (!holds_places(i)) {
                gpu_.upload(buffers_[i], bytes);
                continue;
            }
            std::vector<std::byte> here(bytes.begin(), bytes.end());
            place(here, i, false);
            gpu_.upload(buffers_[i], here);
        }
        fill_variables();
    }
    std::vector<BufferDifference> differences(const StageLaunch& interpreted) {
        std::vector<BufferDifference> result;
        for (size_t i = 0; i < buffers_.size(); ++i) {
            const Memory::Buffer& machine = interpreted.memory.buffers()[i];
            std::vector<std::byte> bytes(static_cast<size_t>(machine.bytes));
            gpu_.download(bytes, buffers_[i]);
            if (holds_places(i)) take_back(bytes, i);
            result.push_back(
                compare_buffer(interpreted.types[i], machine.storage, bytes.data(), machine.bytes));
            result.back().name = machine.name;
        }
        return result;
    }

  private:
    bool holds_places(size_t home) const {
        auto is_there = [&](const auto& placed) {
            return placed.home == home && !placed.in_variable;
        };
        return std::any_of(untouched_.addresses.begin(), untouched_.addresses.end(), is_there) ||
               std::any_of(untouched_.maps.begin(), untouched_.maps.end(), is_there);
    }
    // Writes the card's addresses and maps where `home` has the machine's.
    void place(std::span<std::byte> bytes, size_t home, bool in_variable) {
        for (const StageLaunch::PlacedAddress& placed : untouched_.addresses) {
            if (placed.home != home || placed.in_variable != in_variable) continue;
            uint64_t address = buffers_[placed.buffer].address() + placed.beyond;
            std::memcpy(&bytes[placed.offset], &address, sizeof address);
        }
        for (const StageLaunch::PlacedMap& placed : untouched_.maps) {
            if (placed.home != home || placed.in_variable != in_variable) continue;
            TensorMapBytes map = on_the_card(placed);
            std::memcpy(&bytes[placed.offset], map.data(), map.size());
        }
    }
    // Those that the user has set; the module's own initial values the driver has loaded.
    void fill_variables() {
        for (size_t i = 0; i < variables_.size(); ++i) {
            const ptx::ModuleVariable& variable = variables_[i];
            if (!untouched_.variables_set.contains(variable.name)) continue;
            const std::byte* from =
                untouched_.memory.find(variable.address, variable.bytes)->storage;
            std::vector<std::byte> bytes(from, from + variable.bytes);
            place(bytes, i, true);
            gpu_.set_variable(kernel_, variable.name, bytes);
        }
    }
    // And back, where the kernel has left them alone: they are no difference.
    void take_back(std::span<std::byte> bytes, size_t home) {
        const std::byte* machine = untouched_.memory.buffers()[home].storage;
        auto exchange = [&](size_t offset, const void* card, size_t size) {
            if (std::memcmp(&bytes[offset], card, size) == 0)
                std::memcpy(&bytes[offset], machine + offset, size);
        };
        for (const StageLaunch::PlacedAddress& placed : untouched_.addresses) {
            uint64_t address = buffers_[placed.buffer].address() + placed.beyond;
            if (placed.home == home && !placed.in_variable)
                exchange(placed.offset, &address, sizeof address);
        }
        for (const StageLaunch::PlacedMap& placed : untouched_.maps) {
            if (placed.home != home || placed.in_variable) continue;
            TensorMapBytes map = on_the_card(placed);
            exchange(placed.offset, map.data(), map.size());
        }
    }
    TensorMapBytes on_the_card(const StageLaunch::PlacedMap& placed) {
        TensorMap map = placed.map;
        map.address = buffers_[placed.buffer].address();
        return gpu_.describe(map, placed.type);
    }

    Gpu& gpu_;
    GpuModule kernel_;
    const std::vector<ptx::ModuleVariable>& variables_;
    const StageLaunch& untouched_;
    std::vector<GpuBuffer> buffers_;
    std::vector<std::byte> arguments_;
    std::vector<size_t> offsets_;  // of the parameters, where one is a map
};

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
    OnTheCard card(gpu, *preparation.kernel, untouched);
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
    m.arguments = job.own.arguments;
    say(0.05, "interpreting");
    StageLaunch untouched(job, prepared.kernel, core_count());
    StageLaunch interpreted(job, prepared.kernel, core_count());
    m.findings = interpret(prepared, shape, interpreted, core_count(), cancel).findings.size();

    Rig rig(gpu, {1, 1, 1, 4}, cancel);  // whose own matrix is not used
    OnTheCard card(gpu, prepared, untouched);
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
