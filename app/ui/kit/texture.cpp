#include "ui/kit/texture.h"

#include <cstdint>

namespace lanewise::ui {

// The C casts fit every version, as in imgui_compat.cpp.
void draw_texture(unsigned texture, Rect box) {
    ImTextureID id = (ImTextureID)(uintptr_t)texture;
    ImGui::GetWindowDrawList()->AddImage(id, ImVec2(box.x0, box.y0), ImVec2(box.x1, box.y1),
                                         ImVec2(0, 1), ImVec2(1, 0));
}

}  // namespace lanewise::ui
