// The page at the end of a course.
#include "ui/desk/ending.h"

#include <algorithm>

#include "ui/desk/overlays.h"
#include "ui/desk/tools.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/path/course_list.h"
#include "ui/plain/frame_text.h"

namespace lanewise::ui {
namespace {

std::string_view course_called(const App& app, const std::string& course) {
    for (const Stage& stage : app.content.catalogue.stages())
        if (stage.operation == course) return course_title(stage);
    return course;
}

void draw_learned(App& app, const Ending& ending) {
    section("WHAT YOU HAVE LEARNED");
    for (const std::string& sentence : ending.learned) {
        draw_words(app, sentence);
        gap(4);
    }
}

// The rungs, then the gains in words; a click leads to the rung's lesson.
void draw_gains(EndingPage& page, std::string& opened) {
    if (page.gains.rungs.empty()) return;
    section("WHERE THE SPEED CAME FROM");
    const float width = available() / look().pixels_per_point();
    if (page.figure_width != width) {
        page.figure = ladder_figure(gains_figure_input(page.gains, width), window_measure());
        page.figure_width = width;
    }
    constexpr std::string_view kStage = "stage:";
    const std::string action = draw_figure("gains", page.figure);
    if (action.starts_with(kStage)) opened = action.substr(kStage.size());
    gap(8);
    for (const std::string& sentence : page.sentences) {
        paragraph(sentence, kBody);
        gap(4);
    }
    if (!page.ending->beware.empty()) paragraph(page.ending->beware, kDim);
}

void draw_not_worth(App& app, const EndingPage& page, std::string& opened) {
    const std::vector<NotWorth>& rows = page.ending->not_worth;
    if (rows.empty()) return;
    section("NOT WORTH IT");
    for (size_t i = 0; i < rows.size(); ++i) {
        if (const Stage* asks = still_asks(app, rows[i])) {
            paragraph("One more stays hidden until you have guessed in its lesson.", kDim);
            gap(2);
            if (button(frame_text("ending:{}", i), joined("Guess: ", asks->title)))
                opened = asks->id;
        } else {
            draw_words(app, rows[i].says);
            if (!page.evidence[i].empty()) paragraph(page.evidence[i], kDim);
        }
        gap(8);
    }
}

}  // namespace

void draw_ending(App& app) {
    EndingPage& page = app.tools->ending;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(px(680), screen.x - px(24));
    const float height = std::min(px(700), screen.y - px(24));
    begin_overlay("Ending", width, height, page.focus_wanted);
    page.focus_wanted = false;
    line(joined(course_called(app, page.ending->course), ": course summary"), kTitle);
    gap(4);
    ImGui::BeginChild("ending", ImVec2(0, ImGui::GetContentRegionAvail().y - px(40)), false,
                      ImGuiWindowFlags_NavFlattened);
    std::string opened;
    draw_learned(app, *page.ending);
    draw_gains(page, opened);
    draw_not_worth(app, page, opened);
    ImGui::EndChild();
    gap(8);
    const std::optional<size_t> next = next_lesson(app);
    bool on = false;
    if (next) {
        on = button("ending:next", joined("Next: ", app.content.catalogue.stages()[*next].title),
                    {.kind = ButtonKind::primary});
        same_line(10);
    }
    const bool close = button("ending:close", "Close", {.tooltip = "Escape"});
    ImGui::End();
    if (on || close || !opened.empty()) close_ending(app);
    if (on) choose_stage(app, *next);
    if (!opened.empty()) choose_stage(app, opened);
}

}  // namespace lanewise::ui
