// The swizzle forge: an expression that is typed, tried when the hand rests, and what came of those
// before it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/change/swizzle.h"
#include "ui/state/app.h"

namespace lanewise::ui {

struct Command;  // ui/desk/commands.h

// What is kept of one that was tried.
struct ForgeEntry {
    SwizzleTrial trial;
    SharedCounts store, load;
    int64_t extra_bytes = 0;
    bool right = false, reached = false;
};

struct Forge {
    SwizzleTrial trial{"col", 0};
    bool typed = false;      // since it was last tried
    double typed_at = -1;    // the last key, in the window's seconds; -1: not yet seen
    std::string typed_text;  // then
    bool stale = true;       // stage, setting or trial is another than was tried
    bool running = false;
    std::shared_ptr<const SwizzleResult> result;  // of what is chosen; may be of the trial before
    std::string failure;            // why nothing could be tried, in the engine's words
    std::vector<ForgeEntry> tried;  // of this setting, the last one last
    std::string tried_of;           // the setting
    bool shows_store = false;
    int access = 0;  // place among the chosen warp's stores or loads
    bool focus_wanted = false;
    // Why this stage has no forge, for the source it was found for.
    std::string without, judged;
    bool has_judged = false;
    uint64_t moves = 0;  // each changes what the figure shows
    LaidOut figure;
};

bool forge_shown(const App& app);
// Why the chosen stage's tile cannot be forged; "" where it can.
const std::string& without_forge(App& app);

void open_forge(App& app);  // and the keyboard goes to the expression
void type_swizzle(App& app, const std::string& expression);
void choose_swizzle(App& app, const SwizzleTrial& trial);
void step_tried(App& app, int by);  // through what was tried
void step_forge_access(App& app, int by);
void choose_forge_side(App& app, bool store);
void handle_forge_keys(App& app);
void add_forge_commands(const App& app, std::vector<Command>& all);

// The accesses of the chosen warp of the chosen kind, and the one that is shown; null: none.
std::vector<const TileAccess*> forge_accesses(const App& app);
const TileAccess* forge_access(const App& app);

// ---- asking and arriving (shell/engine_requests.cpp)
// What is to be tried now; nothing while the hand types. `now`: the window's seconds.
std::optional<SwizzleTrial> next_swizzle(App& app, double now);
// Seconds until then; negative: nothing is to be tried.
double swizzle_due(const App& app, double now);
void take_swizzle(App& app, SwizzleResult result);
void fail_swizzle(App& app, const std::string& message);  // "": it was superseded

// ---- view_forge.cpp
void draw_forge(App& app);
void draw_forge_button(App& app);  // where the stage has a tile to forge

}  // namespace lanewise::ui
