#include "ui/presenter.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "course/lesson_lint.h"
#include "ui/commands.h"
#include "ui/edits.h"
#include "ui/imgui_compat.h"
#include "ui/keys.h"
#include "ui/look.h"
#include "ui/tools.h"

namespace lanewise::ui {
namespace {

std::string text_of(const LessonBlock& block) {
    std::string text;
    for (const LessonRun& run : block.runs) text += run.text;
    return text;
}

// The first link of the part that says what to look at.
std::string first_view(const std::vector<LessonBlock>& blocks) {
    for (const LessonBlock& block : blocks)
        for (const LessonRun& run : block.runs)
            if (run.link.starts_with("view:") || run.link.starts_with("code:")) return run.link;
    return "";
}

void add_parts(const Lesson& lesson, std::vector<Slide>& slides) {
    for (const LessonBlock& block : lesson.blocks) {
        bool heading = block.kind == LessonBlock::Kind::heading;
        if (heading || slides.back().kind != Slide::Kind::part) {
            slides.push_back({Slide::Kind::part, heading ? text_of(block) : "", "", {}, "", {}});
            if (heading) continue;
        }
        slides.back().blocks.push_back(block);
    }
    for (Slide& slide : slides)
        if (slide.kind == Slide::Kind::part) slide.show = first_view(slide.blocks);
    if (!lesson.still_wrong.empty())
        slides.push_back({Slide::Kind::part, "Still wrong", lesson.still_wrong, {}, "", {}});
}

void add_scenes(const std::vector<Scene>& scenes, std::vector<Slide>& slides) {
    for (const Scene& scene : scenes)
        slides.push_back({scene.asks() ? Slide::Kind::question : Slide::Kind::part,
                          scene.title,
                          scene.say,
                          {},
                          scene.asks() ? "" : scene.show,
                          scene.set});
}

// What the scene shows is made so.
void enter(App& app) {
    Presenter& p = app.tools->presenter;
    p.revealed = p.more_below = p.scroll_wanted = false;
    if (p.at >= p.slides.size()) return;
    const Slide slide = p.slides[p.at];
    for (const std::string& setting : slide.set) follow_link(app, "set:" + setting);
    if (!slide.show.empty()) follow_link(app, slide.show);
    focus_region(app, Region::picture);
}

void take_up_stage(App& app, bool at_end) {
    Presenter& p = app.tools->presenter;
    p.of = app.course_id();
    const Stage& stage = app.catalogue.stages()[app.choice.stage];
    p.slides = slides_of(app.lesson(), read_scenes(lesson_path(app.catalogue, stage)));
    p.at = at_end && !p.slides.empty() ? p.slides.size() - 1 : 0;
    enter(app);
}

bool asks(const Presenter& p) {
    return p.at < p.slides.size() && p.slides[p.at].kind == Slide::Kind::question;
}

}  // namespace

// As prediction_right() (app_lesson.cpp) compares a guess.
bool is_answer(const App& app, const std::string& choice) {
    auto answer = app.prediction_answer.find(app.course_id());
    std::string digits = choice;  // "16,777,216" or "12.5 %"
    std::erase(digits, ',');
    double number = 0;
    bool read =
        std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc();
    return answer != app.prediction_answer.end() && read &&
           std::abs(number - answer->second) <= 0.005 * std::abs(answer->second);
}

std::vector<Slide> slides_of(const Lesson& lesson, const std::vector<Scene>& scenes) {
    std::vector<Slide> slides;
    slides.push_back({Slide::Kind::title, lesson.title, lesson.aim, {}, "", {}});
    if (!lesson.error.empty()) return slides;
    if (scenes.empty()) {
        if (!lesson.predict.question.empty())
            slides.push_back({Slide::Kind::question, "", "", {}, "", {}});
        add_parts(lesson, slides);
    } else {
        add_scenes(scenes, slides);
    }
    if (!lesson.gate.task.empty())
        slides.push_back({Slide::Kind::task, "Your task", lesson.gate.task, {}, "", {}});
    return slides;
}

void start_presenting(App& app) {
    if (app.own) {
        app.toast = {"There is no lesson about a kernel of your own to present."};
        return;
    }
    if (app.editing.on) close_editor(app);
    app.tools->welcome.open = false;
    Presenter& p = app.tools->presenter;
    p.on = true;
    p.blank = false;
    p.scale_before = look().scale;
    p.clock_began = -1;
    take_up_stage(app, false);
}

void stop_presenting(App& app) {
    Presenter& p = app.tools->presenter;
    if (!p.on) return;
    p.on = false;
    set_scale(p.scale_before);
    app.focus_wanted = true;
}

void toggle_presenting(App& app) {
    app.tools->presenter.on ? stop_presenting(app) : start_presenting(app);
}

void next_scene(App& app) {
    Presenter& p = app.tools->presenter;
    if (p.blank) {
        p.blank = false;
    } else if (asks(p) && !p.revealed) {
        p.revealed = true;
    } else if (p.more_below) {
        p.scroll_wanted = true;
    } else if (p.at + 1 < p.slides.size()) {
        ++p.at;
        enter(app);
    } else {
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
    step_stage(app, -1);
    if (p.of != app.course_id()) take_up_stage(app, true);
}

void raise_hand(App& app, size_t choice, int by) {
    Presenter& p = app.tools->presenter;
    size_t choices = app.lesson().predict.choices.size();
    if (!asks(p) || choice >= choices) return;
    std::vector<int>& hands = p.hands[p.of];
    hands.resize(choices);
    hands[choice] = std::max(hands[choice] + by, 0);
}

void lower_hands(App& app) { app.tools->presenter.hands.erase(app.tools->presenter.of); }

void restart_clock(App& app) { app.tools->presenter.clock_began = -1; }

void handle_presenter_keys(App& app) {
    Presenter& p = app.tools->presenter;
    if (p.of != app.course_id()) take_up_stage(app, false);  // a palette's command, say
    if (pressed(Key::escape)) return stop_presenting(app);
    if (pressed(Key::space) || pressed(Key::page_down) || pressed(Key::enter)) next_scene(app);
    if (pressed(Key::page_up) || pressed(Key::backspace)) scene_before(app);
    if (typed('b') || typed('B') || typed('.')) p.blank = !p.blank;
    if (typed('a') || typed('A')) p.revealed = !p.revealed;
    if (typed('c') || typed('C')) restart_clock(app);
    if (typed('t') || typed('T')) change_theme(app);
    if (typed('0')) lower_hands(app);
    for (unsigned digit = 1; digit <= 9; ++digit)
        if (typed('0' + digit)) raise_hand(app, digit - 1);
    act_on_keys(app, true);  // those of the function keys
}

}  // namespace lanewise::ui
