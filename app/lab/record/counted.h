// What a profiler counted on the hardware: assets/recordings/<card>-counters.csv, taken by
// tests/golden/h200/take.py. Shown beside the machine's own counts, and held equal to them by
// tests.
//   # NVIDIA H200, Nsight Compute, 2026-11-21
//   case,global_load_requests,…
//   transpose/30_padded 4096x4096 f32 PAD=0,524288,…     knobs not named have their defaults
//   matmul/20_shared_tiles 1024x1024x1024 f32,…           M x N x K of a product
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "figure/drawing/figures.h"
#include "lab/job/job.h"

namespace lanewise {

struct CountedLaunch : StageSetting {  // of the knobs those that differ from their defaults
    std::map<std::string, uint64_t> counts;  // by the name of a CountRow: "global load sectors"
};

struct CounterRecording {
    std::string card, tool, date;
    std::vector<CountedLaunch> launches;

    // The launch with these very settings, or null. `knobs` may leave out defaults.
    const CountedLaunch* find(const Stage& stage, const KnobValues& knobs, const std::string& type,
                              int64_t rows, int64_t cols, int64_t inner = kNoInner) const;
};

// Throws Error(bad_input) naming the file and the line.
CounterRecording read_counter_recording(const std::filesystem::path& file);

// Every readable *-counters.csv of a folder; unreadable ones are named in `problems` and skipped.
std::vector<CounterRecording> read_counter_recordings(const std::filesystem::path& folder,
                                                      std::vector<std::string>& problems);

// Fills in `measured` of the rows that the launch has a count for.
void add_measured(std::vector<CountRow>& rows, const CountedLaunch& launch);

}  // namespace lanewise
