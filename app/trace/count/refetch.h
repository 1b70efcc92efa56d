// Sectors of global memory that a block asks for again.
#pragma once
#include <cstdint>
#include <map>

#include "trace/report.h"

namespace lanewise {

// For each sector that the access touches (by its number: device address / 32), how many accesses
// of the block before it touched that sector too, in the same direction. Each of those moved the
// sector to or from the L1 cache; whether it had to come all the way again depends on what the
// caches kept. Empty for an access to shared memory.
std::map<uint64_t, int> earlier_touches(const BlockTrace& block, const Report& report, int access);

}  // namespace lanewise
