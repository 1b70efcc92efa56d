#include "model/simulation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <deque>
#include <queue>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "model/first_level.h"
#include "model/sizes.h"

namespace lanewise {
namespace {

// With what has no row of its own: it takes as long as an integer operation.
std::array<UnitCost, kUnits> unit_costs(const TimingCosts& timing) {
    std::array<UnitCost, kUnits> costs = timing.units;
    for (Unit unit : {Unit::branch, Unit::barrier, Unit::commit, Unit::wait, Unit::memory})
        costs[static_cast<size_t>(unit)] = timing.of(Unit::integer);
    return costs;
}

// Units of the same pipe take turns with each other.
size_t pipe_of(Unit unit) {
    switch (unit) {
        case Unit::function:
        case Unit::count:
        case Unit::convert:
            return 1;
        case Unit::real:
            return 2;
        case Unit::half:
        case Unit::single:
            return 3;
        case Unit::tensor:
            return 4;
        case Unit::shuffle:
        case Unit::vote:
        case Unit::reduce:
            return 5;
        case Unit::multiply:
            return 6;
        default:
            return 7;
    }
}
constexpr size_t kPipes = 8;

// What a machine instruction takes: of which pipe, for how long.
struct PipeUse {
    size_t pipe = kPipes;  // none
    double turn = 0;
};
// Whole numbers are multiplied in the unit for floats, which takes two clocks for them and for nothing else meanwhile.
constexpr size_t kFloats = 3, kShared = 5, kHalves = 6;
PipeUse pipe_use(MachineUnit unit, const std::array<UnitCost, kUnits>& costs) {
    auto turn = [&](Unit of) { return costs[static_cast<size_t>(of)].turn_clocks; };
    switch (unit) {
        case MachineUnit::alu:
            return {7, turn(Unit::compare)};
        case MachineUnit::fma:
            return {kFloats, turn(Unit::single)};
        case MachineUnit::half:  // HFMA2, beside which the unit for floats works
            return {kHalves, turn(Unit::compare)};
        case MachineUnit::multiply:
        case MachineUnit::half_mma:
            return {kFloats, turn(Unit::multiply)};
        case MachineUnit::special:
            return {1, turn(Unit::function)};
        case MachineUnit::real:
            return {2, turn(Unit::real)};
        case MachineUnit::shuffle:
            return {kShared, turn(Unit::shuffle) / kSchedulers};
        case MachineUnit::reduce:
            return {kShared, turn(Unit::reduce) / kSchedulers};
        default:  // products: Unit::tensor's, by their size
            return {};
    }
}

struct Resident {
    const RecordedBlock* block = nullptr;
    size_t waiting = 0, live = 0;
    double arrived = 0, ended = 0;
    double swapped = 0;  // when its swap loops so far have held
    std::vector<size_t> at_barrier;
};

// When what a warp's registers hold is there. Turns of a loop that ptxas has unrolled have registers of their own, which in
// PTX have one name: who reads what its own turn has written, or the one before, does not wait for the next turn's.
class Results {
  public:
    // turns: more than are ordered together, a power of two.
    void clear(size_t registers, size_t turns) {
        turns_ = turns;
        written_.assign(registers * turns, {});
    }
    void put(uint32_t r, uint32_t turn, double ready) { written_[r * turns_ + turn % turns_] = {turn, ready}; }
    // is_own: what this turn has written, if it has; else what was written last before it.
    double of(uint32_t r, uint32_t turn, bool is_own) const {
        const Written* all = &written_[r * turns_];
        if (turns_ == 1) return all->ready;
        if (const Written& own = all[turn % turns_]; is_own && own.turn == turn) return own.ready;
        const Written& before = all[(turn - 1) % turns_];
        if (turn > 0 && before.turn == turn - 1) return before.ready;
        const Written* last = nullptr;
        for (size_t i = 0; i < turns_; ++i)
            if (all[i].turn < turn && (!last || all[i].turn > last->turn)) last = &all[i];
        return last ? last->ready : 0;
    }

  private:
    struct Written {
        uint32_t turn = 0;
        double ready = 0;
    };
    size_t turns_ = 1;
    std::vector<Written> written_;
};

struct Running {
    const std::vector<RecordedStep>* steps = nullptr;
    size_t next = 0, slot = 0, scheduler = 0;
    uint64_t age = 0;  // the first to begin has the least
    double asked = -1;  // since when its next step could be issued, but for others; negative: it has not waited
    Results results;
    std::deque<double> groups;
    double copies = 0;  // when those of the open group are done
    double last = 0;    // when its last access has been taken
    double own = 0;     // clocks that it takes by itself, however long it waits for its turn beside others
    struct {
        const RecordedAccess* access = nullptr;
        double at = 0;     // by the warp's own clocks
        double count = 0;  // sectors that its multiprocessor had stored before
    } stored;              // its last store
    double since = 0;   // when its step before was issued
};

// Turns of the load/store unit, as l1tex__data_pipe_lsu_wavefronts counted them of the set's launches: for
// each line that a wavefront needs beside its first and L1 does not have; for each sector of a reduction;
// for a warp at a barrier. A line that is asked for and still on its way is as one that L1 does not have.
constexpr double kLineTurn = 0.35, kSectorTurn = 0.4, kBarrierTurn = 0.5;
// Until a warp knows where it goes on, whether or not it jumps: its stalls by the profiler's "branch resolving" are 8.0
// clocks for each branch of the set's launches that have few, 8 to 12 of those whose lanes part. Other warps go on meanwhile.
constexpr double kResolveClocks = 8;
// L1 looks up some three lines in a clock (look_clocks): of an access whose lanes hit 32 of them it takes 9 clocks where these
// lie at equal distances and 11.8 at random, though the profiler counts one turn and three. A warp alone waits two clocks
// for each (timed on an H200).
constexpr double kLookLate = 2;
// Of words at random in 4 GB each comes when its place in DRAM lets it: 729 clocks for one on an H200, with one warp on each
// multiprocessor; 822 until two are there, 911, 988, 1067 and 1192 for 4, 8, 16 and 32. In L2 they are all there at once.
constexpr double kPlaceLate = 70;
// What is left of copies' requests when multiprocessors ask for the same, if they are split since a tile's rows lie otherwise
// in shared memory: 0.92 on an H200, where 0.28 is left of whole ones.
constexpr double kApart = 0.92;
constexpr uint64_t kSectorsOfPlace = 32;

// By instruction, of what it reads: whether its own stretch of code has written that before.
std::vector<std::vector<uint8_t>> written_in_turn(const TimedCode& code) {
    std::vector<std::vector<uint8_t>> of_turn;
    std::vector<size_t> written(code.registers, 0);  // the stretch that did last
    size_t stretch = 0;
    for (size_t i = 0; i < code.instructions.size(); ++i) {
        const TimedInstruction& timed = code.instructions[i];
        if (i == 0 || timed.begins_run || code.instructions[i - 1].ends_run) ++stretch;
        std::vector<uint8_t>& of = of_turn.emplace_back();
        for (uint32_t r : timed.reads) of.push_back(written[r] == stretch);
        for (uint32_t r : timed.writes) written[r] = stretch;
    }
    return of_turn;
}

class Multiprocessor {
  public:
    Multiprocessor(const DeviceProfile& device, const TimingCosts& timing, const TimedCode& code, const LaunchRecord& record,
                   const SimulatedLaunch& launch, const WhatIf& what)
        : device_(device),
          costs_(device.costs),
          timing_(timing),
          code_(code),
          record_(record),
          launch_(launch),
          what_(what),
          units_(unit_costs(timing)),
          turns_{written_in_turn(code), 1},
          l1_(launch.l1_bytes) {
        double sms = device.sm_count, share = launch.sharing_sms / sms;
        share_.line = costs_.l2_read_line_clocks * sms * share;
        share_.sector = costs_.l2_read_sector_clocks * sms * share;
        share_.write_line = costs_.l2_write_line_clocks * sms * share;
        share_.write_sector = costs_.l2_write_sector_clocks * sms * share;
        share_.write_part = costs_.l2_write_part_clocks * sms * share;
        share_.dispatch = costs_.dispatch_clocks * launch.active_sms;
        double bytes_a_clock = costs_.dram_read_gb_per_s * 1e3 / device.sm_clock_mhz;
        for (const RecordedAccess& a : record.accesses)
            if (a.to == AccessTo::global_load || a.to == AccessTo::copy)
                for (uint32_t i = 0; i < a.sectors; ++i)
                    if (uint64_t packed = record.sectors[a.first_sector + i]; packed & 1)
                        from_dram_.insert(packed >> 1);
        share_.dram_sector = 32 * launch.sharing_sms / bytes_a_clock * launch.dram_factor;
        for (size_t unit = 0; unit < pipe_uses_.size(); ++unit)
            pipe_uses_[unit] = pipe_use(static_cast<MachineUnit>(unit), units_);
        int copies = 1;
        for (const TimedInstruction& timed : code.instructions) copies = std::max(copies, timed.copies);
        if (copies > 1) turns_.together = std::bit_ceil(static_cast<size_t>(std::min(copies, kMostTurns)) + 1);
        issue_turn_ = std::clamp(timing.of(Unit::integer).turn_clocks, 1.0, 2.0);
        result_.warp_clocks.assign(code.instructions.size(), 0);
    }

    SimulatedTime run(uint64_t blocks) {
        slots_.resize(static_cast<size_t>(launch_.resident));
        blocks_ = blocks;
        for (size_t slot = 0; slot < slots_.size() && begun_ < blocks; ++slot) {
            begin(slot, static_cast<double>(slot) * share_.dispatch);
        }
        for (;;) {
            if (queue_.empty() && !free_stuck()) break;
            while (!queue_.empty()) {
                const Event event = queue_.top();
                queue_.pop();
                advance(event.index, event.time);
            }
        }
        result_.blocks = static_cast<double>(begun_);
        result_.clocks = std::max(end_, std::max(free_.dram, std::max(free_.l2, free_.atomic)));
        result_.steady_clocks = steady();
        result_.ends = ends_;
        return std::move(result_);
    }

  private:
    // Of two warps at one time the older one comes first, but before it who has waited longer for the tensor cores: on an
    // H200 four warps with one chain of products each keep them busy, and end together.
    struct Event {
        double time;
        double rank;
        size_t index;
        bool operator>(const Event& other) const { return std::tie(time, rank) > std::tie(other.time, other.rank); }
    };
    void wait(size_t index, double until) { queue_.push({until, static_cast<double>(running_[index].age), index}); }
    void wait_in_line(size_t index, double until) {
        constexpr double kBeforeAll = 1e15;
        queue_.push({until, running_[index].asked - kBeforeAll, index});
    }

    void begin(size_t slot, double time) {
        const RecordedBlock& block = record_.blocks[begun_++ % record_.blocks.size()];
        Resident& resident = slots_[slot];
        resident = {&block, 0, block.warps.size(), 0, time, 0, {}};
        size_t warps = block.warps.size();
        if (running_.size() < slots_.size() * warps) running_.resize(slots_.size() * warps);
        for (size_t w = 0; w < warps; ++w) {
            size_t index = slot * warps + w;
            Running& warp = running_[index];
            warp.steps = &block.warps[w];
            warp.next = 0;
            warp.slot = slot;
            warp.scheduler = index % kSchedulers;
            warp.results.clear(code_.registers, turns_.together);
            warp.groups.clear();
            warp.copies = warp.last = 0;
            warp.own = 0;
            warp.stored = {};
            warp.since = time + costs_.block_warp_clocks * static_cast<double>(w);
            warp.age = begun_ * warps + w;
            warp.asked = -1;
            wait(index, warp.since);
        }
    }

    // One warp's steps, as long as no other warp comes first.
    void advance(size_t index, double time) {
        Running& warp = running_[index];
        for (;;) {
            if (warp.next == warp.steps->size()) return end_warp(index, time);
            if (!queue_.empty() && queue_.top().time < time) return wait(index, time);
            const RecordedStep& step = (*warp.steps)[warp.next];
            const TimedInstruction& timed = code_.instructions[step.instruction];
            if (step.is_off() && what_.no_idle_steps) {
                ++warp.next;
                continue;
            }
            double ready = time;
            const std::vector<uint8_t>& is_own = turns_.is_own[step.instruction];
            for (size_t i = 0; i < timed.reads.size(); ++i)
                ready = std::max(ready, warp.results.of(timed.reads[i], step.turn, is_own[i] != 0));
            if (timed.unit == Unit::wait) ready = std::max(ready, copies_ready(warp, timed));
            // Another name for what is read: nothing is issued, so the warp does not wait for it.
            bool is_nothing = timed.issues + timed.beside <= 0 && !step.has_access() && !step.is_off() &&
                              timed.unit != Unit::barrier;
            if (ready > time && (!is_nothing || timed.unit == Unit::wait)) {
                warp.own += ready - time;
                return wait(index, ready);
            }
            if (!is_nothing) {
                const double start = earliest(warp, timed, time, !step.is_off() && timed.beside > 0);
                if (start > time && !queue_.empty() && queue_.top().time <= start) {
                    if (warp.asked < 0) warp.asked = time;
                    return timed.unit == Unit::tensor ? wait_in_line(index, start) : wait(index, start);
                }
                if (warp.asked >= 0) time = std::exchange(warp.asked, -1.0);
            }
            ++warp.next;
            if (step.is_off()) {
                time = pass_off(warp, timed, step.turn, time);
                passes(warp, step.instruction, time);
                continue;
            }
            if (is_nothing) {
                passes(warp, step.instruction, time);
                for (uint32_t r : timed.writes) warp.results.put(r, step.turn, ready);
                if (timed.unit == Unit::commit) commit(warp);
                continue;
            }
            double issued = issue(warp, timed, time, timed.beside);
            bool is_known = timed.stalls + timed.stalls_beside > 0;
            const double takes = std::max(1.0, is_known ? timed.stalls + timed.stalls_beside : timed.issues + timed.beside);
            warp.own += takes;
            time = issued + takes;
            if (timed.unit == Unit::branch) {
                const double resolves = kResolveClocks * std::min(1.0, timed.issues);
                warp.own += resolves;
                time += resolves;
            }
            if (timed.unit == Unit::barrier) {
                take_lsu(issued, kBarrierTurn);
                passes(warp, step.instruction, time);
                if (!what_.no_barriers) return wait_at_barrier(index, time);
                continue;
            }
            if (timed.unit == Unit::commit) commit(warp);
            // Where the schedule is known, it holds up the warp until such a result is there.
            double done = timed.is_scheduled ? issued : issued + latency_of(timed);
            if (timed.unit == Unit::shuffle) done = std::max(done, take_lsu(issued, 1) + latency_of(timed));
            if (step.has_access())
                done = access(warp, step.instruction, record_.accesses[step.access], issued, time);
            // A matrix that MOVM turns once it is loaded.
            if (const double moves = timed.unit == Unit::shuffle ? 0 : uses_of(timed, MachineUnit::shuffle); moves > 0)
                done = std::max(done, take_lsu(issued, moves)) + units_[static_cast<size_t>(Unit::shuffle)].late_clocks;
            for (uint32_t r : timed.writes) warp.results.put(r, step.turn, done);
            passes(warp, step.instruction, time);
        }
    }

    // What has its guard off takes its turns as ever, and what reads its result waits for it. An access goes
    // through the load/store unit, and nowhere further.
    double pass_off(Running& warp, const TimedInstruction& timed, uint32_t turn, double time) {
        if (timed.issues <= 0) return time;
        double issued = issue(warp, timed, time, 0);
        double done = timed.is_scheduled ? issued : issued + latency_of(timed);
        if (timed.unit == Unit::memory) done = take_lsu(issued, 1) + timing_.shared.latency_clocks;
        for (uint32_t r : timed.writes) warp.results.put(r, turn, done);
        return issued + std::max({1.0, timed.issues, timed.stalls});
    }

    // The warp is past this instruction.
    void passes(Running& warp, uint32_t instruction, double time) {
        result_.warp_clocks[instruction] += time - warp.since;
        warp.since = time;
    }

    double copies_ready(const Running& warp, const TimedInstruction& timed) const {
        double ready = 0;
        auto left = static_cast<size_t>(timed.groups_left);
        for (size_t i = 0; i + left < warp.groups.size(); ++i) ready = std::max(ready, warp.groups[i]);
        return ready;
    }

    static void commit(Running& warp) {
        warp.groups.push_back(warp.copies);
        warp.copies = 0;
        if (warp.groups.size() > 16) warp.groups.pop_front();
    }

    // An instruction of several takes them one after another.
    double latency_of(const TimedInstruction& timed) const {
        double late = units_[static_cast<size_t>(timed.unit)].late_clocks;
        double more = timed.unit == Unit::tensor ? 0 : std::max(0.0, timed.issues - 1);
        if (timed.unit == Unit::tensor) {
            const UnitCost& one = timed.is_wide ? timing_.real_products : units_[static_cast<size_t>(timed.unit)];
            return one.late_clocks + (timed.products - 1) * one.turn_clocks;
        }
        return late + more * timing_.of(Unit::single).late_clocks;
    }

    // When it can be issued, were it the next: its scheduler, its units and its registers' banks are free then.
    double earliest(const Running& warp, const TimedInstruction& timed, double time, bool with_others) {
        double start = std::max(time, free_.issue[warp.scheduler]);
        if (timed.stalls + timed.stalls_beside <= 0) {
            const size_t pipe = pipe_of(timed.unit);
            return std::max(start, pipe == 5 ? free_.shared_unit : free_.unit[warp.scheduler][pipe]);
        }
        each_use(timed, with_others, [&](const PipeUse& use, float) { start = std::max(start, pipe_of_warp(warp, use.pipe)); });
        if (timed.unit == Unit::tensor) start = std::max(start, pipe_of_warp(warp, pipe_of(Unit::tensor)));
        // Operands wait for their registers' bank; some are fetched ahead.
        constexpr double kAhead = 4;
        for (double bank : free_.banks[warp.scheduler]) start = std::max(start, bank - kAhead);
        return start;
    }

    template <class Take>
    void each_use(const TimedInstruction& timed, bool with_others, Take take) const {
        auto all_of = [&](const std::vector<std::pair<MachineUnit, float>>& uses) {
            for (const auto& [unit, count] : uses)
                if (const PipeUse& use = pipe_uses_[static_cast<size_t>(unit)]; use.pipe < kPipes) take(use, count);
        };
        all_of(timed.uses);
        if (with_others) all_of(timed.uses_beside);
    }

    double issue(Running& warp, const TimedInstruction& timed, double time, double beside) {
        double issues = std::max(timed.issues, 0.0), all = issues + beside;
        double& free = free_.issue[warp.scheduler];
        if (timed.stalls + timed.stalls_beside > 0) return issue_known(warp, timed, time, beside > 0, all);
        size_t pipe = pipe_of(timed.unit);
        double& unit = pipe == 5 ? free_.shared_unit : free_.unit[warp.scheduler][pipe];
        double turn = units_[static_cast<size_t>(timed.unit)].turn_clocks;
        double start = earliest(warp, timed, time, beside > 0);
        free = start + all;
        if (pipe == 5)
            unit = start + turn / kSchedulers;
        else if (timed.unit == Unit::tensor)
            take_tensor(warp, timed, start);
        else
            unit = start + turn + std::max(0.0, issues - 1);
        result_.issued += all;
        result_.issue_busy += all / kSchedulers;
        return start;
    }

    double& pipe_of_warp(const Running& warp, size_t pipe) {
        return pipe == kShared ? free_.shared_unit : free_.unit[warp.scheduler][pipe];
    }

    void take_tensor(const Running& warp, const TimedInstruction& timed, double start) {
        const UnitCost& one = timed.is_wide ? timing_.real_products : units_[static_cast<size_t>(Unit::tensor)];
        const double takes = one.turn_clocks * timed.products;
        pipe_of_warp(warp, pipe_of(Unit::tensor)) = start + takes;
        result_.tensor_busy += takes / kSchedulers;
    }

    // Of the machine code's own units.
    double issue_known(const Running& warp, const TimedInstruction& timed, double time, bool with_others,
                       double all) {
        double& free = free_.issue[warp.scheduler];
        // While a warp waits for its unit, others are issued.
        const double slot = std::max(time, free), start = earliest(warp, timed, time, with_others);
        std::array<double, 2>& banks = free_.banks[warp.scheduler];
        for (size_t b = 0; b < banks.size(); ++b) banks[b] = std::max(banks[b], start) + timed.bank_reads[b];
        each_use(timed, with_others, [&](const PipeUse& use, float count) {
            double& pipe = pipe_of_warp(warp, use.pipe);
            pipe = std::max(pipe, start) + count * use.turn;
        });
        if (timed.unit == Unit::tensor) take_tensor(warp, timed, start);
        free = slot + all * issue_turn_;
        result_.issued += all;
        result_.issue_busy += all / kSchedulers;
        return start;
    }

    double access(Running& warp, uint32_t instruction, const RecordedAccess& a, double issued,
                  double& time) {
        switch (a.to) {
            case AccessTo::shared:
            case AccessTo::shared_atomic:
                return shared(warp, a, loads_for(instruction, a), issued, time);
            case AccessTo::atomic:
            case AccessTo::reduction:
                return atomic(warp, instruction, a, issued, time);
            case AccessTo::global_store:
                return store(warp, a, issued, time);
            case AccessTo::by_values:
                return by_values(a, issued);
            case AccessTo::global_load:
            case AccessTo::copy:
                break;
        }
        double done = load(instruction, a, issued);
        if (a.to == AccessTo::copy) {
            warp.copies = std::max(warp.copies, done);
            return issued;
        }
        return what_.no_latency ? issued + costs_.l1_latency_clocks : done;
    }

    double take_lsu(double from, double turns) { return take_lsu(from, turns, turns); }
    // turns: as the profiler counts them; takes: clocks, more where something else is the slower part.
    double take_lsu(double from, double turns, double takes) {
        double start = std::max(from, free_.lsu);
        free_.lsu = start + takes;
        result_.lsu_busy += takes;
        result_.lsu_turns += turns;
        return start;
    }

    static double uses_of(const TimedInstruction& timed, MachineUnit of) {
        double uses = 0;
        for (const auto& [unit, count] : timed.uses)
            if (unit == of) uses += count;
        return uses;
    }

    // How many loads of shared memory the machine makes for one of the PTX: where it keeps a word in a register for the
    // next turns of a loop that it unrolled, fewer than one.
    double loads_for(uint32_t instruction, const RecordedAccess& a) const {
        if (code_.machine.empty() || a.to != AccessTo::shared || !a.is_needed) return 1;
        return std::min(1.0, uses_of(code_.instructions[instruction], MachineUnit::memory));
    }

    double shared(const Running& warp, const RecordedAccess& a, double loads, double issued, double& time) {
        bool is_atomic = a.to == AccessTo::shared_atomic;
        double wavefronts = what_.no_bank_conflicts ? std::min(a.wavefronts, a.ideal_wavefronts)
                                                    : a.wavefronts;
        if (is_atomic && what_.no_collisions) wavefronts = 1;
        if (a.swaps) return swap(warp, issued, what_.no_collisions ? 1 : a.turns, time);
        if (loads <= 0) return issued;
        double start = take_lsu(issued, loads * wavefronts * costs_.wavefront_clocks);
        double late = is_atomic ? timing_.shared.atomic_late_clocks : timing_.shared.latency_clocks;
        return start + late + wavefronts - 1;
    }

    // The warp goes round until all its lanes' swaps hold. Those of a block's other warps make them fail: in the
    // calibration all warps change the same words at the same time, so that it has twice as many turns as a kernel
    // (as far as the two of the set tell that add floats so).
    double swap(const Running& warp, double issued, double turns, double& time) {
        constexpr double kContention = 0.5, kIssues = 5, kAccesses = 2;  // load, add, swap, compare, branch
        double& held = slots_[warp.slot].swapped;
        double start = std::max(take_lsu(issued, kAccesses * turns), held);
        held = start + kContention * turns * timing_.shared.swap.turn_clocks;
        double again = kIssues * (turns - 1);  // the first turn is the instruction's own
        result_.issued += again;
        result_.issue_busy += again / kSchedulers;
        free_.issue[warp.scheduler] += again;
        time = std::max(time, std::max(held, start + turns * timing_.shared.swap.late_clocks));
        return time;
    }

    // Of global memory, in L1.
    double wavefronts_of(const RecordedAccess& a) const {
        return std::max(1.0f, what_.full_sectors ? std::min(a.wavefronts, a.ideal_wavefronts) : a.wavefronts);
    }

    double load(uint32_t instruction, const RecordedAccess& a, double issued) {
        double ready = 0, missing = 0, missing_lines = 0, waiting_lines = 0, lines = 0, fetched = 0, late = 0;
        double places = 0;  // in DRAM, that are waited for
        uint64_t last = ~0ull, line_before = ~0ull, waiting_before = ~0ull, place_before = ~0ull;
        double keep = what_.full_sectors && a.sectors > 0 ? double(a.ideal_sectors) / a.sectors : 1;
        std::array<uint64_t, 64> asked;
        size_t count = 0;
        l1_.begin_access();
        for (uint32_t i = 0; i < a.sectors; ++i) {
            uint64_t packed = record_.sectors[a.first_sector + i], sector = packed >> 1;
            double there = a.passes_l1 ? -1 : l1_.find(sector);
            const bool is_again = a.repeats && std::find(asked.begin(), asked.begin() + count, sector) != asked.begin() + count;
            lines += sector / 4 != std::exchange(line_before, sector / 4);
            if (there >= 0 || is_again) {
                ready = std::max(ready, there);
                if (there > issued && sector / 4 != last) waiting_lines += sector / 4 != std::exchange(waiting_before, sector / 4);
                continue;
            }
            ++missing;
            missing_lines += sector / 4 != last;
            last = sector / 4;
            bool comes = from_dram_.erase(sector) != 0;
            bool is_left = is_left_in_l2(sector);
            fetched += comes && !is_left;
            bool is_late = record_.is_late.empty() ? comes : record_.is_late[a.first_sector + i] != 0;
            if (is_late && !is_left && came_.insert(sector).second) {
                ++late;
                places += sector / kSectorsOfPlace != std::exchange(place_before, sector / kSectorsOfPlace);
            }
            if (count < asked.size()) asked[count++] = sector;
        }
        result_.l1_sectors += a.sectors;
        result_.l1_hits += a.sectors - missing;
        result_.fetched += fetched;
        auto& by = result_.l1_by_instruction[instruction];
        by.first += a.sectors;
        by.second += a.sectors - missing;
        double waves = wavefronts_of(a);
        // What is copied past L1 takes one turn, and goes to its place as it comes.
        const bool is_sent = a.sent_sectors > 0;
        if (is_sent) waves = 1;
        double turns = waves * costs_.l1_load_line_clocks + kLineTurn * std::max(0.0, missing_lines + waiting_lines - waves);
        if (a.to == AccessTo::copy) turns = is_sent ? 1 : 1 + waves;
        double start = take_lsu(issued, turns, std::max(turns, timing_.look_clocks * lines));
        ready = std::max(ready, start + costs_.l1_latency_clocks + std::max(waves - 1, kLookLate * (lines - 1)));
        if (missing == 0) return ready;
        double share = together(instruction, missing / std::max(1.0, missing_lines));
        if (is_sent) {
            if (a.requests > missing_lines && !what_.whole_copies) share = std::max(share, kApart);
            // L2 takes 0.65 of a load's line for such a request, and 1.05 of a load's sector for each that it sends (timed on an
            // H200).
            constexpr double kRequest = 0.65, kSent = 1.05;
            if (!what_.whole_copies) {
                missing = std::max(missing, kSent * a.sent_sectors);
                missing_lines = std::max(missing_lines, kRequest * a.requests);
            }
        }
        double done = from_l2(start, missing * keep, missing_lines * keep, fetched * keep, late * keep, share);
        if (places > 1 && !what_.no_dram) done += kPlaceLate * std::log2(places);
        l1_.begin_access();
        for (size_t i = 0; i < count; ++i) l1_.put(asked[i], done);
        return std::max(ready, done);
    }

    // Whether the launch before left it: whole lines stay or go.
    bool is_left_in_l2(uint64_t sector) const {
        constexpr double kAll = 1 << 20;
        uint64_t line = sector / 4 * 0x9E3779B97F4A7C15ull;
        return static_cast<double>(line >> 44) >= launch_.dram_share * kAll;
    }

    // What L2 has less to do for a load, since multiprocessors beside this one ask for the same at the same time. Of what
    // could be asked for together half is; and what comes back takes its way to each of them. Whole lines at random keep its
    // slices more evenly busy than all multiprocessors that walk through a buffer side by side: 11.6 TB/s in place of 9.4 on
    // an H200.
    double together(uint32_t instruction, double sectors_of_line) const {
        constexpr double kMeet = 0.5, kMost = 0.22, kGathered = 0.85, kNearlyWhole = 3;
        const auto& by = record_.by_instruction;
        const double gathered = code_.instructions[instruction].load.is_gather && sectors_of_line > kNearlyWhole ? kGathered : 1;
        if (instruction >= by.asked.size() || by.asked[instruction] <= 0) return gathered;
        return std::min(gathered, 1 - std::min(kMost, kMeet * by.together[instruction] / by.asked[instruction]));
    }

    // fetched: that come from DRAM for this; late: that come from there just now, for whomever.
    double from_l2(double start, double sectors, double lines, double fetched, double late_sectors, double share = 1) {
        // A line's four sectors come as fast as L1 takes lines.
        double takes = std::max(sectors / 4 * costs_.l1_load_line_clocks,
                                share * (lines * share_.line + sectors * share_.sector));
        double at = std::max(start, free_.l2);
        free_.l2 = at + takes;
        result_.l2_busy += takes;
        double late = costs_.l2_latency_clocks;
        const double more_often = std::max(1.0, launch_.dram_share);
        double come = fetched * more_often, wait = late_sectors * more_often;
        if ((come > 0 || wait > 0) && !what_.no_dram) {
            double dram = std::max(at, free_.dram);
            free_.dram = dram + come * share_.dram_sector;
            result_.dram_busy += come * share_.dram_sector;
            double waits = std::min(1.0, wait);
            double more = costs_.dram_latency_clocks - costs_.l2_latency_clocks;
            if (wait > 0) at = std::max(at, dram);
            // While a channel writes, reads wait for it.
            double writes = std::min(1.0, so_far_.dram_writing / std::max(1.0, free_.dram));
            late += waits * (more + writes * costs_.dram_write_batch_clocks);
        }
        return at + late + takes;
    }

    // One for the addresses, then the data.
    double store_turns(const RecordedAccess& a) const {
        double waves = wavefronts_of(a);
        return 1 + waves + kLineTurn * std::max(0.0, a.lines - waves);
    }

    // Of two stores that a warp makes one soon after the other, L1 mostly sends what they have in one sector together. How
    // many of a's sectors and lines leave on their own. (Timed on an H200 with stores of 4 to 16 bytes: they always do on
    // an idle multiprocessor within some thirty clocks, less often the more sectors other warps write at the same time, as
    // L1 has place for 64.)
    std::pair<double, double> leaving(Running& warp, const RecordedAccess& a) {
        constexpr double kSoon = 60, kPlaces = 64, kFew = 600, kLeast = 0.1, kMost = 0.85, kBytes = 0.2;  // by the warp's own clocks; sectors
        const double now = so_far_.stored;
        so_far_.stored += a.sectors;
        const auto [before, at, count] = std::exchange(warp.stored, {&a, warp.own, now});
        double sectors = a.sectors, lines = a.lines;
        if (before == nullptr || warp.own - at > kSoon || a.sectors == 0) return {sectors, lines};
        auto sector_of = [&](const RecordedAccess& of, uint32_t i) { return record_.sectors[of.first_sector + i] >> 1; };
        double both = 0;
        for (uint32_t i = 0, other = 0; i < a.sectors; ++i) {
            while (other < before->sectors && sector_of(*before, other) < sector_of(a, i)) ++other;
            both += other < before->sectors && sector_of(*before, other) == sector_of(a, i);
        }
        // What has left its place since went alone: of what came to the set's launches at once a seventh did, of what came some
        // 300 sectors later about half, 800 later nine tenths (the profiler's sectors of stores in L1 and in L2). Of single
        // bytes no more than two leave together.
        const double since = now - count, meet = std::clamp(1 - (since - kPlaces) / kFew, kLeast, kMost);
        if (both > 0 && a.ideal_sectors < kBytes * a.sectors) warp.stored = {};
        double left = 1 - meet * both / sectors;
        return {sectors * left, lines * left};
    }

    double store(Running& warp, const RecordedAccess& a, double issued, double& time) {
        double start = take_lsu(issued, store_turns(a));
        double share = what_.full_sectors && a.sectors > 0 ? std::min(1.0, double(a.ideal_sectors) / a.sectors) : 1;
        const bool are_whole = a.sectors == a.ideal_sectors;
        l1_.begin_access();
        for (uint32_t i = 0; i < a.sectors && !a.passes_l1; ++i)
            l1_.put(record_.sectors[a.first_sector + i] >> 1, are_whole ? start : -1);
        const auto [sectors, lines] = leaving(warp, a);
        double out = std::max(start, free_.store);
        double port = share * (lines * costs_.l1_store_line_clocks + sectors * costs_.l1_store_sector_clocks);
        // Less than half of a sector, so that two of these do not make it whole, takes longer where a line has several.
        constexpr double kSmall = 0.45, kOfFour = 4.0 / 3;
        const double parts = a.ideal_sectors < kSmall * a.sectors ? std::min(sectors, kOfFour * std::max(0.0, sectors - lines)) : 0;
        double takes = share * (lines * share_.write_line + sectors * share_.write_sector + parts * share_.write_part) * record_.crowded_stores;
        free_.store = out + port;
        double at = std::max(out, free_.l2);
        free_.l2 = at + takes;
        result_.l2_busy += takes;
        if (launch_.write_clocks > 0 && !what_.no_dram) {
            double comes = 0;
            for (uint32_t i = 0; i < a.sectors; ++i) comes += (record_.sectors[a.first_sector + i] & 1) != 0;
            free_.dram = std::max(free_.dram, at) + share * comes * launch_.write_clocks;
            result_.dram_busy += share * comes * launch_.write_clocks;
            so_far_.dram_writing += share * comes * launch_.write_clocks;
        }
        // What cannot leave holds up those behind it.
        constexpr double kQueue = 400;
        time = std::max(time, std::max(at, free_.dram - 4 * kQueue) - kQueue);
        warp.last = std::max(warp.last, at);
        return issued;
    }

    // match.any compares with one value after another, and what reads constant memory takes one address after another, for
    // one warp after another. Timed on an H200 with 1 to 32 different ones: a chain of them on one warp, and 32 warps of
    // a multiprocessor at once. Both take 11 clocks more for each.
    double by_values(const RecordedAccess& a, double issued) {
        constexpr double kLate = 25, kLateOfValue = 11, kTurnOfValue = 2;
        double start = std::max(issued, free_.by_values);
        free_.by_values = start + kTurnOfValue * a.turns;
        return start + kLate + kLateOfValue * a.turns;
    }

    double atomic(Running& warp, uint32_t instruction, const RecordedAccess& a, double issued, double& time) {
        bool is_reduction = a.to == AccessTo::reduction;
        double start = take_lsu(issued, is_reduction ? 1 + kSectorTurn * a.sectors : std::max<double>(1, a.sectors));
        double at = std::max(start, free_.atomic);
        double takes = what_.no_collisions ? 0 : launch_.atomic_clocks;
        free_.atomic = at + takes;
        result_.atomic_busy += takes;
        double out = from_l2(start, a.sectors, a.lines, 0, 0) - costs_.l2_latency_clocks;
        at = std::max(at, out);
        warp.last = std::max(warp.last, at);
        constexpr double kQueue = 2000;
        time = std::max(time, at - kQueue);
        if (const RecordedSwap* swap = launch_.swaps_again > 0 ? record_.swaps.of(instruction) : nullptr; swap && !what_.no_collisions)
            return swap_again(*swap, a, at + timing_.atomics.latency_clocks, time);
        return a.to == AccessTo::atomic ? at + timing_.atomics.latency_clocks : issued;
    }

    // Once more for each swap that others have spoiled (launch_record.h), from the first one's answer on.
    double swap_again(const RecordedSwap& swap, const RecordedAccess& a, double answered, double& time) {
        const double again = launch_.swaps_again, takes = launch_.atomic_clocks * again;
        double executed = 0;
        for (uint32_t i = swap.head; i <= swap.back; ++i) executed += code_.instructions[i].issues + code_.instructions[i].beside;
        result_.issued += again * executed;
        result_.issue_busy += again * executed / kSchedulers;
        take_lsu(free_.lsu, again * std::max<double>(1, a.sectors));
        free_.atomic += takes;
        result_.atomic_busy += takes;
        time = std::max(time, std::max(free_.atomic, answered + again * (timing_.atomics.latency_clocks + executed)));
        return time;
    }

    void wait_at_barrier(size_t index, double time) {
        Resident& resident = slots_[running_[index].slot];
        resident.at_barrier.push_back(index);
        resident.arrived = std::max(resident.arrived, time);
        release(resident);
    }

    void release(Resident& resident) {
        if (resident.at_barrier.empty() || resident.at_barrier.size() < resident.live) return;
        double open = resident.arrived + costs_.barrier_clocks;
        for (size_t index : resident.at_barrier) {
            Running& warp = running_[index];
            passes(warp, (*warp.steps)[warp.next - 1].instruction, open);
            wait(index, open);
            open += costs_.barrier_warp_clocks;  // they leave one after another
        }
        resident.at_barrier.clear();
        resident.arrived = 0;
    }

    // Where some wait for others that have ended or never come.
    bool free_stuck() {
        bool found = false;
        for (Resident& resident : slots_) {
            if (resident.at_barrier.empty()) continue;
            for (size_t index : resident.at_barrier) wait(index, resident.arrived);
            resident.at_barrier.clear();
            found = true;
        }
        return found;
    }

    void end_warp(size_t index, double time) {
        Running& warp = running_[index];
        Resident& resident = slots_[warp.slot];
        resident.ended = std::max({resident.ended, time, warp.last});
        if (--resident.live > 0) return release(resident);
        end_ = std::max(end_, resident.ended);
        ends_.push_back(resident.ended);
        if (begun_ >= blocks_) return;
        double next = std::max(resident.ended + costs_.block_clocks, so_far_.dispatched + share_.dispatch);
        so_far_.dispatched = next;
        begin(warp.slot, next);
    }

    // Between the ends of the second and the last but one round of blocks.
    double steady() {
        std::sort(ends_.begin(), ends_.end());
        size_t count = ends_.size(), round = slots_.size();
        if (count < 2) return end_;
        size_t first = count > 3 * round ? round - 1 + round / 2 : 0, last = count - 1;
        if (count > 3 * round) last = count - 1 - round;
        if (last <= first) return end_ / static_cast<double>(count);
        return (ends_[last] - ends_[first]) / static_cast<double>(last - first);
    }

    const DeviceProfile& device_;
    const MachineCosts& costs_;
    const TimingCosts& timing_;
    const TimedCode& code_;
    const LaunchRecord& record_;
    const SimulatedLaunch& launch_;
    const WhatIf& what_;
    std::array<UnitCost, kUnits> units_;
    struct {
        std::vector<std::vector<uint8_t>> is_own;  // by instruction and what it reads: whether its turn has written it
        size_t together = 1;
    } turns_;
    std::array<PipeUse, static_cast<size_t>(MachineUnit::barrier) + 1> pipe_uses_;
    double issue_turn_ = 1;  // of a scheduler that always has a warp: sums and logic, which two units share
    FirstLevel l1_;
    std::unordered_set<uint64_t> from_dram_;  // sectors that have not come yet
    std::unordered_set<uint64_t> came_;       // those that a load has waited for
    // Clocks of what all multiprocessors share, as this one sees them.
    struct {
        double line = 0, sector = 0, write_line = 0, write_sector = 0, write_part = 0;  // of L2
        double dram_sector = 0;
        double dispatch = 0;  // from one block's begin to the next one's
    } share_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> queue_;
    std::vector<Resident> slots_;
    std::vector<Running> running_;
    uint64_t begun_ = 0, blocks_ = 0;
    // When each has done what it was given so far.
    struct {
        std::array<double, kSchedulers> issue{};
        std::array<std::array<double, 2>, kSchedulers> banks{};  // of registers
        std::array<std::array<double, kPipes>, kSchedulers> unit{};
        double shared_unit = 0;  // of shuffles and reductions, which the schedulers share
        double lsu = 0, l2 = 0, dram = 0, store = 0, atomic = 0, by_values = 0;
    } free_;
    struct {
        double dram_writing = 0;  // of DRAM's time
        double stored = 0;        // sectors
        double dispatched = 0;
    } so_far_;
    double end_ = 0;
    std::vector<double> ends_;
    SimulatedTime result_;
};

}  // namespace

SimulatedTime simulate(const DeviceProfile& device, const TimingCosts& timing, const TimedCode& code, const LaunchRecord& record,
                       const SimulatedLaunch& launch, const WhatIf& what, uint64_t most_blocks) {
    SimulatedLaunch shape = launch;
    if (what.double_blocks) shape.resident *= 2;
    uint64_t blocks = std::min(launch.blocks, std::max<uint64_t>(most_blocks, 1));
    Multiprocessor multiprocessor(device, timing, code, record, shape, what);
    SimulatedTime time = multiprocessor.run(blocks);
    time.clocks += static_cast<double>(launch.blocks - blocks) * time.steady_clocks;
    return time;
}

}  // namespace lanewise
