// The keyboard: which part of the window a key goes to. What the commands have for keys is
// commands.h's.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

void handle_keys(App& app);

void focus_region(App& app, Region region);
void change_theme(App& app);
void change_scale(App& app, int steps);  // 0: back to 100 %
void try_again(App& app);                // asks the engine anew for everything

}  // namespace lanewise::ui
