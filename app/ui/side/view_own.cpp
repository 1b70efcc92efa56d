// The fields of a kernel of the user's own, in place of a stage's knobs. Each says what is wrong
// with it while it is typed; as soon as none is wrong, the engine is asked. Run launches it.
#include <fmt/format.h>

#include "ui/kit/widgets.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kFieldNames = 84;  // width of the column of names, in points
constexpr TextStyle kProblem{11, Ink::bad, Font::text};

// A name, its field, and below it what is wrong; true where the text has changed.
bool row(const OwnKernel& own, const std::string& field, const std::string& name, std::string& text,
         const std::string& help) {
    TextStyle style{12, Ink::text_dim, Font::text};
    ImVec2 at = ImGui::GetCursorScreenPos();
    float height = px(26), width = px(kFieldNames) - px(6);
    draw_text(ImVec2(at.x, at.y + (height - extent_of("X", style).y) / 2),
              elided(name, style, width), style, {at.x, at.y, at.x + width, at.y + height});
    ImGui::Dummy(ImVec2(width, height));
    tooltip(help);
    ImGui::SameLine(0, px(6));
    bool changed = text_field("own:" + field, text, 0);
    gap(2);
    auto problem = own.problems.find(field);
    if (problem != own.problems.end()) paragraph(problem->second, kProblem);
    gap(4);
    return changed;
}

// The names and types of the chosen kernel's parameters, as far as the source tells.
std::vector<std::string> parameters_of(const OwnKernel& own) {
    const KernelInSource* kernel = own.chosen();
    return kernel ? kernel->parameters : std::vector<std::string>();
}

bool draw_arguments(OwnKernel& own) {
    std::vector<std::string> parameters = parameters_of(own);
    bool changed = false;
    for (size_t i = 0; i < own.form.arguments.size(); ++i) {
        bool known = i < parameters.size();
        std::string name = known ? parameter_name(parameters[i]) : "";
        if (name.empty()) name = fmt::format("argument {}", i + 1);
        changed |= row(own, fmt::format("arg:{}", i), name, own.form.arguments[i],
                       (known ? parameters[i] + "\n" : "") +
                           "A buffer: f32[65536]. A value: i32:256, f32:1.5. "
                           "A struct: {i32:256,f32[65536]}.");
    }
    // A signature that the scan of the source misread, or that has changed since.
    if (own.form.arguments.size() == parameters.size()) return changed;
    if (button("own:fewer", "–", {.enabled = !own.form.arguments.empty()})) {
        own.form.arguments.pop_back();
        changed = true;
    }
    same_line(6);
    if (button("own:more", "+")) {
        size_t next = own.form.arguments.size();
        own.form.arguments.push_back(next < parameters.size()
                                         ? suggested_argument(parameters[next], own.stage.source)
                                         : "i32:1");
        changed = true;
    }
    same_line(8);
    paragraph(
        fmt::format("the source's {} {} takes {}", own.form.kernel, "kernel", parameters.size()),
        {11, Ink::text_dim, Font::text});
    gap(6);
    return changed;
}

void draw_candidates(App& app) {
    const OwnKernel& own = *app.own;
    if (own.candidates.size() < 2) return;
    const KernelInSource* chosen = own.chosen();
    for (size_t i = 0; i < own.candidates.size(); ++i) {
        const KernelInSource& candidate = own.candidates[i];
        if (i) flow(candidate.name);
        if (button("kernel:" + candidate.name, candidate.name,
                   {.kind = ButtonKind::choice,
                    .selected = chosen == &candidate,
                    .tooltip = in_words(candidate)}))
            return choose_kernel(app, i);
    }
    gap(8);
}

// Each launch of the host code: a press fills the fields with it.
void draw_proposals(App& app) {
    const OwnKernel& own = *app.own;
    if (own.proposals.empty()) return;
    line("As its host code launches it", {12, Ink::text_dim, Font::text});
    for (size_t i = 0; i < own.proposals.size(); ++i) {
        const LaunchProposal& proposal = own.proposals[i];
        const std::string label = fmt::format("{}: {}", proposal.line, proposal.kernel);
        if (i) flow(label);
        if (button(fmt::format("launch:{}", i), label,
                   {.kind = ButtonKind::choice,
                    .selected = own.form.arguments == form_of(proposal).arguments &&
                                own.form.kernel == proposal.kernel,
                    .tooltip = shell_line(proposal.command)}))
            return choose_proposal(app, i);
    }
    gap(8);
}

// What the host code does not say of the launch in the fields.
void draw_blanks(const OwnKernel& own) {
    for (const LaunchProposal& proposal : own.proposals) {
        if (proposal.kernel != own.form.kernel || form_of(proposal).grid != own.form.grid) continue;
        for (const LaunchBlank& blank : proposal.blanks)
            paragraph(fmt::format("{} is not known, since {}.", blank.name, blank.why),
                      {11, Ink::text_dim, Font::text});
        return;
    }
}

}  // namespace

void draw_own(App& app) {
    line(app.own->file(), kStrong);
    paragraph(app.own->stage.path.parent_path().string(), {11, Ink::text_dim, Font::text});
    gap(6);
    if (button("own:open", "Open another …", {.tooltip = "Ctrl O"})) open_chooser(app);
    same_line(6);
    if (button("own:close", "Back to the course")) return close_kernel(app);
    gap(10);
    draw_candidates(app);
    draw_proposals(app);
    OwnKernel& own = *app.own;
    KernelForm& form = own.form;
    bool changed = row(own, "kernel", "Kernel", form.kernel,
                       "A __global__ function; of a template with its arguments: f<float, 32>");
    changed |= row(own, "grid", "Grid", form.grid, "Blocks: X, X,Y or X,Y,Z");
    changed |= row(own, "block", "Block", form.block, "Threads of a block: X, X,Y or X,Y,Z");
    changed |= row(own, "cluster", "Cluster", form.cluster,
                   "Blocks of a cluster: X, X,Y or X,Y,Z. Empty: none, or what the kernel says with "
                   "__cluster_dims__");
    changed |= row(own, "dynamic_shared", "Dynamic", form.dynamic_shared,
                   "Bytes of dynamic shared memory");
    changed |= draw_arguments(own);
    changed |= row(own, "include_folders", "Include", form.include_folders,
                   own.ptx ? "Folders in which its source may lie, separated by a colon"
                           : "Folders with headers, separated by a colon; the file's own is always "
                             "searched");
    if (!own.ptx)
        changed |=
            row(own, "defines", "Define", form.defines, "NAME or NAME=VALUE, separated by blanks");
    if (!own.ptx)
        changed |= row(own, "variables", "Variables", form.variables,
                       "__constant__ and __device__ variables: filter=f32[25]=0.04, separated by "
                       "blanks");
    draw_blanks(own);
    if (changed) form_changed(app);
    gap(4);
    draw_run(app);
}

}  // namespace lanewise::ui
