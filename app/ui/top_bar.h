// The bar on top, the messages below it, and the sheet of keys.
#pragma once
#include "ui/app.h"

namespace lanewise::ui {

void draw_top_bar(App& app, double now);
void draw_messages(App& app);  // the last error and the notices; nothing where there are none

}  // namespace lanewise::ui
