// How far the learner has come: what is due for review, and every stage with what was shown of it.
#include <fmt/format.h>

#include <algorithm>

#include "ui/desk/overlays.h"
#include "ui/desk/tools.h"
#include "ui/kit/widgets.h"
#include "ui/path/course_list.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

std::string days_ago(int64_t days) {
    return days <= 0 ? "" : days == 1 ? ", yesterday" : fmt::format(", {} days ago", days);
}

void draw_due(App& app, std::string& opened) {
    section("DUE FOR REVIEW");
    bool any = false;
    for (const Due& due : due_for_review(app.tools->review, today())) {
        const Stage* stage = stage_called(app.content.catalogue.stages(), due.stage);
        if (!stage) continue;  // of a course that is not installed here
        any = true;
        std::string text =
            fmt::format("{}: {}{}", stage->title, due.right ? "right" : "not yet right",
                        days_ago(due.days_ago));
        if (button("review:" + due.stage, text,
                   {.kind = ButtonKind::row,
                    .width = available() / look().pixels_per_point(),
                    .tooltip = "Predict it again"}))
            opened = due.stage;
    }
    if (!any)
        paragraph(
            "Nothing today. What was wrong comes back tomorrow, what was right later and "
            "later.",
            kDim);
}

// "● predicted right · task solved · correct, coalesced"
std::string words_of(const WindowState::Progress& progress, const Reviewed& reviewed) {
    std::string words;
    auto add = [&](const std::string& word) { words += (words.empty() ? "" : " · ") + word; };
    if (!progress.guess.empty())
        add(!progress.known ? "predicted" : progress.right ? "predicted right" : "predicted wrong");
    if (progress.passed) add("task solved");
    for (const std::string& size : progress.written) add(size + " written");
    for (const std::string& badge : reviewed.badges) add(badge);
    return words.empty() ? "seen" : words;
}

// Course summary, once its core is done.
void draw_way_to_ending(const App& app, const std::string& course, std::string& ended) {
    if (!app.tools->ending.endings.of(course)) return;
    const std::string cannot = cannot_end(app, course);
    if (button("ending:" + course, "Course summary",
               {.enabled = cannot.empty(),
                .tooltip = cannot.empty() ? "What you have learned, and what it gained" : cannot}))
        ended = course;
    gap(4);
}

// A chip for every stage of each course, with its mark: what is done, and how much there is.
void draw_map(App& app, std::string& opened, std::string& ended) {
    constexpr float kChip = 58;
    std::string_view course;
    for (const Stage& stage : app.content.catalogue.stages()) {
        bool begins = course != stage.operation;
        if (begins) {
            section(course_name(stage));
            course = stage.operation;
            draw_way_to_ending(app, stage.operation, ended);
        } else {
            same_line();
            if (available() < px(kChip)) {
                ImGui::NewLine();
                gap(5);
            }
        }
        ImVec2 at = ImGui::GetCursorScreenPos();
        if (button("map:" + stage.id, "", {.width = kChip, .tooltip = stage.title}))
            opened = stage.id;
        ImVec2 end = ImGui::GetItemRectMax();
        float middle = (at.y + end.y) / 2;
        draw_stage_mark(app, stage, ImVec2(at.x + px(13), middle));
        TextStyle style{12, Ink::text, Font::mono};
        draw_text(ImVec2(at.x + px(24), middle - extent_of("X", style).y / 2), number_of(stage),
                  style, {at.x, at.y, end.x, end.y});
    }
    gap(2);
    paragraph("Filled: the task is solved. Ring: seen.", kDim);
}

void draw_stages(App& app, std::string& opened) {
    section("WHAT YOU HAVE SHOWN");
    for (const Stage& stage : app.content.catalogue.stages()) {
        auto progress = app.saved.progress.find(stage.id);
        if (progress == app.saved.progress.end()) continue;
        if (button("progress:" + stage.id, stage.title,
                   {.kind = ButtonKind::row, .width = available() / look().pixels_per_point()}))
            opened = stage.id;
        ImGui::Indent(px(8));
        line(words_of(progress->second, app.tools->review.stages[stage.id]), kDim);
        ImGui::Unindent(px(8));
        gap(4);
    }
}

std::string summary(const App& app) {
    size_t seen = 0, solved = 0, all = app.content.catalogue.stages().size();
    for (const Stage& stage : app.content.catalogue.stages()) {
        auto progress = app.saved.progress.find(stage.id);
        if (progress == app.saved.progress.end()) continue;
        ++seen;
        solved += progress->second.passed;
    }
    return fmt::format("{} of {} stages seen, {} tasks solved.", seen, all, solved);
}

}  // namespace

void open_progress(App& app) { app.tools->progress = {true, true}; }

void close_progress(App& app) {
    app.tools->progress.open = false;
    app.keyboard.focus_wanted = true;
}

void draw_progress_page(App& app) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    float width = std::min(px(600), screen.x - px(24));
    float height = std::min(px(640), screen.y - px(24));
    begin_overlay("Progress", width, height, app.tools->progress.focus_wanted);
    app.tools->progress.focus_wanted = false;
    line("How far you have come", kTitle);
    gap(4);
    ImGui::BeginChild("progress", ImVec2(0, ImGui::GetContentRegionAvail().y - px(40)), false,
                      ImGuiWindowFlags_NavFlattened);
    paragraph(summary(app));
    draw_calibration(app);
    std::string review, opened, ended;
    draw_due(app, review);
    draw_map(app, opened, ended);
    draw_stages(app, opened);
    ImGui::EndChild();
    gap(8);
    bool minute = button("progress:minute", "This stage in one minute",
                         {.kind = ButtonKind::primary, .tooltip = "Five steps, each pointed at"});
    same_line(10);
    bool close = button("progress:close", "Close", {.tooltip = "Escape"});
    ImGui::End();
    if (!review.empty()) review_stage(app, review);
    if (!opened.empty()) choose_stage(app, opened);
    if (close || minute || !review.empty() || !opened.empty() || !ended.empty())
        close_progress(app);
    if (!ended.empty()) open_ending(app, ended);
    if (minute) start_minute(app);
}

void review_stage(App& app, const std::string& stage) {
    choose_stage(app, stage);
    ask_again(app, stage);
    app.keyboard.region = Region::course;
    app.said.toast = {"Predict it again, before you look"};
}

void review_next(App& app) {
    for (const Due& due : due_for_review(app.tools->review, today()))
        if (stage_called(app.content.catalogue.stages(), due.stage))
            return review_stage(app, due.stage);
    app.said.toast = {"Nothing is due for review today"};
}

}  // namespace lanewise::ui
