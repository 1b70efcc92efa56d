// Recorded measurements: assets/recordings/<card>.json, one file per card, written by
// `lanewise-engine bench --record`, shown where no GPU is at hand, always labelled as recorded.
#pragma once
#include <filesystem>
#include <vector>

#include "lab/job/measurement.h"

namespace lanewise {

inline constexpr int kRecordingSchema = 1;

struct Recording {
    std::string card, date;
    std::vector<Measurement> measurements;
    std::filesystem::path path;

    // The recorded run of this stage, or null. Nearest: same stage and type; knobs and shape equal;
    // of a product on random data.
    const Measurement* find(const std::string& stage, const KnobValues& knobs,
                            const std::string& type, int64_t rows, int64_t cols, int64_t batch = 1,
                            int64_t inner = kNoInner) const;
};

// Throws Error(bad_input) naming the file and what is wrong (truncated, other schema, …).
Recording read_recording(const std::filesystem::path& file);
// Before measuring: throws Error(bad_input) where `file` could not be written.
void check_recordable(const std::filesystem::path& file);
void write_recording(const Recording& recording, const std::filesystem::path& file);

// Every readable recording of a folder; unreadable ones are named in `problems` and skipped.
std::vector<Recording> read_recordings(const std::filesystem::path& folder,
                                       std::vector<std::string>& problems);

}  // namespace lanewise
