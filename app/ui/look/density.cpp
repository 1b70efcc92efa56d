#include "ui/look/density.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <map>

#include "ui/look/look.h"

namespace lanewise::ui {
namespace {

constexpr int kFrames = 3;

struct Places {
    std::map<ImGuiID, ImVec2> wanted;  // by window: pixels
    int frames = 0;
};
Places& places() {
    static Places one;  // there is one context
    return one;
}

}  // namespace

void scroll_along(float ratio) {
    if (!ImGui::GetCurrentContext() || ratio == 1) return;
    ImGuiContext& context = *ImGui::GetCurrentContext();
    Places& kept = places();
    if (kept.frames == 0) kept.wanted.clear();
    for (const ImGuiWindow* window : context.Windows) {
        // One that has not been put in its place yet goes on from there.
        ImVec2& wanted = kept.wanted.try_emplace(window->ID, window->Scroll).first->second;
        wanted = ImVec2(wanted.x * ratio, wanted.y * ratio);
    }
    context.InputTextState.ScrollX *= ratio;
    kept.frames = kFrames;
}

void keep_scrolled_places() {
    Places& kept = places();
    if (kept.frames == 0) return;
    --kept.frames;
    for (auto [id, scroll] : kept.wanted)
        if (ImGuiWindow* window = ImGui::FindWindowByID(id)) window->Scroll = scroll;
}

void adopt_density(float density) {
    if (density == look().density) return;
    scroll_along(density / look().density);
    look().density = density;
    look().fonts_changed = true;
    set_theme(look().theme);
}

}  // namespace lanewise::ui
