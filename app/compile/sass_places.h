// Where the machine code (SASS) has the work of each line of the PTX: every instruction of a kernel
// with the line that it comes from. For the model of time (model/timed_code.h).
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace lanewise {

struct SassPlace {
    uint32_t address = 0;  // as in SassMemoryOperation
    int ptx_line = 0;      // 1-based line of Program::ptx; 0 where the cubin says nothing
};

// Of kernel `entry`, functions that it calls included, by address; what only fills up the end is
// left out. Errors, and the empty cubin, as sass_memory_operations() has them.
std::vector<SassPlace> sass_places(std::string_view cubin, std::string_view entry);

}  // namespace lanewise
