#include "ui/desk/commands.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/error.h"
#include "base/text.h"
#include "ui/class/assignment_work.h"
#include "ui/class/audience.h"
#include "ui/class/class_link.h"
#include "ui/desk/forge.h"
#include "ui/desk/keys.h"
#include "ui/desk/palette.h"
#include "ui/desk/path_walk.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/imgui/pressed_once.h"
#include "ui/instrument/panes.h"
#include "ui/instrument/step.h"
#include "ui/launch/charts.h"
#include "ui/launch/mismatch.h"
#include "ui/launch/products.h"
#include "ui/launch/zoom.h"
#include "ui/look/look.h"
#include "ui/path/predict_first.h"
#include "ui/state/compare.h"
#include "ui/state/edits.h"
#include "ui/state/settings.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

// In Learn along the path, on the workbench to the stage that lies beside.
void go_on(App& app) {
    if (!is_learning(app)) return step_stage(app, 1);
    if (std::optional<size_t> next = next_lesson(app)) choose_stage(app, *next);
}

// ---- what is struck

enum class With { anything, nothing, shift, ctrl, ctrl_shift, ctrl_anything };

struct Binding {
    Key key = Key::count_;
    char character = 0;  // follows the keyboard's layout
    With with = With::anything;
    bool in_text = false;  // acts although a text field has the keyboard
    bool repeats = false;  // while it is held
};
constexpr Binding letter(char c) { return {Key::count_, c, With::anything, false}; }
constexpr Binding key(Key k) { return {k, 0, With::anything, true}; }
constexpr Binding ctrl(Key k) { return {k, 0, With::ctrl_anything, true}; }
constexpr Binding repeated(Binding b) {
    b.repeats = true;
    return b;
}
constexpr bool bound(const Binding& b) { return b.key != Key::count_ || b.character; }
constexpr bool wants_ctrl(const Binding& b) { return b.with >= With::ctrl; }

bool modifiers_fit(With with) {
    bool shift = ImGui::GetIO().KeyShift;
    switch (with) {
        case With::nothing:
        case With::ctrl:
            return !shift;
        case With::shift:
        case With::ctrl_shift:
            return shift;
        default:
            return true;
    }
}

bool struck(const Binding& b, bool in_text) {
    if (in_text && !b.in_text) return false;
    if (b.key != Key::count_)
        return (b.repeats ? pressed(b.key) : pressed_once(b.key)) && modifiers_fit(b.with);
    auto lower = static_cast<unsigned>(b.character);
    bool is_letter = lower >= 'a' && lower <= 'z';
    return typed(lower) || (is_letter && typed(lower - 'a' + 'A'));
}

// As the sheet writes it; empty for a second way to strike the same, on the number block.
std::string name_of(const Binding& b) {
    static constexpr struct {
        Key key;
        const char* name;
    } kNames[] = {{Key::tab, "Tab"}, {Key::f1, "F1"},   {Key::f5, "F5"},  {Key::f6, "F6"},
                  {Key::equal, "+"}, {Key::minus, "−"}, {Key::zero, "0"}, {Key::e, "E"},
                  {Key::f, "F"},     {Key::o, "O"},     {Key::p, "P"},    {Key::f9, "F9"},   {Key::f10, "F10"},
                  {Key::f11, "F11"},
                  {Key::s, "S"},     {Key::y, "Y"},     {Key::z, "Z"}};
    if (b.character) {
        bool is_letter = b.character >= 'a' && b.character <= 'z';
        return {is_letter ? static_cast<char>(b.character - 'a' + 'A') : b.character};
    }
    bool shift = b.with == With::shift || b.with == With::ctrl_shift;
    for (const auto& each : kNames)
        if (each.key == b.key)
            return std::string(wants_ctrl(b) ? "Ctrl " : "") + (shift ? "Shift " : "") + each.name;
    return "";
}

// ---- the rows that are always there

struct CommandRow {
    const char *id, *group, *title;
    Binding bindings[2];
    void (*act)(App&);
    std::string (*problem)(const App&) = nullptr;
    const char* keys = nullptr;  // of a line of the sheet that is no command
};

void toggle_help(App& app) {
    app.open.help = !app.open.help;
    app.open.help_focus_wanted = app.open.help;
}

void step_region(App& app, int by) {
    app.keyboard.used = true;
    const int regions = is_learning(app) ? 2 : 3;
    focus_region(
        app, static_cast<Region>((static_cast<int>(app.keyboard.region) + by + regions) % regions));
}

void toggle_palette(App& app) { open_palette(app); }

void step_warp(App& app, int by) { choose_warp(app, static_cast<int>(app.chosen().warp) + by); }

template <Step to>
void step(App& app) {
    choose_mode(app, kLearn);
    go_to(app, to);
}
template <Step to>
std::string no_step(const App& app) {
    if (app.own) return "A kernel of your own has no lesson.";
    if (answer_is_hidden(app)) return "Answer the lesson's question first.";
    return has_step(app, to) ? "" : "This lesson has no task.";
}
void toggle_mode(App& app) { choose_mode(app, is_learning(app) ? kWorkbench : kLearn); }
std::string only_workbench(const App& app) {
    return app.own ? "A kernel of your own lies on the workbench." : "";
}

std::string cannot_edit(const App& app) {
    return app.own ? "Your own kernel is edited in your own editor: its file is watched." : "";
}
std::string cannot_find(const App& app) {
    return app.editing.on ? "" : "Open the stage's kernel in the editor first.";
}
std::string not_edited(const App& app) {
    return is_edited(app) ? "" : "This stage is as the course has it.";
}
std::string nothing_runs(const App& app) {
    return app.activity.busy() ? "" : "Nothing is under way.";
}
std::string no_own_kernel(const App& app) { return app.own ? "" : "The course is open already."; }

constexpr const char* kStage = "Stage";
constexpr const char* kPicture = "Picture";
constexpr const char* kCharts = "Charts";
constexpr const char* kKernel = "Kernel";
constexpr const char* kWindow = "Window";
constexpr const char* kLook = "Look";
constexpr const char* kKeep = "Keep";
constexpr const char* kClass = "Class";
constexpr const char* kLearning = "Learn";

std::string no_assignment(const App& app) {
    return app.tools->assignment->now ? "" : "No assignment is open: open its file or its link.";
}
std::string no_class(const App&) {
    return has_class() ? "" : "The engine is no class's: --engine wss://… names one.";
}
std::string no_answer_hidden(const App& app) {
    return answer_is_hidden(app) ? "" : "No answer is hidden here.";
}
std::string no_answer_to_hide(const App& app) {
    return answer_is_hidden(app) ? "Answer the lesson's question first." : "";
}
std::string not_recorded(const App& app) {
    return app.tools->on_demand.step && !app.tools->on_demand.step->of.empty() ? "" : "Record the launch first.";
}
std::string not_presenting(const App& app) {
    return app.tools->presenter.on ? "" : "Present the lesson first (F11).";
}

void toggle_history(App& app) {
    History& history = app.tools->history;
    history.page_open = history.focus_wanted = !history.page_open;
}

void toggle_motion(App& app) {
    app.saved.reduce_motion = !app.saved.reduce_motion;
    app.said.toast = {app.saved.reduce_motion ? "What changes is shown at once."
                                              : "A knob moves what it changes.",
                      -1};
}
void toggle_setting(App& app) { app.saved.panes.setting = !app.saved.panes.setting; }
void toggle_timeline(App& app) {
    std::string& below = app.saved.panes.below;
    below = below == "timeline" ? "" : "timeline";
}
void toggle_step(App& app) {
    std::string& below = app.saved.panes.below;
    below = below == "step" ? "" : "step";
}
void toggle_picture(App& app) {
    std::string& beside = app.saved.panes.beside;
    beside = beside == "picture" ? "" : "picture";
}

void toggle_apart(App& app) { set_apart(app, view_apart(app).empty() ? app.chosen().tab : ""); }

constexpr CommandRow kCommandRows[] = {
    {"stage:next", kStage, "Next stage", {letter('n')}, go_on},
    {"stage:before", kStage, "Stage before", {letter('p')}, [](App& a) { step_stage(a, -1); }},
    {"", kPicture, "Access or line before, next", {}, nullptr, nullptr, "↑ ↓"},
    {"", kPicture, "Through the warp's life", {}, nullptr, nullptr, "← →"},
    {"", kPicture, "By its chapters", {}, nullptr, nullptr, "Ctrl ← →"},
    {"", kPicture, "Its begin, end; first, last line", {}, nullptr, nullptr, "Home End"},
    {"", kPicture, "Play it, pause", {}, nullptr, nullptr, "Space"},
    {"nearer", kPicture, "Nearer: warp, lane", {letter('+')}, [](App& a) { step_zoom(a, 1); }},
    {"further", kPicture, "Further: block, grid", {letter('-')}, [](App& a) { step_zoom(a, -1); }},
    {"forge", kPicture, "Forge a swizzle: type a column", {letter('f')}, open_forge},
    {"compare", kPicture, "Other settings or stages beside this", {letter('c')}, open_compare},
    {"code:hits", kPicture, "A narrow code pane: costs, or hits in L1 and L2", {}, switch_code_hits},
    {"warp:before", kPicture, "Warp before", {letter('[')}, [](App& a) { step_warp(a, -1); }},
    {"warp:next", kPicture, "Next warp", {letter(']')}, [](App& a) { step_warp(a, 1); }},
    {"", kPicture, "Lane before, next", {}, nullptr, nullptr, "Shift ← →"},
    {"", kPicture, "Block before, next", {}, nullptr, nullptr, "PgUp PgDn"},
    {"", kPicture, "Scroll what is shown", {}, nullptr, nullptr, "Ctrl PgUp PgDn"},
    {"", kCharts, "Another chart", {}, nullptr, nullptr, "↑ ↓"},
    {"", kCharts, "Closer, along; all of it", {}, nullptr, nullptr, "+ −  ← →  Home"},
    {"", kCharts, "Save; over the whole window", {}, nullptr, nullptr, "S  W"},
    {"step:record",
     kKernel,
     "Record this launch, to step through it",
     {},
     [](App& a) {
         choose_view(a, "step");
         record_steps(a);
     },
     no_answer_to_hide},
    {"step:next",
     kKernel,
     "Step to the next source line",
     {{Key::f10, 0, With::nothing, true, true}},
     [](App& a) { step_source_line(a, false); }},
    {"step:back",
     kKernel,
     "Step a source line back",
     {{Key::f10, 0, With::shift, true, true}},
     [](App& a) { step_source_line(a, true); }},
    {"step:break",
     kKernel,
     "Breakpoint at the line where the debugger stands, set or removed",
     {{Key::f9, 0, With::nothing, true}},
     toggle_break_here,
     not_recorded},
    {"step:run",
     kKernel,
     "Run to a breakpoint, or to what goes wrong",
     {},
     [](App& a) { run_steps(a, false); },
     not_recorded},
    {"run", kKernel, "Run on the GPU", {letter('r'), key(Key::f5)}, press_run, cannot_run},
    {"count", kKernel, "Count with the hardware's counters", {}, press_count, cannot_run},
    {"staircase",
     kKernel,
     "Time its bank conflicts against the card's clock",
     {},
     press_staircase,
     cannot_run},
    {"stop",
     kKernel,
     "Stop what is under way",
     {},
     [](App& a) { a.wanted.cancel = true; },
     nothing_runs},
    {"again", kKernel, "Ask the engine anew for everything", {}, try_again},
    {"open", kKernel, "Open a kernel of your own", {ctrl(Key::o)}, open_chooser},
    {"close", kKernel, "Back to the course", {}, close_kernel, no_own_kernel},
    {"edit",
     kKernel,
     "Edit the stage's kernel, or stop editing",
     {ctrl(Key::e)},
     [](App& a) { a.editing.on ? close_editor(a) : open_editor(a); },
     cannot_edit},
    {"find",
     kKernel,
     "Find in the editor",
     {ctrl(Key::f)},
     [](App& a) {
         if (a.editing.on) a.editing.find_open = !a.editing.find_open;
     },
     cannot_find},
    {"mismatch", kKernel, "Where the result is wrong", {letter('x')}, show_mismatch, no_mismatch},
    {"reset", kKernel, "Back to the course's version of this kernel", {}, reset_edit, not_edited},
    {"undo",
     kKeep,
     "Take back a knob, type or shape",
     {{Key::z, 0, With::ctrl, false, true}},
     undo_setting,
     cannot_undo},
    {"redo",
     kKeep,
     "Do it again",
     {{Key::y, 0, With::ctrl, false, true}, {Key::z, 0, With::ctrl_shift, false, true}},
     redo_setting,
     cannot_redo},
    {"baseline", kKeep, "Pin as the baseline, or unpin", {letter('b')}, pin_baseline},
    {"history", kKeep, "History of runs", {letter('h')}, toggle_history},
    {"keep", kKeep, "Keep this setting in the history", {}, keep_run},
    {"link", kKeep, "Copy a link to all that is chosen", {letter('l')}, copy_link},
    {"save",
     kKeep,
     "Save the workspace",
     {ctrl(Key::s)},
     [](App& a) { ask_for_file(a, FilePrompt::For::save); }},
    {"workspace",
     kKeep,
     "Open a workspace",
     {},
     [](App& a) { ask_for_file(a, FilePrompt::For::open); }},
    {"export",
     kKeep,
     "Export what is shown as JSON",
     {},
     [](App& a) { ask_for_file(a, FilePrompt::For::export_json); }},
    {"present", kClass, "Present to a class, or stop", {key(Key::f11)}, toggle_presenting},
    {"scene:next",
     kClass,
     "Next scene, or the answer first",
     {},
     next_scene,
     not_presenting,
     "Space PgDn"},
    {"scene:before", kClass, "Scene before", {}, scene_before, not_presenting, "PgUp"},
    {"audience",
     kClass,
     "A window for the class alone, or one window",
     {},
     toggle_audience,
     cannot_have_audience,
     "W"},
    {"", kClass, "Count a raised hand; lower all", {}, nullptr, nullptr, "1 … 9  0"},
    {"", kClass, "One more for the same; take one back", {}, nullptr, nullptr, "+ −"},
    {"", kClass, "Show or hide the answer", {}, nullptr, nullptr, "A"},
    {"", kClass, "Blank the screen; the clock from 0", {}, nullptr, nullptr, "B  C"},
    {"step:look", kLearning, "The lesson: look", {}, step<Step::look>, no_step<Step::look>},
    {"step:change", kLearning, "The lesson: change", {}, step<Step::change>, no_step<Step::change>},
    {"step:prove", kLearning, "The lesson: prove", {}, step<Step::prove>, no_step<Step::prove>},
    {"assignment",
     kLearning,
     "Your assignment: its tasks, and what passes",
     {},
     open_assignment_page,
     no_assignment},
    {"class:board",
     kClass,
     "Your class: who is where, what is predicted wrongly, what was handed in",
     {},
     open_class_board,
     no_class},
    {"class:assignment",
     kLearning,
     "Open your class's assignment",
     {},
     ask_for_class_assignment,
     no_class},
    {"progress", kLearning, "How far you have come, and what is due", {letter('g')}, open_progress},
    {"ending",
     kLearning,
     "Course summary: learned, gained, not worth it",
     {},
     [](App& a) { open_ending(a, course_at_hand(a)); },
     [](const App& a) { return cannot_end(a, course_at_hand(a)); }},
    {"answer",
     kLearning,
     "Show this stage's answer without a guess",
     {},
     show_answer,
     no_answer_hidden},
    {"review", kLearning, "Predict again what is due for review", {}, review_next},
    {"minute", kLearning, "This stage in one minute", {letter('m')}, start_minute},
    {"tour", kLearning, "A minute's tour of the window", {}, start_tour},
    {"welcome", kLearning, "Welcome: learn, explore, my own kernel", {}, open_welcome},
    {"palette", kWindow, "All commands", {{Key::p, 0, With::ctrl_shift, true}}, toggle_palette},
    {"glossary", kWindow, "Glossary: every word of the course", {letter('i')}, open_glossary},
    {"help", kWindow, "All keys", {letter('?'), key(Key::f1)}, toggle_help},
    {"mode", kWindow, "Learn, or the workbench", {letter('v')}, toggle_mode, only_workbench},
    {"settings", kWindow, "Settings: engine, GPU, time limit", {letter(',')}, open_settings},
    {"column:next",
     kWindow,
     "Next column",
     {{Key::tab, 0, With::nothing, false, true}, {Key::f6, 0, With::nothing, true, true}},
     [](App& a) { step_region(a, 1); }},
    {"column:before",
     kWindow,
     "Column before",
     {{Key::tab, 0, With::shift, false, true}, {Key::f6, 0, With::shift, true, true}},
     [](App& a) { step_region(a, -1); }},
    {"", kWindow, "In the side columns: from item to item", {}, nullptr, nullptr, "Arrows"},
    {"", kWindow, "Press the item", {}, nullptr, nullptr, "Enter Space"},
    {"", kWindow, "Stop a run, show all lanes, close", {}, nullptr, nullptr, "Esc"},
    {"larger",
     kLook,
     "Larger",
     {repeated(ctrl(Key::equal)), repeated(ctrl(Key::keypad_add))},
     [](App& a) { change_scale(a, 1); }},
    {"smaller",
     kLook,
     "Smaller",
     {repeated(ctrl(Key::minus)), repeated(ctrl(Key::keypad_subtract))},
     [](App& a) { change_scale(a, -1); }},
    {"scale:100",
     kLook,
     "100 %",
     {ctrl(Key::zero), ctrl(Key::keypad_0)},
     [](App& a) { change_scale(a, 0); }},
    {"theme:next", kLook, "Another theme", {letter('t')}, change_theme},
    {"motion", kLook, "Less motion, or the usual", {}, toggle_motion},
    {"setting", kWindow, "Open or close the setting on the right", {}, toggle_setting},
    {"timeline:below", kWindow, "All warps below the view, or not", {}, toggle_timeline},
    {"step:below", kWindow, "The lane debugger below the view, or not", {}, toggle_step},
    {"apart",
     kWindow,
     "This view in a window of its own, or back",
     {},
     toggle_apart,
     cannot_set_apart},
    {"picture:beside", kWindow, "The line's picture beside the view, or not", {}, toggle_picture},
};

std::string keys_of(const CommandRow& row) {
    if (row.keys) return row.keys;
    std::string keys;
    for (const Binding& b : row.bindings)
        if (std::string name = bound(b) ? name_of(b) : ""; !name.empty())
            keys += (keys.empty() ? "" : "  ") + name;
    return keys;
}

// ---- the rows that follow from what there is

// The digit that chooses each view of the middle, in menu order; 0 where there is none.
int digit_of(const View& view) {
    int digit = 0;
    for (const View& each : views()) {
        if (each.place != Place::middle) continue;
        ++digit;
        if (each.id == std::string(view.id)) return digit <= 9 ? digit : 0;
    }
    return 0;
}

void add_views(const App& app, std::vector<Command>& all) {
    for (const View& view : views()) {
        int digit = digit_of(view);
        std::string id = view.id;
        all.push_back({"view:" + id, "Show", view.title, digit ? std::to_string(digit) : "",
                       [id](App& a) { choose_view(a, id); },
                       std::string(view.problem ? view.problem(app) : ""),
                       app.chosen().view == id});
    }
}

void add_setting(const App& app, std::vector<Command>& all) {
    if (app.own) return;
    const Stage& stage = app.stage();
    for (const Knob& knob : stage.knobs)
        for (int64_t value : knob.choices) {
            KnobValues tried = app.chosen().knobs;
            tried[knob.name] = value;
            std::string name = knob.name;
            auto now = app.chosen().knobs.find(name);
            all.push_back({fmt::format("knob:{}={}", name, value), "Knob",
                           fmt::format("{} = {}", name, value), "",
                           [name, value](App& a) { choose_knob(a, name, value); },
                           knob_problem(stage, tried, app.chosen().type),
                           now != app.chosen().knobs.end() && now->second == value});
        }
    for (const std::string& type : stage.types)
        all.push_back({"type:" + type, "Type", type, "", [type](App& a) { choose_type(a, type); },
                       knob_problem(stage, app.chosen().knobs, type), app.chosen().type == type});
    for (const auto& [type, why] : stage.without)
        all.push_back({"type:" + type, "Type", type, "", [](App&) {}, why, false});
}

void add_charts(const App& app, std::vector<Command>& all) {
    size_t chosen = app.charts ? app.charts->chosen : 0;
    for (size_t i = 0; i < chart_kinds().size(); ++i) {
        std::string view = std::string("charts:") + chart_kinds()[i].id;
        all.push_back({view, "Chart", chart_kinds()[i].title, "",
                       [view](App& a) { choose_view(a, view); }, "",
                       charts_shown(app) && i == chosen});
    }
    add_picture_commands(app, all);
}

void add_product_parts(const App& app, std::vector<Command>& all) {
    for (size_t i = 0; i < product_parts().size(); ++i) {
        std::string view = std::string("product:") + product_parts()[i].id;
        all.push_back({view, "Product", product_parts()[i].title, "",
                       [view](App& a) { choose_view(a, view); }, std::string(no_product(app)),
                       product_shown(app) && app.products && app.products->part == i});
    }
}

void add_layouts(const App& app, std::vector<Command>& all) {
    for (const NamedLayout& layout : named_layouts())
        all.push_back({std::string("layout:") + layout.id, "Window",
                       std::string("Arrange the panes: ") + layout.title, "",
                       [id = layout.id](App& a) { choose_layout(a, id); }, "",
                       !is_learning(app) && layout_now(app) == &layout});
}

void add_looks(std::vector<Command>& all) {
    for (const char* theme : {"dark", "light", "projector"})
        all.push_back({std::string("theme:") + theme, "Theme", theme, "",
                       [theme](App& a) {
                           set_theme(theme);
                           a.saved.theme = theme;
                       },
                       "", look().theme == theme});
    for (float scale : {0.75f, 1.f, 1.25f, 1.5f, 2.f, 2.5f, 3.f})
        all.push_back({fmt::format("size:{:.0f}", 100 * scale), "Size",
                       fmt::format("{:.0f} %", 100 * scale), "",
                       [scale](App& a) {
                           set_scale(scale);
                           a.saved.scale = scale;
                       },
                       "", std::abs(look().scale - scale) < 0.01f});
}

// "30 Padded tile", so that the number finds it too.
void add_stages(const App& app, std::vector<Command>& all) {
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    for (size_t i = 0; i < stages.size(); ++i) {
        const Stage& stage = stages[i];
        std::string stem = stage.id.substr(stage.operation.size() + 1);
        all.push_back({"stage:" + stage.id, stage.operation,
                       stem.substr(0, stem.find('_')) + "  " + stage.title, "",
                       [i](App& a) { choose_stage(a, i); }, stage.error,
                       !app.own && i == app.chosen().stage});
    }
}

}  // namespace

std::vector<Command> all_commands(const App& app) {
    std::vector<Command> all;
    for (const CommandRow& row : kCommandRows)
        all.push_back({row.id, row.group, row.title, keys_of(row),
                       row.act ? row.act : std::function<void(App&)>(),
                       row.problem ? row.problem(app) : "", false});
    add_views(app, all);
    add_setting(app, all);
    add_charts(app, all);
    add_product_parts(app, all);
    add_forge_commands(app, all);
    add_fix_commands(app, all);
    add_layouts(app, all);
    add_looks(all);
    add_stages(app, all);
    return all;
}

Command find_command(const App& app, const std::string& id) {
    std::vector<std::string> ids;
    for (Command& command : all_commands(app)) {
        if (!command.act) continue;
        if (command.id == id) return std::move(command);
        ids.push_back(command.id);
    }
    std::string near = closest(id, ids);
    throw Error(Status::bad_input, "no command \"" + id + "\"" +
                                       (near.empty() ? "" : "; did you mean \"" + near + "\"?"));
}

void act(App& app, const Command& command) {
    if (!command.problem.empty()) {
        app.said.toast = {command.problem};
        return;
    }
    try {
        command.act(app);
    } catch (const Error& error) {
        app.said.error = error.what();
    }
}

static void act_on(App& app, bool in_text, bool with_ctrl) {
    for (const CommandRow& row : kCommandRows)
        for (const Binding& b : row.bindings)
            if (bound(b) && wants_ctrl(b) == with_ctrl && struck(b, in_text)) {
                row.act(app);
                break;
            }
}

void act_on_control_keys(App& app, bool in_text) { act_on(app, in_text, true); }

void act_on_keys(App& app, bool in_text) {
    act_on(app, in_text, false);
    if (in_text) return;
    for (const View& view : views())
        if (int digit = digit_of(view); digit && typed(static_cast<unsigned>('0' + digit))) {
            std::string problem(view.problem ? view.problem(app) : "");
            if (problem.empty())
                choose_view(app, view.id);
            else
                app.said.toast = {problem};
        }
}

}  // namespace lanewise::ui
