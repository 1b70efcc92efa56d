// What the names of a kernel's source stand for in one launch, as far as its text says so: for
// reading index expressions (index_expression.h). Private to lab/.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lab/job/job.h"

namespace lanewise {

using SourceNames = std::map<std::string, int64_t>;

// Of a kernel of the user's own: its whole-numbered arguments by the parameters' names, template
// arguments of its name expression and their defaults, sizeof of a template's type, -D definitions,
// and the source's own constants (add_constants).
SourceNames names_of_own(const Job& job);

// Of any job: of a stage its knobs, sizeof(T) and the source's constants.
SourceNames names_of(const Job& job);
// The job's kernel as its source calls it, without scopes and template arguments.
std::string kernel_name(const Job& job);

// "#define TILE 32" and "constexpr int TILE = 8 * 4;" that stand before the kernel.
void add_constants(const std::string& source, SourceNames& names);

// An array in shared memory, as the source declares it; of several in one declaration each.
struct SharedArray {
    std::string name, type;            // "tile", "T"
    std::vector<std::string> extents;  // "TILE", "TILE + PAD"; an empty one: extern
    std::vector<size_t> ends = {};     // where each ends in the source: the place of its bracket
};
std::vector<SharedArray> shared_arrays(const std::string& source, const std::string& kernel);

// Of "float", "half", "T" …; 0 where unknown.
int bytes_of_type(const std::string& type, const SourceNames& names);

}  // namespace lanewise
