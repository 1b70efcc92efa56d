// A column of the window, with its padding and its own scroll bar. The region that the keyboard is
// in has a thin line on top.
#pragma once
#include "ui/kit/audit.h"
#include "ui/look/compact.h"
#include "ui/look/look.h"
#include "ui/state/app.h"

namespace lanewise::ui {

template <class Draw>
void column(App& app, Region region, const char* name, ImVec2 size, Ink back, Draw draw) {
    if (app.keyboard.focus_wanted && app.keyboard.region == region) ImGui::SetNextWindowFocus();
    ImGuiWindowFlags flags = ImGuiWindowFlags_AlwaysUseWindowPadding;
    // In the middle the arrow keys choose accesses and warps instead of moving from item to item.
    if (region == Region::picture) flags |= ImGuiWindowFlags_NoNavInputs;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                        is_compact() ? ImVec2(px(14), px(4)) : ImVec2(px(16), px(12)));
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::ColorConvertU32ToFloat4(color(back)));
    ImGui::BeginChild(name, size, false, flags);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    // While a key moves the focus, the column that loses it still has it for this frame.
    if (!app.keyboard.focus_wanted && ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows))
        app.keyboard.region = region;
    ImVec2 at = ImGui::GetWindowPos();
    if (app.keyboard.region == region && app.keyboard.used)
        ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + size.x, at.y + px(2)),
                                                  color(Ink::accent));
    draw();
    ImGui::EndChild();
}

}  // namespace lanewise::ui
