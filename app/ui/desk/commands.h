// Everything that the window can do, one row each, with its keys: the keyboard acts through this
// table, the command palette offers it, and the sheet of keys (F1) shows what of it has keys.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "ui/state/app.h"

namespace lanewise::ui {

struct Command {
    std::string id;     // "view:banks"; stable, for scripts and for what was used lately
    std::string group;  // "Stage"
    std::string title;  // what it does: "Next stage"
    std::string keys;   // "N", "Ctrl E"; empty: only by palette
    std::function<void(App&)> act;  // empty: a line of the sheet only
    std::string problem;            // why it cannot be done just now; empty: it can
    bool chosen = false;            // it is how things are already
};

// All of them, in the order of the sheet: what is always there, then what follows from the stage
// (its knobs' values, types) and the catalogue.
std::vector<Command> all_commands(const App& app);

// Throws Error(bad_input) with the closest one's name.
Command find_command(const App& app, const std::string& id);

// Does it, or says in passing why not. What goes wrong ends in app.said.error.
void act(App& app, const Command& command);

// The keys that were struck this frame. in_text: a text field has the keyboard, so that letters
// are its own. Those with Ctrl are looked at alone, and only, while Ctrl is down.
void act_on_keys(App& app, bool in_text);
void act_on_control_keys(App& app, bool in_text);

}  // namespace lanewise::ui
