#include "ui/desk/tools.h"

#include <algorithm>

#include "ui/class/assignment_work.h"
#include "ui/class/audience.h"
#include "ui/class/class_link.h"
#include "ui/imgui/imgui_compat.h"

namespace lanewise::ui {

Tools::Tools() : assignment(std::make_shared<AssignmentWork>()) {}

static void handle_history_keys(App& app) {
    if (!pressed(Key::escape)) return;
    app.tools->history.page_open = false;
    app.keyboard.focus_wanted = true;
}

static void handle_progress_keys(App& app) {
    if (pressed(Key::escape)) close_progress(app);
}

static void handle_assignment_keys(App& app) {
    if (pressed(Key::escape)) close_assignment_page(app);
}

static void handle_board_keys(App& app) {
    if (pressed(Key::escape)) close_class_board(app);
}

static void handle_ending_keys(App& app) {
    if (pressed(Key::escape)) close_ending(app);
}

static void handle_welcome_keys(App& app) {
    if (pressed(Key::escape)) close_welcome(app);
}

bool handle_tool_keys(App& app) {
    Tools& tools = *app.tools;
    if (tools.palette.open)
        handle_palette_keys(app);
    else if (tools.files.open)
        handle_file_prompt_keys(app);
    else if (handle_word_keys(app))
        return true;
    else if (tools.history.page_open)
        handle_history_keys(app);
    else if (tools.progress.open)
        handle_progress_keys(app);
    else if (tools.assignment->page_open)
        handle_assignment_keys(app);
    else if (class_board_open())
        handle_board_keys(app);
    else if (tools.ending.open)
        handle_ending_keys(app);
    else if (tools.welcome.open)
        handle_welcome_keys(app);
    else
        return tour_on(app) && handle_tour_keys(app);
    return true;
}

double tools_due(const App& app, double now) {
    const double clock = clock_due(app.tools->presenter, now);
    const double audience = audience_due(app.tools->presenter, now);
    double first = -1;
    for (double due : {clock, audience, class_board_due()})
        if (due >= 0) first = first < 0 ? due : std::min(first, due);
    return first;
}

void draw_tools(App& app) {
    Tools& tools = *app.tools;
    if (tools.welcome.open) draw_welcome(app);
    if (tools.progress.open) draw_progress_page(app);
    if (tools.assignment->page_open) draw_assignment_page(app);
    if (class_board_open()) draw_class_board(app);
    if (tools.ending.open) draw_ending(app);
    if (tools.history.page_open) draw_history(app);
    if (tools.files.open) draw_file_prompt(app);
    if (tools.words.page_open) draw_glossary(app);
    if (tools.palette.open) draw_palette(app);
    draw_tour(app);
    draw_word_card(app);
}

}  // namespace lanewise::ui
