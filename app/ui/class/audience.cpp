#include "ui/class/audience.h"

#include <algorithm>
#include <cmath>

#include "ui/desk/commands.h"
#include "ui/desk/forge.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"

namespace lanewise::ui {
namespace {

constexpr double kMinute = 60, kDay = 24 * 60 * kMinute;

double second_of_day(double midnight, double now) {
    const double seconds = std::fmod(now - midnight, kDay);
    return seconds < 0 ? seconds + kDay : seconds;
}

}  // namespace

std::string cannot_have_audience(const App& app) {
    if (!app.tools->presenter.on) return "Present the lesson first (F11).";
    return app.tools->more_windows ? "" : "There is one window only here.";
}

void toggle_audience(App& app) {
    Presenter& p = app.tools->presenter;
    if (p.audience) {
        p.audience.reset();
    } else if (cannot_have_audience(app).empty()) {
        p.audience = std::make_shared<Audience>();
    }
}

void point_audience(Audience& audience, float x, float y, double now) {
    x = std::clamp(x, 0.f, 1.f);
    y = std::clamp(y, 0.f, 1.f);
    // Who only rests there points at nothing.
    if (!audience.over || x != audience.x || y != audience.y) audience.moved = now;
    audience.over = true;
    audience.x = x;
    audience.y = y;
}

bool ring_shown(const Audience& audience, double now) {
    return audience.over && audience.moved >= 0 && now - audience.moved < kPointerSeconds;
}

bool hand_keys_to_class(App& app) {
    Audience* audience = app.tools->presenter.audience.get();
    if (!app.tools->presenter.on || !audience || !audience->takes_text) return false;
    const auto& lie_over = app.tools->overlays_known;  // what lies over this window comes first
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput || std::any_of(lie_over.begin(), lie_over.end(), [](bool on) { return on; }))
        return false;
    audience->keys = take_keys();
    // As handle_keys() has it: elsewhere Escape is the field's own.
    const bool leaves = pressed(Key::escape) && (app.editing.on || forge_shown(app));
    if (leaves) {
        audience->leaves_text = true;
        audience->keys.reset();
    }
    settle_scene(app);
    if (io.KeyCtrl)
        act_on_control_keys(app, true);
    else
        act_on_keys(app, true);
    return true;
}

std::optional<int> minute_of_day(const Audience& audience, double now) {
    if (!audience.midnight) return std::nullopt;
    return static_cast<int>(second_of_day(*audience.midnight, now) / kMinute);
}

double audience_due(const Presenter& presenter, double now) {
    if (!presenter.on || !presenter.audience) return -1;
    const Audience& audience = *presenter.audience;
    double due = -1;
    if (ring_shown(audience, now)) due = kPointerSeconds - (now - audience.moved);
    if (audience.midnight) {
        const double minute = kMinute - std::fmod(second_of_day(*audience.midnight, now), kMinute);
        due = due < 0 ? minute : std::min(due, minute);
    }
    return due;
}

Coming what_comes(const App& app) {
    const Presenter& p = app.tools->presenter;
    if (p.at >= p.slides.size()) return {};
    const bool asks = p.slides[p.at].kind == Slide::Kind::question;
    if (p.blank) return {Coming::What::screen, "", ""};
    if (asks && !p.revealed) return {Coming::What::answer, "", ""};
    if (p.more_below) return {Coming::What::rest, "", ""};
    if (p.at + 1 < p.slides.size()) {
        const Slide& next = p.slides[p.at + 1];
        const bool question = next.kind == Slide::Kind::question;
        return {Coming::What::slide, next.title, question ? next.question.question : next.say};
    }
    const size_t next = app.chosen().stage + 1;  // as step_stage() has it
    if (next >= app.content.catalogue.stages().size()) return {};
    const Lesson& lesson = app.content.lessons[next];
    return {Coming::What::lesson, lesson.title, lesson.aim};
}

}  // namespace lanewise::ui
