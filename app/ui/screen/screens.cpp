#include "ui/screen/screens.h"

#include <algorithm>
#include <cstdint>

namespace lanewise::ui {
namespace {

int64_t common_area(const Screen& a, const Screen& b) {
    const int64_t width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
    const int64_t height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
    return width > 0 && height > 0 ? width * height : 0;
}

}  // namespace

int screen_for_class(std::span<const Screen> screens, const Screen& window) {
    if (screens.empty()) return -1;
    size_t own = 0;
    for (size_t i = 1; i < screens.size(); ++i)
        if (common_area(screens[i], window) > common_area(screens[own], window)) own = i;
    for (size_t i = 0; i < screens.size(); ++i)
        if (i != own && common_area(screens[i], screens[own]) == 0) return static_cast<int>(i);
    return -1;
}

}  // namespace lanewise::ui
