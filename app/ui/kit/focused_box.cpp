#include "ui/kit/focused_box.h"

#include <imgui.h>
#include <imgui_internal.h>

namespace lanewise::ui {

Rect focused_box() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    ImGuiWindow* window = context.NavWindow;
    if (!ImGui::GetIO().NavVisible || !window || context.NavId == 0) return {};
    const ImRect box = ImGui::WindowRectRelToAbs(window, window->NavRectRel[context.NavLayer]);
    return {box.Min.x, box.Min.y, box.Max.x, box.Max.y};
}

}  // namespace lanewise::ui
