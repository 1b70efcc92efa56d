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

// All of a second window: the view that stands apart (panes.h of desk), and its keys. Between
// ImGui::NewFrame() and ImGui::Render() of that window's context, after the first window's frame.
void build_apart_interface(App& app);

}  // namespace lanewise::ui
