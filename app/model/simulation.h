// How long the blocks of one multiprocessor take: a simulation of its warps, step by step
// (launch_record.h), in clocks.
//
// A warp issues its steps in order, each as soon as the registers that it reads are there. A scheduler
// takes the oldest of its warps that can go on: those of the block that began first. (An H200 runs
// launches of two or three rounds of blocks as such a one would, up to half faster than one whose warps
// take turns, since blocks then end one after another and the next ones fill the gaps.) Steps of one
// unit take turns. Accesses take turns in the load/store unit, line by line or wavefront by wavefront; what L1 does not have takes turns on the
// way to L2 and, where L2 does not have it either, to DRAM: this multiprocessor's share of both.
// A warp waits at barriers for its block, and for the copies that it has begun. A block that ends
// makes room for the next one. What is known of the cards and not of kernels is DeviceProfile's.
//
// Which lines L1 keeps, first_level.h says.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "model/device_profile.h"
#include "model/launch_record.h"
#include "model/timed_code.h"
#include "model/timing_costs.h"

namespace lanewise {

// What is left out, to see what it costs.
struct WhatIf {
    bool no_bank_conflicts = false;  // as many wavefronts as the bytes need
    bool full_sectors = false;       // as many sectors as the bytes fill
    bool whole_copies = false;       // asynchronous copies ask L2 as loads would, wherever in shared memory they go
    bool no_idle_steps = false;      // what has its guard off for a whole warp is jumped over
    bool no_barriers = false;        // nobody waits for the other warps
    bool no_collisions = false;      // atomics on one word or sector take no turns
    bool double_blocks = false;      // twice as many blocks at once
    bool no_latency = false;         // results of loads are there at once
    bool no_dram = false;            // everything is found in L2
    bool no_tail = false;            // every multiprocessor has equally much to do
    bool full_clock = false;         // products on tensor cores do not slow it down
};

// One multiprocessor's part of the launch.
struct SimulatedLaunch {
    int resident = 1;         // blocks at once
    uint64_t blocks = 1;      // in all
    double active_sms = 1;    // multiprocessors that have blocks
    // As so many multiprocessors with as many blocks as this one share L2 and DRAM: fewer, where others have fewer.
    double sharing_sms = 1;
    double l1_bytes = 0;
    double dram_share = 1;    // of the sectors that come from DRAM as recorded: the rest is in L2
    double dram_factor = 1;   // what a sector takes, to one of a stream
    double write_clocks = 0;  // of DRAM, for a sector that is stored
    double swaps_again = 0;   // by how many more turns a loop goes round until its swap holds
    double atomic_clocks = 0; // of the busiest slice of L2, for a request of this multiprocessor
};

struct SimulatedTime {
    double clocks = 0;
    double steady_clocks = 0;  // from one block's end to the next one's, in the middle
    double l1_sectors = 0, l1_hits = 0;
    double fetched = 0;  // sectors of loads that no launch before has left in L2
    double blocks = 0;   // simulated
    double lsu_turns = 0;  // as l1tex__data_pipe_lsu_wavefronts counts them
    double issued = 0, dram_busy = 0, l2_busy = 0, lsu_busy = 0, issue_busy = 0, atomic_busy = 0, tensor_busy = 0;
    std::map<uint32_t, std::pair<double, double>> l1_by_instruction;  // sectors, hits
    // By instruction, clocks of all warps that were simulated: from the one before until it is issued,
    // and for a barrier until it opens. What waits for a result has the wait, as in Nsight Compute's
    // warp states, and not the load that it waits for.
    std::vector<double> warp_clocks;
    std::vector<double> ends;  // of the blocks, rising
};

// record has at least one block; blocks beyond those recorded repeat them. At most most_blocks are
// simulated; the rest is taken to pass at the steady rate.
SimulatedTime simulate(const DeviceProfile& device, const TimingCosts& timing, const TimedCode& code, const LaunchRecord& record,
                       const SimulatedLaunch& launch, const WhatIf& what, uint64_t most_blocks);

}  // namespace lanewise
