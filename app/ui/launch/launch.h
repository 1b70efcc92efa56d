// What the views of the whole launch show: where its bytes go. What it loses is why.h's.
#pragma once
#include "figure/flow/bytes_figure.h"
#include "ui/state/app.h"

namespace lanewise::ui {

bool bytes_shown(const App& app);
bool issues_shown(const App& app);
// Of the launch that was counted, which is there (App::of_launch()).
BytesFigureInput bytes_input(const App& app, float width, float height);

}  // namespace lanewise::ui
