// Small pictures in strokes, for buttons that have a place of their own: drawn as lines, so that no
// font has to have them. On a grid of 24 units, as icons of the usual sets are.
#pragma once
#include <imgui.h>

#include <cstdint>

namespace lanewise::ui {

enum class Icon : uint8_t { files, issues, accesses, compare, runs, forge, step, layout, close, apart };
// Around `center`, `size` pixels wide and high.
void draw_icon(ImDrawList& list, Icon icon, ImVec2 center, float size, ImU32 ink);

}  // namespace lanewise::ui
