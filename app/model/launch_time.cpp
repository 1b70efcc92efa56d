#include "model/launch_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <span>

#include "model/carveout.h"
#include "trace/count/rules.h"

namespace lanewise {
namespace {

// The whole launch's sectors, as far as some of its blocks tell.
struct Footprint {
    double reads = 0, writes = 0;    // distinct
    double again = 0, parts = 0;     // fetched again; written in part
    double flagged_reads = 0, flagged_writes = 0;  // that the record's scaled steps ask for
    double left_reads = 0, left_writes = 0;  // shares of the distinct ones that the launch before has left in L2
};

Footprint footprint_of(const LaunchRecord& record) {
    Footprint f;
    double scale = record.of_blocks / std::max(1.0, record.looked_at);
    auto whole = [&](double sectors, double most) {
        return std::max(sectors, std::min(sectors * scale, most));
    };
    f.reads = whole(record.read_sectors, record.read_buffer_sectors);
    f.writes = whole(record.written_sectors, record.buffer_sectors);
    f.parts = record.part_sectors * scale;
    f.again = record.again_sectors * scale;
    // The blocks that are simulated may be the first to touch what all of them share.
    double kept = static_cast<double>(record.blocks.size());
    for (const RecordedAccess& access : record.accesses) {
        bool reads = access.to == AccessTo::global_load || access.to == AccessTo::copy;
        if (!reads && access.to != AccessTo::global_store) continue;
        for (uint32_t i = 0; i < access.sectors; ++i)
            (reads ? f.flagged_reads : f.flagged_writes) +=
                static_cast<double>(record.sectors[access.first_sector + i] & 1);
    }
    f.flagged_reads *= record.of_blocks / kept;
    f.flagged_writes *= record.of_blocks / kept;
    f.left_reads = record.left.reads / std::max(1.0, record.read_sectors);
    f.left_writes = record.left.writes / std::max(1.0, record.written_sectors);
    return f;
}

double l1_bytes(const DeviceProfile& device, const Occupancy& occupancy) {
    CarvedFor launch;
    launch.threads = std::max(1, occupancy.threads_per_block);
    launch.blocks = std::max(1, occupancy.blocks_per_sm);
    launch.blocks_by_threads = std::max(1, sm_limits(device).threads / launch.threads);
    launch.shared_bytes = occupancy.shared_bytes_per_block;
    launch.reserved_bytes = device.shared_bytes_reserved;
    const int64_t carved = driver_carveout_bytes(device.arch, launch);
    return static_cast<double>(std::max<int64_t>(0, device.l1_bytes_per_sm - carved));
}

// Blocks that take one another's places, as soon as one is free: when the last ends, in the units
// of `work`.
double last_end(std::span<const float> work, size_t slots) {
    std::priority_queue<double, std::vector<double>, std::greater<>> ends;
    double last = 0;
    for (float one : work) {
        double begin = 0;
        if (ends.size() >= slots) begin = ends.top(), ends.pop();
        ends.push(begin + one);
        last = std::max(last, begin + one);
    }
    return last;
}

PartLoads loads_of(const SimulatedTime& t) {
    PartLoads loads = {t.dram_busy, t.l2_busy, t.lsu_busy, t.issue_busy, t.atomic_busy, t.tensor_busy};
    for (double& load : loads) load /= std::max(1.0, t.clocks);
    return loads;
}

// By how much longer the whole card takes than the multiprocessor that was simulated, where blocks
// differ in length: from what each executes.
double imbalance(const LaunchRecord& record, const SimulatedLaunch& launch, double sms, const PartLoads& loads) {
    if (record.looked_at != record.of_blocks || record.executed_by.empty()) return 1;
    auto resident = static_cast<size_t>(launch.resident), card = static_cast<size_t>(sms);
    std::vector<float> mine;
    for (const RecordedBlock& block : record.blocks) mine.push_back(static_cast<float>(block.executed));
    if (record.executed_by.size() <= resident * card) {
        // All run at once. One multiprocessor has most to do, and takes longer as far as it is busy.
        std::vector<double> each(card);
        for (size_t n = 0; n < record.executed_by.size(); ++n) each[n % card] += record.executed_by[n];
        double most = *std::max_element(each.begin(), each.end());
        double has = std::accumulate(mine.begin(), mine.end(), 0.0);
        double busy = std::min(1.0, std::max({loads[kLoadStore], loads[kIssue], loads[kTensorCores]}));  // what is its own
        // Where all mostly wait, its longest block decides, and of all multiprocessors the longest of all.
        double waits = 1 - std::min(1.0, *std::max_element(loads.begin(), loads.end()));
        double longest = *std::max_element(record.executed_by.begin(), record.executed_by.end());
        double own = *std::max_element(mine.begin(), mine.end());
        if (has <= 0 || own <= 0) return 1;
        return 1 + busy * std::max(0.0, most / has - 1) + waits * std::max(0.0, longest / own - 1);
    }
    if (record.blocks.size() != launch.blocks) return 1;
    double whole = last_end(record.executed_by, resident * card);
    double simulated = last_end(mine, resident);
    return simulated > 0 ? whole / simulated : 1;
}

// How often a loop goes round again since others have changed the word that it swaps. On an H200 with n lanes in such
// loops, of which a share p has the same word, 0.4 n p times (1,024 to 4 million words, 34 to 270 thousand lanes: 28 launches
// say 0.28 to 0.48). How many are there at a time, the share of the warps' time says.
constexpr int kSwapRounds = 3;
double swaps_again(const LaunchRecord& record, const SimulatedTime& simulated) {
    constexpr double kSpoiled = 0.4, kMost = 200;
    double all = 0, swapping = 0;
    for (size_t i = 0; i < simulated.warp_clocks.size(); ++i) {
        all += simulated.warp_clocks[i];
        const bool is_in = std::any_of(record.swaps.loops.begin(), record.swaps.loops.end(),
                                       [&](const RecordedSwap& swap) { return swap.head <= i && i <= swap.back; });
        if (is_in) swapping += simulated.warp_clocks[i];
    }
    return all > 0 ? std::min(kMost, kSpoiled * record.swaps.beside * swapping / all) : 0;
}

std::string limit_of(const PartLoads& loads) {
    constexpr double kMuch = 0.6;
    const auto most = std::max_element(loads.begin(), loads.end());
    return *most > kMuch ? kPartNames[static_cast<size_t>(most - loads.begin())] : "latency";
}

// Of all blocks, by those that were simulated: where blocks differ, by how much they execute.
double machine_instructions(const LaunchRecord& record, const SimulatedTime& simulated) {
    double mine = 0, executed = 0;
    for (size_t n = 0; n < static_cast<size_t>(simulated.blocks); ++n)
        mine += record.blocks[n % record.blocks.size()].executed;
    for (float one : record.executed_by) executed += one;
    if (mine <= 0 || record.looked_at <= 0) return simulated.issued * record.of_blocks / simulated.blocks;
    return simulated.issued / mine * executed / record.looked_at * record.of_blocks;
}

std::string words_of(const ModelRange& range, const std::string& card, bool has_own) {
    const std::string launches = "The range comes from " + std::to_string(range.launches);
    if (range.unseen_on.empty()) return launches + " measured launches" + (has_own ? " with the same limit." : ".");
    return launches + " launches that the model had not seen" + (range.unseen_on == card ? "." : ", measured on " + range.unseen_on + ".");
}

void take_range(const ModelRanges& ranges, const std::string& card, LaunchTime& time) {
    time.holds = true;
    auto found = ranges.by_limit.find(time.limited_by);
    bool has_own = found != ranges.by_limit.end();
    ModelRange range = has_own ? found->second : ranges.in_all;
    if (range.launches == 0) {
        time.low_us = time.high_us = time.time_us;
        time.sentence = "This model was never compared with this card, so its range is not known.";
        return;
    }
    time.low_us = range.low * time.time_us;
    time.high_us = range.high * time.time_us;
    time.sentence = words_of(range, card, has_own);
}

}  // namespace

ModelRange range_of(std::vector<double> ratios) {
    if (ratios.empty()) return {};
    std::sort(ratios.begin(), ratios.end());
    // Of n + 1 gaps between and beside them the next one falls into each as likely: without the outermost
    // k on each side, n + 1 - 2 k of them are left.
    constexpr double kOutside = 0.1;
    auto out = static_cast<size_t>(kOutside / 2 * static_cast<double>(ratios.size() + 1));
    size_t last = ratios.size() - 1, first = out > 0 ? out - 1 : 0;
    return {std::min(1.0, ratios[first]), std::max(1.0, ratios[last - first]),
            static_cast<int>(ratios.size()), ""};
}

static int parts_of_l2(const std::string& arch) {
    constexpr std::array kHalved = {"sm_80", "sm_90", "sm_100", "sm_103"};
    return std::any_of(kHalved.begin(), kHalved.end(), [&](const char* halved) { return arch.starts_with(halved); }) ? 2 : 1;
}

RecordLimits record_limits(const DeviceProfile& device, const TimingCosts& c) {
    RecordLimits limits;
    limits.l2_parts = parts_of_l2(device.arch);
    limits.l2_sectors = c.l2.lost_bytes / kSectorBytes / limits.l2_parts;
    limits.l2_kept = c.l2.kept_bytes / kSectorBytes / limits.l2_parts;
    limits.changed_kept = device.changed_in_l2.kept_bytes / kSectorBytes;
    limits.changed_lost = device.changed_in_l2.lost_bytes / kSectorBytes;
    limits.slices = std::max(1.0, c.atomics.slices);
    limits.whole_sector_clocks = c.atomics.whole_sector_clocks;
    limits.returned_sector_clocks = c.atomics.returned_sector_clocks;
    limits.word_clocks = c.atomics.word_clocks;
    limits.float_word_clocks = c.atomics.float_word_clocks;
    limits.store_line_clocks = device.costs.l2_write_line_clocks;
    limits.store_sector_clocks = device.costs.l2_write_sector_clocks;
    return limits;
}

// The calibration times a block that loads once: DRAM's latency and the change of blocks together, of which it takes the
// change to be that of blocks that load nothing. Loops of a load and a barrier tell them apart: on an H200 each turn of 4 warps
// takes 745 clocks and the loop's own, not 656, so that the change is as much shorter.
static DeviceProfile told_apart(DeviceProfile device) {
    constexpr double kOfTheChange = 80;
    const double change = std::min(kOfTheChange, device.costs.block_clocks / 2);
    device.costs.dram_latency_clocks += change;
    device.costs.block_clocks -= change;
    return device;
}

// What products take was timed by a kernel with the slower clock, in clocks of others.
static void take_own_clocks(double share, TimingCosts& timing) {
    UnitCost& products = timing.of(Unit::tensor);
    products.late_clocks *= share;
    products.turn_clocks *= share;
}
static void slow_down(double share, TimingCosts& timing) {
    TimingCosts::Atomics& atomics = timing.atomics;
    for (double* clocks : {&atomics.latency_clocks, &atomics.whole_sector_clocks, &atomics.returned_sector_clocks, &atomics.word_clocks,
                           &atomics.float_word_clocks})
        *clocks *= share;
}

// Blocks that are left when all multiprocessors are full go to whoever has room first. Where the blocks of one end together
// and those of another a little later, the first one gets as many as it can hold and the other none: of 374 blocks, two at
// once on each of 132, an H200 gave 4 to 37 multiprocessors and 2 to 59 where all waited for barriers together, but 2 or 3 to
// each where the older block goes first. How much multiprocessors differ was read off the same launches' ends: eight in ten lie
// within half a percent of their time, and within 12 % where L2 is the limit.
uint64_t most_on_one(std::span<const double> ends, const SimulatedLaunch& launch, double blocks, double sms, double l2_load) {
    constexpr double kApart = 0.002, kApartByL2 = 0.03;  // deviations of an even spread
    const double apart = kApart + kApartByL2 * l2_load * l2_load;
    const auto card = static_cast<size_t>(sms), most = static_cast<size_t>(launch.resident);
    double left = blocks - sms * launch.resident;
    // The next end of each multiprocessor, and how many blocks it has had.
    using Next = std::pair<double, size_t>;
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
    std::vector<size_t> had(card, 0);
    auto factor = [&](size_t sm) { return 1 + apart * std::sqrt(12) * ((static_cast<double>(sm) + 0.5) / sms - 0.5); };
    for (size_t sm = 0; sm < card; ++sm) next.emplace(ends[0] * factor(sm), sm);
    size_t busiest = 0;
    for (; left >= 1; --left) {
        const auto [at, sm] = next.top();
        next.pop();
        busiest = std::max(busiest, ++had[sm]);
        const size_t end = std::min(had[sm], ends.size() - 1);
        const double beyond = had[sm] < ends.size() ? 0 : static_cast<double>(had[sm] - end) * (ends.back() - ends.front()) / static_cast<double>(std::max<size_t>(1, ends.size() - 1));
        next.emplace((ends[end] + beyond) * factor(sm), sm);
    }
    return busiest + most;
}

// Blocks with barriers mostly end one after another even so, and after many rounds all do.
static bool may_end_together(const TimedCode& code, const LaunchRecord& record, const SimulatedLaunch& launch, double blocks_of_each) {
    constexpr double kFewRounds = 12, kAlike = 1.02;
    const bool waits = std::any_of(code.instructions.begin(), code.instructions.end(),
                                   [](const TimedInstruction& each) { return each.unit == Unit::barrier; });
    if (waits || blocks_of_each <= launch.resident || blocks_of_each > kFewRounds * launch.resident) return false;
    if (record.executed_by.empty() || record.looked_at != record.of_blocks) return true;
    const auto [least, most] = std::minmax_element(record.executed_by.begin(), record.executed_by.end());
    return *most < kAlike * *least;
}

static bool has_products(const TimedCode& code) {
    return std::any_of(code.instructions.begin(), code.instructions.end(),
                       [](const TimedInstruction& timed) { return timed.unit == Unit::tensor && !timed.is_wide; });
}

LaunchTime time_of(const DeviceProfile& calibrated, const TimingCosts& timed, const TimedCode& code, const LaunchRecord& record,
                   const Occupancy& occupancy, const ModelRanges& ranges, const WhatIf& what) {
    DeviceProfile device = told_apart(calibrated);
    TimingCosts timing = timed;
    if (has_products(code)) take_own_clocks(timing.clock_with_products, timing);
    const double clock = has_products(code) && !what.full_clock ? timing.clock_with_products : 1;
    if (clock < 1) device = slowed_down(device, clock), slow_down(clock, timing);
    LaunchTime time;
    const MachineCosts& c = device.costs;
    double sms = device.sm_count, blocks = record.of_blocks;
    SimulatedLaunch launch;
    launch.active_sms = std::min(sms, blocks);
    launch.blocks = static_cast<uint64_t>(std::ceil(blocks / sms));
    launch.sharing_sms = what.no_tail ? launch.active_sms : std::min(launch.active_sms, blocks / static_cast<double>(launch.blocks));
    launch.resident = static_cast<int>(
        std::min<double>(std::max(1, occupancy.blocks_per_sm), static_cast<double>(launch.blocks)));
    launch.l1_bytes = l1_bytes(device, occupancy);
    Footprint f = footprint_of(record);
    double come = f.reads * (1 - f.left_reads) + f.again, go = f.writes * (1 - f.left_writes);
    launch.dram_share = f.flagged_reads > 0 ? come / f.flagged_reads : 0;
    double turning = come + go > 0 ? 1 + c.dram_turning * 2 * std::min(come, go) / (come + go) : 1;
    double alone = record.fetched_sectors > 0 ? record.halves.alone / record.fetched_sectors : 0;
    launch.dram_factor = turning * (1 + alone * (std::max(1.0, timing.dram.alone_factor) - 1));
    double write = kSectorBytes * launch.sharing_sms / (c.dram_write_gb_per_s * 1e3 / device.sm_clock_mhz);
    double part = record.written_sectors > 0 ? record.part_sectors / record.written_sectors : 0;
    // A sector that is written in part is read first; what that takes at random was measured.
    double alone_writes = record.written_sectors > 0 ? record.halves.alone_written / record.written_sectors : 0;
    double filled = 1 + c.dram_write_gb_per_s / c.dram_read_gb_per_s;
    double part_factor = filled + alone_writes * (std::max(filled, timing.dram.part_factor) - filled);
    if (f.flagged_writes > 0)
        launch.write_clocks = write * turning * (go / f.flagged_writes) * (1 + part * (part_factor - 1));
    if (record.atomics.requests > 0)
        launch.atomic_clocks = record.atomics.busiest_clocks * clock * launch.sharing_sms / record.atomics.requests;
    time.simulated = simulate(device, timing, code, record, launch, what, record.blocks.size());
    for (int round = 0; round < kSwapRounds && record.swaps.beside > 0; ++round) {
        launch.swaps_again = swaps_again(record, time.simulated);
        time.simulated = simulate(device, timing, code, record, launch, what, record.blocks.size());
    }
    if (!what.no_tail && may_end_together(code, record, launch, blocks / sms) && time.simulated.ends.size() > 1) {
        const uint64_t most = most_on_one(time.simulated.ends, launch, blocks, sms, loads_of(time.simulated)[kL2]);
        if (most > launch.blocks) {
            SimulatedLaunch packed = launch;
            packed.blocks = most;
            packed.sharing_sms = std::min(launch.active_sms, blocks / static_cast<double>(most));
            packed.write_clocks *= packed.sharing_sms / launch.sharing_sms;
            packed.atomic_clocks *= packed.sharing_sms / launch.sharing_sms;
            SimulatedTime longer = simulate(device, timing, code, record, packed, what, most);
            if (longer.clocks > time.simulated.clocks) time.simulated = std::move(longer), launch = packed;
        }
    }
    if (!what.no_tail)
        time.simulated.clocks *= imbalance(record, launch, sms, loads_of(time.simulated));
    else if (blocks > sms)
        time.simulated.clocks *= blocks / sms / static_cast<double>(launch.blocks);
    time.simulated_us = device.launch_us + time.simulated.clocks / device.sm_clock_mhz;
    time.loads = loads_of(time.simulated);
    time.time_us = std::max(device.launch_us, time.simulated_us * ranges.correction.of(time.loads));
    time.limited_by = limit_of(time.loads);
    take_range(ranges, device.name, time);
    time.low_us = std::max(time.low_us, device.launch_us);  // what any launch takes
    if (time.simulated.l1_sectors > 0)
        time.l1_hit = time.simulated.l1_hits / time.simulated.l1_sectors;
    double asked = time.simulated.l1_sectors - time.simulated.l1_hits;
    double scale = blocks / std::max(1.0, time.simulated.blocks);
    // L2 fetches 64 bytes for a sector: the other half is found there, or was fetched for nothing.
    double second = record.fetched_sectors > 0 ? record.halves.second / record.fetched_sectors : 0;
    double missed = (f.reads + f.again) * (1 - second);
    // A quarter of what one part of L2 has from the other counts as not found (the median of the set's 166 launches that
    // have some; it varies).
    constexpr double kNotFound = 0.25;
    double crossed = kNotFound * record.crossed_sectors * record.of_blocks / std::max(1.0, record.looked_at);
    if (asked > 0) time.l2_hit = std::max(0.0, 1 - (missed + crossed) / (asked * scale));
    time.instructions = machine_instructions(record, time.simulated);
    time.load_store_turns = time.simulated.lsu_turns * blocks / std::max(1.0, time.simulated.blocks);
    time.l2_missed = missed + crossed;
    time.dram_read_bytes = kSectorBytes * ((f.reads + f.again) * (1 + alone) + f.parts);
    return time;
}

}  // namespace lanewise
