// The lives of all warps of a traced block beside each other, on an axis of ticks: a tick is a
// sector or a wavefront of the warp's own. Warps that leave a barrier together go on at one tick.
// How long a warp waits for memory is not on it: ticks count what is asked for, not time.
#pragma once
#include <cstdint>
#include <vector>

#include "trace/record/warp_life.h"

namespace lanewise {

struct TimelineSegment {
    LifeStep step;
    int index = 0;                // its place in the warp's life (warp_life())
    uint64_t begin = 0, end = 0;  // ticks; of a barrier, from the warp's coming to its going on
    uint64_t ticks() const { return end - begin; }
    bool is_wasteful() const { return step.access >= 0 && step.cost > step.ideal; }
};

struct BlockTimeline {
    std::vector<std::vector<TimelineSegment>> warps;  // each without a gap, from tick 0 on
    uint64_t ticks = 0;                               // when the last warp is done
};

// An access lasts as many ticks as it has sectors or wavefronts, a copy past the lanes as many as
// its sectors where a warp asks for them; all else, the last warp's stay at a barrier too, lasts one.
BlockTimeline block_timeline(const BlockTrace& block, const Report& report);

// The segment of `warp` at this tick; nullptr where it has none.
const TimelineSegment* segment_at(const BlockTimeline& timeline, uint32_t warp, double tick);

// What the block's accesses cost beyond the ideal, and where most of it is.
struct TimelineWaste {
    uint64_t ticks = 0, ideal = 0;  // of all accesses of all warps
    int line = 0;                   // with the most ticks in vain; 0: none, or nobody knows
    LifeStep worst;                 // the dearest access of that line
    uint32_t warp = 0;              // whose it is
    int index = -1;                 // in that warp's life; -1: nothing is wasted
    uint64_t line_in_vain = 0;      // ticks
    uint64_t in_vain() const { return ticks - ideal; }
};
TimelineWaste waste_of(const BlockTimeline& timeline);

}  // namespace lanewise
