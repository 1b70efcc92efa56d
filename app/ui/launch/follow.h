// A click on a link of a lesson, or on a part of a figure: what it names is chosen.
#pragma once
#include <optional>
#include <string>

#include "ui/state/app.h"

namespace lanewise::ui {

// "set:PAD=0", "view:banks", "stage:30_padded", "lesson:22_coarsened", "code:quoted source",
// "at:a_tile[x][k]", "proof:correct". What cannot be chosen is said in app.said.error.
void follow_link(App& app, const std::string& target);
// The access that this text names (course/named_access.h) is chosen, whatever view is shown; nothing
// where the picture is not there, or has no such access.
std::optional<Space> choose_named(App& app, const std::string& at);
// "lane:5", "stage:…", "line:28" of the source; "" is fine.
void follow_figure(App& app, const std::string& action);

}  // namespace lanewise::ui
