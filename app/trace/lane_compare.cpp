#include "trace/lane_compare.h"

namespace lanewise {

namespace {

[[gnu::always_inline]] inline bool compare(const LaneWides& addresses, const LaneWides& distances) {
    uint64_t difference = 0;
    for (size_t lane = 0; lane < 32; ++lane)
        difference |= (addresses[lane] - addresses[0]) ^ distances[lane];
    return difference == 0;
}
[[gnu::always_inline]] inline bool compare(const LaneWides& addresses, const LaneWords& places) {
    uint64_t difference = 0;
    for (size_t lane = 0; lane < 32; ++lane) difference |= addresses[lane] ^ places[lane];
    return difference == 0;
}

template <class Words>
using Compare = bool (*)(const LaneWides&, const Words&);

template <class Words>
bool compare_anywhere(const LaneWides& addresses, const Words& words) {
    return compare(addresses, words);
}

#if defined(__x86_64__)
template <class Words>
[[gnu::target("avx2")]] bool compare_with_avx2(const LaneWides& addresses, const Words& words) {
    return compare(addresses, words);
}
template <class Words>
Compare<Words> best() {
    return __builtin_cpu_supports("avx2") ? compare_with_avx2<Words> : compare_anywhere<Words>;
}
#else
template <class Words>
Compare<Words> best() {
    return compare_anywhere<Words>;
}
#endif

}  // namespace

const Compare<LaneWides> lie_apart_by = best<LaneWides>();
const Compare<LaneWords> lie_at = best<LaneWords>();

}  // namespace lanewise
