// The keyboard of one context of Dear ImGui, given to another one for a frame: a text field there is
// typed into here.
#pragma once
#include <vector>

namespace lanewise::ui {

struct TakenKeys {
    std::vector<int> down;  // as Dear ImGui numbers keys
    bool ctrl = false, shift = false, alt = false;
    std::vector<unsigned> typed;
};
TakenKeys take_keys();                   // in a frame of the current context
void give_keys(const TakenKeys& taken);  // before the next frame of the current context

}  // namespace lanewise::ui
