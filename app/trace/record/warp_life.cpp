#include "trace/record/warp_life.h"

namespace lanewise {
namespace {

LifeStep step_of(const BlockTrace& block, const Report& report, size_t index) {
    const TracedAccess& access = block.accesses[index];
    const InstructionReport& instruction = report.instructions[access.instruction];
    bool shared = instruction.space == Space::shared;
    LifeStep step;
    step.moment = shared ? (instruction.is_store ? Moment::shared_store : Moment::shared_load)
                         : (instruction.is_store ? Moment::store : Moment::load);
    step.access = static_cast<int>(index);
    step.line = instruction.line;
    step.cost = shared ? access.wavefronts : access.sectors;
    step.ideal = shared ? access.wavefronts_ideal : access.sectors_ideal;
    return step;
}

// By Moment, and by TracedMark::Kind for those of another kind.
constexpr const char* kMoments[] = {"load", "store to tile", "sync", "read", "write"};
constexpr const char* kMarks[] = {"sync",     "atomic",    "asynchronous copy", "matrix load",
                                  "mbarrier", "bulk copy", "copy done",         "shuffle"};

}  // namespace

void find_chapters(std::vector<LifeStep>& life) {
    constexpr int kMoments = 8;
    uint32_t seen = 0;
    for (LifeStep& step : life) {
        int kind = static_cast<int>(step.moment);
        if (step.moment == Moment::other) kind = kMoments + static_cast<int>(step.mark);
        step.chapter = !(seen >> kind & 1);
        seen = step.moment == Moment::barrier ? 0 : seen | 1u << kind;
    }
}

LifeStep step_of(const BlockTrace& block, const TracedMark& mark) {
    LifeStep step;
    step.moment = mark.kind == TracedMark::Kind::barrier ? Moment::barrier : Moment::other;
    step.line = mark.line;
    step.mark = mark.kind;
    if (static_cast<size_t>(mark.shuffle) < block.shuffles.size()) step.shuffle = mark.shuffle;
    bool kept = mark.copy >= 0 && static_cast<size_t>(mark.copy) < block.copies.size();
    if (!kept) return step;
    step.copy = mark.copy;
    if (mark.kind == TracedMark::Kind::copy_done) return step;
    const TracedCopy& copy = block.copies[static_cast<size_t>(mark.copy)];
    step.cost = copy.sectors;
    step.ideal = copy.sectors_ideal;
    return step;
}

std::vector<LifeStep> warp_life(const BlockTrace& block, const Report& report, uint32_t warp) {
    std::vector<LifeStep> life;
    auto mark = block.marks.begin();
    int rows[2] = {0, 0};
    for (size_t i = 0; i <= block.accesses.size(); ++i) {
        for (; mark != block.marks.end() && mark->before <= i; ++mark)
            if (mark->warp == warp) life.push_back(step_of(block, *mark));
        if (i == block.accesses.size() || block.accesses[i].warp != warp) continue;
        life.push_back(step_of(block, report, i));
        life.back().row = rows[life.back().is_shared()]++;
    }
    find_chapters(life);
    return life;
}

std::string name_of(const LifeStep& step) {
    return step.moment == Moment::other ? kMarks[static_cast<size_t>(step.mark)]
                                        : kMoments[static_cast<size_t>(step.moment)];
}

int next_chapter(const std::vector<LifeStep>& life, int step) {
    auto last = static_cast<int>(life.size()) - 1;
    for (int i = step + 1; i <= last; ++i)
        if (life[static_cast<size_t>(i)].chapter) return i;
    return last;
}

int previous_chapter(const std::vector<LifeStep>& life, int step) {
    for (int i = step - 1; i > 0; --i)
        if (life[static_cast<size_t>(i)].chapter) return i;
    return 0;
}

int same_step(const std::vector<LifeStep>& life, int step, const std::vector<LifeStep>& other) {
    if (step < 0 || step >= static_cast<int>(life.size())) return -1;
    const LifeStep& wanted = life[static_cast<size_t>(step)];
    auto same = [&](const LifeStep& each) {
        return each.moment == wanted.moment &&
               (each.moment != Moment::other || each.mark == wanted.mark);
    };
    int before = 0;
    for (int i = 0; i < step; ++i) before += same(life[static_cast<size_t>(i)]);
    int last = -1;
    for (size_t i = 0; i < other.size(); ++i) {
        if (!same(other[i])) continue;
        last = static_cast<int>(i);
        if (before-- == 0) break;
    }
    return last;
}

}  // namespace lanewise
