#include "ui/desk/workspace.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "ui/class/assignment_work.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/imgui/spent_key.h"
#include "ui/plain/kept_file.h"
#include "ui/state/edits.h"

namespace lanewise::ui {

namespace fs = std::filesystem;

namespace {

// The learner's other version of a stage goes to a file of its own before the workspace's takes its
// place. Returns whether there was one.
bool keep_other_version(App& app, const std::string& stage, const std::string& text) {
    auto& texts = app.editing.texts;
    auto own = texts.find(stage);
    if (own == texts.end() || own->second == text) return false;
    if (app.editing.folder.empty()) return true;
    std::error_code ignored;
    fs::path kept;
    for (int i = 1; kept.empty() || fs::exists(kept, ignored); ++i)
        kept = app.editing.folder / fmt::format("{}.before-{}.cu", stage, i);
    write_file(kept, own->second);
    return true;
}

void take_history(App& app, History theirs) {
    History& ours = app.tools->history;
    if (ours.baseline && theirs.baseline && !(*ours.baseline == *theirs.baseline))
        theirs.runs.push_back(*ours.baseline);
    for (Snapshot& run : theirs.runs)
        if (std::find(ours.runs.begin(), ours.runs.end(), run) == ours.runs.end())
            ours.runs.push_back(std::move(run));
    std::stable_sort(ours.runs.begin(), ours.runs.end(),
                     [](const Snapshot& a, const Snapshot& b) { return a.when < b.when; });
    if (theirs.baseline) ours.baseline = std::move(theirs.baseline);
    history_changed(app);
}

// They were taken elsewhere or some other day: shown as recorded.
void take_measurements(App& app, std::vector<Measurement> measurements, const fs::path& file) {
    if (measurements.empty()) return;
    Recording recording;
    recording.card = measurements.back().provenance.card;
    recording.date = measurements.back().provenance.date;
    recording.measurements = std::move(measurements);
    recording.path = file;
    app.content.recordings.insert(app.content.recordings.begin(), std::move(recording));
}

}  // namespace

void take_versions(App& app, const std::map<std::string, std::string>& texts,
                   const std::string& whose) {
    int kept = 0;
    for (const auto& [stage, text] : texts) {
        const Stage& of = app.content.catalogue.find(stage);
        kept += keep_other_version(app, of.id, text);
        app.editing.texts[of.id] = text;
        if (!app.editing.folder.empty())
            write_file(app.editing.folder / of.operation / of.file, text);
    }
    if (kept > 0)
        app.said.notices.push_back(fmt::format(
            "{} its own version of {} stage{} that you had changed too; yours {} kept in {}.",
            whose, kept, kept == 1 ? "" : "s", kept == 1 ? "is" : "are",
            app.editing.folder.string()));
}

void save_workspace(const App& app, const fs::path& file) {
    Workspace workspace;
    workspace.saved = date_now();
    workspace.state = shared_state(app);
    workspace.edits = app.editing.texts;
    workspace.history = app.tools->history;
    for (const Measurement& m : app.arrived.live)
        if (!m.stage.ends_with(kEditedMark)) workspace.measurements.push_back(m);
    write_file(file, workspace_text(workspace));
}

void open_workspace(App& app, const fs::path& file) {
    Workspace workspace = parse_workspace(read_file(file));
    for (const auto& [stage, text] : workspace.edits) app.content.catalogue.find(stage);
    settle_edit(app);
    restore(app, workspace.state);
    take_versions(app, workspace.edits, "The workspace has");
    take_history(app, std::move(workspace.history));
    take_measurements(app, std::move(workspace.measurements), file);
    restore(app, workspace.state);  // again, now that the learner's versions are there
    app.said.toast = {"Opened " + file.filename().string()};
}

void open_what_was_handed(App& app, const fs::path& file) {
    if (file.extension() == kAssignmentEnding) return open_assignment(app, file);
    open_workspace(app, file);
}

void export_everything(const App& app, const fs::path& file) {
    write_file(file, everything_as_json(app));
}

// ---- the prompt

static void list_workspaces(FilePrompt& prompt, const fs::path& folder) {
    constexpr size_t kMost = 12;
    prompt.found = files_in(folder, kWorkspaceEnding);
    for (fs::path& file : files_in(folder, kAssignmentEnding))
        prompt.found.push_back(std::move(file));
    prompt.found.resize(std::min(prompt.found.size(), kMost));
}

void ask_for_file(App& app, FilePrompt::For purpose) {
    FilePrompt& prompt = app.tools->files;
    int generation = prompt.generation + 1;
    prompt = {};
    prompt.purpose = purpose;
    prompt.generation = generation;
    prompt.open = prompt.focus_wanted = true;
    std::error_code ignored;
    fs::path folder = fs::current_path(ignored);
    std::string stem = fs::path(app.stage().file).stem().string();
    if (purpose == FilePrompt::For::open) {
        list_workspaces(prompt, folder);
        prompt.path = prompt.found.empty() ? folder.string() + "/" : prompt.found[0].string();
    } else {
        bool exports = purpose == FilePrompt::For::export_json;
        prompt.path = (folder / (stem + (exports ? ".json" : kWorkspaceEnding))).string();
    }
}

void accept_file(App& app) {
    FilePrompt& prompt = app.tools->files;
    prompt.problem.clear();
    fs::path file = path_typed(prompt.path);
    std::error_code ignored;
    bool writes = prompt.purpose != FilePrompt::For::open;
    if (writes && fs::exists(file, ignored) && !prompt.replace) {
        prompt.replace = true;
        prompt.problem = "This file exists. Press again to replace it.";
        return;
    }
    try {
        if (prompt.purpose == FilePrompt::For::open) {
            open_what_was_handed(app, file);
        } else if (prompt.purpose == FilePrompt::For::save) {
            save_workspace(app, file);
            app.said.toast = {"Saved " + file.string()};
        } else {
            export_everything(app, file);
            app.said.toast = {"Exported " + file.string()};
        }
        prompt.open = false;
        app.keyboard.focus_wanted = true;
    } catch (const Error& error) {
        prompt.problem = error.what();
        prompt.replace = false;
    }
}

void handle_file_prompt_keys(App& app) {
    if (pressed(Key::escape)) {
        app.tools->files.open = false;
        app.keyboard.focus_wanted = true;
    }
    if (!pressed(Key::enter)) return;
    spend(Key::enter);
    accept_file(app);
}

}  // namespace lanewise::ui
