// The workbench's panes: what the rail opens, the named layouts, and how wide each pane is.
// shell/panes.cpp draws them; the window's kept state remembers them (WindowState::panes).
#pragma once
#include <span>
#include <string>

#include "ui/kit/icons.h"
#include "ui/state/app.h"

namespace lanewise::ui {

// One row per button of the rail, from above.
struct RailItem {
    const char *id, *title, *hint;
    Icon icon;
    void (*act)(App&);
    bool (*open)(const App&);  // whether what it opens is shown
};
std::span<const RailItem> rail_items();

struct NamedLayout {
    const char *id, *title, *hint;
    Panes panes;       // without sizes, which stay as they are
    const char* view;  // in the middle
};
std::span<const NamedLayout> named_layouts();
// "teach", "analyse", "compare". Throws Error(bad_input) with the closest name.
void choose_layout(App& app, const std::string& id);
// The one that is as the panes are now; nullptr: none.
const NamedLayout* layout_now(const App& app);

// "files", "issues", "accesses": the same again closes it.
void open_side(App& app, const std::string& side);
// The view beside the chosen one, as it is to be drawn: "picture" is the banks or the warp, by
// where the chosen line loses more. Empty: there is none, or it is the chosen one.
std::string view_beside(const App& app);
std::string view_below(const App& app);
// The view that stands in a window of its own, as it is to be drawn; empty: none does.
std::string view_apart(const App& app);
// Gives a view, of views() or "picture", a window of its own; "": takes it back.
void set_apart(App& app, const std::string& view);
// Why no view can have a window of its own; empty where it can.
std::string cannot_set_apart(const App& app);
// The code's columns of costs become those of hits in the caches, or the reverse, where there is no room
// for both.
void switch_code_hits(App& app);
// Whether the chosen line loses more in shared memory than in global memory.
bool loses_in_banks(const App& app);

// Widths in points of a workbench so wide, the rail and splitters left out. The middle always has
// most of what it needs; panes give way to it.
struct PaneWidths {
    float side = 0, middle = 0, setting = 0;  // 0: not shown
};
PaneWidths pane_widths(const Panes& panes, float width);

}  // namespace lanewise::ui
