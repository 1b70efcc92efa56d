// Any text as PTX: parsed, decoded, and two blocks of it run with a small budget, counted and
// checked, and what was found put into words; then the same with its loads made as late as can be.
#include <array>
#include <cstring>
#include <vector>

#include "fuzz.h"
#include "lab/machine/sunk_loads.h"
#include "ptx/parser.h"
#include "sim/warp/machine.h"
#include "trace/both.h"
#include "trace/check/checker.h"
#include "trace/count/counter.h"

namespace lanewise {

namespace {

constexpr uint64_t kBytes = 4096;  // of each buffer

// Arguments of 8 bytes are buffers in turn, others are small numbers.
std::vector<std::byte> arguments_for(const ptx::Kernel& kernel, const Memory& memory) {
    std::vector<std::byte> packed(kernel.parameter_bytes);
    uint64_t number = 33;
    size_t buffer = 0;
    for (const ptx::Parameter& parameter : kernel.parameters) {
        bool is_pointer = parameter.bytes == 8;
        uint64_t value = is_pointer ? memory.buffers()[buffer++ % 2].address : number++;
        std::memcpy(packed.data() + parameter.offset, &value,
                    parameter.bytes < 8 ? parameter.bytes : 8);
    }
    return packed;
}

void run(const ptx::Kernel& kernel) {
    Machine machine(kernel);
    Memory memory;
    memory.allocate_unique_words(kBytes, "in");
    memory.allocate(kBytes, "out");
    std::vector<std::byte> arguments = arguments_for(kernel, memory);
    LaunchShape shape{{2, 2}, {33, 2}, 1024};  // three warps, the last one nearly empty
    Counter counter(kernel);
    const std::array<size_t, 1> outputs{1};
    Checker checker(kernel, memory, outputs);
    Both both(counter, checker);
    machine.run(shape, arguments, memory, 1, 3, both, {.instructions_per_warp = 3000});
    const Counter* counters[] = {&counter};
    Report report = merge(kernel, counters, shape, memory);
    const Checker* checkers[] = {&checker};
    add_findings(report, kernel, checkers, shape, memory);
    for (const Finding& finding : report.findings)
        if (finding.message.empty()) __builtin_trap();
}

// As if the machine code had each load behind the next instruction with a guard.
void sink_all_loads(ptx::Kernel& kernel) {
    std::vector<SassMemoryOperation> loads;
    std::vector<SassTurn> turns;
    uint32_t address = 0;
    for (size_t i = 0; i < kernel.instructions.size(); ++i) {
        if (kernel.instructions[i].parts[0] != "ld") continue;
        size_t next = i + 1;
        while (next < kernel.instructions.size() && !kernel.instructions[next].guarded) ++next;
        if (next == kernel.instructions.size()) break;
        const ptx::Instruction& turn = kernel.instructions[next];
        using enum SassTurn::Kind;
        turns.push_back({address += 16, turn.parts[0] == "st" ? exit : branch, turn.ptx_line});
        SassMemoryOperation load;
        load.address = address += 16;
        load.ptx_line = kernel.instructions[i].ptx_line;
        loads.push_back(load);
    }
    sink_loads(kernel, loads, turns);
}

}  // namespace

void fuzz(std::string_view text) {
    ptx::Module module = ptx::parse(text);
    for (ptx::Kernel& kernel : module.kernels) {
        refusing([&] { run(kernel); });
        sink_all_loads(kernel);
        refusing([&] { run(kernel); });
    }
}

}  // namespace lanewise
