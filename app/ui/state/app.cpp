// Choosing: every change of what the window shows goes through here.
#include "ui/state/app.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "lab/product/product.h"
#include "ui/state/edits.h"
#include "ui/state/records.h"
#include "ui/state/views.h"

namespace lanewise::ui {

void read_content(App& app, const std::filesystem::path& content) {
    app.content.catalogue = Catalogue::load(content);
    if (app.content.catalogue.stages().empty())
        throw Error(Status::bad_input, "there is no stage in " + (content / "kernels").string() +
                                           "; reinstall, or set LANEWISE_HOME to the folder that "
                                           "holds kernels/");
    for (const Stage& stage : app.content.catalogue.stages()) {
        std::filesystem::path file = content / "lessons" / (stage.id + ".md");
        app.content.lessons.push_back(read_lesson(file, stage.id));
    }
    read_records(app, content);
    try {
        app.content.profiles = device_profiles(content);
    } catch (const Error& error) {
        app.said.notices.push_back(error.what());
    }
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    auto rung = std::find_if(stages.begin(), stages.end(), is_rung);
    choose_stage(app, static_cast<size_t>(rung == stages.end() ? 0 : rung - stages.begin()));
}

void mark_all_stale(App& app) {
    app.stale.picture = app.stale.analysis = app.stale.pads = true;
    mark_comparisons_stale(app);
    forget_outcome(app);
    ++app.revision;
}

// What the old setting's results said does not fit the new one.
void forget_results(App& app) {
    app.arrived.picture.reset();
    for (Beside& beside : app.beside) beside.picture.reset();
    app.arrived.analysis.reset();
    app.arrived.sampled.reset();
    app.said.error.clear();
    app.said.uncompiled.clear();
    app.arrived.diagnostics.clear();
}

// Each course keeps the size that it was left at.
static void change_operation(Selection& choice, const Operation& operation) {
    if (choice.operation == &operation) return;
    choice.was_left_at[choice.operation] = size_of(choice);
    choice.operation = &operation;
    auto left = choice.was_left_at.find(&operation);
    const Operation::Size& size =
        left == choice.was_left_at.end() ? operation.sizes.begins_at : left->second;
    choice.rows = size.rows;
    choice.cols = size.cols;
    if (operation.has_inner()) choice.inner = size.inner;
}

// The first picture that the lesson's text leads to.
static void choose_lessons_view(App& app) {
    constexpr std::string_view kView = "view:";
    for (const LessonBlock& block : app.lesson().blocks)
        for (const LessonRun& run : block.runs) {
            if (!run.link.starts_with(kView)) continue;
            const std::string view = run.link.substr(kView.size());
            if (find_view(view).place == Place::middle) return choose_view(app, view);
        }
}

void choose_stage(App& app, size_t stage) {
    settle_edit(app);  // of the stage before
    select(app, [&](Selection& now) { now.stage = stage; });
    app.own.reset();
    take_up_edit(app);
    const Stage& chosen = app.stage();
    auto& types = chosen.types;
    // A lesson's question is about its own type: another one is for later.
    const bool asks = is_learning(app) && app.saved.progress[app.course_id()].guess.empty();
    const bool other =
        asks || std::find(types.begin(), types.end(), app.chosen().type) == types.end();
    select(app, [&](Selection& now) {
        change_operation(now, operation_of(chosen));
        now.knobs = default_knobs(chosen);
        if (other) now.type = types.empty() ? "f32" : types[0];
        if (!takes_batch(chosen)) now.batch = 1;
        now.block = 0;
        now.warp = 0;
        now.lane = -1;
        now.line = 0;
        now.access[0] = now.access[1] = -1;
    });
    rest(app);
    app.saved.stage = app.course_id();
    app.saved.progress[app.course_id()];  // seen
    forget_results(app);
    mark_all_stale(app);
    derive(app);
    if (is_learning(app)) choose_lessons_view(app);
}

void choose_stage(App& app, const std::string& name) {
    const Stage& found = app.content.catalogue.find(name);
    choose_stage(app, static_cast<size_t>(&found - app.content.catalogue.stages().data()));
}

void step_stage(App& app, int by) {
    if (app.own) return close_kernel(app);
    auto last = static_cast<int64_t>(app.content.catalogue.stages().size()) - 1;
    int64_t next = std::clamp<int64_t>(static_cast<int64_t>(app.chosen().stage) + by, 0, last);
    if (static_cast<size_t>(next) != app.chosen().stage)
        choose_stage(app, static_cast<size_t>(next));
}

void choose_knob(App& app, const std::string& name, int64_t value) {
    KnobValues knobs = app.chosen().knobs;
    knobs[name] = value;
    if (std::string problem = knob_problem(app.stage(), knobs, app.chosen().type); !problem.empty())
        throw Error(Status::bad_input, problem);
    if (knobs == app.chosen().knobs) return;
    tell(app, &Follower::changing);
    select(app, [&](Selection& now) {
        now.knobs = knobs;
        now.access[0] = now.access[1] = -1;
    });
    rest(app);
    mark_all_stale(app);
    derive(app);
}

void choose_type(App& app, const std::string& type) {
    const std::vector<std::string>& types = app.stage().types;
    if (std::find(types.begin(), types.end(), type) == types.end()) {
        std::string offered;
        for (const std::string& each : types) offered += (offered.empty() ? "" : ", ") + each;
        throw Error(Status::bad_input, app.stage().id + " is not offered for the type \"" + type +
                                           "\"; choose one of " + offered);
    }
    if (std::string problem = knob_problem(app.stage(), app.chosen().knobs, type); !problem.empty())
        throw Error(Status::bad_input, problem);
    if (type == app.chosen().type) return;
    tell(app, &Follower::changing);
    select(app, [&](Selection& now) {
        now.type = type;
        now.access[0] = now.access[1] = -1;
    });
    rest(app);
    mark_all_stale(app);
    derive(app);
}

Operation::Size size_of(const Selection& choice) {
    return {choice.rows, choice.cols, choice.operation->has_inner() ? choice.inner : kNoInner};
}

bool choose_shape(App& app, int64_t rows, int64_t cols, int64_t inner) {
    if (inner == kNoInner) inner = app.chosen().inner;
    if (rows < 1 || cols < 1 || rows > kMaxDimension || cols > kMaxDimension || inner < 0 ||
        inner > kMaxDimension) {
        app.said.shape_problem = sides_in_words(*app.chosen().operation) +
                                 " are whole numbers from 1 to " +
                                 with_thousands(static_cast<uint64_t>(kMaxDimension)) + ".";
        return false;
    }
    app.said.shape_problem.clear();
    if (rows == app.chosen().rows && cols == app.chosen().cols && inner == app.chosen().inner)
        return true;
    tell(app, &Follower::changing);
    select(app, [&](Selection& now) {
        now.rows = rows;
        now.cols = cols;
        now.inner = inner;
        now.block = 0;
    });
    mark_all_stale(app);
    derive(app);
    return true;
}

void choose_batch(App& app, int64_t batch) {
    if (batch > 1 && !takes_batch(app.stage()))
        throw Error(Status::bad_input, why_no_batch(app.stage()));
    if (batch == app.chosen().batch) return;
    tell(app, &Follower::changing);
    select(app, [&](Selection& now) {
        now.batch = batch;
        now.block = 0;
    });
    mark_all_stale(app);
    derive(app);
}

void choose_block(App& app, int64_t block) {
    uint64_t blocks = app.arrived.picture ? app.arrived.picture->launch.grid.count() : 1;
    uint64_t chosen = std::min(static_cast<uint64_t>(std::max<int64_t>(block, 0)), blocks - 1);
    if (chosen == app.chosen().block) return;
    select(app, [&](Selection& now) { now.block = chosen; });
    app.stale.picture = app.stale.pads = true;
    // Another picture ends the counts that are on their way; they are of all blocks.
    if (app.activity.analysis) app.stale.analysis = true;
    mark_comparisons_stale(app);
    ++app.revision;
}

void choose_warp(App& app, int warp) {
    int warps = app.arrived.picture ? static_cast<int>(app.arrived.picture->block.warps) : 1;
    auto chosen = static_cast<uint32_t>(std::clamp(warp, 0, std::max(warps - 1, 0)));
    if (chosen == app.chosen().warp) return;
    select(app, [&](Selection& now) { now.warp = chosen; });
    ++app.revision;
    derive(app);
}

void choose_lane(App& app, int lane) {
    select(app, [&](Selection& now) {
        now.lane = lane == now.lane || lane < 0 || lane > 31 ? -1 : lane;
        if (now.lane < 0 && now.zoom == Zoom::lane) now.zoom = Zoom::warp;
    });
    ++app.revision;
}

void choose_access(App& app, Space space, int row) {
    int side = space == Space::shared;
    auto last = static_cast<int>(app.derived.rows_of[side].size()) - 1;
    if (last < 0) return;
    rest(app);
    select(app, [&](Selection& now) {
        now.access[side] = std::clamp(row, 0, last);
        now.line = 0;
    });
    ++app.revision;
}

void look_at_access(App& app, Space space, int row) {
    choose_access(app, space, row);
    if (space == space_shown(app)) return;
    for (size_t i = 0; i < app.derived.life.size(); ++i) {
        const LifeStep& step = app.derived.life[i];
        if (step.row == app.chosen().access[space == Space::shared] &&
            step.is_shared() == (space == Space::shared))
            return choose_step(app, static_cast<int>(i));
    }
}

void choose_view(App& app, const std::string& wanted) {
    const View& found = find_view(wanted);
    // In Learn there is no right column: its parts come to the middle.
    Place place = found.place == Place::right && is_learning(app) ? Place::middle : found.place;
    std::string view = found.id;
    if (wanted != view) found.choose_part(app, wanted.substr(view.size() + 1));
    select(app, [&](Selection& now) { now.view = view; });
    app.sight.section_shown.clear();
    if (place == Place::middle && app.chosen().tab != view) leave_moment(app, view);
    if (place == Place::middle) select(app, [&](Selection& now) { now.tab = view; });
    app.keyboard.region = static_cast<Region>(place);
    app.keyboard.focus_wanted = true;
    ++app.revision;
}

// All of it at once: one after the other could pass through settings that there are not.
static void choose_setting(App& app, const WantedSetting& at) {
    if (at.rows > 0 && !choose_shape(app, at.rows, at.cols, at.inner)) return;
    const Stage& stage = app.content.catalogue.stages()[app.chosen().stage];
    select(app, [&](Selection& now) {
        now.knobs = knobs_at(stage, at);
        now.type = at.type.empty() ? stage.types.front() : at.type;
        now.block = 0;
        now.access[0] = now.access[1] = -1;
    });
    mark_all_stale(app);
    derive(app);
}

void predict(App& app, int choice) {
    const std::vector<std::string>& choices = asked_prediction(app).choices;
    if (choice < 0 || choice >= static_cast<int>(choices.size())) return;
    WindowState::Progress& progress = app.saved.progress[app.course_id()];
    if (!progress.guess.empty()) return;
    progress.guess = choices[static_cast<size_t>(choice)];
    progress.confidence = app.learner.confidence;
    app.learner.confidence = 0;
    if (&asked_prediction(app) == &app.lesson().again) choose_setting(app, app.lesson().again_at);
    std::optional<bool> right = prediction_right(app);
    progress.known = right.has_value();
    progress.right = right.value_or(false);
    if (right) tell(app, &Follower::answered, app.course_id(), *right);
}

std::string cannot_run(const App& app) { return std::string(why_not_run(app)); }

std::string_view why_not_run(const App& app) {
    if (app.own && !app.own->problems.empty()) return "A field above cannot be used as it is.";
    if (!app.stage().error.empty()) return "This stage cannot be used: see its error.";
    if (!app.engine.known) return "Still looking for a GPU.";
    if (app.engine.gpu.empty())
        return app.engine.problem.empty() ? std::string_view("There is no GPU here.")
                                          : app.engine.problem;
    if (app.activity.measurement) return "A run is under way; Escape stops it.";
    if (app.arrived.crash && app.arrived.crash->offer_interpreter && !app.wanted.run_all_the_same)
        return "It has failed on the GPU again and again: look at it in the interpreter, which "
               "nothing can break.";
    return "";
}

void press_run(App& app) {
    if (cannot_run(app).empty()) app.wanted.measurement = true;
}

bool is_learning(const App& app) { return !app.own && app.saved.mode == kLearn; }

void choose_mode(App& app, const std::string& mode) {
    if (mode != kLearn && mode != kWorkbench)
        throw Error(Status::bad_input,
                    "the window's mode is learn or workbench, not \"" + mode + "\"");
    app.saved.mode = mode;
    app.keyboard.focus_wanted = true;
    if (find_view(app.chosen().tab).place != Place::middle) choose_view(app, "access");
}

}  // namespace lanewise::ui
