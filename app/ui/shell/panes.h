// The workbench in a window that is wide enough: the rail, and panes with splitters between them.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

// What stands in the panes that the three columns of a smaller window have as well.
struct PaneContents {
    void (*files)(App&);
    void (*middle)(App&);
    void (*setting)(App&);
};
void draw_workbench(App& app, const PaneContents& contents);

}  // namespace lanewise::ui
