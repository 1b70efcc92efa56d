// A click on a link of a lesson, or on a part of a figure: what it names is chosen.
#pragma once
#include <string>

#include "ui/state/app.h"

namespace lanewise::ui {

// "set:PAD=0", "view:banks", "stage:30_padded", "lesson:22_coarsened", "code:quoted source",
// "proof:correct". What cannot be chosen is said in app.error.
void follow_link(App& app, const std::string& target);
// "lane:5", "stage:…", "line:28" of the source; "" is fine.
void follow_figure(App& app, const std::string& action);

}  // namespace lanewise::ui
