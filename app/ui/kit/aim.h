// What the tour looks for: the first widget of a frame whose label begins so. Every widget passes
// by here on its way through the audit, whether that records or not.
#pragma once
#include <string>

#include "ui/kit/audit.h"

namespace lanewise::ui {

struct Aim {
    std::string label;                              // its begin; empty: nothing is looked for
    bool scrolls = false;                           // to it, where it is not in sight
    bool found = false;                             // in this frame
    Rect box;                                       // there
    void look_at(std::string_view id, Rect where);  // the item before in the current window
};
Aim& aim();

}  // namespace lanewise::ui
