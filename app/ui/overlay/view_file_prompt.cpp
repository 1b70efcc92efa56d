// Where to save, or what to open: a path, and the workspaces that lie in the folder.
#include <algorithm>

#include "base/error.h"
#include "ui/class/class_link.h"
#include "ui/desk/overlays.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/kit/widgets.h"
#include "ui/plain/kept_file.h"

namespace lanewise::ui {
namespace {

struct PromptWords {
    const char *title, *what, *button;
};
constexpr PromptWords kPrompts[] = {
    {"Save the workspace",
     "All that is chosen, your versions of the stages, the history of runs and what was measured.",
     "Save"},
    {"Open a workspace or an assignment",
     "Your own versions of stages and your runs are kept beside it.", "Open"},
    {"Export as JSON",
     "What is shown: the block's trace, access by access, counts, findings and times.", "Export"},
};

// Where the file is there already, the first press asks, as with Save.
void accept_and_hand_in(App& app) {
    FilePrompt& prompt = app.tools->files;
    accept_file(app);
    if (prompt.open) return;
    try {
        hand_in(path_typed(prompt.path));
        app.said.toast = {"Handing in …"};
    } catch (const Error& error) {
        app.said.toast = {error.what()};
    }
}

}  // namespace

void draw_file_prompt(App& app) {
    FilePrompt& prompt = app.tools->files;
    const PromptWords& words = kPrompts[static_cast<int>(prompt.purpose)];
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    float width = std::min(px(600), screen.x - px(32));
    float rows = px(28) * static_cast<float>(prompt.found.size());
    float height = std::min(px(210) + rows, screen.y - px(32));
    begin_overlay("File", width, height, prompt.focus_wanted);
    line(words.title, kTitle);
    gap(4);
    paragraph(words.what, kDim);
    gap(8);
    ImGui::PushID(prompt.generation);
    if (prompt.focus_wanted) focus_text_box(item_id("file:path"));
    prompt.focus_wanted = false;
    if (text_field("file:path", prompt.path, 0)) {
        prompt.replace = false;
        prompt.problem.clear();
    }
    ImGui::PopID();
    if (!prompt.problem.empty()) {
        gap(4);
        paragraph(prompt.problem, {12, prompt.replace ? Ink::warn : Ink::bad, Font::text});
    }
    gap(8);
    ImGui::BeginChild("found", ImVec2(0, ImGui::GetContentRegionAvail().y - px(40)), false,
                      ImGuiWindowFlags_NavFlattened);
    for (const std::filesystem::path& file : prompt.found) {
        std::string name = file.filename().string();
        if (button("file:" + name, name,
                   {.kind = ButtonKind::row, .width = available() / look().pixels_per_point()})) {
            prompt.path = file.string();
            accept_file(app);
            break;
        }
    }
    ImGui::EndChild();
    gap(8);
    if (button("file:accept", prompt.replace ? "Replace it" : words.button,
               {.kind = ButtonKind::primary, .tooltip = "Enter"}))
        accept_file(app);
    if (prompt.purpose == FilePrompt::For::save && has_class()) {
        same_line(10);
        if (button("file:hand-in", prompt.replace ? "Replace and hand in" : "Save and hand in",
                   {.tooltip = "to your class's server, which keeps it for your teacher"}))
            accept_and_hand_in(app);
    }
    same_line(10);
    if (button("file:close", "Close", {.tooltip = "Escape"})) {
        prompt.open = false;
        app.keyboard.focus_wanted = true;
    }
    ImGui::End();
}

}  // namespace lanewise::ui
