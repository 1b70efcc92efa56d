#include "trace/count/access_cost.h"

#include <bit>

#include "trace/count/rules.h"

namespace lanewise {

AccessCost access_cost(const MemoryEvent& event) {
    AccessCost cost;
    const LaneAddresses& addresses = *event.addresses;
    int bytes = event.bytes_per_lane;
    cost.bytes = static_cast<uint32_t>(std::popcount(event.mask) * bytes);
    auto count = [](int n) { return static_cast<uint32_t>(n); };
    if (event.space == Space::global) {
        cost.sectors = count(sectors(addresses, bytes, event.mask));
        cost.sectors_ideal = count(sectors_ideal(addresses, bytes, event.mask));
    } else {
        cost.wavefronts = count(wavefronts(addresses, bytes, event.mask, event.is_store));
        cost.wavefronts_ideal =
            count(wavefronts_ideal(addresses, bytes, event.mask, event.is_store));
    }
    return cost;
}

}  // namespace lanewise
