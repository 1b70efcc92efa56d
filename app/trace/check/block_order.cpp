#include "trace/check/block_order.h"

#include <algorithm>
#include <utility>

#include "trace/check/join.h"

namespace lanewise {

namespace {

bool holds(uint32_t mask, size_t bit) { return mask >> bit & 1; }

}  // namespace

void BlockOrder::start_block() {
    for (WarpTime& warp : warps_) {
        warp.now = warp.at_barrier = warp.all_lanes = 0;
        warp.known.fill(0);
        warp.fenced.fill(0);
        warp.lanes.reset();
        warp.of_lanes.reset();
    }
    mbarriers_.clear();
    published_.clear();
    arrived_ = {};
}

void BlockOrder::share(WarpTime& time, uint32_t lanes) {
    if (!time.of_lanes) return;
    Times together{};
    for (size_t lane = 0; lane < 32; ++lane)
        if (holds(lanes, lane)) join(together, (*time.of_lanes)[lane]);
    if (lanes == ~0u) {
        join(time.known, together);
        time.of_lanes.reset();
        return;
    }
    for (size_t lane = 0; lane < 32; ++lane)
        if (holds(lanes, lane)) join((*time.of_lanes)[lane], together);
}

void BlockOrder::arrive(uint32_t warp, uint32_t number) {
    Arrived& arrived = arrived_[number % arrived_.size()];
    share(warps_[warp], ~0u);
    join(arrived.known, warps_[warp].known);
    join(arrived.fenced, warps_[warp].fenced);
    arrived.known[warp] = std::max(arrived.known[warp], warps_[warp].now);
}

void BlockOrder::barrier(uint32_t warps, uint32_t finished, uint32_t number) {
    auto [known, fenced] = std::exchange(arrived_[number % arrived_.size()], {});
    for (size_t w = 0; w < 32; ++w) {
        if (!holds(warps | finished, w)) continue;
        share(warps_[w], ~0u);
        join(known, warps_[w].known);
        join(fenced, warps_[w].fenced);
        known[w] = std::max(known[w], warps_[w].now);
    }
    for (size_t w = 0; w < 32; ++w) {
        if (!holds(warps, w)) continue;
        warps_[w].known = known;
        warps_[w].fenced = fenced;
        warps_[w].at_barrier = warps_[w].all_lanes = warps_[w].now;
    }
}

void BlockOrder::warp_sync(uint32_t warp, uint32_t lanes) {
    WarpTime& time = warps_[warp];
    share(time, lanes);
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

// The other lanes' accesses so far are published too: a kernel without the __syncwarp that this
// needs goes unnoticed.
void BlockOrder::arrive(uint32_t warp, uint32_t lanes, uint32_t mbarrier) {
    const WarpTime& time = warps_[warp];
    Times& gathered = mbarriers_[mbarrier].gathered;
    join(mbarriers_[mbarrier].gathered_fenced, time.fenced);
    join(gathered, time.known);
    for (size_t lane = 0; lane < 32 && time.of_lanes; ++lane)
        if (holds(lanes, lane)) join(gathered, (*time.of_lanes)[lane]);
    gathered[warp] = std::max(gathered[warp], time.now);
}

void BlockOrder::end_phase(uint32_t mbarrier) {
    Phases& phases = mbarriers_[mbarrier];
    phases.over = phases.gathered;
    phases.over_fenced = phases.gathered_fenced;
}

void BlockOrder::pass(uint32_t warp, uint32_t lanes, uint32_t mbarrier) {
    WarpTime& time = warps_[warp];
    const Times& over = mbarriers_[mbarrier].over;
    join(time.fenced, mbarriers_[mbarrier].over_fenced);
    pass_within(time, lanes, over[warp]);
    if (lanes == ~0u) return join(time.known, over);
    if (!time.of_lanes) time.of_lanes = std::make_unique<std::array<Times, 32>>();
    for (size_t lane = 0; lane < 32; ++lane)
        if (holds(lanes, lane)) join((*time.of_lanes)[lane], over);
}

// Lanes of one warp may meet at an mbarrier as warps do: what any of them did up to `arrived`, by
// the warp's clock, comes before what these lanes do next.
void BlockOrder::pass_within(WarpTime& time, uint32_t lanes, uint32_t arrived) {
    if (lanes == ~0u) {
        time.all_lanes = std::max(time.all_lanes, arrived);
        return;
    }
    if (arrived <= time.all_lanes) return;
    if (!time.lanes) time.lanes = std::make_unique<LaneTimes>();
    for (size_t lane = 0; lane < 32; ++lane)
        for (size_t of = 0; of < 32 && holds(lanes, lane); ++of)
            (*time.lanes)[lane][of] = std::max((*time.lanes)[lane][of], arrived);
}

void BlockOrder::proxy_fence(uint32_t warp) {
    WarpTime& time = warps_[warp];
    join(time.fenced, time.known);
    for (size_t lane = 0; lane < 32 && time.of_lanes; ++lane)
        join(time.fenced, (*time.of_lanes)[lane]);
    time.fenced[warp] = time.now;
}

// Barriers that lie 128 bytes apart share an agent: what is known of one is then taken to be known
// of the other.
BlockOrder::AgentAccess BlockOrder::agent_access(uint32_t mbarrier) {
    uint32_t agent = 32 + mbarrier / 8 % kAgents;
    Times& gathered = mbarriers_[mbarrier].gathered;
    gathered[agent] = ++warps_[agent].now;
    return {warps_[agent].now, static_cast<uint16_t>(agent * 32)};
}

BlockOrder::AgentAccess BlockOrder::known_to_all() {
    constexpr uint32_t kAgent = 32 + kAgents - 1;
    WarpTime& agent = warps_[kAgent];
    agent.now = std::max(agent.now, 1u);
    for (size_t w = 0; w < 32; ++w)
        warps_[w].known[kAgent] = std::max(warps_[w].known[kAgent], 1u);
    return {1, static_cast<uint16_t>(kAgent * 32)};
}

void BlockOrder::publish(uint32_t warp, uint64_t address, bool adds) {
    Times& place = published_[address];
    if (!adds) place.fill(0);
    join(place, warps_[warp].known);
    place[warp] = warps_[warp].now;
}

void BlockOrder::publish_all(uint64_t address) {
    Times& place = published_[address];
    for (size_t i = 0; i < place.size(); ++i) place[i] = std::max(place[i], warps_[i].now);
}

void BlockOrder::acquire(uint32_t warp, uint64_t address) {
    auto place = published_.find(address);
    if (place != published_.end()) join(warps_[warp].known, place->second);
}

void BlockOrder::acquire(uint32_t warp, uint32_t lane, const PastAccess& published) {
    std::unique_ptr<LaneTimes>& lanes = warps_[warp].lanes;
    if (!lanes) lanes = std::make_unique<LaneTimes>();
    std::array<uint32_t, 32>& mine = (*lanes)[lane];
    join(mine, (*lanes)[published.lane()]);
    mine[published.lane()] = std::max(mine[published.lane()], published.time);
}

}  // namespace lanewise
