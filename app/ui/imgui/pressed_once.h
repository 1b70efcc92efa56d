// A key for what is switched on and off: held down it would be switched back by the keyboard's repeat.
#pragma once
#include "ui/imgui/imgui_compat.h"

namespace lanewise::ui {

bool pressed_once(Key key);  // went down this frame; without the repeat that pressed() has

}  // namespace lanewise::ui
