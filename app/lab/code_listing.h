// A kernel's compiled code as a window lists it beside the source: the PTX's instructions and the
// memory operations of the SASS, each with the source line that it comes from, and what became of
// the PTX's accesses in the SASS.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "ptx/instruction.h"

namespace lanewise {

struct PtxRow {
    int line = 0;         // in Program::ptx, 1-based
    int source_line = 0;  // of the kernel's own file; 0 where unknown, or in another file
    int access = -1;      // index into Report::instructions; -1: no access to memory
    std::string text;     // an instruction as written, or a label with its colon
};

struct SassRow {
    uint32_t address = 0;  // from the kernel's first byte
    int ptx_line = 0, source_line = 0;
    int bytes_per_lane = 0;  // 0: not per lane
    std::string opcode;      // "LDS.64"
    std::string predicate;   // "@P0", "@!P0"; "" always, "@!PT" never executes
    // With respect to the PTX's instruction at ptx_line: "merged" (it does the work of others too),
    // "widened", "split", "copy" (one of several, as of an unrolled loop); "" as written.
    std::string relation;
};

// Where a source line's accesses are not one to one: "merged: 2 ld.shared.f32 → 1 LDS.64".
struct CodeNote {
    int source_line = 0;
    std::string text;
};

struct CodeListing {
    std::vector<PtxRow> ptx;    // the kernel's body in order, at most kMostPtxRows
    std::vector<SassRow> sass;  // by address
    std::vector<CodeNote> notes;
    std::string remark;  // why something is missing here; a whole sentence, or ""
};
inline constexpr size_t kMostPtxRows = 6000;

// file: the name that the source was compiled under. A cubin that cannot be read gives no SASS and
// a remark; so does none.
CodeListing code_listing(const Program& program, const ptx::Kernel& kernel,
                         const std::string& file);

}  // namespace lanewise
