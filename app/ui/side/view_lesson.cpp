// The lesson of the chosen stage: aim, prediction, text, what is still wrong, the gate, and the
// tasks in code behind it.
#include <algorithm>

#include "ui/class/assignment_work.h"
#include "ui/desk/coach.h"
#include "ui/desk/tools.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"
#include "ui/launch/follow.h"
#include "ui/path/calibration.h"
#include "ui/path/predict_first.h"
#include "ui/plain/frame_text.h"
#include "ui/state/edits.h"
#include "ui/state/views.h"

namespace lanewise::ui {

// First why the guess is wrong, then the right choice, then the others.
static void draw_explanations(const Prediction& asked, const std::string& guess) {
    const std::string& why_guess = explanation_of(asked, guess);
    if (&why_guess != &asked.explain) {
        line(frame_text("WHY NOT {}", guess), kCaption);
        gap(2);
        paragraph(why_guess);
        gap(6);
    }
    paragraph(asked.explain, {13, Ink::text_dim, Font::text});
    for (const Prediction::Wrong& other : asked.wrong) {
        if (other.choice == guess) continue;
        gap(6);
        line(frame_text("WHY NOT {}", other.choice), kCaption);
        gap(2);
        paragraph(other.because, {13, Ink::text_dim, Font::text});
    }
}

void draw_prediction(App& app) {
    const Prediction& predict_first = asked_prediction(app);
    if (predict_first.question.empty()) return;
    const WindowState::Progress& progress = app.saved.progress[app.course_id()];
    std::optional<bool> right = prediction_right(app);
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = available();
    begin_card("predict", progress.guess.empty() ? Ink::accent : Ink::border);
    line("PREDICT", kCaption);
    gap(4);
    draw_words(app, predict_first.question);
    audit().widget("question", {at.x, at.y, at.x + width, ImGui::GetCursorScreenPos().y});
    gap(8);
    if (progress.guess.empty()) draw_confidence(app);
    for (size_t i = 0; i < predict_first.choices.size(); ++i) {
        const std::string& choice = predict_first.choices[i];
        if (i) flow(choice);
        if (button(joined("predict:", choice), choice,
                   {.kind = progress.guess.empty() ? ButtonKind::primary : ButtonKind::choice,
                    .selected = choice == progress.guess,
                    .enabled = progress.guess.empty() || choice == progress.guess}))
            predict(app, static_cast<int>(i));
    }
    if (!progress.guess.empty()) {
        gap(8);
        if (!right)
            line("The machine is still counting …", kDim);
        else if (*right)
            badge("right", Ink::good, "Your guess equals what the machine counted.");
        else if (!asks_for_number(predict_first))
            badge("not so", Ink::warn,
                  "Your guess costs nothing: it shows what is worth looking at.");
        else
            badge(frame_text("the machine counts {:.6g}",
                             app.arrived.prediction_answer[app.course_id()]),
                  Ink::warn, "Your guess costs nothing: it shows what is worth looking at.");
        if (right) {
            gap(6);
            draw_explanations(predict_first, progress.guess);
            draw_calibration(app);
        }
    }
    end_card();
    gap(12);
}

// What the counts say of the setting on screen, before judgement is asked for.
void draw_gate_here(const App& app, const Gate& gate) {
    if (!app.derived.gate_here) {
        line("Counting …", kDim);
    } else if (*app.derived.gate_here) {
        line("At this setting it is so.", kDim);
    } else {
        line("Not yet at this setting.", kDim);
    }
    if (app.derived.gate_value.empty() || gate.expect.empty()) return;
    gap(4);
    paragraph(app.derived.gate_value, {12, Ink::text_dim, Font::mono});
}

// True where the case that failed is to be shown.
bool draw_judgement(const App& app, const Gate& gate, const Judgement& judgement) {
    if (judgement.passed())
        badge("passed", Ink::good, "Judged at shapes and types of the program's own.");
    else
        badge("not yet", Ink::warn, "Judged at shapes and types of the program's own.");
    gap(4);
    paragraph(judgement.sentence);
    // In Learn the coach says it (learn/path_lines.h).
    if (judgement.passed() && !gate.catches.empty() && !is_learning(app)) {
        gap(4);
        line("WHAT THIS TASK CATCHES", kCaption);
        gap(2);
        paragraph(gate.catches, {13, Ink::text_dim, Font::text});
    }
    if (!judgement.has_case) return false;
    gap(6);
    return button("gate:show", "Show me", {.tooltip = "Opens the case that failed, with its map."});
}

// Those that were taken, and the way to the next. `taken` grows with each click.
static void draw_hints(const std::vector<std::string>& hints, int& taken) {
    const int all = static_cast<int>(hints.size());
    for (int i = 0; i < std::min(taken, all); ++i) {
        gap(6);
        line(frame_text("HINT {} OF {}", i + 1, all), kCaption);
        gap(2);
        paragraph(hints[static_cast<size_t>(i)]);
    }
    if (taken >= all) return;
    gap(6);
    if (button("gate:hint", taken == 0 ? "Give me a hint" : "Another hint",
               {.tooltip = all >= 3 ? "The last of them leads to the fix." : ""}))
        ++taken;
}

static void draw_writing_ways(App& app, const WriteTask& task) {
    Writing& now = app.learner.writing.at(app.course_id());
    draw_hints(task.gate.hints, now.hints);
    gap(8);
    const std::string_view closed = assignment_closes_fix(app);
    const bool last = now.hints >= static_cast<int>(task.gate.hints.size());
    if (button("write:fix", "Show the fix",
               {.enabled = last && closed.empty(),
                .tooltip = !closed.empty() ? closed
                           : last          ? std::string_view()
                                           : "It comes behind the last hint."})) {
        return show_the_fix(app);
    }
    if (assigned_task(app)) return;  // it is put away by its page
    flow("Leave it");
    if (button("write:leave", "Leave it",
               {.tooltip = "Your own version of the source comes back."}))
        stop_writing(app);
}

// After the gate: the tasks in code that the lesson has.
static void draw_write_offer(App& app) {
    if (!may_write(app) || writing_now(app)) return;
    line("NOW YOU WRITE IT", kCaption);
    gap(4);
    for (const WriteTask& task : app.lesson().write) {
        if (&task != app.lesson().write.data()) gap(6);
        std::string_view title =
            frame_text("The {}{}", task.size, has_written(app, task.size) ? ": written" : "");
        if (button(joined("write:", task.size), title, {.tooltip = task.gate.task}))
            return start_writing(app, task.size);
        gap(2);
        paragraph(task.gate.task, {13, Ink::text_dim, Font::text});
    }
    gap(12);
}

void draw_gate(App& app) {
    const WriteTask* writing = writing_now(app);
    const Gate& gate = writing ? writing->gate : app.lesson().gate;
    if (gate.task.empty()) return;
    bool passed = app.derived.gate_passed.value_or(false);
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = available();
    begin_card("gate", passed ? Ink::good : Ink::border);
    line(writing ? frame_text("WRITE IT: THE {}", writing->size) : "YOUR TASK", kCaption);
    gap(4);
    draw_words(app, gate.task);
    gap(8);
    if (!writing) {
        draw_gate_here(app, gate);
        gap(8);
    }
    const std::string_view why_not = cannot_judge(app);
    if (button("gate:judge", app.learner.gate.waiting ? "Judging …" : "Judge it",
               {.enabled = why_not.empty(),
                .tooltip = why_not.empty()
                               ? std::string_view("Runs your source at shapes that you do not see.")
                               : why_not})) {
        settle_edit(app);
        press_judge(app);
    }
    if (app.learner.gate.waiting) {
        flow("Stop");
        if (button("gate:stop", "Stop")) app.wanted.cancel = true;
    }
    bool show = false;
    if (const Judgement* judgement = judgement_of(app)) {
        gap(8);
        show = draw_judgement(app, gate, *judgement);
    } else if (!app.learner.gate.failure.empty() && app.learner.gate.stage == app.course_id()) {
        gap(8);
        paragraph(app.learner.gate.failure, {12, Ink::bad, Font::mono});
    }
    if (writing)
        draw_writing_ways(app, *writing);
    else if (!passed && !gate.hints.empty())
        draw_hints(gate.hints, app.saved.progress[app.course_id()].hints);
    end_card();
    audit().widget("gate", {at.x, at.y, at.x + width, ImGui::GetCursorScreenPos().y});
    gap(12);
    if (show) return show_failing_case(app);
    draw_write_offer(app);
}

// Of an exercise: what tells the fix is closed until the task is solved, or its last hint taken.
static bool fix_is_closed(const App& app) {
    if (!assignment_closes_fix(app).empty()) return true;
    return !app.lesson().gate.hints.empty() && !app.learner.fix_opened.contains(app.course_id());
}

static void draw_closed_fix(App& app) {
    const WindowState::Progress& progress = app.saved.progress[app.course_id()];
    const std::string_view closed = assignment_closes_fix(app);
    const bool may =
        closed.empty() &&
        (progress.passed || progress.hints >= static_cast<int>(app.lesson().gate.hints.size()));
    gap(6);
    if (button("lesson:fix", "Explain and Fix",
               {.enabled = may,
                .tooltip = !closed.empty() ? closed
                           : may           ? std::string_view()
                                           : "They open when your task is solved, or with its last "
                                             "hint."}))
        app.learner.fix_opened.insert(app.course_id());
    gap(6);
}

std::string draw_lesson_text(App& app) {
    const Lesson& lesson = app.lesson();
    std::string link;
    const bool closed = fix_is_closed(app);
    for (size_t i = 0; i < lesson.blocks.size(); ++i) {
        if (closed && lesson.tells_fix[i]) {
            if (i == 0 || !lesson.tells_fix[i - 1]) draw_closed_fix(app);
            continue;
        }
        std::string clicked =
            draw_block(lesson.blocks[i], app.derived.answers, static_cast<int>(i));
        if (!clicked.empty()) link = clicked;
    }
    return link;
}

void draw_still_wrong(App& app) {
    if (app.lesson().still_wrong.empty()) return;
    gap(4);
    const bool conjecture = app.lesson().still_wrong_is == "conjecture";
    const bool modelled = !app.lesson().still_wrong_term.empty();
    line(conjecture ? "CONJECTURE"
         : modelled ? "STILL WRONG, IN THE MODEL OF AN H200"
                    : "STILL WRONG",
         kCaption);
    gap(2);
    draw_words(app, app.lesson().still_wrong, conjecture ? kDim : kBody);
    if (conjecture) paragraph("Neither counts nor the model can show this.", kDim);
    gap(12);
}

void draw_lesson(App& app) {
    const Lesson& lesson = app.lesson();
    if (!lesson.error.empty()) {
        paragraph(lesson.error, {12, Ink::bad, Font::mono});
        return;
    }
    paragraph(lesson.title, kTitle);
    gap(4);
    draw_words(app, lesson.aim, {13, Ink::text_dim, Font::text});
    gap(12);
    draw_prediction(app);
    if (answer_is_hidden(app))
        return paragraph("The lesson goes on as soon as you have answered.", kDim);
    std::string link = draw_lesson_text(app);
    draw_still_wrong(app);
    draw_gate(app);
    if (!link.empty()) follow_link(app, link);
}

}  // namespace lanewise::ui
