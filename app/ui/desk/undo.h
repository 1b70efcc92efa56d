// Ctrl+Z and Ctrl+Y for what is chosen beside the picture: knobs, type and shape of the matrix.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "course/stage.h"

namespace lanewise::ui {

struct App;

struct Setting : MatrixSize {
    size_t stage = 0;
    KnobValues knobs;
    std::string type;
    bool operator==(const Setting&) const = default;
};

struct UndoList {
    std::vector<Setting> before, after;  // the nearest last
};

void remember_setting(App& app);  // call it before a change
void undo_setting(App& app);
void redo_setting(App& app);
std::string cannot_undo(const App& app);  // empty where there is something to undo
std::string cannot_redo(const App& app);

}  // namespace lanewise::ui
