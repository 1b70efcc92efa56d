// What a process and all below it use, as /proc tells it.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

namespace lanewise {

struct ProcessUse {
    double cpu_s = 0;             // of all that live, and of those that they have waited for
    uint64_t resident_bytes = 0;  // what several share is counted for each
    std::vector<int> processes;   // their ids, the root included
};

// For each of `roots` that lives: itself and what is below it. Reads /proc once.
std::map<int, ProcessUse> use_of(const std::vector<int>& roots);

// Lets all threads of these give way to others (nice 10). What ended meanwhile is left out.
void let_give_way(const std::vector<int>& processes);

}  // namespace lanewise
