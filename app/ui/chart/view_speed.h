// "Where the GB/s go": the model's waterfall for the chosen stage, and how its blocks fill a
// multiprocessor.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

void draw_speed(App& app);

}  // namespace lanewise::ui
