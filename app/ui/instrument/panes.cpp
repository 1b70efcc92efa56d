#include "ui/instrument/panes.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "ui/desk/tools.h"
#include "ui/instrument/step.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kLeastMiddle = 440, kLeastPane = 220;

template <char which>
void open_its_side(App& app) {
    open_side(app, which == 'f' ? "files" : which == 'i' ? "issues" : "accesses");
}
bool files_open(const App& app) { return app.saved.panes.side == "files"; }
bool issues_open(const App& app) { return app.saved.panes.side == "issues"; }
bool accesses_open(const App& app) { return app.saved.panes.side == "accesses"; }

void open_compare(App& app) { app.open.compare = app.open.compare_focus_wanted = true; }
void open_runs(App& app) { app.tools->history.page_open = app.tools->history.focus_wanted = true; }

constexpr RailItem kItems[] = {
    {"rail:files", "Files", "Stages, lessons and your own kernels", Icon::files, open_its_side<'f'>,
     files_open},
    {"rail:issues", "Issues", "What this launch loses, dearest first", Icon::issues,
     open_its_side<'i'>, issues_open},
    {"rail:accesses", "Accesses", "Every access of the chosen warp", Icon::accesses,
     open_its_side<'a'>, accesses_open},
    {"rail:compare", "Compare", "Other settings or stages beside this one  (C)", Icon::compare,
     open_compare, [](const App& app) { return app.open.compare; }},
    {"rail:runs", "Runs", "The history of runs  (H)", Icon::runs, open_runs,
     [](const App& app) { return app.tools->history.page_open; }},
    {"rail:forge", "Forge", "A layout that you type, and its banks", Icon::forge,
     [](App& app) { choose_view(app, "forge"); }, forge_shown},
    {"rail:step", "Step", "The kernel step by step, forward and back  (F10)", Icon::step,
     [](App& app) { choose_view(app, "step"); }, stepping_shown},
};

const NamedLayout kLayouts[] = {
    {"teach",
     "Teach",
     "The lesson, one picture, and the setting",
     {"files", "", "", true},
     "access"},
    {"analyse",
     "Analyse",
     "Issues, the code, the picture of the chosen line beside it, all warps below",
     {"issues", "picture", "timeline", false},
     "code"},
    {"compare",
     "Compare",
     "The accesses, the picture with its other settings, the setting",
     {"accesses", "", "timeline", true},
     "banks"},
};

std::string shown_as(const App& app, const std::string& view) {
    std::string shown = view;
    if (view == "picture") shown = loses_in_banks(app) ? "banks" : "access";
    return shown == app.chosen().tab ? "" : shown;
}

bool stands_apart(const App& app, const std::string& view) {
    return app.tools->more_windows && !view.empty() && view == app.saved.panes.apart;
}

}  // namespace

bool loses_in_banks(const App& app) {
    auto note = app.derived.line_notes.find(highlighted_line(app));
    if (note == app.derived.line_notes.end()) return app.derived.rows_of[0].empty();
    auto waste = [](const LineCost& cost) {
        return cost.accesses == 0 ? -1 : cost.ideal > 0 ? cost.each / cost.ideal : 0;
    };
    return waste(note->second.cost[1]) > waste(note->second.cost[0]);
}

void switch_code_hits(App& app) { app.saved.panes.code_hits = !app.saved.panes.code_hits; }

std::span<const RailItem> rail_items() { return kItems; }
std::span<const NamedLayout> named_layouts() { return kLayouts; }

void choose_layout(App& app, const std::string& id) {
    std::vector<std::string> ids;
    for (const NamedLayout& layout : kLayouts) {
        ids.emplace_back(layout.id);
        if (id != layout.id) continue;
        choose_mode(app, kWorkbench);
        Panes& panes = app.saved.panes;
        panes.side = layout.panes.side;
        panes.beside = layout.panes.beside;
        panes.below = layout.panes.below;
        panes.setting = layout.panes.setting;
        return choose_view(app, layout.view);
    }
    std::string near = closest(id, ids);
    throw Error(Status::bad_input, "no layout \"" + id + "\"" +
                                       (near.empty() ? "; there are teach, analyse and compare"
                                                     : "; did you mean \"" + near + "\"?"));
}

const NamedLayout* layout_now(const App& app) {
    const Panes& now = app.saved.panes;
    for (const NamedLayout& layout : kLayouts)
        if (now.side == layout.panes.side && now.beside == layout.panes.beside &&
            now.below == layout.panes.below && now.setting == layout.panes.setting)
            return &layout;
    return nullptr;
}

void open_side(App& app, const std::string& side) {
    std::string& now = app.saved.panes.side;
    now = now == side ? "" : side;
}

std::string cannot_set_apart(const App& app) {
    return app.tools->more_windows ? "" : "There is one window only here.";
}

void set_apart(App& app, const std::string& view) { app.saved.panes.apart = view; }

std::string view_apart(const App& app) {
    const std::string& view = app.saved.panes.apart;
    if (!app.tools->more_windows || view.empty()) return "";
    if (view == "picture") return loses_in_banks(app) ? "banks" : "access";
    // What an older or newer program has kept may be no view of this one.
    for (const View& each : views())
        if (view == each.id) return view;
    return "";
}

std::string view_beside(const App& app) {
    const std::string& view = app.saved.panes.beside;
    return stands_apart(app, view) ? "" : shown_as(app, view);
}

std::string view_below(const App& app) {
    if (stands_apart(app, app.saved.panes.below)) return "";
    std::string view = shown_as(app, app.saved.panes.below);
    return view == view_beside(app) ? "" : view;
}

PaneWidths pane_widths(const Panes& panes, float width) {
    PaneWidths widths;
    if (!panes.side.empty())
        widths.side =
            panes.side_width > 0 ? panes.side_width : std::clamp(width * 0.23f, 320.f, 420.f);
    if (panes.setting)
        widths.setting =
            panes.setting_width > 0 ? panes.setting_width : std::clamp(width * 0.22f, 316.f, 400.f);
    const float least = std::min(kLeastMiddle, width * 0.5f);
    for (float* pane : {&widths.setting, &widths.side}) {
        const float over = widths.side + widths.setting + least - width;
        if (*pane > 0 && over > 0) *pane = std::max(std::min(*pane, kLeastPane), *pane - over);
    }
    widths.middle = width - widths.side - widths.setting;
    return widths;
}

}  // namespace lanewise::ui
