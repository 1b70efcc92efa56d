// The simulation of a multiprocessor: kernels of a few instructions on a made-up card, whose clocks
// can be counted by hand.
#include "model/simulation.h"

#include <gtest/gtest.h>

#include "model/launch_time.h"

namespace lanewise {
namespace {

DeviceProfile made_up_card() {
    DeviceProfile device;
    device.sm_count = 1;
    device.sm_clock_mhz = 1000;
    device.costs.dram_read_gb_per_s = device.costs.dram_write_gb_per_s = 32;  // 32 bytes a clock
    device.costs.l1_latency_clocks = 50;
    device.costs.l2_latency_clocks = 200;
    device.costs.dram_latency_clocks = 600;
    device.costs.l1_load_line_clocks = 1;
    device.costs.l2_read_line_clocks = 1;
    device.costs.wavefront_clocks = 1;
    device.costs.barrier_clocks = 10;
    device.costs.block_clocks = 100;
    return device;
}

TimingCosts timing() {
    TimingCosts costs;
    costs.of(Unit::single).late_clocks = 4;
    costs.of(Unit::single).turn_clocks = costs.of(Unit::integer).turn_clocks = 1;
    costs.of(Unit::integer).late_clocks = 4;
    costs.shared.latency_clocks = 20;
    costs.look_clocks = 0.33;
    return costs;
}

TimedInstruction instruction(Unit unit, std::vector<uint32_t> reads, std::vector<uint32_t> writes) {
    TimedInstruction timed;
    timed.unit = unit;
    timed.reads = std::move(reads);
    timed.writes = std::move(writes);
    return timed;
}

LaunchRecord record_of(size_t warps, std::vector<RecordedStep> steps) {
    LaunchRecord record;
    record.blocks.push_back({0, 0, std::vector<std::vector<RecordedStep>>(warps, steps)});
    record.of_blocks = record.looked_at = 1;
    return record;
}

// Each of a chain's four multiply-adds waits 4 clocks for the one before; the last takes its turn.
TEST(Simulation, AChainWaitsForEachResult) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::single, {0}, {0})};
    LaunchRecord record = record_of(1, {{0}, {0}, {0}, {0}});
    EXPECT_DOUBLE_EQ(3 * 4 + 1, simulate(made_up_card(), timing(), code, record, {}, {}, 1).clocks);
}

// A warp's time is its instructions': each of the chain has its wait for the one before, and the barrier
// that of the warp that has nothing else to do. The chain ends at 13, its warp arrives at 14, and the
// barrier opens 10 later: 11 clocks for that warp, and 24 for the other.
TEST(Simulation, AWarpsTimePassesAtItsInstructions) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::single, {0}, {0}), instruction(Unit::barrier, {}, {})};
    LaunchRecord record = record_of(1, {{0}, {0}, {0}, {0}, {1}});
    record.blocks[0].warps.push_back({{1}});
    const SimulatedTime time = simulate(made_up_card(), timing(), code, record, {}, {}, 1);
    ASSERT_EQ(2u, time.warp_clocks.size());
    EXPECT_DOUBLE_EQ(13, time.warp_clocks[0]);
    EXPECT_DOUBLE_EQ(11 + 24, time.warp_clocks[1]);
}

// Where ptxas' schedule is known, it is what a warp waits by: three steps of 5 clocks, and the last one's.
TEST(Simulation, TheScheduleHoldsUpTheWarp) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::single, {0}, {0})};
    code.instructions[0].stalls = 5;
    code.instructions[0].uses = {{MachineUnit::fma, 1.0f}};
    code.instructions[0].is_scheduled = true;
    LaunchRecord record = record_of(1, {{0}, {0}, {0}, {0}});
    EXPECT_DOUBLE_EQ(4 * 5, simulate(made_up_card(), timing(), code, record, {}, {}, 1).clocks);
}

// Ten machine instructions of one warp, a clock apart. Whole numbers are multiplied in the floats' unit, two
// clocks each; with three registers of one bank each, of which that gives one a clock, they take three.
TEST(Simulation, UnitsAndRegisterBanksTakeTurns) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::single, {}, {})};
    TimedInstruction& timed = code.instructions[0];
    timed.stalls = 1;
    timed.is_scheduled = true;
    TimingCosts costs = timing();
    costs.of(Unit::multiply).turn_clocks = 2;
    LaunchRecord record = record_of(1, std::vector<RecordedStep>(100, RecordedStep{0}));
    auto clocks = [&] { return simulate(made_up_card(), costs, code, record, {}, {}, 1).clocks; };
    timed.uses = {{MachineUnit::fma, 1.0f}};
    EXPECT_NEAR(100, clocks(), 1);
    timed.uses = {{MachineUnit::multiply, 1.0f}};
    EXPECT_NEAR(200, clocks(), 2);
    timed.uses = {{MachineUnit::fma, 1.0f}, {MachineUnit::multiply, 1.0f}};
    EXPECT_NEAR(300, clocks(), 3);
    timed.uses = {{MachineUnit::fma, 1.0f}};
    timed.bank_reads = {3, 0};
    EXPECT_NEAR(300, clocks(), 8);
    timed.bank_reads = {1, 2};
    EXPECT_NEAR(200, clocks(), 8);
}

// Another name for a register is no instruction: the load after it does not wait for what the name stands for.
TEST(Simulation, WhatIsNoInstructionDoesNotWait) {
    TimedCode code;
    code.registers = 3;
    code.instructions = {instruction(Unit::memory, {}, {0}), instruction(Unit::integer, {0}, {1}),
                         instruction(Unit::memory, {}, {2}), instruction(Unit::single, {1, 2}, {0})};
    code.instructions[1].issues = 0;
    LaunchRecord record = record_of(1, {{0, 0}, {1}, {2, 0}, {3}});
    record.accesses = {RecordedAccess{}};
    EXPECT_DOUBLE_EQ(1 + 20 + 1, simulate(made_up_card(), timing(), code, record, {}, {}, 1).clocks);
}

// Of global memory, too, the load/store unit takes as many turns as L1's banks need: here 8 for 32 lines;
// a store one more, for its addresses.
TEST(Simulation, LoadsTakeTurnsByBanksAndNotByLines) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::memory, {}, {0})};
    LaunchRecord record = record_of(1, {{0, 0}});
    RecordedAccess access;
    access.to = AccessTo::global_load;
    access.sectors = access.lines = access.ideal_sectors = 1;
    access.wavefronts = 8;
    record.accesses = {access};
    record.sectors = {4 << 1 | 1};
    EXPECT_DOUBLE_EQ(8, simulate(made_up_card(), timing(), code, record, {}, {}, 1).lsu_busy);
    record.accesses[0].to = AccessTo::global_store;
    EXPECT_DOUBLE_EQ(9, simulate(made_up_card(), timing(), code, record, {}, {}, 1).lsu_busy);
}

// L1 looks up the lines of an access at a third of a clock each: of 32 that it has the second load takes 10.56 clocks,
// though it is one turn. While they are on their way each is a turn as well, as it is for the first.
TEST(Simulation, ManyLinesAreLookedUpOneAfterAnother) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::memory, {}, {0}), instruction(Unit::single, {0}, {0})};
    auto time_of_both = [&](bool is_there) {
        std::vector<RecordedStep> steps = {{0, 0}, {0, 0}};
        if (is_there) steps.insert(steps.begin() + 1, RecordedStep{1});
        LaunchRecord record = record_of(1, steps);
        RecordedAccess load;
        load.to = AccessTo::global_load;
        load.sectors = load.lines = load.ideal_sectors = 32;
        record.accesses = {load};
        for (uint64_t line = 0; line < 32; ++line) record.sectors.push_back(line * 4 << 1);
        SimulatedLaunch launch;
        launch.l1_bytes = 64 << 10;
        return simulate(made_up_card(), timing(), code, record, launch, {}, 1);
    };
    constexpr double kFirst = 1 + 0.35 * 31;
    EXPECT_NEAR(kFirst + 1, time_of_both(true).lsu_turns, 1e-9);
    EXPECT_NEAR(kFirst + 0.33 * 32, time_of_both(true).lsu_busy, 1e-9);
    EXPECT_NEAR(2 * kFirst, time_of_both(false).lsu_turns, 1e-9);
}

// A copy of a line that goes to shared memory in twelve pieces of eight sectors: L2 takes as long as for 7.8 lines and 8.4
// sectors of a load, and the load/store unit one turn for it.
TEST(Simulation, ACopyInPiecesIsMoreWorkForL2) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::memory, {}, {})};
    DeviceProfile device = made_up_card();
    device.costs.l2_read_line_clocks = 10;
    device.costs.l2_read_sector_clocks = 2;
    auto busy = [&](uint16_t requests, uint16_t sent) {
        LaunchRecord record = record_of(1, {{0, 0}});
        RecordedAccess copy;
        copy.to = AccessTo::copy;
        copy.passes_l1 = true;
        copy.sectors = copy.ideal_sectors = 4;
        copy.lines = 1;
        copy.requests = requests;
        copy.sent_sectors = sent;
        record.accesses = {copy};
        for (uint64_t sector = 0; sector < 4; ++sector) record.sectors.push_back(sector << 1);
        const SimulatedTime time = simulate(device, timing(), code, record, {}, {}, 1);
        EXPECT_DOUBLE_EQ(1, time.lsu_turns);
        return time.l2_busy;
    };
    EXPECT_NEAR(10 + 4 * 1.05 * 2, busy(1, 4), 1e-9);
    EXPECT_NEAR(0.65 * 12 * 10 + 1.05 * 8 * 2, busy(12, 8), 1e-9);
}

// Four warps of one scheduler, each with a chain of products that wait 14 clocks for each other and take the tensor core 6:
// it is always busy, and all end together, whoever is the oldest. If the oldest came first, three would keep it busy, and the
// fourth would begin when they have ended: 3 * 6 + 14 clocks for each product in place of 4 * 6.
TEST(Simulation, WarpsStandInLineForTheTensorCore) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::tensor, {0}, {0})};
    code.instructions[0].products = 1;
    TimingCosts costs = timing();
    costs.of(Unit::tensor) = {14, 6};
    constexpr size_t kProducts = 100;
    LaunchRecord record = record_of(16, std::vector<RecordedStep>(kProducts, RecordedStep{0}));
    const SimulatedTime time = simulate(made_up_card(), costs, code, record, {}, {}, 1);
    EXPECT_NEAR(4 * 6 * kProducts, time.clocks, 50);
    EXPECT_NEAR(4 * 6 * kProducts, time.tensor_busy, 1e-6);
}

// Words from 32 places in DRAM: the last is there 5 times 70 clocks after the first would be.
TEST(Simulation, WhoWaitsForManyPlacesInDramWaitsForTheSlowest) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::memory, {}, {0}), instruction(Unit::single, {0}, {0})};
    auto clocks = [&](uint64_t apart) {
        LaunchRecord record = record_of(1, {{0, 0}, {1}});
        RecordedAccess load;
        load.to = AccessTo::global_load;
        load.sectors = load.lines = load.ideal_sectors = 32;
        record.accesses = {load};
        for (uint64_t n = 0; n < 32; ++n) record.sectors.push_back(n * apart << 1 | 1);
        return simulate(made_up_card(), timing(), code, record, {}, {}, 1).clocks;
    };
    EXPECT_NEAR(5 * 70, clocks(32) - clocks(1), 40);  // and more lines
    EXPECT_NEAR(5 * 70, clocks(32) - clocks(4) + 2 * 70, 1e-9);  // 4 places: of 128 sectors 32 each
}

// A loop of two sums, of which ptxas orders two turns together: each turn's second sum waits for its own first one, which
// has the same name in PTX, and the last one begins at 5. Were it one register, the second would wait for the third.
TEST(Simulation, TurnsThatAreOrderedTogetherHaveRegistersOfTheirOwn) {
    TimedCode code;
    code.registers = 3;
    code.instructions = {instruction(Unit::single, {0}, {1}), instruction(Unit::single, {1}, {2})};
    code.instructions[0].begins_run = true;
    const std::vector<RecordedStep> steps = {{0, RecordedStep::kNone, 1}, {0, RecordedStep::kNone, 2},
                                             {1, RecordedStep::kNone, 1}, {1, RecordedStep::kNone, 2}};
    EXPECT_DOUBLE_EQ(7, simulate(made_up_card(), timing(), code, record_of(1, steps), {}, {}, 1).clocks);
    for (TimedInstruction& timed : code.instructions) timed.copies = 2;
    EXPECT_DOUBLE_EQ(6, simulate(made_up_card(), timing(), code, record_of(1, steps), {}, {}, 1).clocks);
    // What the turn before has written, it reads: a chain of four.
    code.instructions = {instruction(Unit::single, {2}, {1}), instruction(Unit::single, {1}, {2})};
    code.instructions[0].begins_run = true;
    code.instructions[0].copies = code.instructions[1].copies = 2;
    const std::vector<RecordedStep> chain = {{0, RecordedStep::kNone, 1}, {1, RecordedStep::kNone, 1},
                                             {0, RecordedStep::kNone, 2}, {1, RecordedStep::kNone, 2}};
    EXPECT_DOUBLE_EQ(3 * 4 + 1, simulate(made_up_card(), timing(), code, record_of(1, chain), {}, {}, 1).clocks);
}

// A swap that others spoil three times: L2's slice has four to do, the warp waits four times for an answer, and the loop's
// two other instructions are executed three times more.
TEST(Simulation, ASpoiledSwapGoesRoundAgain) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::memory, {}, {0}), instruction(Unit::single, {0}, {0})};
    LaunchRecord record = record_of(1, {{0, 0}, {1}});
    RecordedAccess swap;
    swap.to = AccessTo::atomic;
    swap.sectors = swap.lines = 1;
    record.accesses = {swap};
    record.sectors = {4 << 1};
    record.swaps.loops = {{0, 0, 1}};
    TimingCosts costs = timing();
    costs.atomics.latency_clocks = 500;
    SimulatedLaunch launch;
    launch.atomic_clocks = 10;
    const SimulatedTime once = simulate(made_up_card(), costs, code, record, launch, {}, 1);
    launch.swaps_again = 3;
    const SimulatedTime again = simulate(made_up_card(), costs, code, record, launch, {}, 1);
    EXPECT_DOUBLE_EQ(10, once.atomic_busy);
    EXPECT_DOUBLE_EQ(40, again.atomic_busy);
    EXPECT_DOUBLE_EQ(once.issued + 3 * 2, again.issued);
    EXPECT_NEAR(3 * 502, again.clocks - once.clocks, 10);
    WhatIf what;
    what.no_collisions = true;
    EXPECT_DOUBLE_EQ(0, simulate(made_up_card(), costs, code, record, launch, what, 1).atomic_busy);
}

// A load whose guard is off goes through the load/store unit, and what reads its result waits for it as
// long as for one of shared memory: 20 clocks, then the sum's own 1.
TEST(Simulation, AGuardThatIsOffSparesNoTurn) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::memory, {}, {0}), instruction(Unit::single, {0}, {})};
    LaunchRecord record = record_of(1, {{0, RecordedStep::kOff}, {1}});
    const SimulatedTime time = simulate(made_up_card(), timing(), code, record, {}, {}, 1);
    EXPECT_DOUBLE_EQ(20 + 1, time.clocks);
    EXPECT_DOUBLE_EQ(2, time.issued);
    EXPECT_DOUBLE_EQ(1, time.lsu_busy);
    WhatIf what;
    what.no_idle_steps = true;  // the sum alone
    EXPECT_DOUBLE_EQ(1, simulate(made_up_card(), timing(), code, record, {}, what, 1).clocks);
}

// Five warps on four schedulers: two of them share one, and their steps take turns.
TEST(Simulation, WarpsOfOneSchedulerTakeTurns) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::single, {}, {0})};
    std::vector<RecordedStep> ten(10, RecordedStep{0});
    EXPECT_DOUBLE_EQ(10, simulate(made_up_card(), timing(), code, record_of(4, ten), {}, {}, 1).clocks);
    EXPECT_DOUBLE_EQ(20, simulate(made_up_card(), timing(), code, record_of(5, ten), {}, {}, 1).clocks);
}

// Sector 4 comes from DRAM: 600 clocks and 1 on the way; the second load finds it in L1.
TEST(Simulation, ALoadIsThereAgainFromL1) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::memory, {}, {0}), instruction(Unit::single, {0}, {0})};
    LaunchRecord record = record_of(1, {{0, 0}, {1}, {0, 0}, {1}});
    RecordedAccess load;
    load.to = AccessTo::global_load;
    load.sectors = load.lines = load.ideal_sectors = 1;
    record.accesses = {load};
    record.sectors = {4 << 1 | 1};
    SimulatedLaunch launch;
    launch.l1_bytes = 1024;
    SimulatedTime time = simulate(made_up_card(), timing(), code, record, launch, {}, 1);
    EXPECT_DOUBLE_EQ(2, time.l1_sectors);
    EXPECT_DOUBLE_EQ(1, time.l1_hits);
    EXPECT_DOUBLE_EQ(1, time.fetched);
    // 601 for the first, its use until 602, then 50 from L1 and a use.
    EXPECT_DOUBLE_EQ(601 + 1 + 50 + 1, time.clocks);
    launch.l1_bytes = 0;
    EXPECT_DOUBLE_EQ(0, simulate(made_up_card(), timing(), code, record, launch, {}, 1).l1_hits);
}

// The launch before left three quarters of the lines in L2. A warp that asks for one sector of each of 4,096 lines, one
// after another, waits for DRAM at a quarter of them: 600 clocks and 200, not 300 for all.
TEST(Simulation, WhatIsLeftInL2IsThereLineByLine) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::memory, {0}, {0})};
    constexpr uint32_t kLines = 4096;
    LaunchRecord record = record_of(1, {});
    for (uint32_t n = 0; n < kLines; ++n) {
        RecordedAccess load;
        load.to = AccessTo::global_load;
        load.sectors = load.lines = load.ideal_sectors = 1;
        load.first_sector = n;
        record.accesses.push_back(load);
        record.sectors.push_back(uint64_t{4 * n} << 1 | 1);
        record.blocks[0].warps[0].push_back({0, n});
    }
    SimulatedLaunch launch;
    launch.dram_share = 0.25;
    const SimulatedTime time = simulate(made_up_card(), timing(), code, record, launch, {}, 1);
    EXPECT_NEAR(0.25 * kLines, time.fetched, 0.02 * kLines);
    EXPECT_NEAR(0.25 * 601 + 0.75 * 201, time.clocks / kLines, 10);
}

// ptxas keeps a word of shared memory in a register for the next turns: where it makes no load of it, the unit takes no
// turn; where it makes one for two of the PTX, half as many.
TEST(Simulation, ALoadThatTheMachineSparesTakesNoTurn) {
    TimedCode code;
    code.registers = 1;
    code.machine.resize(1);
    code.instructions = {instruction(Unit::memory, {}, {0})};
    LaunchRecord record = record_of(1, {{0, 0}, {0, 0}, {0, 0}, {0, 0}});
    RecordedAccess load;
    load.is_needed = true;
    load.wavefronts = 8;
    record.accesses = {load};
    auto turns_of = [&](float loads) {
        code.instructions[0].uses = {{MachineUnit::memory, loads}};
        return simulate(made_up_card(), timing(), code, record, {}, {}, 1).lsu_busy;
    };
    EXPECT_DOUBLE_EQ(32, turns_of(1));
    EXPECT_DOUBLE_EQ(16, turns_of(0.5));
    EXPECT_DOUBLE_EQ(0, turns_of(0));
    EXPECT_DOUBLE_EQ(32, turns_of(4));  // of wmma: its wavefronts are all of them
}

// A warp writes a part of some sectors, and then another, and a third: 85 of 100 go to L2 with the first, at ten clocks
// a sector, if the multiprocessor has not stored many others meanwhile; of what comes 364 later half does. Of single bytes a
// third does not. Other sectors do not, nor those that it comes to late.
TEST(Simulation, TwoStoresOfOneSectorMayLeaveTogether) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::memory, {}, {}), instruction(Unit::single, {0}, {0})};
    auto busy = [&](uint16_t sectors, uint32_t second, size_t between, size_t times = 2, size_t warps = 1, uint16_t ideal = 32) {
        std::vector<RecordedStep> steps(between + 2, RecordedStep{1});
        steps.front() = {0, 0}, steps.back() = {0, 1};
        for (size_t time = 2; time < times; ++time) steps.push_back({0, 1});
        LaunchRecord record = record_of(warps, steps);
        RecordedAccess store;
        store.to = AccessTo::global_store;
        store.sectors = sectors;
        store.ideal_sectors = ideal;
        store.lines = 8;
        record.accesses = {store, store};
        record.accesses[1].first_sector = second;
        for (uint64_t n = 0; n < 64; ++n) record.sectors.push_back(n << 1);
        DeviceProfile device = made_up_card();
        device.costs.l2_write_sector_clocks = 10;
        return simulate(device, timing(), code, record, {}, {}, 1).l2_busy;
    };
    EXPECT_NEAR(320 * 1.15, busy(32, 0, 0), 1e-9);
    EXPECT_NEAR(320 * 1.3, busy(32, 0, 0, 3), 1e-9);
    EXPECT_NEAR(320 * 2.15, busy(32, 0, 0, 3, 1, 4), 1e-9);  // bytes
    EXPECT_NEAR(640, busy(32, 32, 0), 1e-9);
    EXPECT_NEAR(320 * 1.15, busy(32, 0, 10), 1e-9);  // 40 clocks
    EXPECT_NEAR(640, busy(32, 0, 20), 1e-9);         // 80 clocks
    // Eight warps, two for each scheduler; the four that are older store first the one part and then the other, and those
    // of the others come between or behind.
    EXPECT_GT(busy(32, 0, 0, 2, 8), 8 * 320 * 1.15);
    EXPECT_LT(busy(32, 0, 0, 2, 8), 8 * 640);
}

// A branch costs its warp eight clocks beside its own, of which one that is gone in every second copy of a loop has half;
// another warp of the scheduler goes on.
TEST(Simulation, AWarpWaitsUntilItsBranchIsResolved) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::branch, {}, {}), instruction(Unit::single, {}, {})};
    auto clocks = [&](size_t warps) {
        return simulate(made_up_card(), timing(), code, record_of(warps, {{0}, {1}, {0}, {1}}), {}, {}, 1).clocks;
    };
    EXPECT_DOUBLE_EQ(4 + 2 * 8, clocks(1));
    EXPECT_LT(clocks(5), 4 + 2 * 8 + 4);  // two of them on one scheduler
    code.instructions[0].issues = 0.5;
    EXPECT_DOUBLE_EQ(4 + 2 * 4, clocks(1));
}

// Warps 0 and 4 have the same scheduler, and three instructions each that wait for nothing. The older one makes all of
// its own first, a clock each; the other's first waits until then. The three other warps are by themselves.
TEST(Simulation, TheOldestWarpComesFirst) {
    TimedCode code;
    code.registers = 3;
    code.instructions = {instruction(Unit::single, {}, {0}), instruction(Unit::single, {}, {1}), instruction(Unit::single, {}, {2})};
    LaunchRecord record = record_of(5, {{0}, {1}, {2}});
    const std::vector<double> clocks = simulate(made_up_card(), timing(), code, record, {}, {}, 1).warp_clocks;
    EXPECT_EQ((std::vector<double>{3 + 1 + 4, 3 + 1 + 1, 3 + 1 + 1}), clocks);
}

// Eight wavefronts instead of one: seven clocks longer, unless conflicts are thought away.
TEST(Simulation, BankConflictsTakeWavefronts) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::memory, {}, {0}), instruction(Unit::single, {0}, {0})};
    LaunchRecord record = record_of(1, {{0, 0}, {1}});
    RecordedAccess load;
    load.wavefronts = 8;
    record.accesses = {load};
    WhatIf free;
    free.no_bank_conflicts = true;
    EXPECT_DOUBLE_EQ(20 + 7 + 1, simulate(made_up_card(), timing(), code, record, {}, {}, 1).clocks);
    EXPECT_DOUBLE_EQ(20 + 1, simulate(made_up_card(), timing(), code, record, {}, free, 1).clocks);
}

// Three lanes have one word: three turns of 100 clocks, which the warp waits for; each turn but the first is five
// instructions more. Two warps of a block hold each other up, two blocks do not.
TEST(Simulation, ALoopOfSwapsHoldsItsWarpAndItsBlock) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::memory, {}, {0})};
    RecordedAccess add;
    add.to = AccessTo::shared_atomic;
    add.swaps = true;
    add.turns = 3;
    TimingCosts costs = timing();
    costs.shared.swap = {100, 40};
    LaunchRecord alone = record_of(1, {{0, 0}}), two = record_of(2, {{0, 0}});
    alone.accesses = two.accesses = {add};
    SimulatedTime time = simulate(made_up_card(), costs, code, alone, {}, {}, 1);
    EXPECT_DOUBLE_EQ(3 * 100, time.clocks);
    EXPECT_DOUBLE_EQ(1 + 2 * 5, time.issued);
    WhatIf apart;
    apart.no_collisions = true;
    EXPECT_DOUBLE_EQ(100, simulate(made_up_card(), costs, code, alone, {}, apart, 1).clocks);
    // Half of 40 clocks a turn, before the other warp's begin.
    EXPECT_DOUBLE_EQ(3 * 20 + 3 * 100, simulate(made_up_card(), costs, code, two, {}, {}, 1).clocks);
    SimulatedLaunch blocks;
    blocks.resident = 2;
    blocks.blocks = 2;
    const double beside = simulate(made_up_card(), costs, code, alone, blocks, {}, 2).clocks;
    EXPECT_LT(beside, 3 * 100 + 3 * 20);
    EXPECT_GE(beside, 3 * 100);
}

// Lanes that find those with the same value: 11 clocks for each value that there is, which the warp waits for. Warps
// that ask at the same time go two clocks a value after each other.
TEST(Simulation, AMatchTakesAsLongAsThereAreValues) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::vote, {}, {0}), instruction(Unit::single, {0}, {0})};
    auto clocks_of = [&](float values, size_t warps) {
        LaunchRecord record = record_of(warps, {{0, 0}, {1}});
        RecordedAccess match;
        match.to = AccessTo::by_values;
        match.turns = values;
        record.accesses = {match};
        return simulate(made_up_card(), timing(), code, record, {}, {}, 1).clocks;
    };
    EXPECT_DOUBLE_EQ(30 * 11, clocks_of(32, 1) - clocks_of(2, 1));
    EXPECT_DOUBLE_EQ(clocks_of(32, 1) + 3 * 64, clocks_of(32, 4));
}

// A warp of one step waits for one of five; the barrier takes ten clocks.
TEST(Simulation, ABarrierWaitsForTheLast) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::barrier, {}, {}), instruction(Unit::single, {}, {0})};
    LaunchRecord record = record_of(2, {{0}});
    record.blocks[0].warps[1] = {{1}, {1}, {1}, {1}, {0}};
    EXPECT_DOUBLE_EQ(5 + 10, simulate(made_up_card(), timing(), code, record, {}, {}, 1).clocks);
}

// An H200's halves of L2 each keep a copy of what all read; a card for games has one L2.
TEST(LaunchTime, AHalvedL2HoldsHalfOfWhatIsShared) {
    DeviceProfile device = made_up_card();
    TimingCosts costs;
    costs.l2.lost_bytes = 64 * 32;
    costs.l2.kept_bytes = 48 * 32;
    device.arch = "sm_90a";
    RecordLimits limits = record_limits(device, costs);
    EXPECT_EQ(2, limits.l2_parts);
    EXPECT_DOUBLE_EQ(32, limits.l2_sectors);
    EXPECT_DOUBLE_EQ(24, limits.l2_kept);
    device.arch = "sm_86";
    limits = record_limits(device, costs);
    EXPECT_EQ(1, limits.l2_parts);
    EXPECT_DOUBLE_EQ(64, limits.l2_sectors);
}

// Three blocks for two multiprocessors, and DRAM has most to do: the one with two blocks gets two thirds of it.
TEST(LaunchTime, WhoHasFewerBlocksLeavesDramToTheOthers) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::memory, {}, {})};
    DeviceProfile device = made_up_card();
    device.sm_count = 2;
    auto clocks_of = [&](double blocks) {
        LaunchRecord record = record_of(1, {});
        record.blocks.push_back(record.blocks[0]);
        for (uint32_t n = 0; n < 2000; ++n) {
            RecordedAccess load;
            load.to = AccessTo::global_load;
            load.sectors = load.ideal_sectors = 4;
            load.lines = 1;
            load.first_sector = 4 * n;
            record.accesses.push_back(load);
            for (uint64_t sector = 0; sector < 4; ++sector) record.sectors.push_back((uint64_t{4 * n} + sector) << 1 | 1);
            record.blocks[n / 1000].warps[0].push_back({0, n});
        }
        record.looked_at = record.of_blocks = blocks;
        record.read_sectors = record.read_buffer_sectors = 4000 * blocks;
        return time_of(device, timing(), code, record, {}).simulated.clocks;
    };
    EXPECT_NEAR(2, clocks_of(4) / clocks_of(2), 0.3);
    EXPECT_NEAR(1.5, clocks_of(3) / clocks_of(2), 0.25);
}

// Two multiprocessors hold four blocks at once, which run as they were given: the first has two long ones and the
// second two short ones. The second was recorded. A busy multiprocessor with four times as much to do takes four times
// as long. Of one that mostly waits the longest block decides: with a short one beside it that has 2.5 times as much to do, and
// takes longer than that.
TEST(LaunchTime, TheMultiprocessorWithMostToDoDecides) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::single, {}, {})};
    DeviceProfile device = made_up_card();
    device.sm_count = 2;
    auto clocks_of = [&](size_t warps, std::vector<float> executed) {
        LaunchRecord record = record_of(warps, std::vector<RecordedStep>(100, RecordedStep{0}));
        record.blocks.push_back(record.blocks[0]);
        record.blocks[0].executed = executed[1];
        record.blocks[1].executed = executed[3];
        record.executed_by = executed;
        record.of_blocks = record.looked_at = 4;
        Occupancy occupancy;
        occupancy.blocks_per_sm = 2;
        return time_of(device, timing(), code, record, occupancy).simulated.clocks;
    };
    const double even = clocks_of(16, {100, 100, 100, 100}), uneven = clocks_of(16, {400, 100, 400, 100});
    EXPECT_NEAR(4, uneven / even, 0.2);  // always issuing
    EXPECT_NEAR(2.5, clocks_of(16, {400, 100, 100, 100}) / even, 0.2);
    const double slow = clocks_of(1, {400, 100, 100, 100}) / clocks_of(1, {100, 100, 100, 100});
    EXPECT_GT(slow, 2.7);
    EXPECT_LE(slow, 4);
}

// A kernel with products has a slower clock, and all that a multiprocessor does by itself takes as much longer. DRAM does not.
TEST(LaunchTime, ProductsSlowTheClockAndNotTheMemory) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::single, {0}, {0}), instruction(Unit::memory, {}, {}), instruction(Unit::tensor, {}, {})};
    DeviceProfile device = made_up_card();
    device.datasheet_gb_per_s = 32;
    device.launch_us = 0;
    TimingCosts costs = timing();
    auto ratio = [&](bool loads, bool is_wide) {
        LaunchRecord record = record_of(1, std::vector<RecordedStep>(2000, RecordedStep{0}));
        if (loads)
            for (uint32_t n = 0; n < 2000; ++n) {
                RecordedAccess load;
                load.to = AccessTo::global_load;
                load.sectors = load.ideal_sectors = 4;
                load.lines = 1;
                load.first_sector = 4 * n;
                record.accesses.push_back(load);
                for (uint64_t sector = 0; sector < 4; ++sector) record.sectors.push_back((uint64_t{4 * n} + sector) << 1 | 1);
                record.blocks[0].warps[0][n] = {1, n};
            }
        record.read_sectors = record.read_buffer_sectors = loads ? 8000 : 0;
        code.instructions[2].is_wide = is_wide;
        costs.clock_with_products = 0.8;
        const double slow = time_of(device, costs, code, record, {}).simulated_us;
        costs.clock_with_products = 1;
        return slow / time_of(device, costs, code, record, {}).simulated_us;
    };
    EXPECT_NEAR(1.25, ratio(false, false), 1e-9);
    EXPECT_NEAR(1, ratio(false, true), 1e-9);  // of doubles
    EXPECT_NEAR(1, ratio(true, false), 0.02);
}

// Four multiprocessors hold two blocks each, and two blocks are left. Where both of a multiprocessor's end together the first
// one has room for both, and has four; where they end one after another, two have three.
TEST(LaunchTime, BlocksThatEndTogetherLeaveRoomForAsMany) {
    SimulatedLaunch launch;
    launch.resident = 2;
    const double together[] = {100, 100, 200, 200}, apart[] = {60, 100, 160, 200};
    EXPECT_EQ(4u, most_on_one(together, launch, 10, 4, 0));
    EXPECT_EQ(3u, most_on_one(apart, launch, 10, 4, 0));
    EXPECT_EQ(4u, most_on_one(apart, launch, 16, 4, 0));
}

// Who reads a range is told of what it is, and where that was another card.
TEST(LaunchTime, SaysWhatItsRangeComesFrom) {
    TimedCode code;
    code.registers = 1;
    code.instructions = {instruction(Unit::single, {}, {})};
    DeviceProfile device = made_up_card();
    device.name = "Card A";
    auto sentence_of = [&](const ModelRange& range) {
        ModelRanges ranges;
        ranges.in_all = range;
        return time_of(device, timing(), code, record_of(1, {{0}}), {}, ranges).sentence;
    };
    EXPECT_EQ("The range comes from 20 measured launches.", sentence_of({0.9, 1.2, 20, ""}));
    EXPECT_EQ("The range comes from 48 launches that the model had not seen.", sentence_of({0.7, 1.4, 48, "Card A"}));
    EXPECT_EQ("The range comes from 48 launches that the model had not seen, measured on Card B.", sentence_of({0.7, 1.4, 48, "Card B"}));
}

// All but the outermost of the ratios; a model that is always too low still contains itself.
TEST(LaunchTime, TakesItsRangeFromRatios) {
    ModelRange range = range_of({0.9, 1.3, 1.1});
    EXPECT_DOUBLE_EQ(0.9, range.low);
    EXPECT_DOUBLE_EQ(1.3, range.high);
    EXPECT_EQ(3, range.launches);
    EXPECT_DOUBLE_EQ(1, range_of({1.2, 1.4}).low);
    EXPECT_EQ(0, range_of({}).launches);
    // Of 19 the outermost two leave 18 of 20 gaps; of 39 the second ones leave 36 of 40.
    std::vector<double> ratios;
    for (int n = 1; n <= 19; ++n) ratios.push_back(0.1 * n);
    EXPECT_DOUBLE_EQ(0.1, range_of(ratios).low);
    EXPECT_DOUBLE_EQ(1.9, range_of(ratios).high);
    for (int n = 20; n <= 39; ++n) ratios.push_back(0.1 * n);
    EXPECT_DOUBLE_EQ(0.2, range_of(ratios).low);
    EXPECT_DOUBLE_EQ(3.8, range_of(ratios).high);
}

}  // namespace
}  // namespace lanewise
