#include "ui/desk/share.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "course/stage.h"
#include "ui/class/assignment_work.h"
#include "ui/desk/tools.h"
#include "ui/desk/undo.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/launch/charts.h"
#include "ui/launch/products.h"
#include "ui/state/compare.h"
#include "ui/state/edits.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

// Throws where the state's stage cannot be shown so; the knobs that the link does not name have
// their defaults.
KnobValues usable_knobs(const Stage& stage, const SharedState& state) {
    if (!stage.error.empty()) reject("The stage " + stage.id + " cannot be used: " + stage.error);
    if (std::find(stage.types.begin(), stage.types.end(), state.type) == stage.types.end())
        reject("The stage " + stage.id + " is not offered for the type \"" + state.type + "\".");
    if (state.batch > 1 && !takes_batch(stage)) reject(why_no_batch(stage));
    KnobValues knobs = default_knobs(stage);
    for (const auto& [name, value] : state.knobs) knobs[name] = value;
    if (std::string problem = knob_problem(stage, knobs, state.type); !problem.empty())
        reject("The link does not fit the stage: " + problem);
    return knobs;
}

// ---- the zoom, and what stands beside

constexpr const char* kZooms[] = {"grid", "block", "", "lane"};  // as Zoom

Zoom zoom_of(const std::string& name) {
    for (size_t i = 0; i < std::size(kZooms); ++i)
        if (name == kZooms[i]) return static_cast<Zoom>(i);
    reject("The link's zoom is \"" + name + "\", which there is not.");
}

bool is_automatic(const App& app) {
    return std::all_of(app.beside.begin(), app.beside.end(), [](const Beside& beside) {
        return beside.with.kind == CompareWith::Kind::automatic;
    });
}

// What was chosen, or what was shown where nothing was.
CompareWith chosen_comparison(const Beside& beside) {
    if (beside.with.kind != CompareWith::Kind::automatic) return beside.with;
    return beside.wanted ? beside.means : CompareWith{CompareWith::Kind::nothing};
}

void restore_comparisons(App& app, const std::vector<CompareWith>& with) {
    for (size_t i = 0; i < app.beside.size(); ++i)
        app.beside[i].with = i < with.size() ? with[i]
                             : with.empty()  ? CompareWith{}
                                             : CompareWith{CompareWith::Kind::nothing};
}

// ---- what is shown of a chart

double share_of(int parts) { return parts / 10'000.0; }
int parts_of(double share) { return static_cast<int>(std::lround(share * 10'000)); }

std::string tab_of(const App& app) {
    if (app.chosen().tab == "charts" && app.charts)
        return app.chosen().tab + ":" + chart_kinds()[app.charts->chosen].id;
    if (app.chosen().tab == "product" && app.products)
        return app.chosen().tab + ":" + product_parts()[app.products->part].id;
    return app.chosen().tab;
}

uint64_t blocks_of(const App& app) {
    if (app.own) return std::max<uint64_t>(app.own->launch.shape.grid.count(), 1);
    const Selection& c = app.chosen();
    return launch_shape(app.stage(), c.knobs, c.type, c.rows, c.cols, c.batch, c.inner)
        .grid.count();
}

// What the forge begins with is no part of a link; a link that names nothing leaves what is typed,
// unless it shows the forge.
void restore_forge(App& app, const SharedState& state) {
    bool shown = state.view == "forge" || state.tab == "forge";
    if (state.swizzle.empty() && state.swizzle_pad == 0 && !shown) return;
    SwizzleTrial trial;
    if (!state.swizzle.empty()) trial.expression = state.swizzle;
    trial.pad = state.swizzle_pad;
    Forge& forge = app.tools->forge;
    if (forge.trial == trial && !forge.typed) return;
    forge.trial = trial;
    forge.typed = false;
    forge.stale = true;
}

void restore_place(App& app, const SharedState& state) {
    select(app, [&](Selection& now) {
        now.block = std::min(state.block, blocks_of(app) - 1);
        now.warp = state.warp;  // clamped when the picture is there
        now.lane = state.lane;
        for (int side : {0, 1}) now.access[side] = state.access[side];
    });
    if (!state.tab.empty()) choose_view(app, state.tab);
    choose_view(app, state.view);
    select(app, [&](Selection& now) {
        now.zoom = zoom_of(state.zoom);
        now.step = state.step;  // once the warp's life is there
    });
    if (charts_shown(app)) {
        const std::array<int, 4>& w = state.window;
        charts(app).windows[chart_kinds()[charts(app).chosen].id] = {
            share_of(w[0]), share_of(w[1]), share_of(w[2]), share_of(w[3])};
    }
}

void restore_file(App& app, const SharedState& state) {
    std::string error = std::exchange(app.said.error, "");
    open_kernel(app, state.file, &state.form);
    if (app.said.error.empty()) return;
    std::swap(error, app.said.error);
    reject("The link's kernel cannot be opened: " + error);
}

}  // namespace

SharedState shared_state(const App& app) {
    SharedState state;
    const Selection& c = app.chosen();
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
        state.inner = size_of(c).inner;
        const SwizzleTrial& trial = app.tools->forge.trial;
        if (trial.expression != SwizzleTrial{}.expression) state.swizzle = trial.expression;
        state.swizzle_pad = static_cast<int>(trial.pad);
    }
    state.block = c.block;
    state.warp = c.warp;
    state.lane = c.lane;
    for (int side : {0, 1}) state.access[side] = c.access[side];
    state.step = app.chosen().step;
    state.zoom = kZooms[static_cast<size_t>(app.chosen().zoom)];
    if (!app.own && !is_automatic(app))
        for (const Beside& beside : app.beside)
            state.beside.push_back(text_of(chosen_comparison(beside)));
    state.view = app.chosen().view == app.chosen().tab ? tab_of(app) : app.chosen().view;
    if (app.chosen().view != app.chosen().tab) state.tab = tab_of(app);
    if (app.chosen().tab == "charts" && app.charts) {
        const PlotWindow& w = app.charts->windows[chart_kinds()[app.charts->chosen].id];
        state.window = {parts_of(w.x0), parts_of(w.x1), parts_of(w.y0), parts_of(w.y1)};
    }
    return state;
}

void restore(App& app, const SharedState& state) {
    if (!state.assignment.empty()) return open_assignment(app, state.assignment, "the assignment");
    find_view(state.view);
    if (!state.tab.empty()) find_view(state.tab);
    zoom_of(state.zoom);
    std::vector<CompareWith> with;
    for (const std::string& beside : state.beside) with.push_back(comparison_of(app, beside));
    if (state.stage.empty()) {
        restore_file(app, state);
        return restore_place(app, state);
    }
    const Stage& stage = app.content.catalogue.find(state.stage);
    KnobValues knobs = usable_knobs(stage, state);
    remember_setting(app);
    choose_stage(app, stage.id);
    select(app, [&](Selection& now) {
        now.type = state.type;
        // The learner's own version may have other knobs.
        if (knob_problem(app.stage(), knobs, state.type).empty()) now.knobs = knobs;
        now.rows = state.rows;
        now.cols = state.cols;
        if (now.operation->has_inner() && state.inner != kNoInner) now.inner = state.inner;
        now.batch = takes_batch(app.stage()) ? state.batch : 1;
    });
    restore_comparisons(app, with);
    restore_place(app, state);
    restore_forge(app, state);
    forget_results(app);
    mark_all_stale(app);
    derive(app);
}

void copy_link(App& app) {
    ImGui::SetClipboardText(link_of(shared_state(app)).c_str());
    app.said.toast = {is_edited(app)
                          ? "Link copied. Your version of the kernel is not in it: save a "
                            "workspace to share that"
                          : "Link copied: it restores all that is chosen"};
}

std::string setting_in_words(const App& app) {
    if (app.own) return app.stage().file + ", " + app.own->form.kernel;
    const Selection& c = app.chosen();
    std::string words = app.stage().title;
    if (is_edited(app)) words += " (edited)";
    for (const auto& [name, value] : default_knobs(app.stage()))
        if (auto now = c.knobs.find(name); now != c.knobs.end() && now->second != value)
            words += fmt::format(", {} = {}", name, now->second);
    if (c.batch > 1) words += fmt::format(", {} matrices", c.batch);
    auto number = [](int64_t value) { return with_thousands(static_cast<uint64_t>(value)); };
    words += fmt::format(", {} × {}", number(c.rows), number(c.cols));
    if (size_of(c).inner != kNoInner) words += " × " + number(c.inner);
    return words + " " + c.type;
}

}  // namespace lanewise::ui
