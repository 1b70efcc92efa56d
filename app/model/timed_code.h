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

struct TimedInstruction {
    Unit unit = Unit::none;
    double issues = 1;             // machine instructions for one execution
    std::vector<uint32_t> places;  // in the machine code, rising: one for each copy
    std::vector<uint32_t> reads, writes;  // registers, numbered throughout the kernel
    double products = 0;           // tensor: as many m16n8k16
    int groups_left = 0;           // wait: so many groups may still be under way
    bool ends_run = false;         // nothing moves past it
    bool begins_run = false;       // a branch may lead here
    int copies = 1;                // of its stretch of code, that ptxas made
    bool passes_l1 = false;        // a load that does not look there
};

struct TimedCode {
    std::vector<TimedInstruction> instructions;
    uint32_t registers = 0;
    std::string unknown;  // what of the kernel the simulation does not know, in words; "" if nothing
};

// sass: by address, the address and the PTX line of each machine instruction; empty: there is none.
TimedCode timed_code(const ptx::Kernel& kernel,
                     std::span<const std::pair<uint32_t, int>> sass);

}  // namespace lanewise
