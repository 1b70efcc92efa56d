// A workspace: one file with all that one has before oneself, to come back to or to send along.
// JSON, "lanewise_workspace": 1; what each field holds is workspace_json.cpp's. A reader refuses a
// newer version in a sentence, and leaves out fields that it does not know.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lab/job/measurement.h"
#include "ui/desk/history.h"
#include "ui/desk/share.h"

namespace lanewise::ui {

inline constexpr const char* kWorkspaceEnding = ".lanewise";

struct Workspace {
    std::string saved;                         // when, ISO 8601, UTC
    SharedState state;                         // what is shown
    std::map<std::string, std::string> edits;  // by stage: the learner's versions
    History history;                           // runs and baseline
    std::vector<Measurement> measurements;     // those taken on a GPU here
};

std::string workspace_text(const Workspace& workspace);
Workspace parse_workspace(const std::string& text);  // throws Error(bad_input), one sentence

// Throw Error(bad_input) and change nothing where the file cannot be written, read or shown. What
// the workspace replaces is kept: versions of stages as files beside the learner's own, the
// baseline among the runs.
void save_workspace(const App& app, const std::filesystem::path& file);
void open_workspace(App& app, const std::filesystem::path& file);
// The same, or an assignment (assignment_work.h), by the file's ending.
void open_what_was_handed(App& app, const std::filesystem::path& file);

// All that is shown as JSON: the state, the block's trace, the counts, the times, the findings.
std::string everything_as_json(const App& app);
// The learner's versions of these stages are to be these texts. Another one that the learner has goes
// to a file of its own first; `whose` begins the notice that says so: "The workspace has".
void take_versions(App& app, const std::map<std::string, std::string>& texts,
                   const std::string& whose);
void export_everything(const App& app, const std::filesystem::path& file);

// ---- asking for a file's name
struct FilePrompt {
    enum class For { save, open, export_json } purpose = For::save;
    bool open = false, focus_wanted = false, replace = false;  // replace: asked once already
    std::string path, problem;
    int generation = 0;
    std::vector<std::filesystem::path> found;  // workspaces in the folder, to open by a click
};
void ask_for_file(App& app, FilePrompt::For purpose);
void accept_file(App& app);  // does it; the problem is said in the prompt
void handle_file_prompt_keys(App& app);
void draw_file_prompt(App& app);  // view_file_prompt.cpp

}  // namespace lanewise::ui
