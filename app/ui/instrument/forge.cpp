#include "ui/desk/forge.h"

#include <fmt/format.h>

#include <algorithm>

#include "ui/desk/commands.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/state/edits.h"

namespace lanewise::ui {

namespace {

constexpr size_t kMostTried = 24;

Forge& forge_of(App& app) { return app.tools->forge; }
const Forge& forge_of(const App& app) { return app.tools->forge; }

// What the wavefronts of an expression depend on beside it.
std::string forge_setting(const App& app) {
    std::string text = fmt::format("{} {} {}x{} {}", app.stage().id, app.chosen().type,
                                   app.chosen().rows, app.chosen().cols, app.chosen().block);
    for (const auto& [name, value] : app.chosen().knobs) text += fmt::format(" {}={}", name, value);
    return text;
}

void note_tried(App& app, const SwizzleResult& result) {
    Forge& forge = forge_of(app);
    if (std::string setting = forge_setting(app); forge.tried_of != setting) {
        forge.tried.clear();
        forge.tried_of = setting;
    }
    ForgeEntry entry{result.trial,
                     result.store,
                     result.load,
                     result.extra_bytes(),
                     result.correct && result.findings.empty(),
                     result.reaches_goal()};
    std::erase_if(forge.tried, [&](const ForgeEntry& e) { return e.trial == result.trial; });
    bool first = entry.reached && std::none_of(forge.tried.begin(), forge.tried.end(),
                                               [](const ForgeEntry& e) { return e.reached; });
    forge.tried.push_back(std::move(entry));
    if (forge.tried.size() > kMostTried) forge.tried.erase(forge.tried.begin());
    if (first) app.said.toast = {"Forged: as few wavefronts as can be, and not a byte more"};
}

}  // namespace

bool forge_shown(const App& app) { return app.chosen().tab == "forge"; }

const std::string& without_forge(App& app) {
    Forge& forge = forge_of(app);
    const std::string& source = app.stage().source;
    if (!forge.has_judged || forge.judged != source) {
        forge.judged = source;
        forge.has_judged = true;
        forge.without = app.own ? "Your own kernel's tile is not known: the forge turns a stage's."
                                : cannot_swizzle(app.stage());
    }
    return forge.without;
}

void open_forge(App& app) {
    choose_view(app, "forge");
    forge_of(app).focus_wanted = true;
}

void type_swizzle(App& app, const std::string& expression) {
    Forge& forge = forge_of(app);
    forge.trial = {expression, 0};
    forge.typed = true;
}

void choose_swizzle(App& app, const SwizzleTrial& trial) {
    Forge& forge = forge_of(app);
    if (!forge_shown(app)) choose_view(app, "forge");
    if (forge.trial == trial && !forge.typed) return;
    forge.trial = trial;
    forge.typed = false;
    forge.stale = true;
}

void step_tried(App& app, int by) {
    Forge& forge = forge_of(app);
    auto count = static_cast<int>(forge.tried.size());
    if (count == 0) return;
    auto now = std::find_if(forge.tried.begin(), forge.tried.end(),
                            [&](const ForgeEntry& e) { return e.trial == forge.trial; });
    int at =
        now == forge.tried.end() ? count - 1 : static_cast<int>(now - forge.tried.begin()) + by;
    choose_swizzle(app, forge.tried[static_cast<size_t>(std::clamp(at, 0, count - 1))].trial);
}

void step_forge_access(App& app, int by) {
    Forge& forge = forge_of(app);
    auto count = static_cast<int>(forge_accesses(app).size());
    forge.access = std::clamp(forge.access + by, 0, std::max(0, count - 1));
    ++forge.moves;
}

void choose_forge_side(App& app, bool store) {
    forge_of(app).shows_store = store;
    ++forge_of(app).moves;
}

void handle_forge_keys(App& app) {
    if (pressed(Key::up)) step_tried(app, -1);
    if (pressed(Key::down)) step_tried(app, 1);
    if (pressed(Key::space)) choose_forge_side(app, !forge_of(app).shows_store);
    if (ImGui::GetIO().KeyShift) return;  // then the arrows choose lanes
    if (pressed(Key::left)) step_forge_access(app, -1);
    if (pressed(Key::right)) step_forge_access(app, 1);
}

void add_forge_commands(const App& app, std::vector<Command>& all) {
    const Forge& forge = forge_of(app);
    for (const SwizzlePreset& preset : swizzle_presets())
        all.push_back({preset.id, "Forge", std::string("Forge: ") + preset.label, "",
                       [trial = preset.trial](App& a) { choose_swizzle(a, trial); }, "",
                       forge_shown(app) && forge.trial == preset.trial});
}

std::vector<const TileAccess*> forge_accesses(const App& app) {
    const Forge& forge = forge_of(app);
    std::vector<const TileAccess*> found;
    if (!forge.result) return found;
    for (const TileAccess& access : forge.result->accesses)
        if (access.warp == app.chosen().warp && access.is_store == forge.shows_store)
            found.push_back(&access);
    return found;
}

const TileAccess* forge_access(const App& app) {
    std::vector<const TileAccess*> all = forge_accesses(app);
    if (all.empty()) return nullptr;
    auto last = static_cast<int>(all.size()) - 1;
    return all[static_cast<size_t>(std::clamp(forge_of(app).access, 0, last))];
}

std::optional<SwizzleTrial> next_swizzle(App& app, double now) {
    Forge& forge = forge_of(app);
    if (!forge_shown(app) || !without_forge(app).empty()) return std::nullopt;
    if (forge.typed) {
        if (forge.typed_at < 0 || forge.typed_text != forge.trial.expression) {
            forge.typed_at = now;
            forge.typed_text = forge.trial.expression;
        }
        if (now - forge.typed_at < kTypingRest) return std::nullopt;
        forge.typed = false;
        forge.typed_at = -1;
        forge.stale = true;
    }
    if (!forge.stale) return std::nullopt;
    forge.stale = false;
    forge.running = true;
    return forge.trial;
}

double swizzle_due(const App& app, double now) {
    const Forge& forge = forge_of(app);
    if (!forge_shown(app)) return -1;
    if (forge.typed)
        return forge.typed_at < 0 ? 0 : std::max(0.0, kTypingRest - (now - forge.typed_at));
    return forge.stale && forge.without.empty() ? 0 : -1;
}

void take_swizzle(App& app, SwizzleResult result) {
    Forge& forge = forge_of(app);
    forge.running = false;
    forge.failure.clear();
    if (result.stage != app.stage().id) return;  // another was chosen meanwhile
    if (result.problem.empty()) note_tried(app, result);
    forge.result = std::make_shared<SwizzleResult>(std::move(result));
    ++forge.moves;
}

void fail_swizzle(App& app, const std::string& message) {
    Forge& forge = forge_of(app);
    if (message.empty()) return;
    forge.running = false;
    forge.failure = message;
    forge.result.reset();
    ++forge.moves;
}

}  // namespace lanewise::ui
