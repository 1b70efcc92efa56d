// Two windows of different sizes at once: each has type of its own size, and so a look of its own.
#pragma once

namespace lanewise::ui {

struct Look;  // look.h

// look() is this one from now on; null: the first window's again. Its context of Dear ImGui, with an
// atlas of its own, is then to be the current one. Returns what was used before; null: the first's.
Look* use_look(Look* look);

}  // namespace lanewise::ui
