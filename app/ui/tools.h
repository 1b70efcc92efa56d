// What the window's tools keep: the palette, and what else lies over or beside the lesson. App has
// it behind a pointer, so that the views of the lesson do not depend on it.
#pragma once
#include "ui/palette.h"

namespace lanewise::ui {

struct Tools {
    Palette palette;
};

}  // namespace lanewise::ui
