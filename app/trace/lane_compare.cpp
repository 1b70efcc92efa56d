#include "trace/lane_compare.h"

namespace lanewise {

namespace {

using Compare = bool (*)(const LaneWides&, const LaneWides&);

[[gnu::always_inline]] inline bool compare(const LaneWides& addresses, const LaneWides& distances) {
    uint64_t difference = 0;
    for (size_t lane = 0; lane < 32; ++lane)
        difference |= (addresses[lane] - addresses[0]) ^ distances[lane];
    return difference == 0;
}

bool compare_anywhere(const LaneWides& addresses, const LaneWides& distances) {
    return compare(addresses, distances);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] bool compare_with_avx2(const LaneWides& addresses,
                                               const LaneWides& distances) {
    return compare(addresses, distances);
}
Compare best() { return __builtin_cpu_supports("avx2") ? compare_with_avx2 : compare_anywhere; }
#else
Compare best() { return compare_anywhere; }
#endif

}  // namespace

const Compare lie_apart_by = best();

}  // namespace lanewise
