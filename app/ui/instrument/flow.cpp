#include "ui/desk/flow.h"

#include <fmt/format.h>

#include <algorithm>

#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"

namespace lanewise::ui {

namespace {

constexpr double kWholeSeconds = 14, kSlowest = 0.5, kQuickest = 1.0 / 30;

FlowTool& flow_of(App& app) { return app.tools->flow; }

std::string walk_setting(const App& app) {
    std::string text =
        fmt::format("{} {} {}x{}x{} {}", app.stage().id, app.chosen().type, app.chosen().rows,
                    app.chosen().cols, app.chosen().inner, app.chosen().batch);
    for (const auto& [name, value] : app.chosen().knobs) text += fmt::format(" {}={}", name, value);
    return text + " " + app.stage().source;
}

int last_step(const FlowTool& flow) { return static_cast<int>(flow.parts.life.steps.size()) - 1; }

void reach(FlowTool& flow, int step) {
    flow.step = step;
    flow.begun = -1;
    ++flow.moves;
}

}  // namespace

bool flow_shown(const App& app) { return app.chosen().tab == "flow"; }

void follow_picture(App& app) {
    FlowTool& flow = flow_of(app);
    if (flow.picture == app.arrived.picture) return;
    flow.picture = app.arrived.picture;
    flow.playing = false;
    flow.parts = {};
    ++flow.moves;
    if (!app.arrived.picture) return;
    flow.parts = flow_parts(*app.arrived.picture, job_of(app));
    flow.step = last_step(flow);
}

void choose_flow_step(App& app, int step) {
    FlowTool& flow = flow_of(app);
    if (last_step(flow) < 0) return;
    flow.playing = false;
    step = std::clamp(step, 0, last_step(flow));
    if (step != flow.step) reach(flow, step);
}

void step_flow(App& app, int by) { choose_flow_step(app, std::max(0, flow_of(app).step + by)); }

void step_flow_chapter(App& app, int by) {
    FlowTool& flow = flow_of(app);
    if (last_step(flow) < 0) return;
    int step = std::max(0, flow.step);
    choose_flow_step(app, by > 0 ? next_chapter(flow.parts.life.steps, step)
                                 : previous_chapter(flow.parts.life.steps, step));
}

void play_flow(App& app) {
    FlowTool& flow = flow_of(app);
    if (last_step(flow) < 0) return;
    flow.playing = !flow.playing;
    if (flow.playing) reach(flow, flow.step < 0 || flow.step == last_step(flow) ? 0 : flow.step);
}

void choose_walked(App& app, uint64_t blocks) {
    FlowTool& flow = flow_of(app);
    if (!flow.walk) return;
    flow.blocks = std::clamp<uint64_t>(blocks, 1, std::max<uint64_t>(1, flow.walk->blocks));
    ++flow.moves;
}

uint64_t shown_blocks(const FlowTool& flow) {
    if (!flow.walk) return 0;
    return std::min(flow.blocks ? flow.blocks : flow.walk->resident(), flow.walk->blocks);
}

void handle_flow_keys(App& app) {
    if (pressed(Key::space)) play_flow(app);
    if (pressed(Key::home)) choose_flow_step(app, 0);
    if (pressed(Key::end)) choose_flow_step(app, last_step(flow_of(app)));
    if (pressed(Key::up)) choose_walked(app, shown_blocks(flow_of(app)) * 2);
    if (pressed(Key::down)) choose_walked(app, shown_blocks(flow_of(app)) / 2);
    if (ImGui::GetIO().KeyShift || !scene_moments(app).empty()) return;
    if (pressed(Key::left)) step_flow(app, -1);
    if (pressed(Key::right)) step_flow(app, 1);
}

bool flow_moves(const App& app) {
    return flow_shown(app) && app.arrived.picture && app.tools->flow.playing;
}

double seconds_per_step(const FlowTool& flow) {
    auto steps = static_cast<double>(std::max<size_t>(1, flow.parts.life.steps.size()));
    return std::clamp(kWholeSeconds / steps, kQuickest, kSlowest);
}

void advance_flow(App& app, double now) {
    if (!flow_moves(app)) return;
    follow_picture(app);
    FlowTool& flow = flow_of(app);
    if (!flow.playing) return;
    if (flow.begun < 0) flow.begun = now;
    double each = seconds_per_step(flow);
    auto steps = static_cast<int>((now - flow.begun) / each);
    if (steps <= 0) return;
    double begun = flow.begun + steps * each;
    reach(flow, std::min(flow.step + steps, last_step(flow)));
    flow.begun = begun;
    if (flow.step == last_step(flow)) flow.playing = false;
}

bool wants_walk(App& app) {
    FlowTool& flow = flow_of(app);
    if (!flow_shown(app) || !flow.walk_stale || app.own) return false;
    flow.walk_stale = false;
    std::string setting = walk_setting(app);
    if (setting == flow.walk_of) return false;
    flow.walk_of = std::move(setting);
    flow.walk.reset();
    flow.walk_failure.clear();
    ++flow.moves;
    return true;
}

void take_walk(App& app, BlockWalk walk) {
    FlowTool& flow = flow_of(app);
    if (walk.stage != app.stage().id) return;
    flow.blocks = 0;
    flow.walk = std::make_shared<BlockWalk>(std::move(walk));
    ++flow.moves;
}

void fail_walk(App& app, const std::string& message) {
    flow_of(app).walk_failure = message;
    flow_of(app).walk_of.clear();
}

}  // namespace lanewise::ui
