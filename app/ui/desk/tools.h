// What the window's tools keep: the palette, and what else lies over or beside the lesson. App has
// it behind a pointer, so that the views of the lesson do not depend on it.
#pragma once
#include <array>

#include "ui/desk/coach.h"
#include "ui/desk/ending.h"
#include "ui/desk/fixes.h"
#include "ui/desk/flow.h"
#include "ui/desk/forge.h"
#include "ui/desk/history.h"
#include "ui/desk/moving.h"
#include "ui/desk/palette.h"
#include "ui/desk/path_walk.h"
#include "ui/desk/presenter.h"
#include "ui/desk/progress.h"
#include "ui/desk/review.h"
#include "ui/desk/timeline.h"
#include "ui/desk/tour.h"
#include "ui/desk/undo.h"
#include "ui/desk/welcome.h"
#include "ui/desk/words.h"
#include "ui/desk/workspace.h"
#include "ui/launch/mismatch.h"

namespace lanewise::ui {

struct AssignmentWork;  // ui/class/assignment_work.h
struct StepTool;        // ui/instrument/step.h
struct WhyTool;         // ui/instrument/why.h

inline constexpr size_t kOverlayCount = 14;  // what may lie over the window (overlays.h)

struct Tools {
    CommandPalette palette;
    UndoList undo;
    History history;
    FilePrompt files;
    Presenter presenter;
    Tour tour;
    Welcome welcome;
    ProgressPage progress;
    ReviewBook review;
    Forge forge;
    FixTool fixes;
    FlowTool flow;
    TimelineTool timeline;
    struct {
        std::shared_ptr<StepTool> step;  // null: not yet looked at
        std::shared_ptr<WhyTool> why;    // null: not yet asked for
    } on_demand;
    Moving moving;
    bool in_pane = false;       // what is drawn just now stands in a pane beside the chosen view
    bool more_windows = false;  // whether a pane can have a window of its own: not in a browser
    MismatchPage mismatch;
    Coach coach;
    WordBook words;
    size_t machine_part = 0;  // of machine_parts() (machine.h)
    PathWalk walk;
    EndingPage ending;
    std::array<bool, kOverlayCount> overlays_known{};  // which lay over the window a frame ago
    std::shared_ptr<AssignmentWork> assignment;        // never null

    Tools();
};

// Those that take part in the state's changes (followers.cpp).
std::span<const Follower> followers();
// The keys of whatever of these lies over the window; false where nothing does.
bool handle_tool_keys(App& app);
// Seconds until something of these changes by itself; negative: nothing does.
double tools_due(const App& app, double now);
void draw_tools(App& app);  // what lies over the window

}  // namespace lanewise::ui
