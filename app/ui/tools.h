// What the window's tools keep: the palette, and what else lies over or beside the lesson. App has
// it behind a pointer, so that the views of the lesson do not depend on it.
#pragma once
#include "ui/flow.h"
#include "ui/forge.h"
#include "ui/history.h"
#include "ui/mismatch.h"
#include "ui/palette.h"
#include "ui/presenter.h"
#include "ui/progress.h"
#include "ui/review.h"
#include "ui/tour.h"
#include "ui/undo.h"
#include "ui/welcome.h"
#include "ui/workspace.h"

namespace lanewise::ui {

struct Tools {
    Palette palette;
    UndoList undo;
    History history;
    FilePrompt files;
    Presenter presenter;
    Tour tour;
    Welcome welcome;
    ProgressPage progress;
    ReviewBook review;
    Forge forge;
    Flow flow;
    MismatchPage mismatch;
};

// The keys of whatever of these lies over the window; false where nothing does.
bool handle_tool_keys(App& app);
// Seconds until something of these changes by itself; negative: nothing does.
double tools_due(const App& app, double now);
void draw_tools(App& app);  // what lies over the window

}  // namespace lanewise::ui
