#include "ui/imgui/taken_keys.h"

#include <imgui.h>

#include <algorithm>
#include <iterator>

namespace lanewise::ui {

TakenKeys take_keys() {
    const ImGuiIO& io = ImGui::GetIO();
    TakenKeys taken{{}, io.KeyCtrl, io.KeyShift, io.KeyAlt, {}};
    taken.typed.assign(io.InputQueueCharacters.begin(), io.InputQueueCharacters.end());
#if IMGUI_VERSION_NUM < 18700
    for (int key = 0; key < static_cast<int>(std::size(io.KeysDown)); ++key)
        if (io.KeysDown[key]) taken.down.push_back(key);
#else
    for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key)
        if (ImGui::IsKeyDown(static_cast<ImGuiKey>(key))) taken.down.push_back(key);
#endif
    return taken;
}

void give_keys(const TakenKeys& taken) {
    ImGuiIO& io = ImGui::GetIO();
    auto is_down = [&](int key) {
        return std::find(taken.down.begin(), taken.down.end(), key) != taken.down.end();
    };
#if IMGUI_VERSION_NUM < 18700
    for (int key = 0; key < static_cast<int>(std::size(io.KeysDown)); ++key)
        io.KeysDown[key] = is_down(key);
    io.KeyCtrl = taken.ctrl;
    io.KeyShift = taken.shift;
    io.KeyAlt = taken.alt;
#else
    for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key)
        if (ImGui::IsKeyDown(static_cast<ImGuiKey>(key)) != is_down(key))
            io.AddKeyEvent(static_cast<ImGuiKey>(key), is_down(key));
#if IMGUI_VERSION_NUM < 18900
    io.AddKeyEvent(ImGuiKey_ModCtrl, taken.ctrl);
    io.AddKeyEvent(ImGuiKey_ModShift, taken.shift);
    io.AddKeyEvent(ImGuiKey_ModAlt, taken.alt);
#else
    io.AddKeyEvent(ImGuiMod_Ctrl, taken.ctrl);
    io.AddKeyEvent(ImGuiMod_Shift, taken.shift);
    io.AddKeyEvent(ImGuiMod_Alt, taken.alt);
#endif
#endif
    for (unsigned character : taken.typed) io.AddInputCharacter(character);
}

}  // namespace lanewise::ui
