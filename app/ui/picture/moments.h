// One moment of a warp's life as a picture: the lines and sectors of an access to global memory,
// the tile and banks of one to shared memory, words for a barrier. For the chosen setting, and for
// up to two others beside it, in lock-step under the same scrubber.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

void draw_moments(App& app);

}  // namespace lanewise::ui
