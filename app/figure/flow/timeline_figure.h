// The lives of all warps of a block beside each other: a row for each warp, a segment for each
// access, as long as it has sectors or wavefronts. What the timeline view zooms and drags.
#pragma once
#include <string>

#include "figure/drawing/drawing.h"
#include "trace/record/block_timeline.h"

namespace lanewise {

struct TimelineFigureInput {
    const BlockTimeline* timeline = nullptr;
    double from = 0, to = 0;  // the ticks that are shown; all where `to` is not above `from`
    uint32_t warp = 0;        // the chosen segment; none where `index` is -1
    int index = -1;
    float width = 600;
    bool with_words = true;  // in the segments, where there is room
    float height = 0;        // a wish: rows become as high as that allows, within what can be read
};
// Global memory stands above a row's middle, shared memory below it. Loads are filled and stores
// framed. What costs more than it has to is higher than the rest, and in the warning colour. A wait
// at a barrier is a line that ends in a bar. Segments that are too narrow to be told apart become
// one, whose warning part is as high as their ticks in vain. Above it stands what is in vain, in
// words and as a bar. Hits: "moment:WARP:INDEX" of segments that are wide enough to be pointed at,
// "worst:WARP:INDEX" of the headline, "warp:N" of a row's name. Fits `width` from 300 points on.
Drawing timeline_figure(const TimelineFigureInput& input, const Measure& measure);

// What lies where, for a pointer; the view finds narrow segments with it.
struct TimelineSpot {
    int warp = -1;    // -1: between the rows, or outside them
    double tick = 0;  // also outside the rows
    const TimelineSegment* segment = nullptr;
};
TimelineSpot timeline_at(const TimelineFigureInput& input, Point point);

// The ticks that are shown after the wheel moved `notches` at this tick, or after a drag by
// `ticks`; always within the timeline, and never closer than a few ticks.
struct TickWindow {
    double from = 0, to = 0;
    bool operator==(const TickWindow&) const = default;
};
TickWindow zoomed(const BlockTimeline& timeline, TickWindow shown, double at, double factor);
TickWindow dragged(const BlockTimeline& timeline, TickWindow shown, double ticks);
// How many ticks a point of the figure is wide.
double ticks_per_point(const TimelineFigureInput& input);

// "warp 3: read, line 18: 32 wavefronts, ideal 1"; of a barrier, how long the warp waits.
std::string words_of(const TimelineSegment& segment, uint32_t warp);
// What is in vain in one sentence, and what to look at: the figure's headline.
std::string words_of(const TimelineWaste& waste);

}  // namespace lanewise
