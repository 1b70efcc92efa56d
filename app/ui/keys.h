// The keyboard: what each key does, and the sheet that says so.
#pragma once
#include <span>

#include "ui/app.h"

namespace lanewise::ui {

struct KeyHelp {
    const char *keys, *what;  // keys == nullptr: a small gap
};
std::span<const KeyHelp> key_helps();

void handle_keys(App& app);

void focus_region(App& app, Region region);
void change_theme(App& app);
void change_scale(App& app, int steps);  // 0: back to 100 %
void try_again(App& app);                // asks the engine anew for everything

}  // namespace lanewise::ui
