// A kernel as the simulation of a multiprocessor (simulation.h) takes it: for each PTX instruction
// the unit that executes it, the machine instructions that it costs, its place in the machine code
// and the registers that it waits for.
//
// The places come from the cubin's line table, for the machine code's order decides what a warp has
// under way when it first waits: ptxas moves loads ahead of uses. Where it unrolls a loop, a line
// has several places, and so many turns of the loop are ordered together. Without machine code each
// instruction costs one and stays where it is.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ptx/instruction.h"

namespace lanewise {

enum class Unit : uint8_t {
    none,  // costs nothing: declarations, addresses of parameters, what ptxas left out
    single,
    half,
    real,  // of 64 bits
    integer,
    multiply,
    compare,
    shift,
    function,  // 2^x, 1/x, sin, …
    count,     // popc, clz, …
    convert,
    shuffle,
    vote,
    reduce,
    tensor,
    branch,
    barrier,
    memory,
    commit,  // ends a group of asynchronous copies
    wait,    // for such groups
};

// Which unit executes a machine instruction. none: the branch, uniform and constant units, which nothing
// here waits for; alu: whole numbers, comparisons, moves, votes; half_mma: HFMA2.MMA; fma: sums and products of floats; multiply: of whole
// numbers; special: MUFU, conversions, POPC; products: of matrices.
enum class MachineUnit : uint8_t {
    none, alu, fma, multiply, half, half_mma, real, special, shuffle, reduce, products, memory, barrier
};

struct MachineInstruction {
    // Where it goes on: at the next one; there or at `target`; in a function, and then at the next one; at
    // the caller's; nowhere. What has a guard may also go on at the next one.
    enum class Flow : uint8_t { next, branch, call, back, end };
    uint32_t address = 0;
    int ptx_line = 0;  // 0: of none
    MachineUnit unit = MachineUnit::alu;
    bool is_guarded = false;
    int stall = 0;     // clocks after which the warp's next one may be issued: ptxas' schedule
    int turns = 1;     // of its unit
    std::array<uint8_t, 2> bank_reads{};  // registers of the even and of the odd bank that are read for it
    Flow flow = Flow::next;
    uint32_t target = kNowhere;  // the address; kNowhere where it is not known

    static constexpr uint32_t kNowhere = ~0u;
};

struct TimedInstruction {
    Unit unit = Unit::none;
    double issues = 1;             // machine instructions for one execution
    double beside = 0;             // and of others that are executed with it: they only take their turns
    double stalls = 0;             // clocks until the warp's next step; 0: not known
    double stalls_beside = 0;      // and of those that are executed with it
    std::array<double, 2> bank_reads{};  // of the registers' two banks, those beside included
    bool is_simple = false;        // one machine instruction as a rule
    bool is_wide = false;          // of 64 bits
    bool is_local = false;         // reads or writes an array of the thread's own in memory
    bool is_guarded_there = false; // by the machine alone: a branch of the PTX became its guard
    // What of it ptxas neither merges with others nor moves out of loops, as a rule: so many each time.
    MachineUnit known_unit = MachineUnit::none;
    int known = 0;                 // 0: not known
    // Where the machine code is known, by its units: those of a step, and of others executed with it.
    std::vector<std::pair<MachineUnit, float>> uses, uses_beside;
    bool is_scheduled = false;     // its results always take the same time: the schedule has the wait
    std::vector<uint32_t> places;  // in the machine code that something leads to, rising: one for each copy
    std::vector<uint32_t> reads, writes;  // registers, numbered throughout the kernel
    double products = 0;           // tensor: as many m16n8k16, of doubles m16n8k8
    int groups_left = 0;           // wait: so many groups may still be under way
    bool ends_run = false;         // nothing moves past it
    bool begins_run = false;       // a branch may lead here
    uint32_t back_to = ~0u;        // a branch back: the instruction that heads the loop
    int copies = 1;                // of its stretch of code, that ptxas made
    struct Load {
        bool passes_l1 = false;    // does not look there
        bool is_gather = false;    // of global memory, from an address that comes from what a load has read there
    } load;
};

struct TimedCode {
    std::vector<TimedInstruction> instructions;
    std::vector<MachineInstruction> machine;  // by address; empty: there is none
    uint32_t registers = 0;
    std::string unknown;  // what of the kernel the simulation does not know, in words; "" if nothing
    const MachineInstruction* machine_at(uint32_t address) const;  // null: there is none
};

// How many machine instructions each costs is told from the number of its places alone; who knows
// what was executed counts them (machine_counts.h).
TimedCode timed_code(const ptx::Kernel& kernel, std::vector<MachineInstruction> machine);

}  // namespace lanewise
