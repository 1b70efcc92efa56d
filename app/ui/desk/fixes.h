// What might make the launch faster: tried by the engine where somebody asks for it, listed above
// the issues, taken over by a press.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "figure/chart/fixes_figure.h"
#include "lab/change/fix_table.h"
#include "ui/state/app.h"

namespace lanewise::ui {

struct Command;  // ui/desk/commands.h

struct FixTool {
    bool wanted = false;  // pressed, and not yet asked for: the launch has to be counted first
    // The launch's counts that the trial, or its failure, belongs to; null: nothing was asked for.
    std::shared_ptr<const Analysis> of;
    bool running = false;
    std::string trying;  // "trying PAD = 1", while it runs
    std::shared_ptr<const FixTable> table;
    std::string failure;  // why nothing could be tried, in the engine's words
    int chosen = 0;       // whose change is shown; into table->fixes
    uint64_t moves = 0;   // each changes what the figure shows
    LaidOut figure;
};

// Why nothing can be tried just now; "" where it can.
std::string no_fixes(const App& app);
void press_try_fixes(App& app);
// Of what is chosen now; null: it was not tried, or not yet.
const FixTable* tried_fixes(const App& app);
bool tries_fixes(const App& app);  // it is being tried now
FixesFigureInput fixes_input(const App& app, float width);
void choose_fix(App& app, int row);  // a row that is no choice: nothing happens
// Turns its knob, or puts its source into the editor; of a kernel of the user's own the source goes to
// the clipboard.
void apply_fix(App& app);
void add_fix_commands(const App& app, std::vector<Command>& all);

// ---- asking and arriving (shell/engine_requests.cpp)
bool fixes_due(const App& app);
bool wants_fixes(App& app);  // the same, once for each press
void take_fixes(App& app, FixTable table);
void fail_fixes(App& app, const std::string& message);
void hear_fixes(App& app, const std::string& what);

void draw_fixes(App& app);  // above the issues

}  // namespace lanewise::ui
