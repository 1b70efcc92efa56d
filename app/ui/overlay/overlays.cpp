#include "ui/desk/overlays.h"

#include <algorithm>

#include "ui/class/assignment_work.h"
#include "ui/class/class_link.h"
#include "ui/desk/tools.h"
#include "ui/kit/widgets.h"
#include "ui/look/glyphs.h"
#include "ui/state/settings.h"

namespace lanewise::ui {
namespace {

struct Overlay {
    bool (*is_open)(const App&);
    void (*close)(App&);
};
const Overlay kOverlays[kOverlayCount] = {
    {[](const App& a) { return a.open.help; }, [](App& a) { a.open.help = false; }},
    {[](const App& a) { return a.open.chooser.open; }, [](App& a) { a.open.chooser.open = false; }},
    {[](const App& a) { return a.open.settings != nullptr; }, close_settings},
    {[](const App& a) { return a.open.compare; }, [](App& a) { a.open.compare = false; }},
    {[](const App& a) { return a.tools->welcome.open; }, close_welcome},
    {[](const App& a) { return a.tools->progress.open; }, close_progress},
    {[](const App& a) { return a.tools->assignment->page_open; }, close_assignment_page},
    {[](const App&) { return class_board_open(); }, close_class_board},
    {[](const App& a) { return a.tools->ending.open; }, close_ending},
    {[](const App& a) { return a.tools->history.page_open; },
     [](App& a) { a.tools->history.page_open = false; }},
    {[](const App& a) { return a.tools->files.open; }, [](App& a) { a.tools->files.open = false; }},
    {[](const App& a) { return a.tools->words.page_open; },
     [](App& a) { a.tools->words.page_open = false; }},
    {[](const App& a) { return a.tools->words.pinned != nullptr; },
     [](App& a) { a.tools->words.pinned = nullptr; }},
    {[](const App& a) { return a.tools->palette.open; },
     [](App& a) { a.tools->palette.open = false; }},
};

// Everything around the panel: its own list lies over all that is below it.
void dim_around(ImVec2 low, ImVec2 high) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImU32 shade = IM_COL32(0, 0, 0, 110);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRectFullScreen();
    list->AddRectFilled(ImVec2(0, 0), ImVec2(screen.x, low.y), shade);
    list->AddRectFilled(ImVec2(0, low.y), ImVec2(low.x, high.y), shade);
    list->AddRectFilled(ImVec2(high.x, low.y), ImVec2(screen.x, high.y), shade);
    list->AddRectFilled(ImVec2(0, high.y), screen, shade);
    list->PopClipRect();
}

}  // namespace

void keep_one_overlay(App& app) {
    std::array<bool, kOverlayCount>& known = app.tools->overlays_known;
    size_t newest = kOverlayCount;
    for (size_t i = 0; i < kOverlayCount; ++i)
        if (kOverlays[i].is_open(app) && !known[i]) newest = i;
    for (size_t i = 0; i < kOverlayCount; ++i) {
        if (newest < kOverlayCount && i != newest && kOverlays[i].is_open(app))
            kOverlays[i].close(app);
        known[i] = kOverlays[i].is_open(app);
    }
}

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
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    dim_around(at, ImVec2(at.x + size.x, at.y + size.y));
}

void draw_toast(App& app, double now) {
    Toast& toast = app.said.toast;
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
