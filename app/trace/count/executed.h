// From the accesses of the PTX to those of the machine code.
#pragma once
#include "sim/event/event.h"
#include "trace/count/counter.h"

namespace lanewise {

// Calls f(event) for each plain access that the machine code makes in place of this one.
template <class F>
void for_each_executed(const MemoryEvent& event, const CountAs& count_as, F f) {
    if (count_as.is_as_written()) return f(event);
    std::array<uint64_t, 32> addresses;
    MemoryEvent executed = event;
    executed.addresses = &addresses;
    if (count_as.bytes_per_lane > 0)
        executed.bytes_per_lane = static_cast<uint8_t>(count_as.bytes_per_lane);
    uint64_t width = executed.bytes_per_lane;
    uint64_t unaligned = width > event.bytes_per_lane ? width - 1 : 0;
    for (int n = 0; n < count_as.operations; ++n) {
        for (size_t lane = 0; lane < 32; ++lane)
            addresses[lane] =
                ((*event.addresses)[lane] & ~unaligned) + static_cast<uint64_t>(n) * width;
        f(executed);
    }
}

}  // namespace lanewise
