#include "trace/record/block_timeline.h"

#include <algorithm>
#include <map>

namespace lanewise {
namespace {

LifeStep step_of_access(const BlockTrace& block, const Report& report, size_t index) {
    const TracedAccess& access = block.accesses[index];
    const InstructionReport& instruction = report.instructions[access.instruction];
    const bool shared = instruction.space == Space::shared;
    LifeStep step;
    step.moment = shared ? (instruction.is_store ? Moment::shared_store : Moment::shared_load)
                         : (instruction.is_store ? Moment::store : Moment::load);
    step.access = static_cast<int>(index);
    step.line = instruction.line;
    step.cost = shared ? access.wavefronts : access.sectors;
    step.ideal = shared ? access.wavefronts_ideal : access.sectors_ideal;
    return step;
}

uint64_t ticks_of(const LifeStep& step) { return static_cast<uint64_t>(std::max(1, step.cost)); }

class Builder {
  public:
    Builder(const BlockTrace& block, const Report& report) : block_(block), report_(report) {
        made_.warps.resize(block.warps);
    }

    BlockTimeline build() {
        auto mark = block_.marks.begin();
        for (size_t i = 0; i <= block_.accesses.size(); ++i) {
            for (; mark != block_.marks.end() && mark->before <= i; ++mark) take(*mark);
            leave_barrier();
            if (i < block_.accesses.size())
                add(block_.accesses[i].warp, step_of_access(block_, report_, i));
        }
        for (auto& warp : made_.warps) {
            if (!warp.empty()) made_.ticks = std::max(made_.ticks, warp.back().end);
            name_chapters(warp);
        }
        return std::move(made_);
    }

  private:
    uint64_t now(uint32_t warp) const {
        const auto& segments = made_.warps[warp];
        return segments.empty() ? 0 : segments.back().end;
    }

    void add(uint32_t warp, const LifeStep& step) {
        if (warp >= made_.warps.size()) return;
        const uint64_t begin = now(warp);
        made_.warps[warp].push_back(
            {step, static_cast<int>(made_.warps[warp].size()), begin, begin + ticks_of(step)});
    }

    // Warps that leave a barrier together are told one after the other, by rising number.
    void take(const TracedMark& mark) {
        if (mark.kind != TracedMark::Kind::barrier) {
            leave_barrier();
            return add(mark.warp, step_of(block_, mark));
        }
        if (!leaving_.empty() && mark.warp <= leaving_.back()) leave_barrier();
        if (mark.warp >= made_.warps.size()) return;
        leaving_.push_back(mark.warp);
        add(mark.warp, step_of(block_, mark));
    }

    void leave_barrier() {
        uint64_t together = 0;
        for (uint32_t warp : leaving_) together = std::max(together, now(warp));
        for (uint32_t warp : leaving_) made_.warps[warp].back().end = together;
        leaving_.clear();
    }

    static void name_chapters(std::vector<TimelineSegment>& warp) {
        std::vector<LifeStep> life;
        for (const TimelineSegment& segment : warp) life.push_back(segment.step);
        find_chapters(life);
        for (size_t i = 0; i < warp.size(); ++i) warp[i].step.chapter = life[i].chapter;
    }

    const BlockTrace& block_;
    const Report& report_;
    BlockTimeline made_;
    std::vector<uint32_t> leaving_;
};

}  // namespace

BlockTimeline block_timeline(const BlockTrace& block, const Report& report) {
    return Builder(block, report).build();
}

const TimelineSegment* segment_at(const BlockTimeline& timeline, uint32_t warp, double tick) {
    if (warp >= timeline.warps.size() || tick < 0) return nullptr;
    const auto& segments = timeline.warps[warp];
    auto after = std::upper_bound(
        segments.begin(), segments.end(), tick,
        [](double at, const TimelineSegment& each) { return at < static_cast<double>(each.end); });
    return after == segments.end() ? nullptr : &*after;
}

TimelineWaste waste_of(const BlockTimeline& timeline) {
    TimelineWaste waste;
    struct Line {
        uint64_t in_vain = 0;
        const TimelineSegment* worst = nullptr;
        uint32_t warp = 0;
    };
    std::map<int, Line> lines;
    for (uint32_t warp = 0; warp < timeline.warps.size(); ++warp)
        for (const TimelineSegment& each : timeline.warps[warp]) {
            if (each.step.access < 0) continue;
            waste.ticks += static_cast<uint64_t>(each.step.cost);
            waste.ideal += static_cast<uint64_t>(std::min(each.step.cost, each.step.ideal));
            if (!each.is_wasteful()) continue;
            Line& line = lines[each.step.line];
            line.in_vain += static_cast<uint64_t>(each.step.cost - each.step.ideal);
            if (!line.worst || each.step.cost > line.worst->step.cost) {
                line.worst = &each;
                line.warp = warp;
            }
        }
    for (const auto& [number, line] : lines) {
        if (line.in_vain <= waste.line_in_vain) continue;
        waste.line = number;
        waste.line_in_vain = line.in_vain;
        waste.worst = line.worst->step;
        waste.warp = line.warp;
        waste.index = line.worst->index;
    }
    return waste;
}

}  // namespace lanewise
