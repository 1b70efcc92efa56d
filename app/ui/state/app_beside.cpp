// Other settings in lock-step with the chosen one: which they are, and what has arrived of them.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "ui/state/app.h"
#include "ui/state/compare.h"

namespace lanewise::ui {
namespace {

// What stands first without having been asked for: the tile without its padding, or the stage that
// this one names.
CompareWith automatic(const App& app) {
    using Kind = CompareWith::Kind;
    const Stage& stage = app.stage();
    if (!stage.has_tile) return {Kind::nothing};
    auto pad = app.chosen().knobs.find("PAD");
    if (pad != app.chosen().knobs.end()) return {Kind::knob, "PAD", pad->second > 0 ? 0 : 1};
    if (stage.compare.empty()) return {Kind::nothing};
    return {Kind::stage, stage.operation + "/" + stage.compare};
}

bool is_usable(const App& app, const Stage& stage, const KnobValues& knobs) {
    return stage.error.empty() && !is_library_call(stage) && same_operation(stage, app.stage()) &&
           std::find(stage.types.begin(), stage.types.end(), app.chosen().type) !=
               stage.types.end() &&
           knob_problem(stage, knobs, app.chosen().type).empty() &&
           (!is_in_place(stage) || app.chosen().rows == app.chosen().cols);
}

// Fills in what `with` means for the chosen setting.
void resolve(const App& app, Beside& beside, const CompareWith& with) {
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    if (with.kind == CompareWith::Kind::knob) {
        auto knob = app.chosen().knobs.find(with.name);
        if (knob == app.chosen().knobs.end() || knob->second == with.value) return;
        beside.stage = app.chosen().stage;
        beside.knobs = app.chosen().knobs;
        beside.knobs[with.name] = with.value;
        beside.title = fmt::format("{} = {}", with.name, with.value);
        beside.wanted = is_usable(app, app.stage(), beside.knobs);
    }
    if (with.kind != CompareWith::Kind::stage) return;
    for (size_t i = 0; i < stages.size(); ++i) {
        if (stages[i].id != with.name || i == app.chosen().stage) continue;
        beside.stage = i;
        beside.knobs = default_knobs(stages[i]);
        // The same tile in both, where both can have it.
        for (const auto& [name, value] : app.chosen().knobs) {
            KnobValues tried = beside.knobs;
            if (tried.count(name)) tried[name] = value;
            if (knob_problem(stages[i], tried, app.chosen().type).empty()) beside.knobs = tried;
        }
        beside.title = stages[i].title;
        beside.wanted = is_usable(app, stages[i], beside.knobs);
    }
}

// By the knobs that the others differ in, else by its name.
std::string title_of_chosen(const App& app) {
    std::string title;
    for (const Beside& beside : app.beside) {
        if (!beside.wanted || beside.stage != app.chosen().stage) continue;
        for (const auto& [name, value] : app.chosen().knobs) {
            std::string knob = fmt::format("{} = {}", name, value);
            if (beside.knobs.at(name) == value || title.find(knob) != std::string::npos) continue;
            title += (title.empty() ? "" : ", ") + knob;
        }
    }
    return title.empty() ? app.stage().title : title;
}

}  // namespace

void choose_comparisons(App& app) {
    for (size_t place = 0; place < app.beside.size(); ++place) {
        Beside& beside = app.beside[place];
        Beside fresh;
        fresh.with = beside.with;
        CompareWith with = beside.with;
        if (with.kind == CompareWith::Kind::automatic)
            with = place == 0 ? automatic(app) : CompareWith{CompareWith::Kind::nothing};
        fresh.means = with;
        if (!app.own) resolve(app, fresh, with);
        bool same = fresh.wanted == beside.wanted && fresh.stage == beside.stage &&
                    fresh.knobs == beside.knobs;
        if (same) {  // what has arrived of it still holds
            fresh.picture = beside.picture;
            fresh.stale = beside.stale;
        }
        beside = std::move(fresh);
        if (beside.picture)
            beside.life =
                warp_life(beside.picture->block, beside.picture->report, app.chosen().warp);
    }
    app.derived.chosen_title = title_of_chosen(app);
}

void compare_with(App& app, size_t place, const CompareWith& with) {
    app.beside.at(place).with = with;
    derive(app);
}

std::string text_of(const CompareWith& with) {
    if (with.kind == CompareWith::Kind::knob) return fmt::format("{}={}", with.name, with.value);
    return with.kind == CompareWith::Kind::stage ? with.name : "none";
}

CompareWith comparison_of(const App& app, const std::string& text) {
    using Kind = CompareWith::Kind;
    size_t equals = text.find('=');
    int64_t value = 0;
    if (text == "none") return {Kind::nothing};
    if (equals == text.npos) return {Kind::stage, app.content.catalogue.find(text).id};
    if (!parse_integer(std::string_view(text).substr(equals + 1), value))
        throw Error(Status::bad_input, "\"" + text + "\" is nothing to compare with.");
    return {Kind::knob, text.substr(0, equals), value};
}

std::vector<Comparable> comparables(const App& app) {
    std::vector<Comparable> found;
    if (app.own) return found;
    auto offer = [&](const CompareWith& with, const std::string& text, const std::string& group) {
        Beside tried;
        resolve(app, tried, with);
        if (!tried.wanted) return;
        bool chosen = std::any_of(app.beside.begin(), app.beside.end(), [&](const Beside& beside) {
            return beside.wanted && beside.means == with;
        });
        found.push_back({with, text, group, chosen});
    };
    for (const Knob& knob : app.stage().knobs)
        for (int64_t value : knob.choices)
            offer({CompareWith::Kind::knob, knob.name, value}, std::to_string(value), knob.name);
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    size_t here = app.chosen().stage;
    auto offer_stage = [&](size_t i) {
        std::string number = stages[i].file.substr(0, stages[i].file.find('_'));
        offer({CompareWith::Kind::stage, stages[i].id}, number + "  " + stages[i].title, "");
    };
    if (here > 0) offer_stage(here - 1);
    if (here + 1 < stages.size()) offer_stage(here + 1);
    for (size_t i = 0; i < stages.size(); ++i)
        if (i + 1 != here && i != here + 1) offer_stage(i);
    return found;
}

void toggle_comparison(App& app, const CompareWith& with) {
    for (size_t i = 0; i < app.beside.size(); ++i)
        if (app.beside[i].wanted && app.beside[i].means == with)
            return compare_with(app, i, {CompareWith::Kind::nothing});
    compare_with(app, app.beside[0].wanted ? 1 : 0, with);
}

void mark_comparisons_stale(App& app) {
    for (Beside& beside : app.beside) beside.stale = true;
}

void take_comparison(App& app, size_t place, Picture picture) {
    app.beside.at(place).picture = std::make_shared<const Picture>(std::move(picture));
    choose_comparisons(app);
    ++app.revision;
}

Job comparison_job(const App& app, size_t place) {
    Job job = job_of(app);
    job.stage = app.beside.at(place).stage == app.chosen().stage
                    ? app.stage()
                    : app.content.catalogue.stages()[app.beside[place].stage];
    job.knobs = app.beside[place].knobs;
    return job;
}

}  // namespace lanewise::ui
