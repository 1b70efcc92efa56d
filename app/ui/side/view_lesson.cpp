// The lesson of the chosen stage: aim, prediction, text, what is still wrong, the gate.
#include "ui/desk/coach.h"
#include "ui/desk/follow.h"
#include "ui/desk/predict_first.h"
#include "ui/desk/tools.h"
#include "ui/kit/frame_text.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"
#include "ui/state/calibration.h"
#include "ui/state/edits.h"
#include "ui/state/views.h"

namespace lanewise::ui {

void draw_prediction(App& app) {
    const Prediction& predict_first = app.lesson().predict;
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
        else
            badge(frame_text("the machine counts {:.6g}", app.prediction_answer[app.course_id()]),
                  Ink::warn, "Your guess costs nothing: it shows what is worth looking at.");
        if (right) {
            gap(6);
            draw_words(app, predict_first.explain, {13, Ink::text_dim, Font::text});
            draw_calibration(app);
        }
    }
    end_card();
    gap(12);
}

// What the counts say of the setting on screen, before judgement is asked for.
void draw_gate_here(const App& app, const Gate& gate) {
    if (!app.gate_here) {
        line("Counting …", kDim);
    } else if (*app.gate_here) {
        line("At this setting it is so.", kDim);
    } else {
        line("Not yet at this setting.", kDim);
    }
    if (app.gate_value.empty() || gate.expect.empty()) return;
    gap(4);
    paragraph(app.gate_value, {12, Ink::text_dim, Font::mono});
}

// True where the case that failed is to be shown.
bool draw_judgement(const Gate& gate, const Judgement& judgement) {
    if (judgement.passed())
        badge("passed", Ink::good, "Judged at shapes and types of the program's own.");
    else
        badge("not yet", Ink::warn, "Judged at shapes and types of the program's own.");
    gap(4);
    paragraph(judgement.sentence);
    if (judgement.passed() && !gate.catches.empty()) {
        gap(4);
        line("WHAT THIS TASK CATCHES", kCaption);
        gap(2);
        paragraph(gate.catches, {13, Ink::text_dim, Font::text});
    }
    if (!judgement.has_case) return false;
    gap(6);
    return button("gate:show", "Show me", {.tooltip = "Opens the case that failed, with its map."});
}

void draw_gate(App& app) {
    const Gate& gate = app.lesson().gate;
    if (gate.task.empty()) return;
    bool passed = app.gate_passed.value_or(false);
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = available();
    begin_card("gate", passed ? Ink::good : Ink::border);
    line("YOUR TASK", kCaption);
    gap(4);
    draw_words(app, gate.task);
    gap(8);
    draw_gate_here(app, gate);
    gap(8);
    const std::string_view why_not = cannot_judge(app);
    if (button("gate:judge", app.gate.waiting ? "Judging …" : "Judge it",
               {.enabled = why_not.empty(),
                .tooltip = why_not.empty()
                               ? std::string_view("Runs your source at shapes that you do not see.")
                               : why_not})) {
        settle_edit(app);
        press_judge(app);
    }
    if (app.gate.waiting) {
        flow("Stop");
        if (button("gate:stop", "Stop")) app.cancel_wanted = true;
    }
    bool show = false;
    if (const Judgement* judgement = judgement_of(app)) {
        gap(8);
        show = draw_judgement(gate, *judgement);
    } else if (!app.gate.failure.empty() && app.gate.stage == app.course_id()) {
        gap(8);
        paragraph(app.gate.failure, {12, Ink::bad, Font::mono});
    }
    end_card();
    audit().widget("gate", {at.x, at.y, at.x + width, ImGui::GetCursorScreenPos().y});
    gap(12);
    if (show) show_failing_case(app);
}

std::string draw_lesson_text(App& app) {
    const Lesson& lesson = app.lesson();
    std::string link;
    for (size_t i = 0; i < lesson.blocks.size(); ++i) {
        std::string clicked = draw_block(lesson.blocks[i], app.answers, static_cast<int>(i));
        if (!clicked.empty()) link = clicked;
    }
    return link;
}

void draw_still_wrong(App& app) {
    if (app.lesson().still_wrong.empty()) return;
    gap(4);
    line("STILL WRONG", kCaption);
    gap(2);
    draw_words(app, app.lesson().still_wrong);
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
