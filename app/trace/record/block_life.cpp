#include "trace/record/block_life.h"

#include <algorithm>
#include <map>

namespace lanewise {
namespace {

Moment moment_of(const InstructionReport& instruction) {
    if (instruction.space == Space::shared)
        return instruction.is_store ? Moment::shared_store : Moment::shared_load;
    return instruction.is_store ? Moment::store : Moment::load;
}

void add_mark(BlockLife& life, const BlockTrace& block, const TracedMark& mark) {
    bool barrier = mark.kind == TracedMark::Kind::barrier;
    bool again = barrier && !life.steps.empty() && life.steps.back().moment == Moment::barrier &&
                 life.steps.back().line == mark.line;
    if (again) {
        ++life.warps.back();
        return;
    }
    life.steps.push_back(step_of(block, mark));
    life.warps.push_back(barrier ? 1 : mark.warp);
}

void add_access(BlockLife& life, const BlockTrace& block, const Report& report, size_t index) {
    const TracedAccess& access = block.accesses[index];
    const InstructionReport& instruction = report.instructions[access.instruction];
    LifeStep step;
    step.moment = moment_of(instruction);
    step.access = static_cast<int>(index);
    step.line = instruction.line;
    step.cost = step.is_shared() ? access.wavefronts : access.sectors;
    step.ideal = step.is_shared() ? access.wavefronts_ideal : access.sectors_ideal;
    life.steps.push_back(step);
    life.warps.push_back(access.warp);
}

// Consecutive shuffles of a warp in which every lane has the same partner are one round.
void count_rounds(BlockLife& life, const BlockTrace& block) {
    std::map<uint32_t, const LifeStep*> last;  // by warp
    for (LifeStep& step : life.steps) {
        if (step.shuffle < 0) continue;
        const TracedShuffle& now = block.shuffles[static_cast<size_t>(step.shuffle)];
        const LifeStep*& before = last[now.warp];
        step.round = 1;
        if (before) {
            const auto place = static_cast<size_t>(before->shuffle);
            step.round = before->round + (block.shuffles[place].from != now.from);
        }
        before = &step;
    }
}

}  // namespace

BlockLife block_life(const BlockTrace& block, const Report& report) {
    BlockLife life;
    auto mark = block.marks.begin();
    for (size_t i = 0; i <= block.accesses.size(); ++i) {
        for (; mark != block.marks.end() && mark->before <= i; ++mark) add_mark(life, block, *mark);
        if (i < block.accesses.size()) add_access(life, block, report, i);
    }
    find_chapters(life.steps);
    count_rounds(life, block);
    return life;
}

void TouchedBox::include(int64_t at_row, int64_t at_col) {
    if (rows == 0) {
        *this = {at_row, at_col, 1, 1};
        return;
    }
    int64_t last_row = std::max(row + rows - 1, at_row),
            last_col = std::max(col + cols - 1, at_col);
    row = std::min(row, at_row);
    col = std::min(col, at_col);
    rows = last_row - row + 1;
    cols = last_col - col + 1;
}

void include_elements(TouchedBox& box, uint64_t offset, int bytes, int64_t cols,
                      int element_bytes) {
    auto first = static_cast<int64_t>(offset) / element_bytes;
    auto last = (static_cast<int64_t>(offset) + bytes - 1) / element_bytes;
    box.include(first / cols, first % cols);
    box.include(last / cols, last % cols);
}

TouchedBox touched_box(const BlockTrace& block, const Report& report, int buffer, int64_t cols,
                       int element_bytes) {
    TouchedBox box;
    for (const TracedAccess& access : block.accesses) {
        if (access.buffer != buffer) continue;
        const InstructionReport& instruction = report.instructions[access.instruction];
        if (instruction.space == Space::shared) continue;
        for (size_t lane = 0; lane < access.addresses.size(); ++lane) {
            if (access.mask >> lane & 1)
                include_elements(box, access.addresses[lane], instruction.bytes_per_lane, cols,
                                 element_bytes);
        }
    }
    for (const TracedCopy& copy : block.copies) {
        if (copy.buffer != buffer) continue;
        for (const TracedCopy::Piece& piece : copy.pieces)
            if (!piece.is_outside)
                include_elements(box, piece.offset, copy.bytes, cols, element_bytes);
    }
    return box;
}

}  // namespace lanewise
