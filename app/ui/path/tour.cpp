#include "ui/desk/tour.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "ui/desk/keys.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/kit/aim.h"

namespace lanewise::ui {
namespace {

// A column that has just appeared is laid out one frame later.
constexpr int kFramesToScroll = 3;

constexpr const char* kTourStage = "transpose/30_padded";  // has a question, knobs and banks

constexpr const char* kQuestion = "question";  // the card, never one of its answers

constexpr TourStep kTour[] = {
    {"stage:transpose/30_padded", "The course",
     "One stage after the other, each with one idea more. Green means that its task is solved.",
     Region::course, ""},
    {kQuestion, "Predict",
     "Say what you expect before you look. A wrong guess costs nothing, and comes back for review.",
     Region::course, ""},
    {"view:access", "Look: the warp",
     "32 lanes, the lines and sectors that they touch. ↑ ↓ choose the access, ← → the warp.",
     Region::picture, "access"},
    {"view:banks", "Look: shared memory",
     "The tile with a colour for each bank, and the wavefronts that an access takes.",
     Region::picture, "banks"},
    {"view:code", "Look: the code",
     "What each line costs. Ctrl E edits it: what you type is compiled and counted at once.",
     Region::picture, "code"},
    {"knob:PAD=0", "Change one thing", "A knob rebuilds everything. Ctrl Z takes it back.",
     Region::controls, ""},
    {"run", "Run",
     "On a GPU, here or elsewhere, the same kernel is verified and timed. Without one, recorded "
     "times stand in, labelled.",
     Region::controls, ""},
    {"badge:", "Proofs", "What the counts prove of this setting. A click shows what it rests on.",
     Region::controls, ""},
    {"help", "Everything else",
     "Ctrl Shift P finds every command, F1 lists all keys, F11 presents to a class.",
     Region::picture, ""},
};

constexpr TourStep kMinute[] = {
    {kQuestion, "1 · Predict", "Read the question and click what you expect.", Region::course, ""},
    {"view:", "2 · Look", "The picture is what the kernel does. Is it what you expected?",
     Region::picture, ""},
    {"knob:", "3 · Change", "Turn one knob and watch the counts.", Region::controls, ""},
    {"badge:", "4 · Check", "What the counts prove now. Not all green? A click says why.",
     Region::controls, ""},
    {"gate", "5 · Make",
     "The stage's task. Judge it, and the program tries your source at shapes of its own.",
     Region::course, ""},
};

bool is_of_proof(std::string_view widget) { return widget == "gate" || widget == "badge:"; }

// Where the step's widget is. In Learn the question and the proofs are steps of the coach's, and the
// knobs stand below the picture.
Region region_of(App& app, const TourStep& step) {
    if (!is_learning(app)) return step.region;
    const std::string_view widget = step.widget;
    if (widget == kQuestion) go_to(app, Step::predict);
    if (is_of_proof(widget)) go_to(app, Step::prove);
    if (widget == kQuestion || is_of_proof(widget)) return Region::course;
    return step.region == Region::controls ? Region::picture : step.region;
}

void enter(App& app) {
    Tour& tour = app.tools->tour;
    const TourStep& step = tour.steps[tour.at];
    tour.frames_missing = 0;
    tour.frames_to_scroll = kFramesToScroll;
    if (step.view[0]) choose_view(app, step.view);
    focus_region(app, region_of(app, step));
}

void start(App& app, std::span<const TourStep> steps) {
    app.open.help = false;
    app.tools->welcome.open = false;
    app.tools->review.welcomed = true;
    review_changed(app);
    Tour& tour = app.tools->tour;
    tour.steps = steps;
    tour.at = 0;
    tour.direction = 1;
    enter(app);
}

}  // namespace

std::span<const TourStep> tour_steps() { return kTour; }
bool tour_on(const App& app) { return !app.tools->tour.steps.empty(); }
bool tour_goes_on(const App& app) {
    const Tour& tour = app.tools->tour;
    auto is_question = [](const TourStep& step) {
        return std::string_view(step.widget) == kQuestion;
    };
    auto question = std::ranges::find_if(tour.steps, is_question);
    return question != tour.steps.end() &&
           tour.at > static_cast<size_t>(question - tour.steps.begin());
}

void start_tour(App& app) {
    Tour& tour = app.tools->tour;
    tour.before = shared_state(app);
    tour.returns = true;
    choose_stage(app, kTourStage);
    start(app, kTour);
}

void start_minute(App& app) {
    if (app.own) close_kernel(app);
    app.tools->tour.returns = false;
    start(app, kMinute);
}

void step_tour(App& app, int by) {
    Tour& tour = app.tools->tour;
    if (!tour_on(app) || (by < 0 && tour.at == 0)) return;
    tour.direction = by;
    tour.at = static_cast<size_t>(static_cast<int64_t>(tour.at) + by);
    if (tour.at >= tour.steps.size()) return end_tour(app);
    enter(app);
}

void end_tour(App& app) {
    Tour& tour = app.tools->tour;
    tour.steps = {};
    aim().label.clear();
    app.keyboard.focus_wanted = true;
    if (!tour.returns) return;
    tour.returns = false;
    try {
        restore(app, tour.before);
    } catch (const Error& error) {  // a file that has gone meanwhile
        app.said.error = error.what();
    }
}

bool handle_tour_keys(App& app) {
    if (ImGui::GetIO().WantTextInput) return false;
    if (pressed(Key::escape))
        end_tour(app);
    else if (pressed(Key::right) || pressed(Key::space))
        step_tour(app, 1);
    else if (pressed(Key::left))
        step_tour(app, -1);
    else
        return false;
    return true;
}

void aim_tour(App& app) {
    Tour& tour = app.tools->tour;
    if (!tour_on(app)) return;
    aim().label = tour.steps[tour.at].widget;
    aim().scrolls = tour.frames_to_scroll > 0;
}

}  // namespace lanewise::ui
