// The coach: one step of the lesson at a time, the task's state and the way on always in sight.
#include "ui/desk/coach.h"

#include <algorithm>

#include "ui/class/assignment_work.h"
#include "ui/desk/commands.h"
#include "ui/desk/path_walk.h"
#include "ui/desk/tools.h"
#include "ui/kit/widgets.h"
#include "ui/launch/follow.h"
#include "ui/learn/learn.h"
#include "ui/learn/path_lines.h"
#include "ui/look/compact.h"
#include "ui/path/course_list.h"
#include "ui/path/predict_first.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

struct StepRow {
    Step step;
    const char *id, *title, *hint;
};
constexpr StepRow kSteps[] = {
    {Step::predict, "step:predict", "Predict", "What do you expect? Answer before you look."},
    {Step::look, "step:look", "Look", "What the machine did, and why."},
    {Step::change, "step:change", "Change", "Turn a knob, and watch the picture."},
    {Step::prove, "step:prove", "Prove", "The task, counted over the whole launch."},
};
constexpr TextStyle kLessonTitle{16, Ink::text, Font::bold};

void draw_steps(App& app) {
    int number = 0;
    for (const StepRow& row : kSteps) {
        if (!has_step(app, row.step)) continue;
        const bool done = is_done(app, row.step);
        std::string_view title = frame_text("{} {}", ++number, row.title);
        if (number > 1) flow(title, 4);
        const bool open = row.step == Step::predict || !answer_is_hidden(app);
        ImVec2 at = ImGui::GetCursorScreenPos();
        if (button(row.id, title,
                   {.selected = step_shown(app) == row.step && !app.tools->coach.setting_open,
                    .enabled = open,
                    .tooltip = open ? row.hint : "Comes with your answer."}))
            go_to(app, row.step);
        if (done)
            ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(at.x + px(5), at.y + px(5)),
                                                        px(3.5f), color(Ink::good));
    }
}

// To the step after this one: the one thing to press.
void draw_way_on(App& app, Step to, const char* text) {
    if (!has_step(app, to)) return;
    gap(8);
    if (button("step:on", text, {.kind = ButtonKind::primary})) go_to(app, to);
    gap(8);
}

// What the guess was worth stays on screen until the learner goes on.
void draw_predict(App& app) {
    const bool asked = answer_is_hidden(app);
    constexpr float kRoomForAim = 560;  // else the choices would lie below the fold
    if (window_points() >= kRoomForAim) {
        draw_words(app, app.lesson().aim, kDim);
        gap(10);
    }
    draw_prediction(app);
    if (!answer_is_hidden(app)) {
        draw_claim_settled(app);
        if (asked) go_to(app, Step::predict);
        return draw_way_on(app, Step::look, "Look at it");
    }
    draw_know_this(app);
    if (button("show answer", "Show it without a guess",
               {.tooltip = "Of this stage, until you close Lanewise."}))
        show_answer(app);
}

void draw_look(App& app) {
    std::string link = draw_lesson_text(app);
    draw_way_on(app, Step::change, "Now change it");
    if (!link.empty()) follow_link(app, link);
}

void draw_change(App& app) {
    draw_words(app, app.lesson().gate.task);
    gap(8);
    if (is_exercise(app.stage()))
        paragraph("The fault is in the source. Mend it there: the picture follows as you type.",
                  kDim);
    else
        paragraph(
            "Turn the knobs below the picture: it moves as you turn them. The small figure under a "
            "value is the share that it reached where it was measured.",
            kDim);
    gap(8);
    if (button("coach:edit", app.editing.on ? "The editor is open" : "Edit the kernel …",
               {.enabled = !app.editing.on, .tooltip = "Key E with Ctrl"}))
        act(app, find_command(app, "edit"));
    draw_way_on(app, Step::prove, "Does it hold?");
}

void draw_prove(App& app) {
    draw_gate(app);
    draw_what_was_shown(app);
    if (app.derived.gate_passed.value_or(false)) draw_still_wrong(app);
    draw_crash(app);
    draw_badges(app);
    draw_findings(app);
    draw_printed(app);
}

void draw_step(App& app) {
    if (app.tools->coach.setting_open) {
        line("SETTING", kCaption);
        gap(6);
        draw_controls(app);
        gap(8);
        if (button("coach:back", "Back to the lesson", {.kind = ButtonKind::primary}))
            app.tools->coach.setting_open = false;
        return;
    }
    switch (step_shown(app)) {
        case Step::predict:
            return draw_predict(app);
        case Step::look:
            return draw_look(app);
        case Step::change:
            return draw_change(app);
        case Step::prove:
            return draw_prove(app);
    }
}

// What there is to do and how far it has come, in one line.
void draw_task(App& app) {
    if (!has_step(app, Step::prove)) return line("No task here: look, and go on.", kDim);
    auto progress = app.saved.progress.find(app.course_id());
    const bool passed = progress != app.saved.progress.end() && progress->second.passed;
    if (answer_is_hidden(app))
        badge("Task: after your answer", Ink::text_dim, app.lesson().gate.task);
    else if (passed)
        badge("Task solved", Ink::good, app.lesson().gate.task);
    else if (is_tested_out(app, app.course_id()))
        badge("Known", Ink::good, joined("The task may be left out: ", app.lesson().gate.task));
    else
        badge("Task: not yet", Ink::warn,
              joined(app.lesson().gate.task, "\n", app.derived.gate_value));
}

float footer_height() { return px(is_compact() ? 40 : 78); }

void draw_footer(App& app) {
    rule();
    gap(is_compact() ? 2 : 6);
    if (!is_compact()) {
        draw_task(app);
        gap(6);
    }
    if (ends_course(app)) {
        if (button("ending", "Course summary",
                   {.kind = ButtonKind::primary,
                    .width = available() / look().pixels_per_point(),
                    .tooltip = "What you have learned, where the speed came from, and what was "
                               "not worth it"}))
            open_ending(app, app.stage().operation);
        return;
    }
    std::optional<size_t> next = next_lesson(app);
    if (!next) return line("This is the last lesson.", kDim);
    const Stage& stage = app.content.catalogue.stages()[*next];
    const bool ready = is_done(app, has_step(app, Step::prove) ? Step::prove : Step::look) ||
                       is_tested_out(app, app.course_id());
    if (button("next", joined("Next: ", stage.title),
               {.kind = ready ? ButtonKind::primary : ButtonKind::quiet,
                .width = available() / look().pixels_per_point(),
                .tooltip = joined(core_left(app),
                                  ready ? "" : "\nYou may go on before the task is solved.  (N)")}))
        choose_stage(app, *next);
}

}  // namespace

void draw_coach(App& app) {
    const Lesson& lesson = app.lesson();
    if (!lesson.error.empty()) return paragraph(lesson.error, {12, Ink::bad, Font::mono});
    draw_assignment_line(app);
    paragraph(lesson.title, is_compact() ? kStrong : kLessonTitle);
    gap(6);
    draw_steps(app);
    gap(8);
    const float room = ImGui::GetContentRegionAvail().y - footer_height();
    ImGui::BeginChild("step", ImVec2(0, std::max(room, px(40))), false,
                      ImGuiWindowFlags_NavFlattened);
    static size_t shown = 0;  // only one window draws
    const size_t now = app.chosen().stage * 8 + static_cast<size_t>(step_shown(app));
    if (shown != now) ImGui::SetScrollY(0);
    shown = now;
    draw_step(app);
    ImGui::EndChild();
    draw_footer(app);
}

}  // namespace lanewise::ui
