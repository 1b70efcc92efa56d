// A warp's life as a strip: every access and barrier side by side, global memory above, shared
// memory below, with the names of the chapters over them. What a scrubber runs over.
#pragma once
#include <vector>

#include "figure/drawing/drawing.h"
#include "trace/record/warp_life.h"

namespace lanewise {

struct LifeFigureInput {
    const std::vector<LifeStep>* life = nullptr;
    float width = 600;
    bool with_legend = true;            // below, of copies and of what is neither load nor store
    const BlockTrace* block = nullptr;  // tells which way a copy goes; null: all to shared memory
};
// One cell per step: low where the access is ideal, the higher and hatched the more it wastes;
// where there is no room for a cell each, neighbours share one and the worst of them is shown.
// A copy between the two spaces stands across both tracks where it is issued: filled of cp.async,
// framed of a bulk copy; where it has arrived a frame stands in the track that it went to.
// Hits: step:N. Fits `width` from 300 points on.
Drawing life_figure(const LifeFigureInput& input, const Measure& measure);

// Where a step lies in the strip, and what lies at an x of it (clamped to the steps there are).
struct LifeSpan {
    float x0 = 0, x1 = 0;
};
LifeSpan life_span(size_t steps, float width, int step);
int life_step_at(size_t steps, float width, float x);
// The y at which the cells begin, and how high both tracks are.
inline constexpr float kLifeTop = 28, kLifeHeight = 32;

// "load, line 38: 4 sectors, ideal 4"; "sync, line 40".
std::string words_of(const LifeStep& step);

// What stands in place of a picture for a moment that has none: a title, which may be empty, and
// words.
Drawing moment_words(const std::string& title, const std::string& words, float width,
                     const Measure& measure);

}  // namespace lanewise
