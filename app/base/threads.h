// Work on several threads at once, for jobs that split into independent ranges.
#pragma once
#include <cstdint>
#include <functional>

namespace lanewise {

// The number of cores of this machine, at least 1.
int core_count();

// Calls work(begin, end) on up to `threads` threads until [0, count) is covered once, in ranges of
// about `grain` handed out in order. The first exception stops the rest and is thrown here.
void in_ranges(uint64_t count, uint64_t grain, int threads,
               const std::function<void(int thread, uint64_t begin, uint64_t end)>& work);

}  // namespace lanewise
