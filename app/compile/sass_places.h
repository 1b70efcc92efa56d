// Where the machine code (SASS) has the work of each line of the PTX: every instruction of a kernel
// with the line that it comes from, and where it goes on. For the model of time
// (model/timed_code.h, machine_counts.h).
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lanewise {

struct SassPlace {
    // Where it goes on: at the next place; there or at `target`; in the function at `target`, and
    // then at the next place; at the caller's; nowhere. What has a guard may also go on at the next place.
    enum class Flow : uint8_t { next, branch, call, back, end };
    // Which unit executes it. none: the branch, uniform and constant units, which nothing here waits for;
    // alu: whole numbers, comparisons, moves, votes; fma: sums and products of floats; half_mma: HFMA2.MMA;
    // multiply: of whole numbers;
    // special: MUFU, conversions, POPC; products: of matrices (HMMA, IMMA, DMMA).
    enum class Unit : uint8_t { none, alu, fma, multiply, half, half_mma, real, special, shuffle, reduce, products, memory, barrier };
    uint32_t address = 0;  // as in SassMemoryOperation
    int ptx_line = 0;  // 1-based line of Program::ptx; 0 where the cubin says nothing, and of a NOP
    Unit unit = Unit::alu;
    bool is_guarded = false;
    int stall = 0;      // clocks after which the warp's next instruction may be issued
    int turns = 1;      // of its unit: IMAD.HI takes two
    // Registers of the even and of the odd bank that are read for it, of instructions with three operands.
    std::array<uint8_t, 2> bank_reads{};
    Flow flow = Flow::next;
    uint32_t target = kNowhere;  // of a branch or call; kNowhere where a register has it

    static constexpr uint32_t kNowhere = ~0u;
};

// Of kernel `entry`, functions that it calls included, by address; what only fills up the end is
// left out. Errors, and the empty cubin, as sass_memory_operations() has them.
std::vector<SassPlace> sass_places(std::string_view cubin, std::string_view entry);

}  // namespace lanewise
