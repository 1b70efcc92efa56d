#include "engine/bench_set.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "engine/where.h"
#include "gpu/device.h"
#include "lab/record/recording.h"
#include "lab/record/set_recording.h"

namespace lanewise {

namespace {

constexpr double kLimitS = 3;  // for the samples of one launch

SetTime timed(const SetLaunch& launch, bool counted, const CancelFlag* cancel) {
    SetTime time;
    time.launch = launch.id();
    time.of = hash_of(launch);
    MeasureOptions how;
    how.time_limit_s = kLimitS;
    try {
        time.times = time_launch(launch.job, how, counted, {}, cancel);
    } catch (const Error& error) {
        if (Gpu::lost()) throw;
        time.problem = error.what();
    }
    return time;
}

void print_recorded(const SetTime& time) {
    if (!time.problem.empty()) return fmt::print("{:<36} {}\n", time.launch, time.problem);
    const LaunchTimes& t = time.times;
    fmt::print("{:<36} {:>10.2f} {:>10.2f} {:>8} {:>8}{}\n", time.launch, t.time_us.median,
               t.cold_time_us.median, t.time_us.samples, t.counters.passes,
               t.notes.empty() ? "" : "   " + t.notes.front());
}

}  // namespace

int record_set(const std::string& half, const std::filesystem::path& file, bool counted) {
    std::vector<SetLaunch> launches = read_launch_set(content_folder(), half_called(half));
    check_recordable(file);
    if (!gpu_status().found) throw Error(Status::needs_gpu, gpu_status().problem);
    TerminalProgress progress;
    SetRecording recording;
    int status = 0;
    fmt::print("{:<36} {:>10} {:>10} {:>8} {:>8}\n", "launch", "us", "cold us", "samples", "passes");
    for (const SetLaunch& launch : launches) {
        double done = static_cast<double>(recording.times.size());
        progress.listener()(done / static_cast<double>(launches.size()), launch.id());
        if (progress.cancelled()) throw Cancelled{};
        recording.times.push_back(timed(launch, counted, &progress.cancelled()));
        const SetTime& time = recording.times.back();
        progress.clear();
        print_recorded(time);
        if (!time.problem.empty()) status = static_cast<int>(Status::failed_check);
        if (recording.card.empty()) recording.card = time.times.provenance.card;
        recording.date = time.times.provenance.date;
        write_set_recording(recording, file);
    }
    return status;
}

}  // namespace lanewise
