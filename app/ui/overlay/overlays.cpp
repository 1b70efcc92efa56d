#include "ui/desk/overlays.h"

#include <algorithm>

#include "ui/kit/glyphs.h"
#include "ui/kit/widgets.h"

namespace lanewise::ui {

void begin_overlay(const char* name, float width, float height, bool focus) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2((screen.x - width) / 2, (screen.y - height) / 2));
    ImGui::SetNextWindowSize(ImVec2(width, height));
    if (focus) ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(24), px(20)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(10));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::ColorConvertU32ToFloat4(color(Ink::panel)));
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
}

void draw_toast(App& app, double now) {
    Toast& toast = app.toast;
    if (toast.text.empty()) return;
    if (toast.since < 0) toast.since = now;
    if (now - toast.since >= kToastSeconds) {
        toast = {};
        return;
    }
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    std::string text = elided(toast.text, kBody, screen.x - px(64));
    ImVec2 size(extent_of(text, kBody).x + px(32), px(34));
    ImVec2 at((screen.x - size.x) / 2, screen.y - size.y - px(20));
    ImVec2 end(at.x + size.x, at.y + size.y);
    // Its own list, so that it lies over the columns.
    ImDrawList* list = ImGui::GetForegroundDrawList();
    list->AddRectFilled(at, end, color(Ink::panel), px(8));
    list->AddRect(at, end, color(Ink::accent), px(8));
    Fonts::Sized sized = look().fonts->pick(kBody.font, kBody.points);
    want_glyphs(text);
    list->AddText(sized.font, sized.pixels,
                  ImVec2(at.x + px(16), at.y + (size.y - extent_of("X", kBody).y) / 2),
                  color(Ink::text), text.data(), text.data() + text.size());
}

}  // namespace lanewise::ui
