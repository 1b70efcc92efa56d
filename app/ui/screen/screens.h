// The system's screens, and which of them a class gets.
#pragma once
#include <span>

namespace lanewise::ui {

struct Screen {
    int x = 0, y = 0, width = 0, height = 0;  // as the system places windows
    bool operator==(const Screen&) const = default;
};

// The place of the screen for the class, where the teacher's window lies like this: one that the
// window is not on, nor a copy of that one. -1: there is none. A window that lies on none, as a
// system that keeps its windows' places to itself says, is taken to be on the first.
int screen_for_class(std::span<const Screen> screens, const Screen& window);

}  // namespace lanewise::ui
