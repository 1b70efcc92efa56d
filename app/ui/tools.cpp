#include "ui/tools.h"

#include "ui/imgui_compat.h"

namespace lanewise::ui {

static void handle_history_keys(App& app) {
    if (!pressed(Key::escape)) return;
    app.tools->history.page_open = false;
    app.focus_wanted = true;
}

bool handle_tool_keys(App& app) {
    Tools& tools = *app.tools;
    if (tools.palette.open)
        handle_palette_keys(app);
    else if (tools.files.open)
        handle_file_prompt_keys(app);
    else if (tools.history.page_open)
        handle_history_keys(app);
    else
        return false;
    return true;
}

void draw_tools(App& app) {
    Tools& tools = *app.tools;
    if (tools.history.page_open) draw_history(app);
    if (tools.files.open) draw_file_prompt(app);
    if (tools.palette.open) draw_palette(app);
}

}  // namespace lanewise::ui
