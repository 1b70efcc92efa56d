#include "figure/flow/held_cells.h"

#include <fmt/format.h>

#include <algorithm>

#include "figure/drawing/marks.h"
#include "figure/flow/flow_elements.h"

namespace lanewise {
namespace {

constexpr int kLanes = 32;
constexpr float kMostWide = 720, kLaneHigh = 16, kBetweenLanes = 46;

bool takes_part(const TracedShuffle& shuffle, int lane) { return shuffle.mask >> lane & 1; }
int giver(const TracedShuffle& shuffle, int lane) {
    return shuffle.from[static_cast<size_t>(lane)];
}
bool gets(const TracedShuffle& shuffle, int lane) {
    return takes_part(shuffle, lane) && giver(shuffle, lane) != lane;
}

// The matrix whose elements the block's shuffles hand on; -1: none.
int handed_matrix(const FlowFigureInput& in) {
    for (const TracedShuffle& shuffle : in.block->shuffles)
        for (size_t i = 0; shuffle.buffer >= 0 && i < in.matrices.size(); ++i)
            if (in.matrices[i].buffer == shuffle.buffer) return static_cast<int>(i);
    return -1;
}

bool loads_from(const FlowFigureInput& in, const LifeStep& step, const FlowMatrix& matrix) {
    const TracedAccess* access = access_of(in, step);
    return access && step.moment == Moment::load && access->buffer == matrix.buffer;
}

// All that the warp loads in the end.
TouchedBox part_of(const FlowFigureInput& in, const FlowMatrix& matrix, uint32_t warp) {
    TouchedBox part;
    for (const LifeStep& step : in.life->steps)
        if (loads_from(in, step, matrix) && access_of(in, step)->warp == warp)
            for_each_element(in, *access_of(in, step), matrix.cols, matrix.element_bytes,
                             [&](int64_t row, int64_t col, int) { part.include(row, col); });
    return part;
}

void hand_on(const TracedShuffle& shuffle, const FlowMatrix& matrix, bool is_now, Cells& cells) {
    for (int lane = 0; lane < kLanes; ++lane) {
        const int64_t offset = shuffle.given[static_cast<size_t>(giver(shuffle, lane))];
        if (!gets(shuffle, lane) || offset < 0 || shuffle.buffer != matrix.buffer) continue;
        const int64_t element = offset / matrix.element_bytes;
        cells.touch(element / matrix.cols, element % matrix.cols, lane, is_now);
    }
}

}  // namespace

std::optional<HeldElements> held_elements(const FlowFigureInput& in) {
    const int index = handed_matrix(in);
    if (index < 0 || in.life->steps.empty()) return std::nullopt;
    const FlowMatrix& matrix = in.matrices[static_cast<size_t>(index)];
    const auto last =
        std::clamp<size_t>(static_cast<size_t>(std::max(0, in.step)), 0, in.life->steps.size() - 1);
    const LifeStep& now = in.life->steps[last];
    const uint32_t warp = now.moment == Moment::barrier ? 0 : in.life->warps[last];
    const TouchedBox part = part_of(in, matrix, warp);
    if (part.rows == 0) return std::nullopt;
    HeldElements held{static_cast<size_t>(index), warp, {part, false}};
    for (size_t i = 0; in.step >= 0 && i <= last; ++i) {
        const LifeStep& step = in.life->steps[i];
        if (in.life->warps[i] != warp) continue;
        if (const TracedShuffle* shuffle = shuffle_of(in, step))
            hand_on(*shuffle, matrix, step.round == now.round, held.cells);
        else if (loads_from(in, step, matrix))
            for_each_element(in, *access_of(in, step), matrix.cols, matrix.element_bytes,
                             [&](int64_t row, int64_t col, int lane) {
                                 held.cells.touch(row, col, lane, i == last);
                             });
    }
    return held;
}

float draw_exchange(Drawing& figure, Point at, float width, const TracedShuffle& shuffle) {
    const float gutter = 40, each = (std::min(width, kMostWide) - gutter) / kLanes;
    const float below = at.y + kLaneHigh + kBetweenLanes;
    auto left = [&](int lane) { return at.x + gutter + each * static_cast<float>(lane); };
    for (bool gives : {true, false})
        figure.text({at.x, gives ? at.y : below, gutter - 4, kLaneHigh}, gives ? "gives" : "gets",
                    kNoteSize, Fill::of(Ink::text_dim));
    for (int lane = 0; lane < kLanes; ++lane) {
        const int from = giver(shuffle, lane);
        const float strength = takes_part(shuffle, lane) ? 1.f : 0.2f;
        if (takes_part(shuffle, lane))
            figure.line({left(from) + each / 2, at.y + kLaneHigh + 1},
                        {left(lane) + each / 2, below - 1}, Fill::lane(from), 1.5f);
        figure.rect({left(lane) + 0.5f, at.y, each - 1, kLaneHigh}, Fill::lane(lane, strength));
        figure.rect({left(lane) + 0.5f, below, each - 1, kLaneHigh}, Fill::lane(from, strength));
        figure.hit({left(lane), below, each, kLaneHigh},
                   fmt::format("lane {} gets the value of lane {}", lane, from));
    }
    return below + kLaneHigh;
}

std::string exchange_words(const TracedShuffle& shuffle) {
    std::string words;
    bool mutual = true;
    for (int lane = 0; lane < kLanes; ++lane)
        mutual &= !takes_part(shuffle, lane) || giver(shuffle, giver(shuffle, lane)) == lane;
    int told = 0;
    for (int lane = 0; lane < kLanes && told < 2; ++lane) {
        const int from = giver(shuffle, lane);
        if (!gets(shuffle, lane) || (mutual && from < lane)) continue;
        const char* verb = mutual ? "exchanges with lane" : "gets the value of lane";
        const char* next = mutual ? "with" : "that of";
        words += ++told == 1 ? fmt::format("lane {} {} {}", lane, verb, from)
                             : fmt::format(", lane {} {} lane {}", lane, next, from);
    }
    if (told == 0) return "each lane keeps its value";
    return told == 1 ? words : words + ", and so on";
}

int moved_elements(const TracedShuffle& shuffle) {
    int moved = 0;
    for (int lane = 0; lane < kLanes; ++lane)
        moved +=
            gets(shuffle, lane) && shuffle.given[static_cast<size_t>(giver(shuffle, lane))] >= 0;
    return moved;
}

}  // namespace lanewise
