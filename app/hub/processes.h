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

// Lets all threads of these give way to others, as nice(1) has it: 19 most, 0 not any more. What ended meanwhile is left
// out. Threads that are not root's cannot take it back, so that theirs stays at 10 at most; a session's own number, where
// the system shares its processors among sessions (autogroup, sched(7)), goes up and down.
void let_give_way(const std::vector<int>& processes, int nice);

}  // namespace lanewise
