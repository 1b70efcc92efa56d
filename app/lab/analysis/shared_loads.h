// What blocks of a launch load that others of them load as well: to tell whether those that are looked at share as much as
// those that a multiprocessor gets.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "sim/event/event.h"
#include "sim/memory/memory.h"

namespace lanewise {

// By the first sector (address / 32) of a buffer: of the sectors that blocks load there, each counted once a block, the
// part that another of them has loaded before. run: lets one block run with an observer.
std::map<uint64_t, double> shared_loads(const Memory& memory, const std::vector<uint64_t>& blocks,
                                        const std::function<void(uint64_t block, Observer&)>& run);

}  // namespace lanewise
