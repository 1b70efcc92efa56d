// The waterfall is the model solved again and again, with one term more each time.
#include "model/bandwidth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "model/carveout.h"
#include "model/queueing.h"
#include "model/sizes.h"

namespace lanewise {
namespace {

constexpr double kIssuesPerClock = 4;    // warp instructions, one by each scheduler
constexpr double kOperationsOfOne = 64;  // of a warp's multiply-add
constexpr double kNearlyAll = 1.25;      // of DRAM's time: then DRAM is what limits
constexpr double kWorthNaming = 0.05;    // of the time: a loss below that is not spoken of
constexpr double kShareOfL2 = 0.5;       // a launch that needs less finds its data in L2

// What a block asks for, in clocks; of centres of the card all multiprocessors' clocks go by.
struct Demand {
    double dram_reads = 0, dram_writes = 0, dram_turning = 0, l2 = 0, dispatch = 0;
    double pipe = 0, issue = 0, arithmetic = 0;
    double waiting = 0;  // delays
    double trips = 0;    // loads that may find DRAM writing
};

struct Launch {
    const DeviceProfile& device;
    const Traffic& traffic;
    double sms = 1;    // that get a block
    int resident = 1;  // blocks on each of them
    bool in_l2 = false;
    double read_bytes = 0, write_bytes = 0;  // useful, of a block
    double shared_on_sm = 0;  // what is set aside as shared memory; it comes out of L1

    double slots() const { return sms * resident; }
    double clocks(double us) const { return us * device.sm_clock_mhz; }
    bool computes() const { return traffic.operations > 0; }
    bool on_tensor_cores() const { return traffic.tensor_operations > 0; }
    // The datasheet's, of what does the arithmetic.
    double peak_tflop_per_s() const {
        return on_tensor_cores() ? device.fp16_tflop_per_s : device.fp32_tflop_per_s;
    }
};

Launch launch_of(const DeviceProfile& device, const Traffic& traffic, const Occupancy& occupancy,
                 uint64_t useful_bytes) {
    Launch launch{device, traffic};
    auto bytes = static_cast<double>(useful_bytes);
    launch.sms = std::min<double>(device.sm_count, traffic.blocks);
    int per_sm = static_cast<int>(std::ceil(traffic.blocks / launch.sms));
    launch.resident = std::clamp(occupancy.blocks_per_sm, 1, per_sm);
    launch.in_l2 = bytes <= kShareOfL2 * device.l2_bytes;
    bool told = traffic.read_bytes + traffic.write_bytes > 0;
    launch.read_bytes = told ? traffic.read_bytes : bytes / 2 / traffic.blocks;
    launch.write_bytes = told ? traffic.write_bytes : bytes / 2 / traffic.blocks;
    int64_t shared = occupancy.shared_bytes_per_block;
    if (shared > 0) shared += device.shared_bytes_reserved;
    launch.shared_on_sm =
        static_cast<double>(shared_carveout_bytes(device.arch, shared * launch.resident));
    return launch;
}

// Straight lines between the points, over the logarithm of the run's length.
double factor_at(const std::vector<RunFactor>& table, double bytes) {
    if (table.empty() || bytes <= 0) return 1;
    if (bytes <= table.front().bytes) return table.front().factor;
    for (size_t i = 1; i < table.size(); ++i) {
        const RunFactor &a = table[i - 1], &b = table[i];
        if (bytes > b.bytes) continue;
        double part = std::log(bytes / a.bytes) / std::log(b.bytes / a.bytes);
        return a.factor + (b.factor - a.factor) * part;
    }
    return table.back().factor;
}

// ---- The terms: each adds its share to the demand and says why ---------------------------------

using Term = std::string (*)(const Launch&, Demand&);

// Of a product only.
std::string add_arithmetic(const Launch& launch, Demand& demand) {
    const DeviceProfile& device = launch.device;
    if (!launch.computes() || launch.peak_tflop_per_s() <= 0) return "nothing";
    double operations =
        launch.on_tensor_cores() ? launch.traffic.tensor_operations : launch.traffic.operations;
    double a_clock = launch.peak_tflop_per_s() * 1e6 / device.sm_clock_mhz / device.sm_count;
    demand.arithmetic = operations / a_clock;
    return fmt::format(
        "{} operations of a block at {:.0f} a clock of its multiprocessor, as the datasheet has "
        "it: {:.0f} clocks",
        with_thousands(static_cast<uint64_t>(operations)), a_clock, demand.arithmetic);
}

std::string add_dram(const Launch& launch, Demand& demand) {
    if (launch.in_l2) return "nothing: all of it stays in L2";
    const MachineCosts& costs = launch.device.costs;
    demand.dram_reads = launch.clocks(launch.read_bytes / costs.dram_read_gb_per_s / 1e3);
    demand.dram_writes = launch.clocks(launch.write_bytes / costs.dram_write_gb_per_s / 1e3);
    // As much is turned as both directions have in common: all of it where both move as many.
    double fewer = std::min(launch.read_bytes, launch.write_bytes);
    double both = launch.computes() ? 1 : 2 * fewer / (launch.read_bytes + launch.write_bytes);
    demand.dram_turning = both * costs.dram_turning * (demand.dram_reads + demand.dram_writes);
    return fmt::format(
        "{:.1f} MB read at {:.0f} GB/s and {} written at {:.0f}, {:.0f} % more "
        "for turning between the two",
        launch.read_bytes * launch.traffic.blocks / 1e6, costs.dram_read_gb_per_s,
        launch.read_bytes != launch.write_bytes
            ? fmt::format("{:.1f} MB", launch.write_bytes * launch.traffic.blocks / 1e6)
            : "as many",
        costs.dram_write_gb_per_s, 100 * costs.dram_turning);
}

std::string add_order(const Launch& launch, Demand& demand) {
    const MachineCosts& costs = launch.device.costs;
    const Traffic& traffic = launch.traffic;
    double reads = factor_at(costs.read_runs, traffic.load_run_bytes);
    double writes = factor_at(costs.write_runs, traffic.store_run_bytes);
    demand.dram_reads *= reads;
    demand.dram_writes *= writes;
    return fmt::format(
        "consecutive blocks read runs of {:.0f} bytes, which take {:.2f} times as "
        "long as one stream, and write runs of {:.0f} bytes, {:.2f} times",
        traffic.load_run_bytes, reads, traffic.store_run_bytes, writes);
}

// L1 keeps a block's sectors from one of its warps to the next where all resident blocks' fit.
bool l1_keeps(const Launch& launch) {
    const Traffic& t = launch.traffic;
    double sectors = launch.computes() ? t.sectors_in_use : t.load_sectors_once;
    double asked = launch.resident * sectors * kSectorBytes;
    return asked <= launch.device.l1_bytes_per_sm - launch.shared_on_sm;
}

double sectors_from_l2(const Launch& launch) {
    const Traffic& t = launch.traffic;
    return l1_keeps(launch) ? t.load_sectors_once : t.load_sectors;
}

std::string add_l2(const Launch& launch, Demand& demand) {
    const MachineCosts& costs = launch.device.costs;
    const Traffic& t = launch.traffic;
    double sectors = sectors_from_l2(launch);
    double lines = t.load_sectors > 0 ? t.load_lines * sectors / t.load_sectors : 0;
    lines = std::max(lines, sectors / kSectorsPerLine);
    demand.l2 = lines * costs.l2_read_line_clocks + sectors * costs.l2_read_sector_clocks +
                t.store_lines * costs.l2_write_line_clocks +
                t.store_sectors * costs.l2_write_sector_clocks +
                t.store_sectors_in_part * costs.l2_write_part_clocks;
    return fmt::format(
        "a block reads {:.0f} sectors in {:.0f} lines and writes {:.0f} in {:.0f}, "
        "{:.0f} of them only in part: {:.1f} clocks of the card",
        sectors, lines, t.store_sectors, t.store_lines, t.store_sectors_in_part, demand.l2);
}

std::string add_l1(const Launch& launch, Demand& demand) {
    const MachineCosts& costs = launch.device.costs;
    const Traffic& t = launch.traffic;
    double clocks = t.load_lines * costs.l1_load_line_clocks +
                    t.store_lines * costs.l1_store_line_clocks +
                    t.store_sectors * costs.l1_store_sector_clocks;
    demand.pipe += clocks;
    return fmt::format(
        "a block's requests are for {:.0f} lines to load and {:.0f} lines, {:.0f} "
        "sectors, to store: {:.0f} clocks of its multiprocessor",
        t.load_lines, t.store_lines, t.store_sectors, clocks);
}

std::string add_shared(const Launch& launch, Demand& demand) {
    double clocks = launch.traffic.shared_wavefronts * launch.device.costs.wavefront_clocks;
    demand.pipe += clocks;
    return fmt::format("{:.0f} wavefronts of a block, one after another: {:.0f} clocks",
                       launch.traffic.shared_wavefronts, clocks);
}

std::string add_issue(const Launch& launch, Demand& demand) {
    double instructions = launch.traffic.warp_instructions;
    bool among_them = launch.computes() && !launch.on_tensor_cores();
    if (among_them)
        instructions = std::max(0.0, instructions - launch.traffic.operations / kOperationsOfOne);
    demand.issue = instructions / kIssuesPerClock;
    return fmt::format("{:.0f} {}warp instructions of a block, four per clock", instructions,
                       among_them ? "other " : "");
}

// Where tensor cores multiply, what a warp executes besides is addresses, guards and copies, each
// needing the one before: a block is not done before the warp that executes most is, however few
// the others have to do. Meanwhile the other warps of its scheduler multiply.
std::string add_busiest_warp(const Launch& launch, Demand& demand) {
    if (!launch.computes() || !launch.on_tensor_cores()) return "nothing";
    const Traffic& t = launch.traffic;
    double each = launch.device.costs.instruction_clocks;
    double chain = t.busiest_instructions * each;
    double of_others = std::max(0.0, 1 - kSchedulers / t.warps) * demand.arithmetic;
    demand.waiting += std::max(0.0, chain - demand.issue - of_others);
    return fmt::format(
        "the longest warp executes {:.0f} instructions, {:.1f} clocks from one to the next that "
        "needs its result. Of these {:.0f} clocks, others issue or multiply in {:.0f}",
        t.busiest_instructions, each, chain, std::min(chain, demand.issue + of_others));
}

// By where its sectors come from.
std::string add_latency_of_product(const Launch& launch, Demand& demand) {
    const MachineCosts& costs = launch.device.costs;
    const Traffic& t = launch.traffic;
    double all = std::max(t.load_sectors, 1.0);
    double below_l1 = l1_keeps(launch) ? t.load_sectors_once / all : 1;
    double below_l2 = 0;
    if (!launch.in_l2) below_l2 = std::min(below_l1, launch.read_bytes / kSectorBytes / all);
    double l1 = costs.l1_latency_clocks > 0 ? costs.l1_latency_clocks : costs.l2_latency_clocks;
    double each = (1 - below_l1) * l1 + (below_l1 - below_l2) * costs.l2_latency_clocks +
                  below_l2 * costs.dram_latency_clocks;
    double trips = t.busiest_trips;
    demand.waiting += trips * each;
    demand.trips = trips * below_l2;
    return fmt::format(
        "the warp that waits longest waits {0:.1f} times for loads, {1:.0f} clocks each, with {4} "
        "on a multiprocessor at a time. Of their sectors {2:.0f} % come from L1 and {3:.1f} % from "
        "DRAM, the others from L2",
        trips, each, 100 * (1 - below_l1), 100 * below_l2,
        counted(uint64_t(launch.resident), "block"));
}

std::string add_latency(const Launch& launch, Demand& demand) {
    if (launch.computes()) return add_latency_of_product(launch, demand);
    const MachineCosts& costs = launch.device.costs;
    double each = launch.in_l2 ? costs.l2_latency_clocks : costs.dram_latency_clocks;
    demand.waiting += launch.traffic.trips * each;
    demand.trips = launch.in_l2 ? 0 : launch.traffic.trips;
    return fmt::format(
        "a warp waits {:.1f} times for loads, {:.0f} clocks each, longer while DRAM "
        "writes; {} on a multiprocessor at a time",
        launch.traffic.trips, each, counted(uint64_t(launch.resident), "block"));
}

std::string add_blocks(const Launch& launch, Demand& demand) {
    const MachineCosts& costs = launch.device.costs;
    const Traffic& t = launch.traffic;
    double change = costs.block_clocks + costs.block_warp_clocks * t.warps;
    double body = t.warp_instructions / t.warps * costs.instruction_clocks;
    demand.dispatch = costs.dispatch_clocks;
    if (launch.computes()) {
        demand.waiting += change;
        return fmt::format("a new block takes the place of an old one after {:.0f} clocks", change);
    }
    demand.waiting += change + body;
    return fmt::format(
        "a new block takes the place of an old one after {:.0f} clocks, and its "
        "instructions, one after another, take {:.0f}",
        change, body);
}

std::string add_barriers(const Launch& launch, Demand& demand) {
    const MachineCosts& costs = launch.device.costs;
    double each = costs.barrier_clocks + costs.barrier_warp_clocks * launch.traffic.warps;
    demand.waiting += launch.traffic.barriers * each;
    return fmt::format("{:.0f} barriers of {:.0f} warps, {:.0f} clocks each",
                       launch.traffic.barriers, launch.traffic.warps, each);
}

struct Step {
    const char* name;
    Term term;
};
constexpr Step kSteps[] = {
    {"arithmetic", add_arithmetic},
    {"DRAM", add_dram},
    {"order of blocks", add_order},
    {"L2 sectors", add_l2},
    {"L1 lines", add_l1},
    {"shared-memory wavefronts", add_shared},
    {"instruction issue", add_issue},
    {"busiest warp", add_busiest_warp},
    {"bytes in flight", add_latency},
    {"blocks coming and going", add_blocks},
    {"barriers", add_barriers},
};

// ---- Solving -----------------------------------------------------------------------------------

// What a block waits at the card's centres and for its loads when blocks pass at `rate` per clock.
double away_from_sm(const Launch& launch, const Demand& demand, double rate) {
    double others = (launch.slots() - 1) / launch.slots();  // a block does not wait for itself
    double clocks = demand.waiting;
    double dram = demand.dram_reads + demand.dram_writes + demand.dram_turning;
    for (double service : {dram, demand.l2, demand.dispatch})
        clocks += service / (1 - rate * service * others);
    double writing = std::min(1.0, rate * demand.dram_writes);
    return clocks + demand.trips * launch.device.costs.dram_write_batch_clocks * writing;
}

// Blocks per clock of the whole card: where what the multiprocessors can do, given the wait, is
// what makes the wait.
double rate_of(const Launch& launch, const Demand& demand) {
    double dram = demand.dram_reads + demand.dram_writes + demand.dram_turning;
    double slowest = std::max({dram, demand.l2, demand.dispatch});
    double low = 0, high = slowest > 0 ? 1 / slowest : 1e6;
    for (int i = 0; i < 50; ++i) {
        double rate = (low + high) / 2;
        const Centre centres[] = {{demand.arithmetic},
                                  {demand.pipe},
                                  {demand.issue},
                                  {away_from_sm(launch, demand, rate), 1, true}};
        double possible = launch.sms * mean_value_analysis(centres, launch.resident).rate;
        (possible > rate ? low : high) = rate;
    }
    return low;
}

// Slots finish their last block at different times: half a round is lost on average, or, where the
// blocks make whole rounds, nothing.
double tail_blocks(const Launch& launch) {
    double rounds = launch.traffic.blocks / launch.slots(), missing = std::ceil(rounds) - rounds;
    return launch.slots() * (rounds < 1 ? missing : std::min(0.5, missing));
}

double time_us(const Launch& launch, const Demand& demand) {
    double demanded = demand.dram_reads + demand.dram_writes + demand.l2 + demand.pipe +
                      demand.issue + demand.arithmetic + demand.waiting + demand.dispatch;
    if (demanded == 0) return 0;
    return launch.traffic.blocks / rate_of(launch, demand) / launch.device.sm_clock_mhz;
}

std::string limit_of(const std::vector<Station>& stations, double total_us) {
    const Station* slowest = nullptr;
    double dram_us = 0;
    for (const Station& station : stations) {
        if (station.name == "DRAM") dram_us = station.time_us;
        bool dearer = !slowest || station.time_us > slowest->time_us;
        if (station.name != "DRAM" && dearer) slowest = &station;
    }
    return !slowest || total_us <= kNearlyAll * dram_us ? "DRAM" : slowest->name;
}

}  // namespace

std::string largest_loss(const BandwidthPrediction& prediction) {
    const Station* largest = nullptr;
    for (const Station& station : prediction.stations) {
        const std::string& name = station.name;
        if (name == "DRAM" || name == "launch") continue;
        if (name == "arithmetic" && prediction.gflop_per_s > 0) continue;
        if (!largest || station.time_us > largest->time_us) largest = &station;
    }
    bool worth_naming = largest && largest->time_us >= kWorthNaming * prediction.time_us;
    return worth_naming ? largest->name : "";
}

std::vector<std::string> station_names() {
    std::vector<std::string> names;
    for (const Step& step : kSteps) names.push_back(step.name);
    names.insert(names.end(), {"last round", "launch"});
    return names;
}

BandwidthPrediction predict_bandwidth(const DeviceProfile& card, const Traffic& traffic,
                                      const Occupancy& occupancy, uint64_t useful_bytes) {
    std::optional<DeviceProfile> slower;
    const double clock = clock_with_products(card.arch);
    if (traffic.tensor_operations > 0 && clock < 1) slower = slowed_down(card, clock);
    const DeviceProfile& device = slower ? *slower : card;
    Launch launch = launch_of(device, traffic, occupancy, useful_bytes);
    auto bytes = static_cast<double>(useful_bytes);
    BandwidthPrediction result;
    auto add = [&](const std::string& name, const std::string& because, double us) {
        double more = us - result.time_us;
        result.time_us = us;
        if (more > 1e-6) result.stations.push_back({name, more, because, bytes / us / 1e3});
    };
    Demand demand;
    for (const Step& step : kSteps) {
        std::string because = step.term(launch, demand);
        add(step.name, because, std::max(result.time_us, time_us(launch, demand)));
    }
    double blocks = traffic.blocks;
    add("last round",
        fmt::format("{} blocks make {:.1f} rounds of {:.0f}", with_thousands(uint64_t(blocks)),
                    blocks / launch.slots(), launch.slots()),
        result.time_us * (1 + tail_blocks(launch) / blocks));
    add("launch", "what an empty launch takes", result.time_us + device.launch_us);
    result.device = device.name;
    result.peak_gb_per_s = device.datasheet_gb_per_s;
    result.gb_per_s = bytes / result.time_us / 1e3;
    result.limited_by = limit_of(result.stations, result.time_us);
    result.l2_read_bytes = sectors_from_l2(launch) * kSectorBytes * blocks;
    if (!launch.in_l2) {
        result.dram_read_bytes = launch.read_bytes * blocks;
        result.dram_written_bytes = launch.write_bytes * blocks;
    }
    if (!launch.computes()) return result;
    result.gflop_per_s = traffic.operations * traffic.blocks / result.time_us / 1e3;
    result.peak_gflop_per_s = 1e3 * launch.peak_tflop_per_s();
    result.unit = launch.on_tensor_cores() ? "FP16 tensor cores" : "FP32";
    return result;
}

}  // namespace lanewise
