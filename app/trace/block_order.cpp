#include "trace/block_order.h"

#include <algorithm>

namespace lanewise {

namespace {

bool holds(uint32_t mask, size_t bit) { return mask >> bit & 1; }

}  // namespace

void BlockOrder::start_block() {
    for (WarpTime& warp : warps_) {
        warp.now = warp.at_barrier = warp.all_lanes = 0;
        warp.known.fill(0);
        warp.lanes.reset();
    }
    arrived_ = {};
}

void BlockOrder::arrive(uint32_t warp, uint32_t number) {
    std::array<uint32_t, 32>& known = arrived_[number % arrived_.size()];
    for (size_t v = 0; v < known.size(); ++v)
        known[v] = std::max(known[v], v == warp ? warps_[v].now : warps_[warp].known[v]);
}

void BlockOrder::barrier(uint32_t warps, uint32_t finished, uint32_t number) {
    std::array<uint32_t, 32> known = arrived_[number % arrived_.size()];
    arrived_[number % arrived_.size()] = {};
    for (size_t w = 0; w < warps_.size(); ++w) {
        if (!holds(warps | finished, w)) continue;
        for (size_t v = 0; v < known.size(); ++v) known[v] = std::max(known[v], warps_[w].known[v]);
        known[w] = std::max(known[w], warps_[w].now);
    }
    for (size_t w = 0; w < warps_.size(); ++w) {
        if (!holds(warps, w)) continue;
        warps_[w].known = known;
        warps_[w].at_barrier = warps_[w].all_lanes = warps_[w].now;
    }
}

void BlockOrder::warp_sync(uint32_t warp, uint32_t lanes) {
    WarpTime& time = warps_[warp];
    if (lanes == ~0u) {
        time.all_lanes = time.now;
        return;
    }
    if (!time.lanes) time.lanes = std::make_unique<LaneTimes>();
    std::array<uint32_t, 32> known{};
    for (size_t lane = 0; lane < 32; ++lane) {
        if (!holds(lanes, lane)) continue;
        for (size_t of = 0; of < 32; ++of) known[of] = std::max(known[of], (*time.lanes)[lane][of]);
        known[lane] = time.now;
    }
    for (size_t lane = 0; lane < 32; ++lane)
        if (holds(lanes, lane)) (*time.lanes)[lane] = known;
}

void BlockOrder::acquire(uint32_t warp, const PastAccess& published) {
    std::array<uint32_t, 32>& mine = warps_[warp].known;
    const std::array<uint32_t, 32>& theirs = warps_[published.warp()].known;
    for (size_t v = 0; v < mine.size(); ++v) mine[v] = std::max(mine[v], theirs[v]);
    mine[published.warp()] = std::max(mine[published.warp()], published.time);
}

}  // namespace lanewise
