// Welcome: the ways in, and the tour.
#include <algorithm>

#include "ui/desk/keys.h"
#include "ui/desk/overlays.h"
#include "ui/desk/path_walk.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/kit/widgets.h"

namespace lanewise::ui {
namespace {

void learn_from(App& app, size_t stage) {
    choose_mode(app, kLearn);
    choose_stage(app, stage);
    focus_region(app, Region::course);
}
void learn(App& app) { learn_from(app, first_open_lesson(app)); }
void learn_knowing(App& app) {
    learn(app);
    choose_stage(app, "transpose/00_copy");
}

void explore(App& app) {
    choose_mode(app, kWorkbench);
    choose_stage(app, "transpose/30_padded");
    choose_view(app, "banks");
}

struct Way {
    const char *id, *title, *what;
    void (*go)(App&);
};
constexpr Way kWays[] = {
    {"welcome:learn", "Learn",
     "Begin at zero: what a GPU is, in six short screens. Then one idea at a time.", learn},
    {"welcome:know", "I know GPUs", "Learn from the first kernel on, a copy. Key: K.",
     learn_knowing},
    {"welcome:explore", "Explore",
     "Begin with a tile in shared memory and turn its knobs; every stage is open.", explore},
    {"welcome:own", "My own kernel",
     "Open a .cu file: what each line costs, and what is wrong with it. No GPU is needed.",
     open_chooser},
    {"welcome:tour", "Show me round", "A minute: where things are, on the window itself.",
     start_tour},
};

}  // namespace

void open_welcome(App& app) { app.tools->welcome = {true, true}; }

void close_welcome(App& app) {
    app.tools->welcome.open = false;
    app.tools->review.welcomed = true;
    review_changed(app);
    app.keyboard.focus_wanted = true;
}

void draw_welcome(App& app) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    float width = std::min(px(520), screen.x - px(24));
    float height = std::min(px(530), screen.y - px(24));
    begin_overlay("Welcome", width, height, app.tools->welcome.focus_wanted);
    app.tools->welcome.focus_wanted = false;
    paragraph("Welcome to Lanewise", kFigure);
    gap(2);
    paragraph("See how a GPU moves memory, and learn to make it fast.", kDim);
    gap(10);
    ImGui::BeginChild("ways", ImVec2(0, 0), false, ImGuiWindowFlags_NavFlattened);
    const Way* chosen = nullptr;
    for (const Way& way : kWays) {
        if (button(way.id, way.title,
                   {.kind = &way == kWays ? ButtonKind::primary : ButtonKind::quiet, .width = 160}))
            chosen = &way;
        gap(2);
        paragraph(way.what, kBody);
        gap(12);
    }
    if (!chosen && typed('k')) chosen = &kWays[1];
    if (button("welcome:close", "Not now", {.tooltip = "Escape"})) close_welcome(app);
    ImGui::EndChild();
    ImGui::End();
    if (!chosen) return;
    close_welcome(app);
    chosen->go(app);
}

}  // namespace lanewise::ui
