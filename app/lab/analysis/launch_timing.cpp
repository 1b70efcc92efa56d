#include "lab/analysis/launch_timing.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

#include "base/error.h"
#include "base/files.h"
#include "compile/sass_places.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/shared_loads.h"
#include "lab/job/devices.h"
#include "lab/job/operation_code.h"
#include "model/timing_costs.h"
#include "ptx/cluster.h"
#include "ptx/grid_barrier.h"
#include "trace/count/memory_instructions.h"
#include "trace/count/rules.h"

namespace lanewise {
namespace {

constexpr double kMostExecuted = 20e6;  // warp instructions, for caches and atomics
constexpr double kMostSteps = 3e6;      // of blocks that are simulated

LaunchShape shape_of(const Job& job) {
    if (job.own.is_used()) return job.own.shape;
    return launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
}

TimedCode code_of_kernel(const PreparedKernel& prepared) {
    using Flow = MachineInstruction::Flow;
    std::vector<MachineInstruction> machine;
    for (const SassPlace& place : sass_places(prepared.program.cubin, prepared.program.entry))
        machine.push_back({place.address, place.ptx_line, static_cast<MachineUnit>(place.unit), place.is_guarded,
                           place.stall, place.turns, place.bank_reads, static_cast<Flow>(place.flow), place.target});
    return timed_code(prepared.kernel, std::move(machine));
}

// Of the card in use, or of the one whose constants it takes over; zeros where nobody measured.
const TimingCosts& timing_costs_in_use() {
    static const TimingCosts costs = [] {
        const DeviceProfile& device = device_in_use();
        for (const auto& file : files_in(content_folder() / "assets" / "devices", ".csv")) {
            Calibration calibration = read_calibration(file);
            for (const DeviceProfile& of : device_profiles(content_folder()))
                if (of.name == calibration.card && (of.name == device.name || of.name == device.costs_like))
                    return timing_costs(calibration, of);
        }
        return TimingCosts{};
    }();
    return costs;
}

// One launch, block by block.
class Recording {
  public:
    Recording(const Job& job, RecordedLaunch& into, const CancelFlag* cancel)
        : shape_(shape_of(job)),
          into_(into),
          stage_(job, into.prepared->kernel),
          access_of_(report_indices(into.prepared->kernel)),
          recorder_(into.prepared->kernel, into.code, stage_.memory, into.prepared->counting.count_as, access_of_,
                    static_cast<uint32_t>((shape_.block.count() + 31) / 32),
                    limits_of(into)),
          cancel_(cancel) {
        if (!job.own.is_used()) code_of(job.stage).fill(stage_, job, 1, cancel);
    }

    LaunchRecord take() {
        uint64_t blocks = shape_.grid.count(), sms = static_cast<uint64_t>(device_in_use().sm_count);
        uint64_t mine = std::min(sms / 2, blocks - 1);
        // Where few multiprocessors have one block more than the others, one of these; the last block of all may have
        // less to do.
        uint64_t rounds = 2 * static_cast<uint64_t>(std::max(1, into_.occupancy.blocks_per_sm)), over = blocks % sms;
        if (over > 0 && blocks < rounds * sms) mine = std::min(mine, over > 1 ? over - 2 : 0);
        uint64_t of_mine = (blocks - mine + sms - 1) / sms;
        double each = std::max(1.0, run(mine, mine + 1, true));
        uint64_t kept_most = std::max<uint64_t>(
            std::min<uint64_t>(of_mine, static_cast<uint64_t>(into_.occupancy.blocks_per_sm)),
            static_cast<uint64_t>(kMostSteps / each));
        uint64_t stride = sms;
        uint64_t kept = std::min(of_mine, std::max<uint64_t>(1, kept_most));
        bool all = each * static_cast<double>(blocks) <= kMostExecuted;
        uint64_t end = all ? blocks
                           : std::min(blocks, std::max<uint64_t>(
                                                  kept, static_cast<uint64_t>(kMostExecuted / each)));
        if (!all) stride = std::max<uint64_t>(1, std::min(sms, end / kept));
        if (!all) mine = std::min(mine, stride - 1);
        uint64_t at = 0, next = mine, count = 0;
        while (at < end) {
            bool keeps = at == next && count < kept && at != first_;
            uint64_t to = at == first_ ? at + 1
                          : keeps      ? at + 1
                                       : std::min(end, count < kept ? std::max(next, at + 1) : end);
            if (at < first_ && first_ < to) to = first_;
            if (at != first_) run(at, to, keeps);
            if (at == next) next += stride, ++count;
            at = to;
        }
        LaunchRecord record = recorder_.take(static_cast<double>(blocks));
        if (stride < sms && !has_fault()) keep_neighbours_apart(record, mine, stride, sms);
        return record;
    }

    bool has_fault() const { return recorder_.has_fault(); }

  private:
    // Blocks that follow each other begin one after another while the first are at work: a quarter of what
    // the card holds at once still asks for its first words when the first block gets them.
    static RecordLimits limits_of(const RecordedLaunch& into) {
        RecordLimits limits = record_limits(device_in_use(), timing_costs_in_use());
        limits.at_once = static_cast<double>(device_in_use().sm_count) * std::max(1, into.occupancy.blocks_per_sm);
        limits.side_by_side = 0.25 * limits.at_once;
        return limits;
    }
    // Of a launch that is too long to be looked at whole the blocks that are recorded lie closer together than those that
    // one multiprocessor gets. What only the former have in common must not be found in L1.
    void keep_neighbours_apart(LaunchRecord& record, uint64_t mine, uint64_t stride, uint64_t sms) {
        constexpr uint64_t kMostBlocks = 3;
        constexpr double kHardly = 0.05, kFarLess = 0.5;
        const uint64_t blocks = shape_.grid.count();
        const uint64_t count = std::min({static_cast<uint64_t>(record.blocks.size()),
                                         static_cast<uint64_t>(into_.occupancy.blocks_per_sm), kMostBlocks});
        auto shared_at = [&](uint64_t step) {
            std::vector<uint64_t> numbers;
            for (uint64_t i = 0; i < count; ++i) numbers.push_back(std::min(mine + i * step, blocks - 1));
            return shared_loads(stage_.memory, numbers, [&](uint64_t block, Observer& observer) { run_for(block, block + 1, observer); });
        };
        if (count < 2) return;
        const auto recorded = shared_at(stride);
        auto real = shared_at(sms);
        for (const Memory::Buffer& buffer : stage_.memory.buffers()) {
            const uint64_t first = buffer.address / kSectorBytes;
            const auto shared = recorded.find(first);
            if (shared == recorded.end() || shared->second < kHardly || real[first] >= kFarLess * shared->second) continue;
            keep_apart(record, first, (buffer.bytes + kSectorBytes - 1) / kSectorBytes);
        }
    }

    double run(uint64_t begin, uint64_t end, bool keeps) {
        if (first_ == ~0ull) first_ = begin;
        recorder_.keep(keeps);
        return run_for(begin, end, recorder_);
    }
    double run_for(uint64_t begin, uint64_t end, Observer& observer) {
        Machine::Limits limits = stage_.limits;
        limits.cancel = cancel_;
        uint64_t executed = into_.prepared->machine->run(shape_, stage_.arguments(), stage_.memory, begin,
                                                         end, observer, limits);
        if (cancel_ && *cancel_) throw Cancelled{};
        return static_cast<double>(executed);
    }

    LaunchShape shape_;
    RecordedLaunch& into_;
    StageLaunch stage_;
    std::vector<int> access_of_;
    LaunchRecorder recorder_;
    const CancelFlag* cancel_;
    uint64_t first_ = ~0ull;
};

}  // namespace

// More than in a hundredth of its steps: sines of huge numbers, say, would, but hardly any are.
static bool uses_local_memory(const RecordedLaunch& launch) {
    double all = 0, local = 0;
    for (size_t i = 0; i < launch.record.by_instruction.steps.size(); ++i) {
        all += launch.record.by_instruction.steps[i];
        if (launch.code.instructions[i].is_local) local += launch.record.by_instruction.steps[i];
    }
    return local > 0.01 * all;
}

RecordedLaunch record_launch(const Job& given, const CancelFlag* cancel) {
    Job job = given;
    validate(job);
    RecordedLaunch launch;
    launch.prepared = prepare(job).kernel;
    LaunchShape shape = shape_of(job);
    launch.occupancy = occupancy(
        device_in_use(), static_cast<int>(shape.block.count()),
        launch.prepared->resources.registers_per_thread,
        launch.prepared->resources.static_shared_bytes + static_cast<int>(shape.dynamic_shared_bytes));
    launch.code = code_of_kernel(*launch.prepared);
    auto start = std::chrono::steady_clock::now();
    if (!timing_costs_in_use().is_known()) {
        launch.is_calibrated = false;
        launch.problem = "No card has measured the operations of " + device_in_use().name +
                         "; run `lanewise-engine calibrate --out FILE` there.";
        return launch;
    }
    if (launch.occupancy.blocks_per_sm == 0) {
        launch.problem = "No block of this launch fits a multiprocessor, so it takes no time.";
        return launch;
    }
    if (ptx::waits_for_grid(launch.prepared->kernel)) {
        launch.problem =
            "The model of time does not know blocks that wait for each other (grid.sync()).";
        return launch;
    }
    if (ptx::works_in_clusters(launch.prepared->kernel)) {
        launch.problem = "The model of time does not know blocks that run in clusters.";
        return launch;
    }
    if (!launch.code.unknown.empty()) {
        launch.problem = "The model of time does not know " + launch.code.unknown + ".";
        return launch;
    }
    Recording recording(job, launch, cancel);
    launch.record = recording.take();
    count_machine_instructions(launch.code, launch.record.by_instruction.steps, launch.record.by_instruction.off,
                               launch.record.loops, launch.record.by_instruction.long_way);
    if (uses_local_memory(launch))
        launch.problem =
            "The model of time does not know local memory, where arrays lie that a thread indexes by data; "
            "`run` measures the launch on a GPU.";
    if (recording.has_fault())
        launch.problem = "The launch has a fault, which `trace` names, so its time is not modelled.";
    launch.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return launch;
}

static ModelRange range_in(const nlohmann::json& json) {
    return {json.at("low").get<double>(), json.at("high").get<double>(), json.at("launches").get<int>(), json.value("unseen_on", "")};
}

static Correction correction_in(const nlohmann::json& json) {
    Correction correction{json.at("base").get<double>(), {}};
    for (size_t i = 0; i < kPartNames.size(); ++i) correction.weights[i] = json.at(kPartNames[i]).get<double>();
    return correction;
}

static ModelRanges read_ranges(bool has_machine_code) {
    ModelRanges found;
    auto folder = content_folder() / "assets" / "devices" / "ranges";
    for (const auto& file : files_in(folder, ".json")) {
        try {
            auto json = nlohmann::json::parse(read_file(file));
            if (json.at("card") != device_in_use().name || json.value("machine_code", true) != has_machine_code)
                continue;
            found.in_all = range_in(json.at("in_all"));
            found.correction = correction_in(json.at("correction"));
            for (const auto& [limit, range] : json.at("by_limit").items())
                found.by_limit[limit] = range_in(range);
        } catch (const nlohmann::json::exception& error) {
            throw Error(Status::bad_input, file.string() + ": " + error.what() +
                                               "; write it anew with: lanewise-engine bench "
                                               "--predict --set making --ranges FILE");
        }
    }
    return found;
}

const ModelRanges& ranges_in_use(bool has_machine_code) {
    static const ModelRanges with = read_ranges(true), without = read_ranges(false);
    return has_machine_code ? with : without;
}

std::string ranges_json(const ModelRanges& ranges, const std::string& card, bool has_machine_code) {
    auto of = [](const ModelRange& range) {
        nlohmann::json written = {{"low", four_digits(range.low)}, {"high", four_digits(range.high)}, {"launches", range.launches}};
        if (!range.unseen_on.empty()) written["unseen_on"] = range.unseen_on;
        return written;
    };
    nlohmann::json json = {{"card", card}, {"in_all", of(ranges.in_all)}, {"by_limit", nlohmann::json::object()}};
    for (const auto& [limit, range] : ranges.by_limit) json["by_limit"][limit] = of(range);
    json["correction"]["base"] = four_digits(ranges.correction.base);
    for (size_t i = 0; i < kPartNames.size(); ++i)
        json["correction"][kPartNames[i]] = four_digits(ranges.correction.weights[i]);
    if (!has_machine_code) json["machine_code"] = false;
    return json.dump(2) + "\n";
}

namespace {

// The line on which most of `excess` is spent, of the steps that were recorded.
template <typename Excess>
int worst_line(const RecordedLaunch& launch, Excess excess) {
    std::map<int, double> by_line;
    for (const RecordedBlock& block : launch.record.blocks)
        for (const auto& warp : block.warps)
            for (const RecordedStep& step : warp) {
                if (step.is_off()) continue;
                const RecordedAccess* access =
                    step.has_access() ? &launch.record.accesses[step.access] : nullptr;
                double more = excess(launch.code.instructions[step.instruction], access);
                if (more > 0) by_line[launch.prepared->kernel.instructions[step.instruction].position.line] += more;
            }
    auto worst = std::max_element(by_line.begin(), by_line.end(),
                                  [](const auto& a, const auto& b) { return a.second < b.second; });
    return worst == by_line.end() ? 0 : worst->first;
}

double conflicts(const TimedInstruction&, const RecordedAccess* a) {
    return a && a->to == AccessTo::shared ? a->wavefronts - a->ideal_wavefronts : 0;
}
double wasted_sectors(const TimedInstruction&, const RecordedAccess* a) {
    return a ? double(a->sectors) - a->ideal_sectors : 0;
}
double split_copies(const TimedInstruction&, const RecordedAccess* a) {
    return a && a->sent_sectors > 0 ? double(a->sent_sectors) - a->sectors + a->requests - a->lines : 0;
}
double products(const TimedInstruction& timed, const RecordedAccess*) { return timed.unit == Unit::tensor ? timed.products : 0; }
double barrier_steps(const TimedInstruction& timed, const RecordedAccess*) {
    return timed.unit == Unit::barrier;
}
double collisions(const TimedInstruction&, const RecordedAccess* a) {
    bool is_atomic = a && (a->to == AccessTo::atomic || a->to == AccessTo::reduction || a->to == AccessTo::shared_atomic);
    return is_atomic ? a->turns : 0;
}
double no_steps(const TimedInstruction&, const RecordedAccess*) { return 0; }
double missed_loads(const TimedInstruction&, const RecordedAccess* a) {
    return a && a->to == AccessTo::global_load ? a->sectors : 0;
}

struct CauseRow {
    const char* name;
    bool WhatIf::*without;
    double (*excess)(const TimedInstruction&, const RecordedAccess*);
    const char* fix;
    bool is_rare = false;  // not there at all where no step has any of it
};
constexpr CauseRow kCauses[] = {
    {kConflictsCause, &WhatIf::no_bank_conflicts, conflicts,
     "pad the tile's rows by one word, or swizzle its columns"},
    {kSectorsCause, &WhatIf::full_sectors, wasted_sectors,
     "let neighbouring lanes read neighbouring words, or stage the tile in shared memory"},
    {"copies that arrive in pieces", &WhatIf::whole_copies, split_copies,
     "let each row of the tile begin at a multiple of 32 bytes: swizzle its columns of 16 bytes in place of padding", true},
    {kClockCause, &WhatIf::full_clock, products, "", true},
    {"warps that only sit out", &WhatIf::no_idle_steps, no_steps,
     "let the threads at work stand side by side, and whole warps leave at once"},
    {"waits at barriers", &WhatIf::no_barriers, barrier_steps,
     "use two buffers and one barrier a turn, or shuffles within the warp"},
    {"atomics that take turns", &WhatIf::no_collisions, collisions,
     "add up in shared memory or in registers first, and use one atomic a block"},
    {"too few blocks at once", &WhatIf::double_blocks, no_steps,
     "use fewer registers or less shared memory a block, or smaller blocks"},
    {"a last round that is not full", &WhatIf::no_tail, no_steps,
     "choose a grid of a multiple of the blocks that fit the card, or smaller blocks"},
    {"waits for loads", &WhatIf::no_latency, missed_loads,
     "ask for several words before the first is used: unroll the loop, or wider loads"},
    {"bytes from DRAM", &WhatIf::no_dram, missed_loads, ""},
};

}  // namespace

std::vector<LineHits> hits_by_line(const RecordedLaunch& launch, const LaunchTime& time) {
    const LaunchRecord& record = launch.record;
    const auto& kernel = launch.prepared->kernel;
    // What was simulated and looked at, as parts of the whole launch.
    const double scale = record.of_blocks / std::max(1.0, time.simulated.blocks);
    const double seen = record.read_sectors + record.again_sectors;
    const double grows = seen > 0 ? time.l2_missed / seen : 0;
    std::map<std::pair<std::string, int>, LineHits> lines;
    for (const auto& [instruction, found] : time.simulated.l1_by_instruction) {
        const auto& at = kernel.instructions[instruction].position;
        if (at.line <= 0) continue;
        const auto file = static_cast<size_t>(at.file);
        LineHits& line = lines[{file < kernel.files.size() ? kernel.files[file] : "", at.line}];
        line.l1_sectors += scale * found.first;
        line.l1_hit += scale * found.second;  // sectors, until all are added up
        if (instruction < record.fetched_by.size())
            line.l2_hit += grows * record.fetched_by[instruction];  // that it misses, likewise
    }
    std::vector<LineHits> all;
    for (auto& [place, line] : lines) {
        if (line.l1_sectors <= 0) continue;
        std::tie(line.file, line.line) = place;
        line.l2_sectors = line.l1_sectors - line.l1_hit;
        line.l1_hit /= line.l1_sectors;
        line.l2_hit = line.l2_sectors > 0 ? std::clamp(1 - line.l2_hit / line.l2_sectors, 0.0, 1.0) : 0;
        all.push_back(line);
    }
    return all;
}

std::vector<LineShare> shares_by_line(const RecordedLaunch& launch, const LaunchTime& time) {
    const auto& kernel = launch.prepared->kernel;
    const std::vector<double>& clocks = time.simulated.warp_clocks;
    const double all = std::accumulate(clocks.begin(), clocks.end(), 0.0);
    std::map<std::pair<std::string, int>, double> lines;
    for (size_t i = 0; i < clocks.size(); ++i) {
        const auto& at = kernel.instructions[i].position;
        if (at.line <= 0 || clocks[i] <= 0) continue;
        const auto file = static_cast<size_t>(at.file);
        lines[{file < kernel.files.size() ? kernel.files[file] : "", at.line}] += clocks[i] / all;
    }
    std::vector<LineShare> shares;
    for (const auto& [place, share] : lines) shares.push_back({place.first, place.second, share});
    return shares;
}

CauseTable causes_of(const RecordedLaunch& launch, const CancelFlag* cancel) {
    constexpr double kLeast = 0.01;
    auto timed = [&](const WhatIf& what) {
        if (cancel && *cancel) throw Cancelled{};
        return time_of(launch, what);
    };
    const LaunchTime time = timed({});
    CauseTable table;
    table.card = device_in_use().name;
    table.is_calibrated = launch.is_calibrated;
    table.holds = time.holds;
    table.sentence = time.sentence;
    if (!time.holds) return table;
    table.time_us = time.time_us;
    table.low_us = time.low_us;
    table.high_us = time.high_us;
    table.limited_by = time.limited_by;
    WhatIf all;
    for (const CauseRow& row : kCauses) {
        if (row.is_rare && worst_line(launch, row.excess) == 0) continue;
        WhatIf what;
        what.*row.without = true;
        double us = time.time_us - timed(what).time_us;
        // More blocks at once may cost more than they hide, as where they lose each other's lines in L1.
        all.*row.without = us >= 0;
        if (us < kLeast * time.time_us) continue;
        table.causes.push_back({row.name, us, worst_line(launch, row.excess), row.fix});
    }
    std::sort(table.causes.begin(), table.causes.end(),
              [](const TimeCause& a, const TimeCause& b) { return a.us > b.us; });
    table.without_us = timed(all).time_us;
    table.launch_us = std::min(device_in_use().launch_us, table.without_us);
    table.l1_hit = time.l1_hit;
    table.l2_hit = time.l2_hit;
    table.dram_read_bytes = time.dram_read_bytes;
    table.instructions = launch.code.machine.empty() ? 0 : time.instructions;
    table.lines = hits_by_line(launch, time);
    table.time_by_line = shares_by_line(launch, time);
    return table;
}

LaunchTime time_of(const RecordedLaunch& launch, const WhatIf& what) {
    LaunchTime time;
    time.sentence = launch.problem;
    if (!launch.problem.empty()) return time;
    const bool has_machine_code = !launch.code.machine.empty();
    time = time_of(device_in_use(), timing_costs_in_use(), launch.code, launch.record, launch.occupancy,
                   ranges_in_use(has_machine_code), what);
    if (time.holds && !has_machine_code)
        time.sentence = "Without the machine code, which ptxas makes, the time is rough. " + time.sentence;
    return time;
}

}  // namespace lanewise
