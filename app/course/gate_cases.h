// The hidden cases of a gate. A learner's source is judged at them when judgement is asked for
// (lab/grade/judgement.h), and never by what happens to be on screen.
//   1. The operation's judged_at: the result is right, nothing is found, and the gate's `expect`
//      holds of the counts.
//   2. Its awkward sizes: tall, wide, of one element, no multiple of a tile. The result is right,
//      nothing is found.
//   3. Every other element type that the stage offers, and two matrices at once where it takes a
//      batch: likewise.
//   4. The author's own [[gate.case]]s, in order.
// Of 1 to 3 those are left out that are none of the gate's `shapes`.
// A matrix that is transposed where it lies is square in each of them.
#pragma once
#include <vector>

#include "course/lesson.h"
#include "course/operation.h"

namespace lanewise {

// None of a library's call, which has no source to be judged.
std::vector<GateCase> hidden_cases(const Gate& gate, const Stage& stage);

// Whether the gate's task is of this size; `inner` is looked at where the stage has such a side.
bool is_of_shape(const Gate& gate, const Stage& stage, const Operation::Size& size);

}  // namespace lanewise
