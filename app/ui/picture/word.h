// A word in a row of buttons: as high as they are.
#pragma once
#include <imgui.h>

#include <string_view>

#include "ui/kit/widgets.h"

namespace lanewise::ui {

inline void word(std::string_view text, TextStyle style) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = extent_of(text, style).x, height = px(26);
    draw_text(ImVec2(at.x, at.y + (height - extent_of("X", style).y) / 2), text, style,
              {at.x, at.y, at.x + width + 1, at.y + height});
    ImGui::Dummy(ImVec2(width, height));
}

}  // namespace lanewise::ui
