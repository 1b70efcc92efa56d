// A figure moves from one setting's picture to the next: when a knob is turned each mark goes from
// its old place to the new one. Off where the learner wants less motion, and in pictures for files.
#pragma once
#include <map>

#include "ui/state/app.h"

namespace lanewise::ui {

struct MovingFigure {
    const void* of = nullptr;  // what it is a picture of; compared only
    int moment = -1;           // of the warp's life, or whatever else the learner has chosen in it
    uint64_t revision = 0;     // of what was laid out last
    float width = 0, scale = 0;
    Drawing shown, before;  // at rest; what it was until the knob was turned
    Drawing now;            // what is drawn while it moves
    double since = -1;      // when it began to move, in the window's seconds; -1: it stands still
};
struct Moving {
    double now = 0;  // of this frame, in the window's seconds
    std::map<const LaidOut*, MovingFigure> figures;
};

// What is drawn of `figure` in this frame. It moves when `of` is another one than before while
// `moment` is the same.
const Drawing& moving(App& app, const LaidOut& figure, const void* of, int moment);
// Whether something moves: frames are then wanted at the display's rate.
bool figures_move(const App& app);

}  // namespace lanewise::ui
