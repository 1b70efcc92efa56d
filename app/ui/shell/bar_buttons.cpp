// The buttons at the right end of the top bar: what else there is, for who has a mouse only. Each
// is a row of the table of commands; in a narrow window the least wanted give way, and are found
// through the first.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ui/desk/commands.h"
#include "ui/kit/widgets.h"
#include "ui/look/compact.h"
#include "ui/shell/top_bar.h"

namespace lanewise::ui {
namespace {

constexpr TextStyle kText{12, Ink::text, Font::text};
constexpr float kGap = 6, kPadding = 20, kEnd = 12, kTop = 11, kLowTop = 5;  // points

struct BarButton {
    const char *id, *command, *text, *hint;
    int wanted;        // the higher, the longer it stays
    const char* keys;  // of several commands; null: the command's own
};
constexpr BarButton kBarButtons[] = {
    {"bar:commands", "palette", "Commands", "Everything that the window can do", 9, nullptr},
    {"open", "open", "Open …", "A kernel of your own", 6, nullptr},
    {"bar:progress", "progress", "Progress", "How far you have come, and what is due", 3, nullptr},
    {"bar:history", "history", "History", "Runs that were kept, with notes", 2, nullptr},
    {"bar:present", "present", "Present", "Scene by scene, in large type, to a class", 4, nullptr},
    {"theme", "theme:next", "", "Another theme", 1, nullptr},
    {"scale", "larger", "", "Size of everything", 0, "Ctrl +, Ctrl −, Ctrl 0"},
    {"settings", "settings", "Settings", "Engine, GPU, time limit, theme, size", 7, nullptr},
    {"help", "help", "?", "All keys", 8, nullptr},
};
constexpr size_t kCount = std::size(kBarButtons);
constexpr const char* kMore = "…";  // what the first says where most of the rest has given way
constexpr int kFew = 4;

// What each says just now, kept so that a frame like the last one makes no new text.
struct Faces {
    float scale = 0;
    std::string theme;
    std::array<std::string, kCount> texts;
};

const Faces& faces() {
    static Faces kept;  // only one window draws
    if (kept.scale == look().scale && kept.theme == look().theme) return kept;
    kept.scale = look().scale;
    kept.theme = look().theme;
    for (size_t i = 0; i < kCount; ++i) {
        std::string id = kBarButtons[i].id;
        kept.texts[i] = id == "theme"   ? look().theme
                        : id == "scale" ? fmt::format("{:.0f} %", 100 * look().scale)
                                        : kBarButtons[i].text;
    }
    return kept;
}

float width_of(const std::string& text) { return extent_of(text, kText).x + px(kPadding) + 1; }

// Which are shown in `room` pixels: as many as fit, the most wanted ones. `first`: what the first
// of them says.
std::array<bool, kCount> that_fit(const Faces& face, const std::string& first, float room) {
    std::array<bool, kCount> shown{};
    float used = px(kEnd);
    for (int wanted = static_cast<int>(kCount); wanted >= 0; --wanted)
        for (size_t i = 0; i < kCount; ++i) {
            if (kBarButtons[i].wanted != wanted) continue;
            used += width_of(i ? face.texts[i] : first) + px(kGap);
            if (used > room && i > 0) return shown;
            shown[i] = true;
        }
    return shown;
}

std::string hint_of(const App& app, const BarButton& each) {
    std::string keys = each.keys ? each.keys : find_command(app, each.command).keys;
    return fmt::format("{}  ({})", each.hint, keys);
}

}  // namespace

float draw_bar_buttons(App& app, float width, float room) {
    const Faces& face = faces();
    static const std::string more = kMore;
    auto shown = that_fit(face, face.texts[0], room);
    bool tight = std::count(shown.begin(), shown.end(), true) < kFew;
    if (tight) shown = that_fit(face, more, room);
    auto text_of = [&](size_t i) -> const std::string& {
        return tight && i == 0 ? more : face.texts[i];
    };
    float x = width - px(kEnd);
    for (size_t i = 0; i < kCount; ++i)
        if (shown[i]) x -= width_of(text_of(i)) + px(kGap);
    float begin = x;
    for (size_t i = 0; i < kCount; ++i) {
        if (!shown[i]) continue;
        x += px(kGap);
        ImGui::SetCursorPos(ImVec2(x, px(is_compact() ? kLowTop : kTop)));
        const BarButton& each = kBarButtons[i];
        if (button(each.id, text_of(i))) act(app, find_command(app, each.command));
        if (ImGui::IsItemHovered()) tooltip(hint_of(app, each));
        x += width_of(text_of(i));
    }
    return begin;
}

}  // namespace lanewise::ui
