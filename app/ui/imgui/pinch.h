// Two fingers that are drawn apart or together. The picture below the pointer takes that, where it is one that
// comes closer by the wheel; what nobody has taken by the end of a frame makes everything larger or smaller.
#pragma once
#include <utility>

namespace lanewise::ui {

// In notches of the wheel; positive is apart.
inline float& waiting_pinch() {
    static float notches = 0;
    return notches;
}
inline float take_pinch() { return std::exchange(waiting_pinch(), 0.f); }

}  // namespace lanewise::ui
