// Of a traced block: which of its accesses are worth a figure, and those figures, for pages and
// files. The window's views draw the same figures of whatever access is chosen.
#pragma once
#include <string>

#include "figure/drawing/drawing.h"
#include "lab/job/results.h"

namespace lanewise {

// "PAD = 1, TILE = 32": the heading of a setting's figure.
std::string knobs_in_words(const KnobValues& knobs);

// Into picture.block.accesses: the one that costs most beside its ideal (wavefronts in shared
// memory, sectors in global memory), the first of several; -1 where there is none of this kind.
int dearest_access(const Picture& picture, Space space, bool is_store);
int first_access(const Picture& picture, Space space, bool is_store);

// Elements in a row of what the stage loads or stores: a transpose's output has as many as its
// input has rows.
int64_t row_length(const Picture& picture, const Stage& stage, bool is_store);

// `height`: a wish, as BankFigureInput has it; 0: as high as it comes. `matrix_cols`: the row length, in elements, of the matrix that the access goes to; `width` in
// points.
Drawing warp_drawing(const Picture& picture, int access, int64_t matrix_cols, float width);
Drawing bank_drawing(const Picture& picture, int access, const std::string& title, float width,
                     float height = 0);

// One at the left and one at the right of `width`.
Drawing side_by_side(const Drawing& left, const Drawing& right, float width);

}  // namespace lanewise
