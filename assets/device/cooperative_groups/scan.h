// cooperative_groups::inclusive_scan and exclusive_scan of a tile or of coalesced threads.
#pragma once
#pragma clang system_header
#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Op>
__LW T inclusive_scan(const Group& group, T v, Op op) {
    for (unsigned by = 1; by < group.size(); by *= 2) {
        T before = group.shfl_up(v, by);
        if (group.thread_rank() >= by) v = op(before, v);
    }
    return v;
}
template <class Group, class T>
__LW T inclusive_scan(const Group& group, T v) {
    return inclusive_scan(group, v, plus<T>());
}
template <class Group, class T, class Op>
__LW T exclusive_scan(const Group& group, T v, Op op) {
    T before = group.shfl_up(inclusive_scan(group, v, op), 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
__LW T exclusive_scan(const Group& group, T v) {
    return exclusive_scan(group, v, plus<T>());
}

}  // namespace cooperative_groups
