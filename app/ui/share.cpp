#include "ui/share.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "course/stage.h"
#include "ui/charts.h"
#include "ui/edits.h"
#include "ui/imgui_compat.h"
#include "ui/products.h"
#include "ui/undo.h"
#include "ui/views.h"

namespace lanewise::ui {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(Status::bad_input, sentence); }

// Throws where the state's stage cannot be shown so; the knobs that the link does not name have
// their defaults.
KnobValues usable_knobs(const Stage& stage, const SharedState& state) {
    if (!stage.error.empty()) refuse("The stage " + stage.id + " cannot be used: " + stage.error);
    if (std::find(stage.types.begin(), stage.types.end(), state.type) == stage.types.end())
        refuse("The stage " + stage.id + " is not offered for the type \"" + state.type + "\".");
    if (state.batch > 1 && !takes_batch(stage)) refuse(why_no_batch(stage));
    KnobValues knobs = default_knobs(stage);
    for (const auto& [name, value] : state.knobs) knobs[name] = value;
    if (std::string problem = knob_problem(stage, knobs, state.type); !problem.empty())
        refuse("The link does not fit the stage: " + problem);
    return knobs;
}

uint64_t blocks_of(const App& app) {
    if (app.own) return std::max<uint64_t>(app.own->launch.shape.grid.count(), 1);
    const Choice& c = app.choice;
    return launch_shape(app.stage(), c.knobs, c.type, c.rows, c.cols, c.batch, c.inner)
        .grid.count();
}

void restore_place(App& app, const SharedState& state) {
    Choice& choice = app.choice;
    choice.block = std::min(state.block, blocks_of(app) - 1);
    choice.warp = state.warp;  // clamped when the picture is there
    choice.lane = state.lane;
    for (int side : {0, 1}) choice.access[side] = state.access[side];
    choose_view(app, state.view);
}

void restore_file(App& app, const SharedState& state) {
    std::string error = std::exchange(app.error, "");
    open_kernel(app, state.file, &state.form);
    if (app.error.empty()) return;
    std::swap(error, app.error);
    refuse("The link's kernel cannot be opened: " + error);
}

}  // namespace

SharedState shared_state(const App& app) {
    SharedState state;
    const Choice& c = app.choice;
    if (app.own) {
        state.file = app.own->stage.path.string();
        state.form = app.own->form;
    } else {
        state.stage = app.course_id();
        state.knobs = c.knobs;
        state.type = c.type;
        state.rows = c.rows;
        state.cols = c.cols;
        state.batch = c.batch;
        if (c.product) state.inner = c.inner;
    }
    state.block = c.block;
    state.warp = c.warp;
    state.lane = c.lane;
    for (int side : {0, 1}) state.access[side] = c.access[side];
    state.view = app.view;
    if (app.view == "charts" && app.charts)
        state.view += std::string(":") + chart_kinds()[app.charts->chosen].id;
    if (app.view == "product" && app.products)
        state.view += std::string(":") + product_parts()[app.products->part].id;
    return state;
}

void restore(App& app, const SharedState& state) {
    find_view(state.view);
    if (state.stage.empty()) {
        restore_file(app, state);
        return restore_place(app, state);
    }
    const Stage& stage = app.catalogue.find(state.stage);
    KnobValues knobs = usable_knobs(stage, state);
    remember_setting(app);
    choose_stage(app, stage.id);
    app.choice.type = state.type;
    // The learner's own version may have other knobs.
    if (knob_problem(app.stage(), knobs, state.type).empty()) app.choice.knobs = knobs;
    app.choice.rows = state.rows;
    app.choice.cols = state.cols;
    if (app.choice.product && state.inner != kNoInner) app.choice.inner = state.inner;
    app.choice.batch = takes_batch(app.stage()) ? state.batch : 1;
    restore_place(app, state);
    forget_results(app);
    mark_all_stale(app);
    derive(app);
}

void copy_link(App& app) {
    ImGui::SetClipboardText(link_of(shared_state(app)).c_str());
    app.toast = {is_edited(app) ? "Link copied. Your version of the kernel is not in it: save a "
                                  "workspace to share that"
                                : "Link copied: it restores all that is chosen"};
}

std::string setting_in_words(const App& app) {
    if (app.own) return app.stage().file + ", " + app.own->form.kernel;
    const Choice& c = app.choice;
    std::string words = app.stage().title;
    if (is_edited(app)) words += " (edited)";
    for (const auto& [name, value] : default_knobs(app.stage()))
        if (auto now = c.knobs.find(name); now != c.knobs.end() && now->second != value)
            words += fmt::format(", {} = {}", name, now->second);
    if (c.batch > 1) words += fmt::format(", {} matrices", c.batch);
    auto number = [](int64_t value) { return with_thousands(static_cast<uint64_t>(value)); };
    words += fmt::format(", {} × {}", number(c.rows), number(c.cols));
    if (c.product) words += " × " + number(c.inner);
    return words + " " + c.type;
}

}  // namespace lanewise::ui
