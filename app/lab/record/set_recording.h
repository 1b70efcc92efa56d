// What a card took for the launches of the set (launch_set.h): recorded by
// `lanewise-engine bench --set HALF --record FILE`, one file for each card and half.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "lab/measure/launch_times.h"
#include "lab/record/launch_set.h"

namespace lanewise {

struct SetTime {
    std::string launch;    // "reduction/tree_shared"
    std::string of;        // the hash of its source and its launch: what was measured
    std::string problem;   // why it could not be measured; else empty
    LaunchTimes times;
};

// What a recorded time is of; another text after any edit of the source or of the launch.
std::string hash_of(const SetLaunch& launch);

struct SetRecording {
    std::string card, date;
    std::vector<SetTime> times;
    const SetTime* find(const SetLaunch& launch) const;  // null where there is none of this very one
};

// One launch per line. Throw Error(bad_input) naming the file and what is wrong with it.
void write_set_recording(const SetRecording& recording, const std::filesystem::path& file);
SetRecording read_set_recording(const std::filesystem::path& file);
// All of a folder's; none where there is no such folder.
std::vector<SetRecording> read_set_recordings(const std::filesystem::path& folder);

}  // namespace lanewise
