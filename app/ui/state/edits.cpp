#include "ui/state/edits.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "course/kernel_signature.h"

namespace lanewise::ui {

namespace fs = std::filesystem;

namespace {

const Stage& original(const App& app) { return app.content.catalogue.stages()[app.chosen().stage]; }

fs::path file_of(const fs::path& folder, const Stage& stage) {
    return folder / stage.operation / stage.file;
}

// What the learner typed stays in memory where it cannot be written; the sentence comes once.
void keep(App& app) {
    if (app.editing.folder.empty()) return;
    const Stage& stage = original(app);
    fs::path file = file_of(app.editing.folder, stage);
    try {
        auto edit = app.editing.texts.find(stage.id);
        std::error_code ignored;
        if (edit == app.editing.texts.end())
            fs::remove(file, ignored);
        else
            write_file(file, edit->second);
    } catch (const Error& error) {
        std::string sentence =
            std::string("Your version of this stage is not saved: ") + error.what();
        auto& notices = app.said.notices;
        if (std::find(notices.begin(), notices.end(), sentence) == notices.end())
            notices.push_back(sentence);
    }
}

// Knobs that the edited head still has keep their values.
KnobValues fitting(const Stage& stage, const KnobValues& chosen, const std::string& type) {
    KnobValues knobs = default_knobs(stage);
    for (auto& [name, value] : knobs)
        if (auto kept = chosen.find(name); kept != chosen.end()) value = kept->second;
    return knob_problem(stage, knobs, type).empty() ? knobs : default_knobs(stage);
}

// The chosen stage is what the editor holds, or the catalogue's where that is the same.
void stand_in(App& app) {
    if (!is_edited(app)) {
        app.edited.reset();
    } else {
        Stage stage = parse_stage(app.editing.text, original(app));
        stage.id = original(app).id + kEditedMark;
        app.edited = std::move(stage);
    }
    const Stage& stage = app.stage();
    if (!stage.error.empty()) return;
    const auto& types = stage.types;
    select(app, [&](Selection& now) {
        if (std::find(types.begin(), types.end(), now.type) == types.end())
            now.type = types.front();
        now.knobs = fitting(stage, now.knobs, now.type);
    });
}

}  // namespace

const std::string& original_source(const App& app) { return original(app).source; }
const std::string& typed_source(const App& app) { return app.editing.text; }
bool is_edited(const App& app) { return !app.own && app.editing.text != original_source(app); }

// Where a reader of the source begins: not at the head, which says how the stage is launched.
static int kernel_line(const std::string& source) {
    size_t at = without_comments(source).find("__global__");
    if (at == std::string::npos) return 1;
    return 1 + static_cast<int>(
                   std::count(source.begin(), source.begin() + static_cast<ptrdiff_t>(at), '\n'));
}

void open_editor(App& app) {
    if (app.own) {
        app.said.toast = {"A file of your own is read again whenever your editor saves it."};
        return;
    }
    app.editing.on = true;
    app.editing.focus_wanted = true;
    app.editing.show_changes = false;
    int chosen = highlighted_line(app);
    app.editing.go_to_line = chosen > 0 ? chosen : kernel_line(typed_source(app));
    app.open.code_pane = 0;
    choose_view(app, "code");
    app.keyboard.focus_wanted = false;  // the text takes the keyboard, not the column
}

void close_editor(App& app) {
    settle_edit(app);
    app.editing.on = false;
    app.keyboard.focus_wanted = true;
}

void type_source(App& app, const std::string& text) {
    if (text == app.editing.text) return;
    app.editing.text = text;
    app.editing.changed = true;
    app.editing.set_aside.clear();
}

void replace_source(App& app, const std::string& text) {
    type_source(app, text);
    ++app.editing.generation;
}

void settle_edit(App& app) {
    if (!app.editing.changed) return;
    app.editing.changed = false;
    const std::string id = original(app).id;
    if (is_edited(app))
        app.editing.texts[id] = app.editing.text;
    else
        app.editing.texts.erase(id);
    keep(app);
    stand_in(app);
    // The old verdict and times are another kernel's.
    app.arrived.analysis.reset();
    app.arrived.sampled.reset();
    app.arrived.crash.reset();
    app.arrived.printed_on_gpu = {};
    std::erase_if(app.arrived.live,
                  [&](const Measurement& m) { return m.stage == id + kEditedMark; });
    app.arrived.diagnostics.clear();
    mark_all_stale(app);
    derive(app);
}

void settle_typing(App& app, double now) {
    Editing& e = app.editing;
    if (!e.changed) {
        e.typed_at = -1;
        return;
    }
    if (e.typed_at < 0 || e.typed != e.text) {
        e.typed_at = now;
        e.typed = e.text;
    }
    if (now - e.typed_at >= kTypingRest) settle_edit(app);
}

double typing_due(const App& app, double now) {
    if (!app.editing.changed) return -1;
    double typed_at = app.editing.typed_at;
    return typed_at < 0 ? 0 : std::max(0.0, kTypingRest - (now - typed_at));
}

void reset_edit(App& app) {
    std::string aside = is_edited(app) ? app.editing.text : "";
    std::string text = is_edited(app) ? original_source(app) : app.editing.set_aside;
    if (text.empty()) return;
    replace_source(app, text);
    settle_edit(app);
    app.editing.set_aside = aside;
}

void read_edits(App& app, const fs::path& folder) {
    app.editing.folder = folder;
    for (const Stage& stage : app.content.catalogue.stages()) {
        fs::path file = file_of(folder, stage);
        std::error_code ignored;
        if (!fs::is_regular_file(file, ignored)) continue;
        try {
            app.editing.texts[stage.id] = read_file(file);
        } catch (const Error& error) {
            app.said.notices.push_back(std::string("Your version of a stage cannot be read: ") +
                                       error.what());
        }
    }
}

void take_up_edit(App& app) {
    app.edited.reset();
    auto edit = app.editing.texts.find(original(app).id);
    app.editing.text = edit == app.editing.texts.end() ? original_source(app) : edit->second;
    app.editing.changed = false;
    app.editing.set_aside.clear();
    ++app.editing.generation;
    stand_in(app);
}

}  // namespace lanewise::ui
