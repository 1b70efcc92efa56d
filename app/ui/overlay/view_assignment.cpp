// The page of an assignment: what there is to do until when, what passes, and what is handed in.
#include <fmt/format.h>

#include <algorithm>

#include "ui/class/assignment_work.h"
#include "ui/desk/overlays.h"
#include "ui/desk/tools.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"
#include "ui/plain/kept_file.h"

namespace lanewise::ui {
namespace {

std::string points_in_words(const AssignmentTask& task) {
    std::string words = fmt::format("{:g} point{}", task.points, task.points == 1 ? "" : "s");
    if (task.counts > 0) words += fmt::format(", {:g} of them for the counts", task.counts);
    if (task.time.points > 0)
        words += fmt::format("; {:g} more for a time of at most {} % of your teacher's",
                             task.time.points, task.time.at_most);
    return words;
}

std::string hints_in_words(const AssignmentTask& task) {
    if (!task.hints) return "";
    if (*task.hints == 0) return " · no hints";
    return fmt::format(" · at most {} hint{}", *task.hints, *task.hints == 1 ? "" : "s");
}

void draw_state(TaskState state) {
    switch (state) {
        case TaskState::passed:
            return badge("passes here", Ink::good,
                         "What you have now passes every case that came along.");
        case TaskState::changed:
            return badge("changed since it passed", Ink::warn, "Judge it again.");
        case TaskState::open:
            return badge("not yet", Ink::warn, "Judge it at the end of its lesson, under Prove.");
    }
}

const AssignmentTask* draw_tasks(const App& app, const Assignment& assignment) {
    const AssignmentTask* chosen = nullptr;
    for (size_t i = 0; i < assignment.tasks.size(); ++i) {
        const AssignmentTask& task = assignment.tasks[i];
        gap(i ? 10 : 2);
        std::string title = fmt::format("{}  {}", i + 1, task.stage.title);
        if (!task.write.empty()) title += fmt::format(": write the {}", task.write);
        if (button(fmt::format("task:{}", i + 1), title,
                   {.kind = ButtonKind::row,
                    .selected = assigned_task(app) == &task,
                    .width = available() / look().pixels_per_point(),
                    .tooltip = "Work on it"}))
            chosen = &task;
        ImGui::Indent(px(8));
        gap(2);
        draw_state(state_of(app, task));
        gap(2);
        paragraph(task.gate.task, kBody);
        gap(2);
        paragraph(points_in_words(task) + hints_in_words(task), kDim);
        ImGui::Unindent(px(8));
    }
    return chosen;
}

void draw_head(const App& app, const Assignment& assignment) {
    paragraph(assignment.title, kTitle);
    gap(4);
    if (!assignment.due.empty()) paragraph(due_in_words(assignment.due, date_now()), kDim);
    const auto passed = std::count_if(
        assignment.tasks.begin(), assignment.tasks.end(),
        [&](const AssignmentTask& task) { return state_of(app, task) == TaskState::passed; });
    paragraph(frame_text("{} of {} tasks pass here. Your teacher may have further cases.", passed,
                         assignment.tasks.size()),
              kDim);
}

}  // namespace

void draw_assignment_page(App& app) {
    AssignmentWork& work = *app.tools->assignment;
    if (!work.now) return close_assignment_page(app);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(px(600), screen.x - px(24));
    constexpr float kAround = 210, kOfTask = 112;  // points
    const float height =
        std::min(px(kAround + kOfTask * static_cast<float>(work.now->tasks.size())),
                 std::min(px(640), screen.y - px(24)));
    begin_overlay("Assignment", width, height, work.focus_wanted);
    work.focus_wanted = false;
    draw_head(app, *work.now);
    gap(6);
    constexpr float kOneRow = 520;  // points that the buttons want beside one another
    const float foot = px(width < px(kOneRow) ? 78 : 40);
    ImGui::BeginChild("tasks", ImVec2(0, ImGui::GetContentRegionAvail().y - foot), false,
                      ImGuiWindowFlags_NavFlattened);
    const AssignmentTask* chosen = draw_tasks(app, *work.now);
    ImGui::EndChild();
    gap(8);
    if (const AssignmentTask* next = first_open_task(app)) {
        const auto number = static_cast<size_t>(next - work.now->tasks.data()) + 1;
        if (button("assignment:go", frame_text("Go on with task {}", number),
                   {.kind = ButtonKind::primary}))
            chosen = next;
        flow("Save to hand in …");
    }
    const bool save =
        button("assignment:save", "Save to hand in …",
               {.kind = first_open_task(app) ? ButtonKind::quiet : ButtonKind::primary,
                .tooltip = "All your versions, as one workspace: that is what you "
                           "hand in."});
    flow("Put it away");
    const bool away = button(
        "assignment:away", "Put it away",
        {.tooltip =
             "The lessons ask what they asked before. Your versions stay, and what passed."});
    flow("Close");
    const bool close = button("assignment:close", "Close", {.tooltip = "Escape"});
    ImGui::End();
    if (chosen) work_on(app, *chosen);
    if (chosen || save || away || close) close_assignment_page(app);
    if (away) put_away_assignment(app);
    if (save) ask_for_file(app, FilePrompt::For::save);
}

void draw_assignment_line(App& app) {
    const AssignmentTask* task = assigned_task(app);
    if (!task) return;
    const Assignment& assignment = *app.tools->assignment->now;
    const auto number = static_cast<size_t>(task - assignment.tasks.data()) + 1;
    if (button("assignment:line",
               frame_text("{}: task {} of {}", assignment.title, number, assignment.tasks.size()),
               {.tooltip = "Your assignment: its tasks, and what passes"}))
        open_assignment_page(app);
    gap(6);
}

}  // namespace lanewise::ui
