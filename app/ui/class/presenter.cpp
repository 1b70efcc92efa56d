#include "ui/desk/presenter.h"

#include <algorithm>

#include "base/text.h"
#include "course/lesson_lint.h"
#include "course/moments.h"
#include "ui/class/audience.h"
#include "ui/desk/commands.h"
#include "ui/desk/flow.h"
#include "ui/desk/keys.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/launch/follow.h"
#include "ui/look/look.h"
#include "ui/state/compare.h"
#include "ui/state/edits.h"

namespace lanewise::ui {
namespace {

// Only what differs is asked anew.
void choose_setting(App& app, const Selection& next) {
    const Selection& now = app.chosen();
    bool same = next.knobs == now.knobs && next.type == now.type && next.rows == now.rows &&
                next.cols == now.cols && next.inner == now.inner && next.block == now.block;
    if (!same) remember_setting(app);
    select(app, [&](Selection& chosen) { chosen = next; });
    rest(app);
    if (!same) mark_all_stale(app);
    derive(app);
}

// All at once, since one after the other might pass through a setting that there is not.
void set_scene(App& app, const Slide& slide) {
    Presenter& p = app.tools->presenter;
    const Stage& stage = app.stage();
    const Selection& before = p.choice_before;
    Selection next = app.chosen();
    next.knobs = default_knobs(stage);
    for (const std::string& setting : slide.set) parse_setting(setting, next.knobs);
    const SceneState& state = slide.state;
    next.type = state.type.empty() ? before.type : state.type;
    next.rows = state.rows ? state.rows : before.rows;
    next.cols = state.rows ? state.cols : before.cols;
    next.inner = state.inner != kNoInner ? state.inner : before.inner;
    if (!knob_problem(stage, next.knobs, next.type).empty()) next.type = stage.types[0];
    for (size_t i = 0; i < app.beside.size(); ++i)
        app.beside[i].with = state.beside.empty()      ? p.beside_before[i]
                             : i < state.beside.size() ? comparison_of(app, state.beside[i])
                                                       : CompareWith{CompareWith::Kind::nothing};
    next.block = state.block;
    next.warp = 0;
    next.lane = -1;
    next.access[0] = next.access[1] = -1;
    choose_setting(app, next);
    constexpr const char* kZooms[] = {"grid", "block", "warp", "lane"};
    auto zoom = std::find(std::begin(kZooms), std::end(kZooms), state.zoom);
    select(app, [&](Selection& now) {
        now.zoom = zoom == std::end(kZooms) ? Zoom::warp : static_cast<Zoom>(zoom - kZooms);
    });
    p.look_at = state.at;
    p.moment_wanted = !state.moments.empty();
    p.lane = state.lane;
}

// The lesson's prediction is about the stage as it is; a scene's question about its own setting. The
// learner may have been asked its second form, whose answer is another.
std::optional<double> counted_answer(const App& app, const Slide& slide) {
    const bool there = !app.stale.picture && !app.stale.analysis && !app.activity.analysis;
    const bool as_it_is = app.chosen().knobs == default_knobs(app.stage());
    if (there && (slide.of_scene || as_it_is))
        if (auto number = asked_number(app, slide.question.answer)) return number;
    if (slide.of_scene || &asked_prediction(app) != &app.lesson().predict) return std::nullopt;
    auto answer = app.arrived.prediction_answer.find(app.course_id());
    return answer == app.arrived.prediction_answer.end() ? std::nullopt
                                                         : std::optional(answer->second);
}

bool is_proof(const std::string& link) { return link.starts_with("proof:"); }

// The map of the result is a picture of the presenter's own, and no card of the controls.
void follow_shown(App& app, const std::string& link) {
    if (!link.empty() && !is_proof(link)) follow_link(app, link);
}

// What the scene shows is made so.
void enter(App& app) {
    Presenter& p = app.tools->presenter;
    p.revealed = p.more_below = p.scroll_wanted = false;
    p.right.reset();
    p.looked_at = 0;
    p.raised.clear();
    if (p.at >= p.slides.size()) return;
    const Slide slide = p.slides[p.at];
    p.look_at.clear();
    p.lane = -1;
    p.moment_wanted = false;
    // The lesson's prediction is of the stage as it is: that was perhaps never shown long enough to be
    // counted.
    const bool uncounted = slide.kind == Slide::Kind::question && !slide.of_scene &&
                           asks_for_number(slide.question) && !counted_answer(app, slide);
    if (slide.scripted || uncounted) set_scene(app, slide);
    follow_shown(app, slide.show);
    focus_region(app, Region::picture);
}

// What the lesson is about stands beside its name.
std::string opening_view(const Stage& stage) {
    if (!stage.error.empty()) return "";
    if (is_library_call(stage) || is_first_step(stage)) return "view:code";
    return operation_of(stage).views.opening;
}

void take_up_stage(App& app, bool at_end) {
    Presenter& p = app.tools->presenter;
    p.of = app.course_id();
    p.choice_before = app.chosen();
    const Stage& stage = app.content.catalogue.stages()[app.chosen().stage];
    p.slides = slides_of(app.lesson(), read_scenes(lesson_path(app.content.catalogue, stage)));
    p.slides[0].show = opening_view(stage);
    p.at = at_end && !p.slides.empty() ? p.slides.size() - 1 : 0;
    enter(app);
}

// What its scenes set is not the next stage's.
void leave_stage(App& app) {
    Presenter& p = app.tools->presenter;
    if (p.of != app.course_id()) return;
    Selection next = app.chosen();
    next.type = p.choice_before.type;
    next.rows = p.choice_before.rows;
    next.cols = p.choice_before.cols;
    next.inner = p.choice_before.inner;
    next.knobs = p.choice_before.knobs;
    for (size_t i = 0; i < app.beside.size(); ++i) app.beside[i].with = p.beside_before[i];
    choose_setting(app, next);
}

bool asks(const Presenter& p) {
    return p.at < p.slides.size() && p.slides[p.at].kind == Slide::Kind::question;
}

void settle_answer(App& app) {
    Presenter& p = app.tools->presenter;
    if (!asks(p) || p.right || p.looked_at == app.revision) return;
    const Slide& slide = p.slides[p.at];
    p.right = right_choice(slide.question, counted_answer(app, slide));
    p.looked_at = app.revision;
}

}  // namespace

void start_presenting(App& app) {
    if (app.own) {
        app.said.toast = {"There is no lesson about a kernel of your own to present."};
        return;
    }
    if (app.editing.on) close_editor(app);
    app.tools->welcome.open = false;
    Presenter& p = app.tools->presenter;
    if (!p.on) {
        p.scale_before = look().scale;
        for (size_t i = 0; i < app.beside.size(); ++i) p.beside_before[i] = app.beside[i].with;
        p.seen_before.clear();
        for (const auto& [stage, progress] : app.saved.progress) p.seen_before.insert(stage);
    }
    for (size_t i = 0; i < app.beside.size(); ++i) app.beside[i].with = p.beside_before[i];
    p.on = true;
    p.blank = false;
    p.clock_began = -1;
    if (p.screens > 1 && !p.audience) toggle_audience(app);
    take_up_stage(app, false);
}

// Choosing a stage notes that it was seen. Here the class has seen it, and not the learner whose
// progress is kept.
static void forget_seen(App& app) {
    std::erase_if(app.saved.progress, [&](const auto& each) {
        return each.second == WindowState::Progress() &&
               !app.tools->presenter.seen_before.contains(each.first);
    });
}

void stop_presenting(App& app) {
    Presenter& p = app.tools->presenter;
    if (!p.on) return;
    forget_seen(app);
    p.on = false;
    p.audience.reset();
    set_scale(p.scale_before);
    app.keyboard.focus_wanted = true;
}

void toggle_presenting(App& app) {
    app.tools->presenter.on ? stop_presenting(app) : start_presenting(app);
}

void next_scene(App& app) {
    Presenter& p = app.tools->presenter;
    if (p.blank) {
        p.blank = false;
    } else if (asks(p) && !p.revealed) {
        show_answer(app, true);
    } else if (p.more_below) {
        p.scroll_wanted = true;
    } else if (p.at + 1 < p.slides.size()) {
        ++p.at;
        enter(app);
    } else {
        leave_stage(app);
        step_stage(app, 1);
        if (p.of != app.course_id()) take_up_stage(app, false);
    }
}

void scene_before(App& app) {
    Presenter& p = app.tools->presenter;
    p.blank = false;
    if (p.at > 0) {
        --p.at;
        return enter(app);
    }
    leave_stage(app);
    step_stage(app, -1);
    if (p.of != app.course_id()) take_up_stage(app, true);
}

void raise_hand(App& app, size_t choice) {
    Presenter& p = app.tools->presenter;
    if (p.at >= p.slides.size()) return;
    size_t choices = std::max<size_t>(p.slides[p.at].question.choices.size(), 1);
    if (choice >= choices) return;
    std::vector<int>& hands = p.hands[p.of][p.at];
    hands.resize(choices);
    ++hands[choice];
    p.raised.push_back(choice);
}

void raise_another(App& app) {
    Presenter& p = app.tools->presenter;
    if (!p.raised.empty() || !asks(p)) raise_hand(app, p.raised.empty() ? 0 : p.raised.back());
}

void take_back_hand(App& app) {
    Presenter& p = app.tools->presenter;
    if (p.raised.empty()) return;
    --p.hands[p.of][p.at][p.raised.back()];
    p.raised.pop_back();
}

void lower_hands(App& app) {
    Presenter& p = app.tools->presenter;
    p.hands[p.of].erase(p.at);
    p.raised.clear();
}

const std::vector<int>* raised_hands(const Presenter& p) {
    auto stage = p.hands.find(p.of);
    if (stage == p.hands.end()) return nullptr;
    auto scene = stage->second.find(p.at);
    return scene == stage->second.end() ? nullptr : &scene->second;
}

void show_answer(App& app, bool shown) {
    Presenter& p = app.tools->presenter;
    if (!asks(p)) return;
    p.revealed = shown;
    const Slide& slide = p.slides[p.at];
    follow_shown(app, shown ? slide.reveal : slide.reveal.empty() ? "" : slide.show);
}

std::string_view shown_link(const Presenter& p) {
    if (!p.on || p.at >= p.slides.size()) return "";
    const Slide& slide = p.slides[p.at];
    return p.revealed && !slide.reveal.empty() ? slide.reveal : slide.show;
}

bool presents_proof(const App& app) {
    bool counted = app.arrived.analysis && app.arrived.analysis->has_reference &&
                   !app.stale.picture && !app.stale.analysis && !app.activity.analysis;
    return counted && shown_link(app.tools->presenter).starts_with("proof:");
}

void restart_clock(App& app) { app.tools->presenter.clock_began = -1; }

ClockTime clock_time(double elapsed) {
    constexpr int kStep = 15, kMinute = 60, kWhole = 10 * kMinute;
    ClockTime time;
    time.whole_minutes = elapsed >= kWhole;
    const int step = time.whole_minutes ? kMinute : kStep;
    const int shown = static_cast<int>(elapsed) / step * step;
    time.minutes = shown / kMinute;
    time.seconds = shown % kMinute;
    time.next = shown + step - elapsed;
    return time;
}

double clock_due(const Presenter& p, double now) {
    bool shown = p.on && (!p.blank || p.audience) && p.clock_began >= 0;
    return shown ? clock_time(std::max(0.0, now - p.clock_began)).next : -1;
}

void settle_scene(App& app) {
    Presenter& p = app.tools->presenter;
    settle_answer(app);
    bool there = app.arrived.picture && !app.stale.picture && !app.activity.picture;
    if (there && p.moment_wanted) {
        follow_picture(app);
        step_moment(app, -static_cast<int>(kMostTracedAccesses));  // to the first
        p.moment_wanted = false;
        ++app.revision;
    }
    if (!there || (p.look_at.empty() && p.lane < 0)) return;
    if (!p.look_at.empty()) {
        choose_named(app, p.look_at);
    }
    if (p.lane >= 0) select(app, [&](Selection& now) { now.lane = p.lane; });
    p.look_at.clear();
    p.lane = -1;
    ++app.revision;
}

std::vector<int> scene_moments(const App& app) {
    const Presenter& p = app.tools->presenter;
    const FlowTool& flow = app.tools->flow;
    bool there = app.arrived.picture && !app.stale.picture && flow.picture == app.arrived.picture;
    if (!p.on || p.at >= p.slides.size() || !there) return {};
    const std::vector<std::string>& kinds = p.slides[p.at].state.moments;
    return kinds.empty() ? std::vector<int>() : moments_of(flow.parts.life.steps, kinds);
}

void step_moment(App& app, int by) {
    const std::vector<int> moments = scene_moments(app);
    if (moments.empty()) return;
    int last = static_cast<int>(moments.size()) - 1;
    int at = std::clamp(moment_at(moments, app.tools->flow.step) + by, 0, last);
    choose_flow_step(app, moments[static_cast<size_t>(at)]);
}

static void change_windows(App& app) {
    if (std::string why = cannot_have_audience(app); !why.empty())
        app.said.toast = {why};
    else
        toggle_audience(app);
}

void handle_presenter_keys(App& app) {
    Presenter& p = app.tools->presenter;
    settle_scene(app);
    if (p.of != app.course_id()) take_up_stage(app, false);  // a palette's command, say
    if (pressed(Key::escape)) return stop_presenting(app);
    if (pressed(Key::space) || pressed(Key::page_down) || pressed(Key::enter)) next_scene(app);
    if (pressed(Key::page_up) || pressed(Key::backspace)) scene_before(app);
    if (pressed(Key::right)) step_moment(app, 1);
    if (pressed(Key::left)) step_moment(app, -1);
    if (typed('b') || typed('B') || typed('.')) p.blank = !p.blank;
    if (typed('a') || typed('A')) show_answer(app, !p.revealed);
    if (typed('w') || typed('W')) change_windows(app);
    if (typed('c') || typed('C')) restart_clock(app);
    if (typed('t') || typed('T')) change_theme(app);
    if (typed('0')) lower_hands(app);
    if (typed('+')) raise_another(app);
    if (typed('-')) take_back_hand(app);
    for (unsigned digit = 1; digit <= 9; ++digit)
        if (typed('0' + digit)) raise_hand(app, digit - 1);
    act_on_keys(app, true);  // those of the function keys
}

}  // namespace lanewise::ui
