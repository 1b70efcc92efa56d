// The timeline's state: which part of the block's ticks is shown. What it shows follows from the
// picture; a click chooses warp and moment for every view.
#pragma once
#include <memory>

#include "figure/flow/timeline_figure.h"
#include "ui/state/app.h"

namespace lanewise::ui {

struct TimelineTool {
    std::shared_ptr<const Picture> picture;  // kept, so that no other takes its place
    BlockTimeline timeline;                  // of it
    TickWindow shown;                        // all where `to` is not above `from`
    uint64_t moves = 0;                      // each changes what the figure shows
    LaidOut figure;
};

bool timeline_shown(const App& app);
// The tool with the timeline of the picture that is there; cheap where it is the same.
TimelineTool& timeline_of(App& app);
// What is drawn of it now, the chosen moment included.
TimelineFigureInput timeline_input(const App& app, float width, float height);

// Of the wheel, at this tick: what lies there stays under the pointer.
void zoom_timeline(App& app, double at, double factor);
void drag_timeline(App& app, double ticks);
void show_whole_timeline(App& app);
// The warp, and the moment of its life, everywhere.
void choose_moment(App& app, uint32_t warp, int index);
// "moment:3:17", "worst:0:5", "warp:2"; "" is fine.
void follow_timeline(App& app, const std::string& action);

}  // namespace lanewise::ui
