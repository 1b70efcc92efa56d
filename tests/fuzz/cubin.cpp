// Any bytes as a cubin: the kernel's needs, its machine code's turns and memory operations with
// their lines, and how these count the PTX. The kernel is the one of the seeds.
#include "compile/cubin.h"

#include <vector>

#include "compile/elf.h"
#include "compile/line_table.h"
#include "compile/sass.h"
#include "compile/sass_counts.h"
#include "compile/sass_flow.h"
#include "fuzz.h"

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

static void fuzz_kernel(std::string_view cubin, const char* kernel) {
    refusing([&] { kernel_resources(cubin, kernel); });
    refusing([&] { sass_turns(cubin, kernel); });
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
