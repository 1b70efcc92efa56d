#include "ui/look/look.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "ui/look/density.h"
#include "ui/look/other_look.h"

namespace lanewise::ui {

static Look* other = nullptr;  // in use in place of the first window's

Look& look() {
    static Look first;
    return other ? *other : first;
}

Look* use_look(Look* look) { return std::exchange(other, look); }

static ImVec4 vec(Ink ink, float alpha = 1) {
    return ImGui::ColorConvertU32ToFloat4(color(ink, alpha));
}

static void style_dear_imgui() {
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    style.WindowPadding = style.ItemSpacing = style.ItemInnerSpacing = ImVec2(0, 0);
    style.WindowBorderSize = style.ChildBorderSize = style.PopupBorderSize = 0;
    style.WindowRounding = 0;
    style.ScrollbarSize = px(10);
    style.ScrollbarRounding = style.GrabRounding = px(5);
    style.FramePadding = ImVec2(px(8), px(5));
    style.FrameRounding = px(6);
    style.FrameBorderSize = 0;
    style.WindowMinSize = ImVec2(1, 1);
    const struct {
        ImGuiCol slot;
        ImVec4 color;
    } colors[] = {
        {ImGuiCol_Text, vec(Ink::text)},
        {ImGuiCol_TextDisabled, vec(Ink::text_dim)},
        {ImGuiCol_WindowBg, vec(Ink::background)},
        {ImGuiCol_ChildBg, vec(Ink::background, 0)},
        {ImGuiCol_PopupBg, vec(Ink::panel)},
        {ImGuiCol_Border, vec(Ink::border)},
        {ImGuiCol_FrameBg, vec(Ink::background)},
        {ImGuiCol_FrameBgHovered, vec(Ink::background)},
        {ImGuiCol_FrameBgActive, vec(Ink::background)},
        {ImGuiCol_ScrollbarBg, vec(Ink::background, 0)},
        {ImGuiCol_ScrollbarGrab, vec(Ink::border)},
        {ImGuiCol_ScrollbarGrabHovered, vec(Ink::text_dim, 0.6f)},
        {ImGuiCol_ScrollbarGrabActive, vec(Ink::text_dim)},
        {ImGuiCol_Button, ImVec4()},
        {ImGuiCol_ButtonHovered, ImVec4()},
        {ImGuiCol_ButtonActive, ImVec4()},
        {ImGuiCol_TextSelectedBg, vec(Ink::accent, 0.35f)},
    };
    for (const auto& entry : colors) style.Colors[entry.slot] = entry.color;
    set_keyboard_frame_color(vec(Ink::accent));
}

void set_theme(const std::string& theme) {
    look().palette = &palette(theme);
    look().theme = theme;
    style_dear_imgui();
}

void set_scale(float scale) {
    scale = std::clamp(scale, kLeastScale, kMostScale);
    look().fonts_changed = look().fonts_changed || scale != look().scale;
    scroll_along(scale / look().scale);
    look().scale = scale;
    style_dear_imgui();
}

const char* next_theme(const std::string& theme) {
    static constexpr const char* kThemes[] = {"dark", "light", "projector"};
    for (size_t i = 0; i < std::size(kThemes); ++i)
        if (theme == kThemes[i]) return kThemes[(i + 1) % std::size(kThemes)];
    return kThemes[0];
}

float px(float points) { return std::round(points * look().pixels_per_point()); }

ImU32 color(const Fill& fill) {
    if (fill.kind == Fill::Kind::none) return 0;
    Color c = look().palette->resolve(fill);
    return IM_COL32(c.r, c.g, c.b, c.a);
}

ImU32 color(Ink ink, float alpha) { return color(Fill::of(ink, alpha)); }

Measure window_measure() {
    return [](const std::string& text, float size, Font font) {
        Fonts::Sized sized = look().fonts->pick(font, size);
        return text_extent(sized.font, sized.pixels, text.data(), text.data() + text.size()).x /
               look().pixels_per_point();
    };
}

}  // namespace lanewise::ui
