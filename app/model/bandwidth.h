// A first, transparent model of a memory-bound launch: the slowest of its stations decides.
#pragma once
#include <string>
#include <vector>

#include "model/device_profile.h"
#include "model/occupancy.h"
#include "trace/report.h"

namespace lanewise {

struct Station {
    std::string name;       // "DRAM", "L2 sectors", "shared-memory wavefronts", "bytes in flight", …
    double time_us = 0;
    std::string because;    // the sum behind it, in words with its numbers
};

struct BandwidthPrediction {
    double time_us = 0;
    double gb_per_s = 0;                // useful bytes / time
    std::string limited_by;             // name of the slowest station
    std::vector<Station> stations;      // slowest first
    std::string device;                 // profile used
};

// useful_bytes: what the operation must move, each byte once in and once out.
BandwidthPrediction predict_bandwidth(const DeviceProfile& device, const Counts& totals,
                                      uint64_t warp_instructions, const Occupancy& occupancy,
                                      uint64_t grid_blocks, uint64_t useful_bytes);

}  // namespace lanewise
