#include "trace/access_cost.h"

#include <bit>

#include "trace/rules.h"

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

// The distances of all lanes are compared, those of inactive ones too: a difference there costs
// only a computation that was not needed.
const AccessCost& CostMemory::cost(const MemoryEvent& event) {
    const std::array<uint64_t, 32>& addresses = *event.addresses;
    uint64_t place = addresses[0] % (event.space == Space::global ? kSectorBytes : 4);
    Pattern& pattern = patterns_[place / 4 % patterns_.size()];
    uint64_t difference = (pattern.mask ^ event.mask) | (pattern.place ^ place) |
                          static_cast<uint64_t>(pattern.space != event.space) |
                          static_cast<uint64_t>(pattern.bytes ^ event.bytes_per_lane);
    for (size_t lane = 0; lane < 32; ++lane)
        difference |= (addresses[lane] - addresses[0]) ^ pattern.distances[lane];
    if (difference == 0) return pattern.cost;

    for (size_t lane = 0; lane < 32; ++lane)
        pattern.distances[lane] = addresses[lane] - addresses[0];
    pattern.place = place;
    pattern.mask = event.mask;
    pattern.space = event.space;
    pattern.bytes = event.bytes_per_lane;
    pattern.cost = access_cost(event);
    return pattern.cost;
}

}  // namespace lanewise
