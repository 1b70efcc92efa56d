// Opening a kernel of the user's own: choosing its file, its fields, and following the file.
#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/text.h"
#include "lab/kernel/own_kernel.h"
#include "ui/state/app.h"

namespace lanewise::ui {

namespace fs = std::filesystem;

// ---- the kernel

// Where headers are looked for: what is not absolute lies beside the file, whose own folder comes
// last. The file's place does not travel to the engine, so that this has to.
static std::vector<std::string> folders_of(const OwnKernel& own) {
    fs::path beside = own.stage.path.parent_path();
    std::vector<std::string> folders;
    for (const std::string& folder : own.launch.include_folders)
        folders.push_back((beside / folder).lexically_normal().string());
    folders.push_back(beside.string());
    return folders;
}

const KernelInSource* OwnKernel::chosen() const {
    if (!ptx) return kernel_called(candidates, form.kernel);
    try {
        const PtxKernel& kernel = lanewise::kernel_called(*ptx, form.kernel);
        return &candidates[static_cast<size_t>(&kernel - ptx->kernels.data())];
    } catch (const Error&) {
        return nullptr;
    }
}

KernelForm OwnKernel::suggestion(size_t candidate) const {
    if (!ptx) return suggested_form(candidates[candidate], stage.source);
    const PtxKernel& kernel = ptx->kernels[candidate];
    Stage shown = ptx_stage(*ptx, kernel, folders_of(*this));
    return suggested_form(kernel, parameters_of(*ptx, kernel, shown));
}

// Of PTX what is shown depends on the kernel, and on the folders in which its source may lie.
static void take_ptx_of(OwnKernel& own) {
    own.problems.erase("kernel");
    try {
        const PtxKernel& kernel = lanewise::kernel_called(*own.ptx, own.form.kernel);
        Stage shown = ptx_stage(*own.ptx, kernel, folders_of(own));
        auto index = static_cast<size_t>(&kernel - own.ptx->kernels.data());
        own.candidates[index].parameters = in_declarations(parameters_of(*own.ptx, kernel, shown));
        own.stage = std::move(shown);
        take_ptx(*own.ptx, kernel, own.launch);
    } catch (const Error& error) {
        own.problems["kernel"] = without_dashes(error.what());
    }
}

// The file read anew. Throws Error(bad_input).
static void read_own(OwnKernel& own, const fs::path& file) {
    own.candidates.clear();
    own.proposals.clear();
    if (!is_ptx_file(file)) {
        own.stage = own_stage(file);
        own.candidates = kernels_in_source(own.stage.source);
        own.proposals = propose_launches(file, {});
        return;
    }
    own.ptx = read_ptx_file(file);
    for (const PtxKernel& kernel : own.ptx->kernels)
        own.candidates.push_back({kernel.name, "", {}, kernel.line});
    if (own.stage.path == own.ptx->path) return;  // form_changed() renews what is shown
    own.stage = own_stage(file);
}

// Null where the host code has none that can be right.
static const LaunchProposal* first_usable(const std::vector<LaunchProposal>& proposals) {
    auto found = std::find_if(proposals.begin(), proposals.end(),
                              [](const LaunchProposal& one) { return one.problem.empty(); });
    return found == proposals.end() ? nullptr : &*found;
}

void form_changed(App& app) {
    OwnKernel& own = *app.own;
    own.problems = form_problems(own.form, own.candidates);
    app.saved.kernels[own.stage.path.string()] = own.form;
    own.launch.include_folders.clear();
    for (std::string_view folder : split(own.form.include_folders, ':'))
        if (!trimmed(folder).empty()) own.launch.include_folders.emplace_back(trimmed(folder));
    if (own.ptx) take_ptx_of(own);
    if (!own.problems.empty()) return;
    try {
        own.launch = launch_of(own.form);
        own.launch.include_folders = folders_of(own);
        if (own.ptx)
            take_ptx(*own.ptx, lanewise::kernel_called(*own.ptx, own.form.kernel), own.launch);
    } catch (const Error& error) {  // what concerns more than one field
        own.problems["grid"] = error.what();
        return;
    }
    select(app, [&](Selection& now) {
        now.block = 0;
        now.warp = 0;
        now.lane = -1;
        now.access[0] = now.access[1] = -1;
        now.line = 0;
    });
    forget_results(app);
    mark_all_stale(app);
    derive(app);
}

void choose_kernel(App& app, size_t candidate) {
    KernelForm form = app.own->suggestion(candidate);
    // What the kernels of one file have in common.
    form.include_folders = app.own->form.include_folders;
    form.defines = app.own->form.defines;
    app.own->form = form;
    form_changed(app);
}

void choose_proposal(App& app, size_t proposal) {
    KernelForm form = form_of(app.own->proposals[proposal]);
    form.include_folders = app.own->form.include_folders;
    form.defines = app.own->form.defines;
    app.own->form = form;
    form_changed(app);
}

void open_kernel(App& app, const fs::path& file, const KernelForm* typed) {
    OwnKernel own;
    try {
        read_own(own, file);
        auto saved = app.saved.kernels.find(own.stage.path.string());
        if (typed)
            own.form = *typed;
        else if (saved != app.saved.kernels.end())
            own.form = saved->second;
        else if (const LaunchProposal* first = first_usable(own.proposals))
            own.form = form_of(*first);
        else if (!own.candidates.empty())
            own.form = own.suggestion(0);
    } catch (const Error& error) {
        app.said.error = error.what();
        return;
    }
    app.own = std::move(own);
    app.open.chooser.open = false;
    forget_results(app);
    // Nothing to ask for until every field is right.
    app.stale.picture = app.stale.analysis = false;
    for (Beside& beside : app.beside) beside.stale = false;
    derive(app);
    form_changed(app);
}

void close_kernel(App& app) {
    if (app.own) choose_stage(app, app.chosen().stage);
}

void reload_kernel(App& app) {
    if (!app.own) return;
    OwnKernel& own = *app.own;
    try {
        read_own(own, own.stage.path);
    } catch (const Error& error) {
        app.said.toast = {};
        app.said.error =
            std::string(error.what()) + "; its last version stays here until it is back";
        return;
    }
    app.said.toast = {own.file() + " reloaded"};
    int line = app.chosen().line;
    forget_results(app);
    derive(app);
    form_changed(app);
    select(app, [&](Selection& now) { now.line = line; });
}

void take_diagnostics(App& app, std::map<int, std::string> diagnostics) {
    app.arrived.diagnostics = std::move(diagnostics);
    if (!app.own || app.arrived.diagnostics.empty()) return;
    select(app, [&](Selection& now) { now.tab = now.view = "code"; });
    app.open.code_pane = 0;
    select(app, [&](Selection& now) { now.line = app.arrived.diagnostics.begin()->first; });
    ++app.revision;
}

// ---- its file

namespace {

// "~" is the home folder; what does not begin at the root lies in the folder that is shown.
fs::path meant_by(const Chooser& chooser) {
    std::string text(trimmed(chooser.typed));
    const char* home = std::getenv("HOME");
    if (home && (text == "~" || text.starts_with("~/"))) text = home + text.substr(1);
    return (chooser.folder / text).lexically_normal();
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool is_kernel_file(const fs::path& file) {
    return file.extension() == ".cu" || file.extension() == ".cuh" || is_ptx_file(file);
}

void go_into(App& app, const fs::path& folder) {
    app.open.chooser.folder = folder.lexically_normal();
    app.open.chooser.typed.clear();
    ++app.open.chooser.generation;
    app.open.chooser.focus_wanted = true;
    chooser_typed(app);
}

}  // namespace

void open_chooser(App& app) {
    app.open.chooser.open = true;
    std::error_code ignored;
    fs::path folder = app.own ? app.own->stage.path.parent_path() : app.open.chooser.folder;
    go_into(app, folder.empty() ? fs::current_path(ignored) : folder);
}

void chooser_typed(App& app) {
    constexpr size_t kMost = 500;
    Chooser& chooser = app.open.chooser;
    fs::path wanted = meant_by(chooser);
    bool names_folder = chooser.typed.empty() || chooser.typed.ends_with('/');
    fs::path folder = names_folder ? wanted : wanted.parent_path();
    std::string part = names_folder ? "" : lower(wanted.filename().string());
    chooser.entries.clear();
    chooser.selected = 0;
    std::error_code failed;
    for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, failed),
         end;
         !failed && at != end && chooser.entries.size() < kMost; at.increment(failed)) {
        std::error_code ignored;
        std::string name = at->path().filename().string();
        bool is_folder = at->is_directory(ignored);
        if (name.starts_with('.') || (!is_folder && !is_kernel_file(at->path()))) continue;
        if (lower(name).find(part) == std::string::npos) continue;
        chooser.entries.push_back({is_folder ? name + "/" : name, at->path(), is_folder});
    }
    std::sort(chooser.entries.begin(), chooser.entries.end(), [](const auto& a, const auto& b) {
        return std::pair(a.is_folder, a.name) < std::pair(b.is_folder, b.name);
    });
    if (part.empty() && folder.has_relative_path())
        chooser.entries.push_back({"..", (folder / "..").lexically_normal(), true});
}

void step_entry(App& app, int by) {
    auto last = static_cast<int>(app.open.chooser.entries.size()) - 1;
    app.open.chooser.selected = std::clamp(app.open.chooser.selected + by, 0, std::max(last, 0));
}

void accept_entry(App& app, int index) {
    const Chooser::Entry entry = app.open.chooser.entries[static_cast<size_t>(index)];
    if (entry.is_folder) return go_into(app, entry.path);
    open_kernel(app, entry.path);
}

void accept_typed(App& app) {
    Chooser& chooser = app.open.chooser;
    std::error_code ignored;
    fs::path wanted = meant_by(chooser);
    if (!chooser.typed.empty() && fs::is_regular_file(wanted, ignored))
        return open_kernel(app, wanted);
    if (!chooser.entries.empty()) return accept_entry(app, chooser.selected);
    open_kernel(app, wanted);  // which says why it cannot be
    chooser.open = false;
}

}  // namespace lanewise::ui
