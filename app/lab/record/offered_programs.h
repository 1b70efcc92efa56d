// Every program that the course offers to somebody who writes no code: what is shipped, so that it
// can be shown and launched where there is no compiler (compile/shipped_programs.h).
#pragma once
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "course/catalogue.h"

namespace lanewise {

struct OfferedProgram {
    Source source;
    CompileOptions options;
    bool with_cubin = true;  // else the PTX is enough: a card of that architecture compiles it
};

// Of one source's name.
struct OfferedArchive {
    std::string name;                      // "transpose/30_padded"
    std::string headers;                   // that all of it needs ("cutlass")
    std::vector<OfferedProgram> programs;  // alike ones beside each other
};

// Those that PTX is offered for, the newest first. Cubins of every setting are offered for the first
// of them, which is what is compiled for where nobody says; for sm_80 those of the default knobs
// and type, of the exercises and of what measures. sm_86 runs what sm_80 does.
const std::vector<std::string>& offered_archs();

// One archive for each stage that is a kernel: every choice of knobs and type, each padding of the
// table of paddings (lab/change/pad_table.h), the forge's presets; of an exercise its start and its
// solution. Then those of what the laboratory itself launches, under "lab/", and of the launches that the
// model of time is judged by, under "launches/" (launch_set.h). Throws
// Error(bad_input) where a stage or the solution in its lesson is malformed.
std::vector<OfferedArchive> offered_programs(const Catalogue& catalogue);

}  // namespace lanewise
