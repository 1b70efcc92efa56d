#include "ui/shell/top_bar.h"

#include <algorithm>

#include "ui/desk/keys.h"
#include "ui/kit/widgets.h"
#include "ui/look/compact.h"
#include "ui/plain/frame_text.h"
#include "ui/shell/shell.h"
#include "ui/state/settings.h"

namespace lanewise::ui {
namespace {

constexpr float kBarHeight = 48, kLowBar = 36;
constexpr double kPatience = 0.3;  // seconds before waiting is worth a word

float bar_height() { return px(is_compact() ? kLowBar : kBarHeight); }

// " · about 12 s left", once enough is done to tell.
std::string_view time_left(double fraction, double elapsed) {
    constexpr double kEnough = 0.05, kLongest = 3600;
    if (fraction < kEnough || fraction >= 1 || elapsed < 1) return "";
    double left = elapsed * (1 - fraction) / fraction;
    if (left < 1 || left > kLongest) return "";
    return left < 90 ? frame_text(" · about {:.0f} s left", left)
                     : frame_text(" · about {:.0f} min left", left / 60);
}

std::string_view activity_text(const App& app, double now) {
    const Activity& a = app.activity;
    double elapsed = now - a.since;
    if (!a.busy() || elapsed < kPatience) return "";
    std::string_view what = !a.what.empty() ? std::string_view(a.what)
                            : a.measurement ? "running on the GPU"
                            : a.analysis    ? "counting the whole launch"
                                            : "interpreting one block";
    return frame_text("{} · {:.1f} s{}", what, elapsed, time_left(a.fraction, elapsed));
}

// A thin line under the bar: as far as the work has come, or all of it, faintly, where unknown.
void draw_progress(const App& app, Rect bar, double now) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddLine(ImVec2(bar.x0, bar.y1 - 1), ImVec2(bar.x1, bar.y1 - 1), color(Ink::border));
    if (activity_text(app, now).empty()) return;
    auto done = static_cast<float>(std::clamp(app.activity.fraction, 0.0, 1.0));
    ImVec2 low(bar.x0, bar.y1 - px(2));
    list->AddRectFilled(low, ImVec2(bar.x1, bar.y1), color(Ink::accent, 0.25f));
    list->AddRectFilled(low, ImVec2(bar.x0 + (bar.x1 - bar.x0) * done, bar.y1), color(Ink::accent));
}

struct RegionTab {
    Region region;
    const char *id, *title;
};
constexpr RegionTab kRegions[] = {{Region::course, "region:course", "Lesson"},
                                  {Region::picture, "region:picture", "Picture"},
                                  {Region::controls, "region:controls", "Setting"}};

constexpr TextStyle kButtonText{12, Ink::text, Font::text};
constexpr float kButtonGap = 6, kTitleRoom = 400, kTabGap = 28;  // points

float width_of_tab(const RegionTab& tab) {
    return extent_of(tab.title, {13, Ink::text, Font::text}).x + px(kTabGap);
}
float width_of_tabs() {
    float width = 0;
    for (const RegionTab& tab : kRegions) width += width_of_tab(tab);
    return width;
}

// What is being done, and Cancel where that can take long, between `left` and `right`.
void draw_activity(App& app, std::string_view text, float left, float right) {
    if (text.empty() || right - left < px(80)) return;
    float height = bar_height();
    bool long_work = app.activity.measurement || app.activity.analysis;
    if (long_work) {
        right -= extent_of("Cancel", kButtonText).x + px(20) + px(kButtonGap);
        ImGui::SetCursorPos(ImVec2(right + px(kButtonGap), (bar_height() - px(26)) / 2));
        if (button("cancel:work", "Cancel", {.tooltip = "Give it up  (Escape)"}))
            app.wanted.cancel = true;
    }
    std::string_view shown = fitted(text, kDim, right - left - px(8));
    float x = right - extent_of(shown, kDim).x - px(8);
    draw_text(ImVec2(x, (height - extent_of("X", kDim).y) / 2), shown, kDim,
              {left, 0, right, height});
}

// Whether no column is behind a tab.
bool all_columns_shown(const App& app, float width) {
    const float points = width / look().pixels_per_point();
    if (is_learning(app)) {
        Layout layout = learn_layout_for(points, app.keyboard.region);
        return layout.course > 0 && layout.picture > 0;
    }
    Layout layout = layout_for(points, app.keyboard.region, app.keyboard.side);
    return layout.course > 0 && layout.picture > 0 && layout.controls > 0;
}

bool has_region_tab(const App& app, const RegionTab& tab) {
    return tab.region != Region::controls || !is_learning(app);
}

struct ModeButton {
    const char *mode, *id, *title, *hint;
};
constexpr ModeButton kModes[] = {
    {kLearn, "mode:learn", "Learn", "The lesson leads, step by step  (V)"},
    {kWorkbench, "mode:workbench", "Workbench", "Everything at once  (V)"}};

// Returns its width.
float draw_modes(App& app, float left) {
    ImGui::SetCursorPos(ImVec2(left, px(11)));
    for (const ModeButton& each : kModes) {
        if (&each != kModes) same_line(2);
        const bool chosen = is_learning(app) == (each.mode == kModes[0].mode);
        if (button(
                each.id, each.title,
                {.selected = chosen,
                 .enabled = !app.own || chosen,
                 .tooltip = app.own ? "A kernel of your own lies on the workbench." : each.hint}))
            choose_mode(app, each.mode);
    }
    return ImGui::GetItemRectMax().x - left;
}

}  // namespace

void draw_top_bar(App& app, double now) {
    float width = ImGui::GetWindowWidth(), height = bar_height();
    Rect bar{0, 0, width, height};
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(0, 0), ImVec2(width, height),
                                              color(Ink::panel));
    draw_progress(app, bar, now);

    // The buttons at the right end first: the rest gets what they leave.
    TextStyle name{14, Ink::text, Font::bold};
    float left = px(16);
    bool with_title = all_columns_shown(app, width);
    float needed = left + px(8) + (with_title ? px(kTitleRoom) : width_of_tabs());
    float right = draw_bar_buttons(app, width, width - needed);

    ImGui::SetCursorPos(ImVec2(left, 0));
    if (with_title) {
        float y = (height - extent_of("X", name).y) / 2;
        draw_text(ImVec2(left, y), "Lanewise", name, bar);
        left += extent_of("Lanewise", name).x + px(16);
        left += draw_modes(app, left) + px(16);
        std::string_view where = app.own ? joined("Own kernel  ›  ", app.stage().file)
                                 : is_learning(app)
                                     ? std::string_view("")
                                     : joined(app.stage().operation, "  ›  ", app.stage().title);
        std::string_view title = fitted(where, kDim, (right - left) * 0.55f);
        draw_text(ImVec2(left, (height - extent_of("X", kDim).y) / 2), title, kDim, bar);
        left += extent_of(title, kDim).x + px(24);
    } else {
        for (const RegionTab& tab : kRegions) {
            if (!has_region_tab(app, tab)) continue;
            ImGui::SetCursorPos(ImVec2(left - px(8), is_compact() ? px(3) : px(8)));
            if (button(tab.id, tab.title,
                       {.kind = ButtonKind::tab, .selected = app.keyboard.region == tab.region}))
                focus_region(app, tab.region);
            left += width_of_tab(tab);
        }
    }
    draw_activity(app, activity_text(app, now), left, right);
    ImGui::SetCursorPos(ImVec2(0, height));
}

// One message with a way to close it; errors also offer to try again.
static bool message(const char* id, const std::string& text, Ink ink, bool& again) {
    ImGui::PushID(id);
    ImVec2 at = ImGui::GetCursorScreenPos();
    float full = ImGui::GetWindowWidth();
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->ChannelsSplit(2);
    list->ChannelsSetCurrent(1);
    ImGui::SetCursorScreenPos(ImVec2(at.x + px(16), at.y + px(8)));
    float buttons = px(ink == Ink::bad ? 170 : 80);
    ImGui::BeginChild("text", ImVec2(full - px(32) - buttons, std::min(px(120), px(22) * 5)),
                      false);
    float before = ImGui::GetCursorPosY();
    paragraph(text, {12, Ink::text, Font::text});
    float used = ImGui::GetCursorPosY() - before;
    ImGui::EndChild();
    float height = std::clamp(used, px(26), px(110)) + px(16);
    ImGui::SetCursorScreenPos(ImVec2(at.x + full - buttons, at.y + px(8)));
    if (ink == Ink::bad) {
        again = button("again", "Try again");
        same_line(6);
    }
    bool close = button("close", "Close");
    list->ChannelsSetCurrent(0);
    ImVec2 end(at.x + full, at.y + height);
    list->AddRectFilled(at, end, color(Ink::panel));
    list->AddRectFilled(at, end, color(ink, 0.14f));
    list->AddRectFilled(at, ImVec2(at.x + px(4), end.y), color(ink));
    list->ChannelsMerge();
    ImGui::SetCursorScreenPos(ImVec2(at.x, end.y));
    ImGui::PopID();
    return close;
}

void draw_messages(App& app) {
    bool again = false;
    if (!app.said.error.empty()) {
        if (message("error", app.said.error, Ink::bad, again)) app.said.error.clear();
        if (again) try_again(app);
    }
    if (!app.said.uncompiled.empty() && (app.arrived.picture || app.chosen().tab == "code") &&
        message("uncompiled", app.said.uncompiled, Ink::warn, again))
        app.said.uncompiled.clear();
    if (!app.said.notices.empty() && message("notice", app.said.notices.front(), Ink::warn, again))
        app.said.notices.erase(app.said.notices.begin());
}

}  // namespace lanewise::ui
