// Any bytes as a cubin: the kernel's needs, its machine code's turns and memory operations with
// their lines, and how these count the PTX. The kernel is the one of the seeds.
#include "compile/cubin.h"

#include <map>
#include <vector>

#include "compile/elf.h"
#include "compile/line_table.h"
#include "compile/sass.h"
#include "compile/sass_counts.h"
#include "compile/sass_flow.h"
#include "compile/sass_places.h"
#include "fuzz.h"
#include "model/machine_counts.h"

namespace lanewise {

// PTX that loads and stores on the lines of the cubin's own operations, but twice as wide, so that
// some are merged, some split and some uncertain.
static std::vector<PtxMemoryInstruction> ptx_for(const std::vector<SassMemoryOperation>& sass) {
    std::vector<PtxMemoryInstruction> ptx;
    for (const SassMemoryOperation& operation : sass)
        if (ptx.size() % 3 == 0 || ptx.back().line != operation.ptx_line)
            ptx.push_back({operation.ptx_line, operation.kind,
                           operation.bytes_per_lane * static_cast<int>(1 + ptx.size() % 2)});
    return ptx;
}

// How often each place is executed, where its line was as often as its number says.
static void count_places(const std::vector<SassPlace>& places) {
    TimedCode code;
    std::map<int, size_t> lines;
    for (const SassPlace& place : places) {
        code.machine.push_back({place.address, place.ptx_line, static_cast<MachineUnit>(place.unit),
                                place.is_guarded, place.stall, place.turns, place.bank_reads,
                                static_cast<MachineInstruction::Flow>(place.flow), place.target});
        auto [line, is_new] = lines.try_emplace(place.ptx_line, lines.size());
        if (is_new) code.instructions.emplace_back();
        TimedInstruction& timed = code.instructions[line->second];
        timed.places.push_back(place.address);
        timed.known = line->second % 3 == 0;
        timed.known_unit = static_cast<MachineUnit>(place.unit);
        timed.is_simple = line->second % 3 == 1;
        if (line->second % 5 == 0) timed.unit = Unit::convert, timed.is_wide = true;  // a function each time
    }
    std::vector<double> executed(code.instructions.size()), off(code.instructions.size(), 1);
    for (const auto& [line, at] : lines) executed[at] = static_cast<double>(static_cast<uint32_t>(line) % 100);
    std::vector<LoopTurns> loops;
    if (executed.size() > 4) loops = {{1, static_cast<uint32_t>(executed.size() - 2), {{1, 3}, {10, 2}}}};
    count_machine_instructions(code, executed, off, loops, off);
    for (const TimedInstruction& timed : code.instructions)
        if (!(timed.issues >= 0) || !(timed.beside >= 0) || !(timed.stalls >= 0)) __builtin_trap();
}

static void fuzz_kernel(std::string_view cubin, const char* kernel) {
    refusing([&] { kernel_resources(cubin, kernel); });
    refusing([&] { sass_turns(cubin, kernel); });
    refusing([&] { count_places(sass_places(cubin, kernel)); });
    refusing([&] {
        std::vector<SassMemoryOperation> sass = sass_memory_operations(cubin, kernel);
        std::vector<PtxMemoryInstruction> ptx = ptx_for(sass);
        if (counted_as(ptx, sass).size() != ptx.size()) __builtin_trap();
        OneToOne one_to_one = compare_with_ptx(ptx, sass);
        if (one_to_one.holds != one_to_one.difference.empty()) __builtin_trap();
    });
}

void fuzz(std::string_view cubin) {
    fuzz_kernel(cubin, "_Z16transpose_paddedIfLi32ELi8ELi1EEvPKT_PS0_ii");
    fuzz_kernel(cubin, "_Z1kPf");
}

}  // namespace lanewise
