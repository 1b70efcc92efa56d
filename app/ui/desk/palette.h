// The command palette (Ctrl+Shift+P): every command, found by a few of its letters.
#pragma once
#include <string>
#include <vector>

#include "ui/desk/commands.h"
#include "ui/plain/fuzzy.h"

namespace lanewise::ui {

struct CommandPalette {
    bool open = false, focus_wanted = false;
    std::string typed;
    std::vector<Command> all;  // as it was opened
    struct Hit {
        size_t command;             // index into all
        std::vector<size_t> bytes;  // of its title: those that were typed
        int score;
    };
    std::vector<Hit> hits;  // the best first
    int selected = 0;
    bool follow = false;              // the selected row is to be brought into sight
    int generation = 0;               // of the text field: it starts anew with each
    std::vector<std::string> lately;  // ids, the last used first
};

void open_palette(App& app);
void close_palette(App& app);
void palette_typed(App& app);           // after each change of typed
void step_palette(App& app, int by);    // the selected row
void accept_palette(App& app, int at);  // index into hits: closes the palette, then does it

void handle_palette_keys(App& app);
void draw_palette(App& app);  // view_palette.cpp

}  // namespace lanewise::ui
