// One function per station, each a rate and a count; predict_bandwidth adds them up.
#include "model/bandwidth.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace lanewise {
namespace {

struct Launch {
    const DeviceProfile& device;
    const Counts& totals;
    const Occupancy& occupancy;
    double sms;     // multiprocessors that get a block
    double blocks;  // resident on each of them
    double rounds;  // of resident blocks, at least one
};

Launch launch_of(const DeviceProfile& device, const Counts& totals, const Occupancy& occupancy,
                 uint64_t grid_blocks) {
    auto grid = static_cast<double>(std::max<uint64_t>(grid_blocks, 1));
    double sms = std::min<double>(device.sm_count, grid);
    double blocks = std::clamp<double>(occupancy.blocks_per_sm, 1, std::max(1.0, grid / sms));
    return {device, totals, occupancy, sms, blocks, std::max(1.0, grid / (sms * blocks))};
}

// Clocks on every multiprocessor -> microseconds.
double clocks_us(const Launch& launch, double clocks_of_all) {
    return clocks_of_all / launch.sms / launch.device.sm_clock_mhz;
}

std::string number(double value) { return with_thousands(static_cast<uint64_t>(value + 0.5)); }

Station dram(const Launch& launch, uint64_t useful_bytes) {
    double rate = achievable_gb_per_s(launch.device);
    double bytes = static_cast<double>(useful_bytes);
    return {"DRAM", bytes / rate / 1e3,
            fmt::format("{:.1f} MB at {} GB/s, what a copy reaches", bytes / 1e6, number(rate))};
}

// A strided load brings whole sectors; whether L1 still holds them when the neighbouring warp asks
// for the rest depends on how much the resident warps ask for at once.
bool l1_holds_loads(const Launch& launch) {
    const GlobalCounts& load = launch.totals.global_load;
    double requests = std::max<double>(1, static_cast<double>(load.requests));
    double sectors = static_cast<double>(load.sectors) / requests;
    double asked = launch.blocks * launch.occupancy.threads_per_block / 32 * sectors * 32;
    return asked <=
           launch.device.l1_bytes_per_sm - launch.blocks * launch.occupancy.shared_bytes_per_block;
}

// A store that fills a sector only in part costs L2 a second access: it has to merge. A request
// that is misaligned by less than a sector touches one more than ideal and leaves two in part.
Station l2(const Launch& launch) {
    const GlobalCounts &load = launch.totals.global_load, &store = launch.totals.global_store;
    uint64_t loads = l1_holds_loads(launch) ? load.sectors_ideal : load.sectors;
    uint64_t partial = std::min(store.sectors, 2 * (store.sectors - store.sectors_ideal));
    double accesses = static_cast<double>(loads + store.sectors + partial);
    double rate = launch.device.l2_gb_per_s;
    return {"L2 sectors", rate > 0 ? accesses * 32 / rate / 1e3 : 0,
            fmt::format("{} sectors read, {} written, {} of them only in part, 32 bytes each at "
                        "{} GB/s",
                        with_thousands(loads), with_thousands(store.sectors),
                        with_thousands(partial), number(rate))};
}

// L1 looks up one 128-byte line per clock. Sectors beyond the ideal are taken to lie in lines of
// their own, the rest four to a line.
double lines(const GlobalCounts& counts) {
    double packed = static_cast<double>(counts.sectors_ideal) / 4;
    double scattered = static_cast<double>(counts.sectors - counts.sectors_ideal);
    return std::max(static_cast<double>(counts.requests), packed + scattered);
}

Station l1(const Launch& launch) {
    double all = lines(launch.totals.global_load) + lines(launch.totals.global_store);
    return {"L1 lines", clocks_us(launch, all),
            fmt::format("about {} lines, one per clock on {} multiprocessors", number(all),
                        number(launch.sms))};
}

Station shared(const Launch& launch) {
    auto all = launch.totals.shared_load.wavefronts + launch.totals.shared_store.wavefronts;
    return {"shared-memory wavefronts", clocks_us(launch, static_cast<double>(all)),
            fmt::format("{} wavefronts, one per clock on {} multiprocessors", with_thousands(all),
                        number(launch.sms))};
}

Station issue(const Launch& launch, uint64_t warp_instructions) {
    return {"instruction issue", clocks_us(launch, static_cast<double>(warp_instructions) / 4),
            fmt::format("{} warp instructions, four per clock on {} multiprocessors",
                        with_thousands(warp_instructions), number(launch.sms))};
}

Station in_flight(const Launch& launch) {
    return {"bytes in flight", launch.rounds * launch.device.latency_ns / 1e3,
            fmt::format("{:.1f} rounds of {} blocks on each multiprocessor, each waiting {} ns "
                        "for its first byte",
                        launch.rounds, number(launch.blocks), number(launch.device.latency_ns))};
}

bool longer(const Station& a, const Station& b) { return a.time_us > b.time_us; }

}  // namespace

BandwidthPrediction predict_bandwidth(const DeviceProfile& device, const Counts& totals,
                                      uint64_t warp_instructions, const Occupancy& occupancy,
                                      uint64_t grid_blocks, uint64_t useful_bytes) {
    Launch launch = launch_of(device, totals, occupancy, grid_blocks);
    std::vector<Station> stations = {dram(launch, useful_bytes), l2(launch), l1(launch),
                                     shared(launch), issue(launch, warp_instructions)};
    std::sort(stations.begin(), stations.end(), longer);
    double others = 0;
    for (size_t i = 1; i < stations.size(); ++i) others += stations[i].time_us;
    Station slowest = stations[0], waiting = in_flight(launch);
    Station fixed = {"launch", device.launch_us, "what an empty launch takes"};

    BandwidthPrediction result;
    result.device = device.name;
    result.time_us = slowest.time_us + others / launch.blocks + waiting.time_us + fixed.time_us;
    result.gb_per_s = static_cast<double>(useful_bytes) / result.time_us / 1e3;
    bool idles = waiting.time_us > (slowest.time_us + waiting.time_us) / 4;
    result.limited_by = idles ? waiting.name : slowest.name;
    if (fixed.time_us > result.time_us / 2) result.limited_by = fixed.name;
    stations.push_back(waiting);
    stations.push_back(fixed);
    std::erase_if(stations, [](const Station& station) { return station.time_us == 0; });
    std::sort(stations.begin(), stations.end(), longer);
    result.stations = std::move(stations);
    return result;
}

}  // namespace lanewise
