// A first, transparent model of a memory-bound launch. Every byte passes a few stations (DRAM, L2,
// L1, shared memory, the schedulers), each with a rate. The slowest decides; while one block waits
// there, the other resident blocks use the others, so with N blocks on a multiprocessor 1/N of the
// other stations' time shows (the bound for a closed queueing network of N customers). Each round
// of resident blocks also waits once for its first byte, and the launch has its fixed cost:
//   time = slowest + (others) / N + rounds * latency + launch
// The rates come from the device profile alone. It knows nothing of: hits in L2, a cache line that
// several blocks share, the order in which blocks walk memory, loops that load in several trips.
#pragma once
#include <string>
#include <vector>

#include "model/device_profile.h"
#include "model/occupancy.h"
#include "trace/report.h"

namespace lanewise {

struct Station {
    std::string name;  // "DRAM", "L2 sectors", "shared-memory wavefronts", "bytes in flight", …
    double time_us = 0;
    std::string because;  // the sum behind it, in words with its numbers
};

struct BandwidthPrediction {
    double time_us = 0;
    double gb_per_s = 0;            // useful bytes / time
    std::string limited_by;         // a station's name: the slowest; "bytes in flight" too
                                    // where the slowest idles a quarter of the time for them
    std::vector<Station> stations;  // slowest first
    std::string device;             // profile used
};

// useful_bytes: what the operation must move, each byte once in and once out; not 0.
BandwidthPrediction predict_bandwidth(const DeviceProfile& device, const Counts& totals,
                                      uint64_t warp_instructions, const Occupancy& occupancy,
                                      uint64_t grid_blocks, uint64_t useful_bytes);

}  // namespace lanewise
