#include "ui/session/session.h"

#include <nlohmann/json.hpp>

#include <set>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "ui/class/assignment_work.h"
#include "ui/class/audience.h"
#include "ui/class/class_link.h"
#include "ui/desk/commands.h"
#include "ui/desk/tools.h"
#include "ui/desk/workspace.h"
#include "ui/instrument/panes.h"
#include "ui/kit/focused_box.h"
#include "ui/launch/charts.h"
#include "ui/look/density.h"
#include "ui/look/glyphs.h"
#include "ui/look/look.h"
#include "ui/path/predict_first.h"
#include "ui/session/audience_screen.h"
#include "ui/shell/panes.h"
#include "ui/shell/shell.h"
#include "ui/state/edits.h"
#include "ui/state/views.h"

namespace lanewise::ui {

Context::Context() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // window_state.h remembers what is worth it
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigInputTextCursorBlink = false;  // a blinking cursor would need frames
    forget_glyphs();
    look().fonts = std::make_unique<Fonts>();
    look().fonts_changed = true;
}

Context::~Context() {
    look().fonts.reset();
    ImGui::DestroyContext();
}

void bake_fonts_unseen() {
    if (!look().fonts_changed) return;
    look().fonts->bake(look().pixels_per_point());
    build_fonts();
    take_stock_of_glyphs();
    look().fonts_changed = false;
}

// What the user's own file, its name and what is typed hold, and no font has: said once for each.
static void say_missing_glyphs(App& app) {
    static uint64_t revision = 0, stock = 0;  // only one window draws
    static std::set<std::string> said;
    if (revision == app.revision && stock == glyph_stock() && !app.editing.changed) return;
    std::string name = app.own ? app.own->stage.path.filename().string() : "your version";
    const std::string& text = app.own ? app.own->stage.source : typed_source(app);
    want_glyphs(text);
    if (app.own) want_glyphs(name);
    if (look().fonts_changed) return;  // the next frame knows which there are
    revision = app.revision;
    stock = glyph_stock();
    std::string sentence = missing_glyphs(app.own ? name + text : text, name);
    if (sentence.empty()) return;
    std::string of = app.own ? app.own->stage.path.string() : app.course_id();
    if (said.insert(of).second) app.said.notices.push_back(sentence);
}

void build_frame(App& app, int width, int height, double now) {
    ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
    say_missing_glyphs(app);
    keep_scrolled_places();
    ImGui::NewFrame();
    build_interface(app, now);
    ImGui::Render();
    save_pending_chart(app);
}

// What its last frame drew, beside audit(), which is of the first window.
static Audit& apart_audit() {
    static Audit one;
    return one;
}

const Audit& build_apart_frame(App& app, int width, int height) {
    ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
    apart_audit().on = audit().on;
    apart_audit().clear();
    std::swap(audit(), apart_audit());
    ImGui::NewFrame();
    build_apart_interface(app);
    ImGui::Render();
    std::swap(audit(), apart_audit());
    return apart_audit();
}

std::filesystem::path window_state_file() { return state_folder() / "window.json"; }

// What is wrong with the fields of a kernel, in the words of the command line.
static void refuse_wrong_fields(const OwnKernel& own) {
    if (auto wrong = own.problems.find("kernel"); wrong != own.problems.end())
        throw Error(Status::bad_input, own.file() + ": " + wrong->second);
    launch_of(own.form);  // which says so
}

static bool is_kernel(const std::string& file) {
    return !file.empty() && !file.starts_with(kLinkBegins) && !file.ends_with(kWorkspaceEnding) &&
           !file.ends_with(kAssignmentEnding);
}

static void open_own(App& app, const Options& options) {
    open_kernel(app, options.file, options.form_given ? &options.form : nullptr);
    if (!app.own) throw Error(Status::bad_input, app.said.error);
    // A window has the fields, in which what is not from the command line can be mended.
    if (options.form_given || options.offscreen) refuse_wrong_fields(*app.own);
}

static void apply(App& app, const FirstSetting& setting) {
    if (!setting.stage.empty()) choose_stage(app, setting.stage);
    if (!setting.type.empty()) choose_type(app, setting.type);
    for (const auto& [name, value] : setting.knobs) choose_knob(app, name, value);
    if (setting.inner != kNoInner && !app.chosen().operation->has_inner())
        throw Error(Status::bad_input, "--inner" + inner_is_for(app.stage()));
    if (setting.rows == 0 && setting.cols == 0 && setting.inner == kNoInner) return;
    int64_t rows = setting.rows ? setting.rows : app.chosen().rows;
    int64_t cols = setting.cols ? setting.cols : app.chosen().cols;
    if (!choose_shape(app, rows, cols, setting.inner))
        throw Error(Status::bad_input, app.said.shape_problem);
}

// Also where the system has one: the second window is then one that is moved.
static void present_on_two_screens(App& app) {
    if (app.own)
        throw Error(Status::bad_input,
                    "--present needs a lesson, and there is none about a kernel of your own");
    app.tools->more_windows = true;
    app.tools->presenter.screens = 2;
    start_presenting(app);
}

static void apply(App& app, const Options& options) {
    if (is_kernel(options.file) && !options.setting.knobs.empty())
        throw Error(Status::bad_input,
                    "--set is for the knobs of a stage; a kernel of your own takes --define "
                    "NAME=VALUE");
    apply(app, options.setting);
    if (options.file.starts_with(kLinkBegins)) {
        restore(app, parse_link(options.file));
    } else if (options.file.ends_with(kWorkspaceEnding) ||
               options.file.ends_with(kAssignmentEnding)) {
        open_what_was_handed(app, options.file);
    } else if (is_kernel(options.file)) {
        open_own(app, options);
    }
    if (!options.view.empty()) choose_view(app, options.view);
    if (options.edit) open_editor(app);
    if (options.present) present_on_two_screens(app);
    for (const std::string& id : options.commands) act(app, find_command(app, id));
}

App open_app(const Options& options) {
    App app;
    app.tools = std::make_shared<Tools>();
    app.followers = followers();
    read_content(app, content_folder());
    read_words(app);
    read_path(app);
    read_endings(app);
    app.saved = {};
    std::string message;
    // A picture must not depend on what somebody did before.
    app.saved.reduce_motion = options.offscreen;
    if (!options.offscreen) {
        app.saved = read_window_state(window_state_file(), message);
        read_edits(app, state_folder() / "stages");
        read_review(app, state_folder() / "review.json");
        read_history(app, state_folder() / "history.json");
        read_assignments(app, state_folder() / "assignments.json");
        take_up_edit(app);
    }
    if (!message.empty()) app.said.notices.push_back(message);
    if (!options.theme.empty()) app.saved.theme = options.theme;
    if (options.scale > 0) app.saved.scale = options.scale;
    if (!options.engine.empty()) app.saved.engine.prefix = options.engine;
    if (!options.compiler.empty()) app.saved.engine.compiler = options.compiler;
    set_theme(app.saved.theme);
    set_scale(app.saved.scale);
    // Where the learner left off, unless the command line says where to begin.
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    // Who asks for a view, or opens what somebody has sent, is to see it.
    const bool looks = !options.view.empty() || !options.file.empty() ||
                       !options.commands.empty() || options.present;
    if (!options.mode.empty())
        choose_mode(app, options.mode);
    else if (app.saved.mode.empty() && !options.offscreen && !looks)
        app.saved.mode = kLearn;        // else nothing was chosen yet, and everything is shown
    size_t first = app.chosen().stage;  // the first rung
    for (size_t i = 0; i < stages.size(); ++i)
        if (stages[i].id == app.saved.stage) first = i;
    if (options.setting.stage.empty()) choose_stage(app, first);
    if (!look().fonts->problem().empty()) app.said.notices.push_back(look().fonts->problem());
    apply(app, options);
    app.learner.predicts_first =
        options.predicted.empty() ? !options.offscreen : options.predicted == "no";
    // A task of an assignment begins with its question, however it was opened.
    const bool is_handed = app.tools->assignment->page_open;
    if (options.predicted.empty() && looks && !is_handed) show_answer(app);
    // Who names something on the command line knows the way.
    bool asked_for = options.embed || options.present || !options.setting.stage.empty() || !options.file.empty() ||
                     !options.commands.empty();
    if (!options.offscreen && !app.tools->review.welcomed && !asked_for) open_welcome(app);
    app.tools->undo = {};  // nothing was changed by hand yet
    return app;
}

void save_state(App& app) {
    std::string message;
    write_window_state(window_state_file(), app.saved, message);
    if (!message.empty()) app.said.notices.push_back(message);
}

static nlohmann::json places(const Audit& audit) {
    nlohmann::json widgets = nlohmann::json::object();
    for (const WidgetRecord& widget : audit.widgets)
        widgets[widget.id] = {widget.box.x0, widget.box.y0, widget.box.x1, widget.box.y1};
    return widgets;
}

// What the keyboard is at, by its name and place, for a name may be there twice; null where that has none.
static nlohmann::json focused_widget(const Audit& audit) {
    const Rect box = focused_box();
    nlohmann::json found;
    float most = area_of(box) / 2;  // what lies beside it by a pixel has less in common
    for (const WidgetRecord& widget : audit.widgets)
        if (const float shared = area_of(common(widget.box, box)); shared > most) {
            found = {{"id", widget.id}, {"box", {box.x0, box.y0, box.x1, box.y1}}};
            most = shared;
        }
    return found;
}

// Its title, and how each task stands; null where none is open.
static nlohmann::json assignment_now(const App& app) {
    const AssignmentWork& work = *app.tools->assignment;
    if (!work.now) return nullptr;
    nlohmann::json tasks = nlohmann::json::array();
    for (const AssignmentTask& task : work.now->tasks) {
        const TaskState state = state_of(app, task);
        tasks.push_back(state == TaskState::passed    ? "passed"
                        : state == TaskState::changed ? "changed"
                                                      : "open");
    }
    return {{"title", work.now->title}, {"tasks", tasks}};
}

std::string dump(const App& app) {
    nlohmann::json all = {{"stage", app.course_id()},
                          {"mode", is_learning(app) ? kLearn : kWorkbench},
                          {"edited", is_edited(app)},
                          {"editing", app.editing.on},
                          {"view", app.chosen().view},
                          {"knobs", app.chosen().knobs},
                          {"rows", app.chosen().rows},
                          {"cols", app.chosen().cols},
                          {"warp", app.chosen().warp},
                          {"size", {app.saved.width, app.saved.height}},
                          {"scale", look().scale},
                          {"density", look().density},
                          {"font_pixels", look().fonts->pick(Font::text, 13).pixels},
                          {"theme", look().theme},
                          {"error", app.said.error},
                          {"uncompiled", app.said.uncompiled},
                          {"picture", app.arrived.picture != nullptr},
                          {"analysis", app.arrived.analysis != nullptr},
                          {"engine", app.engine.process_id},
                          {"compiler", app.engine.compiler},
                          {"assignment", assignment_now(app)},
                          {"busy", app.activity.busy()},
                          {"help", app.open.help},
                          {"settings", app.open.settings != nullptr},
                          {"own", app.own.has_value()},
                          {"tab", app.chosen().tab},
                          {"toast", app.said.toast.text},
                          {"notices", app.said.notices},
                          {"typed", app.editing.on ? typed_source(app) : ""},
                          {"chosen_line", highlighted_line(app)},
                          {"chooser", app.open.chooser.open},
                          {"path", app.open.chooser.typed},
                          {"focus", focused_widget(audit())},
                          {"widgets", places(audit())}};
    if (std::string view = view_apart(app); !view.empty())
        all["apart"] = {{"view", view}, {"widgets", places(apart_audit())}};
    const Presenter& p = app.tools->presenter;
    if (p.on) {
        all["slide"] = p.at;
        all["revealed"] = p.revealed;
        all["class_is_asked"] = class_is_asked();
        const std::vector<int>* hands = raised_hands(p);
        all["hands"] = hands ? *hands : std::vector<int>();
    }
    if (p.on && p.audience)
        all["audience"] = {{"size", {p.audience->width, p.audience->height}},
                           {"widgets", places(audience_audit())}};
    return all.dump(1);
}

}  // namespace lanewise::ui
