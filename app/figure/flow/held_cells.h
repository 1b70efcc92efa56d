// Which lane of a warp holds each element that the warp has loaded, while its shuffles hand the
// elements on. Private to the figures of the data flow.
#pragma once
#include <optional>

#include "figure/flow/flow_cells.h"
#include "figure/flow/flow_figure.h"

namespace lanewise {

struct HeldElements {
    size_t matrix = 0;  // index into FlowFigureInput::matrices
    uint32_t warp = 0;  // that of the step
    Cells cells;        // of the matrix, each in the colour of the lane that holds it
};

// Up to the input's step; what the step's round of shuffles has moved is of now. Nothing where no
// shuffle of the block hands on an element as it was loaded.
std::optional<HeldElements> held_elements(const FlowFigureInput& in);

// A shuffle as two rows of lanes: above each gives, below each gets, with a line from the lane whose
// value it gets. Draws it from `at` on, at most `width` wide; gives where it ends.
float draw_exchange(Drawing& figure, Point at, float width, const TracedShuffle& shuffle);

// The shuffle of a step; null where it is of another kind.
inline const TracedShuffle* shuffle_of(const FlowFigureInput& in, const LifeStep& step) {
    return step.shuffle < 0 ? nullptr : &in.block->shuffles[static_cast<size_t>(step.shuffle)];
}

// "lane 0 exchanges with lane 16, lane 1 with lane 17, and so on".
std::string exchange_words(const TracedShuffle& shuffle);
// How many elements go to another lane, as far as is known.
int moved_elements(const TracedShuffle& shuffle);

}  // namespace lanewise
