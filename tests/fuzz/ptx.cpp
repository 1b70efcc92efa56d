// Any text as PTX: parsed, decoded, and two blocks of it run with a small budget, counted and
// checked, and what was found put into words.
#include <array>
#include <cstring>
#include <vector>

#include "fuzz.h"
#include "ptx/parser.h"
#include "sim/machine.h"
#include "trace/both.h"
#include "trace/checker.h"
#include "trace/counter.h"

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

}  // namespace

void fuzz(std::string_view text) {
    ptx::Module module = ptx::parse(text);
    for (const ptx::Kernel& kernel : module.kernels) refusing([&] { run(kernel); });
}

}  // namespace lanewise
