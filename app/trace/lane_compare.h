// Comparing 32 lanes' addresses, which is done for every access: in the widest instructions that
// this machine has.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace lanewise {

using LaneWides = std::array<uint64_t, 32>;
using LaneWords = std::array<uint32_t, 32>;

// Whether each lane's address is that far from lane 0's.
extern bool (*const lie_apart_by)(const LaneWides& addresses, const LaneWides& distances);
// Whether each lane's address is that one.
extern bool (*const lie_at)(const LaneWides& addresses, const LaneWords& places);

}  // namespace lanewise
