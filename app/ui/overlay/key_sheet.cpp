// The sheet of keys (F1): every command that has some, in two columns where there is room.
#include <algorithm>

#include "ui/desk/commands.h"
#include "ui/desk/overlays.h"
#include "ui/desk/tools.h"
#include "ui/kit/widgets.h"

namespace lanewise::ui {
namespace {

constexpr float kKeys = 160, kColumnGap = 24, kTwoColumns = 700;  // points

struct Group {
    std::string name;
    std::vector<Command> commands;
};

std::vector<Group> groups_with_keys(const App& app) {
    std::vector<Group> groups;
    for (Command& command : all_commands(app)) {
        if (command.keys.empty()) continue;
        auto at = std::find_if(groups.begin(), groups.end(),
                               [&](const Group& g) { return g.name == command.group; });
        if (at == groups.end()) at = groups.insert(at, {command.group, {}});
        at->commands.push_back(std::move(command));
    }
    return groups;
}

float height_of(const Group& group) {
    return px(24) + line_height(kBody) * static_cast<float>(group.commands.size());
}

// Returns where the next group of this column begins.
float draw_group(App& app, const Group& group, ImVec2 at, float width) {
    float row = line_height(kBody), keys = px(kKeys), end = at.x + width;
    at.y += px(8);
    std::string name = group.name;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    draw_text(at, name, kCaption, {at.x, at.y, end, at.y + px(16)});
    at.y += px(16);
    for (const Command& command : group.commands) {
        std::string shown = elided(command.keys, kMono, keys - px(8));
        draw_text(at, shown, kMono, {at.x, at.y, at.x + keys, at.y + row});
        std::string what = elided(command.title, kBody, width - keys);
        draw_label(app, ImVec2(at.x + keys, at.y), what, kBody,
                   {at.x + keys, at.y, end, at.y + row});
        at.y += row;
    }
    return at.y;
}

}  // namespace

void draw_key_sheet(App& app) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    float width = std::min(px(860), screen.x - px(32));
    int columns = width >= px(kTwoColumns) ? 2 : 1;
    std::vector<Group> groups = groups_with_keys(app);
    float all = 0, tallest = 0;
    for (const Group& group : groups) all += height_of(group);
    // Groups stay whole, and in order: the first column takes them up to half of all.
    size_t first_of_second = groups.size();
    float filled = 0;
    for (size_t i = 0; columns == 2 && i < groups.size(); ++i) {
        if (filled + height_of(groups[i]) / 2 > all / 2) {
            first_of_second = i;
            break;
        }
        filled += height_of(groups[i]);
    }
    tallest = columns == 2 ? std::max(filled, all - filled) : all;
    float height = std::min(px(84) + tallest, screen.y - px(32));
    begin_overlay("Keys", width, height, app.open.help_focus_wanted);
    app.open.help_focus_wanted = false;
    line("Keys", kTitle);
    same_line(16);
    if (button("help:glossary", "Glossary", {.tooltip = "What the words of the course mean"}))
        open_glossary(app);
    ImGui::BeginChild("keys", ImVec2(0, 0), false, ImGuiWindowFlags_NavFlattened);
    ImVec2 start = ImGui::GetCursorScreenPos(), at = start;
    float gaps = columns == 2 ? px(kColumnGap) : 0;
    float column = (available() - gaps) / static_cast<float>(columns), lowest = start.y;
    for (size_t i = 0; i < groups.size(); ++i) {
        if (i == first_of_second) at = ImVec2(start.x + column + gaps, start.y);
        at.y = draw_group(app, groups[i], at, column);
        lowest = std::max(lowest, at.y);
    }
    ImGui::Dummy(ImVec2(available(), lowest - start.y));
    ImGui::EndChild();
    ImGui::End();
}

}  // namespace lanewise::ui
