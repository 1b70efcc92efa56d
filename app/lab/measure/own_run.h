// A kernel from outside the catalogue on the GPU: launched with the buffers that the machine fills,
// compared with what the machine computed from the same launch, and timed.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/cupti_counters.h"
#include "lab/job/measurement.h"

namespace lanewise {

// Two floats are near each other if they are at most so many representable values apart: sums of
// atomics depend on their order, and the PTX manual leaves sin, ex2, … some error. Two NaNs are
// near, whatever their bits.
inline constexpr uint64_t kNearUlps = 4;

// How one buffer differs after the launch; everything counts in elements of its type.
struct BufferDifference {
    std::string name, type;  // "out", "f32"
    uint64_t elements = 0;
    uint64_t different = 0;  // bits differ; those that are near included
    uint64_t near = 0;       // floats only
    uint64_t first = 0;  // the lowest that differs and is not near, else the lowest that differs
    std::string gpu, machine;  // its bits there, as hexadecimal digits; empty where none differs
    bool is_equal() const { return different == 0; }
    bool is_near() const { return different == near; }
    bool operator==(const BufferDifference&) const = default;
};

// machine and gpu: `bytes` bytes each of elements of `type`; a last element that is not whole is
// left out.
BufferDifference compare_buffer(const std::string& type, const std::byte* machine,
                                const std::byte* gpu, uint64_t bytes);

struct OwnMeasurement {
    std::string file, kernel;
    LaunchShape launch;
    Dim3 cluster{0, 0, 0};  // blocks of a cluster; 0: it was launched without
    std::vector<std::string> arguments;
    std::vector<BufferDifference> before, after;  // by buffer: around the timing
    size_t findings = 0;                          // of the machine: `trace` shows them
    std::vector<double> samples_us;               // per launch, as Measurement's
    int launches_per_sample = 1;
    Spread time_us;
    std::vector<std::string> notes;
    Provenance provenance;
    bool is_near() const;  // every buffer, both times
};

// job.own.is_used(). Interprets the whole launch too. options.samples 0: one launch, compared and
// not timed, as profilers and sanitizers want it. While it is timed the kernel works on what its
// launches before have left. Throws as measure() does.
OwnMeasurement measure_own(const Job& job, const MeasureOptions& options = {},
                           const Progress& progress = {}, const CancelFlag* cancel = nullptr);

// One launch of it, counted by the hardware; see count_launch (lab/measure/hardware_counts.h).
CounterReading count_own_launch(const Job& job, double time_limit_s, const CancelFlag* cancel);

}  // namespace lanewise
