// The teacher's window of two screens: the slide small, as the class sees it, with the votes below it;
// beside it the notes, the answer, and what comes next.
#include <algorithm>
#include <cmath>

#include "ui/class/audience.h"
#include "ui/class/class_link.h"
#include "ui/desk/tools.h"
#include "ui/kit/texture.h"
#include "ui/kit/widgets.h"
#include "ui/overlay/presenter_parts.h"
#include "ui/plain/frame_text.h"

namespace lanewise::ui {
namespace {

constexpr float kTeacherAcross = 1280;   // of a window at the teacher's own scale, as far as it may grow
constexpr float kNotesBeside = 640;      // least width, in points
constexpr float kLeft = 0.6f;            // of the width
constexpr float kMirror = 0.58f, kLowMirror = 0.4f;  // of the height, where there is room and where not
constexpr float kBelowMirror = 210;                  // points that buttons and votes want
constexpr float kStackedMirror = 0.45f;  // likewise, where all stands in one column
constexpr TextStyle kNotes{18, Ink::text, Font::text}, kNoNotes{14, Ink::text_dim, Font::text};
constexpr TextStyle kAnswer{16, Ink::good, Font::bold}, kExplained{14, Ink::text, Font::text};
constexpr TextStyle kNext{15, Ink::text, Font::bold};

const Slide& slide_now(const App& app) {
    const Presenter& p = app.tools->presenter;
    return p.slides[p.at];
}
bool asks(const Slide& slide) { return slide.kind == Slide::Kind::question; }

template <class Draw>
void part(const char* name, ImVec2 size, bool scrolls, Draw draw) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(16), px(10)));
    ImGui::BeginChild(name, size, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoNavInputs |
                          (scrolls ? 0 : ImGuiWindowFlags_NoScrollbar |
                                             ImGuiWindowFlags_NoScrollWithMouse));
    ImGui::PopStyleVar();
    draw();
    ImGui::EndChild();
}

// ---- the slide, small

// The pointer over it is the pointer in the class's window.
void point_at_mirror(Audience& audience, Rect box, double now) {
    ImGui::SetCursorScreenPos(ImVec2(box.x0, box.y0));
    ImGui::InvisibleButton("mirror", ImVec2(box.x1 - box.x0, box.y1 - box.y0));
    audit().widget("mirror", box);
    audience.held = ImGui::IsItemActive();
    if (!ImGui::IsItemHovered() && !audience.held) {
        audience.over = false;
        return;
    }
    const ImGuiIO& io = ImGui::GetIO();
    point_audience(audience, (io.MousePos.x - box.x0) / (box.x1 - box.x0),
                   (io.MousePos.y - box.y0) / (box.y1 - box.y0), now);
    audience.wheel += io.MouseWheel;
}

void draw_mirror(App& app, float most_height, double now) {
    constexpr float kWide = 16, kHigh = 9;  // until a frame was drawn there
    Audience& audience = *app.tools->presenter.audience;
    line(app.tools->presenter.blank ? "THE CLASS SEES A BLANK SCREEN" : "THE CLASS SEES", kCaption);
    gap(4);
    const float shape = audience.width > 0 && audience.height > 0 ? audience.width / audience.height
                                                                  : kWide / kHigh;
    const float width = std::floor(std::min(available(), most_height * shape));
    const float height = std::floor(width / shape);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect box{at.x, at.y, at.x + width, at.y + height};
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(box.x0, box.y0), ImVec2(box.x1, box.y1), color(Ink::background));
    if (audience.picture) draw_texture(audience.picture, box);
    list->AddRect(ImVec2(box.x0, box.y0), ImVec2(box.x1, box.y1), color(Ink::border));
    point_at_mirror(audience, box, now);
    gap(8);
}

// ---- what the keys do, for a hand on the mouse

void draw_buttons(App& app) {
    Presenter& p = app.tools->presenter;
    if (button("teacher:before", "Back", {.tooltip = "Key Page Up"})) scene_before(app);
    flow("Go on");
    if (button("teacher:next", "Go on", {.tooltip = "Space, or Page Down of a clicker"}))
        next_scene(app);
    if (asks(slide_now(app))) {
        const char* answer = p.revealed ? "Hide the answer" : "Show the answer";
        flow(answer);
        if (button("teacher:answer", answer, {.tooltip = "Key A"})) show_answer(app, !p.revealed);
    }
    flow("Blank");
    if (button("teacher:blank", "Blank", {.selected = p.blank, .tooltip = "Key B"}))
        p.blank = !p.blank;
    flow("One window");
    if (button("teacher:window", "One window", {.tooltip = "Closes the class's window  (W)"}))
        toggle_audience(app);
    flow("End");
    if (button("teacher:end", "End", {.tooltip = "F11 or Escape"})) stop_presenting(app);
    gap(8);
}

// ---- hands

// The teacher sees at once who is for what, and which is right.
void draw_vote(App& app, const Slide& slide, size_t choice, int all) {
    constexpr TextStyle kLetter{14, Ink::text_dim, Font::bold};
    Presenter& p = app.tools->presenter;
    const bool right = p.right == choice;
    const TextStyle style{14, Ink::text, right ? Font::bold : Font::text};
    const int hands = hands_up_for(p, choice);
    std::string_view words = slide.question.choices[choice];
    if (right) words = joined(words, "  ✓");
    std::string_view count = frame_text("{}", hands);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = available(), indent = px(34), right_side = px(14) + extent_of(count, style).x;
    const float room = width - indent - right_side - px(12);
    const float height = px(10) + rows_of_text(at, words, style, room, false);
    const Rect box{at.x, at.y, at.x + width, at.y + height};
    std::string_view id = frame_text("hands:{}", choice + 1);
    if (ImGui::Button(item_id(id), ImVec2(width, height))) raise_hand(app, choice);
    audit().widget(id, box);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 low(box.x0, box.y0), high(box.x1, box.y1);
    list->AddRectFilled(low, high, color(Ink::panel), px(5));
    const float share = all > 0 ? static_cast<float>(hands) / static_cast<float>(all) : 0;
    if (share > 0)
        list->AddRectFilled(low, ImVec2(low.x + width * share, high.y),
                            color(right ? Ink::good : Ink::accent, 0.28f), px(5));
    list->AddRect(low, high, color(right ? Ink::good : Ink::border), px(5));
    const float y = at.y + px(5);
    rows_of_text(ImVec2(at.x + px(12), y), letter_of(choice), kLetter, indent);
    rows_of_text(ImVec2(at.x + indent, y), words, style, room);
    rows_of_text(ImVec2(box.x1 - right_side, y), count, style, right_side);
    gap(4);
}

void draw_votes(App& app) {
    const Slide& slide = slide_now(app);
    const size_t choices = slide.question.choices.size();
    draw_moment(app, true);
    if (choices == 0) {
        if (slide.kind == Slide::Kind::part)
            paragraph("Key 1 counts a raised hand, − takes one back, 0 lowers all.", kDim);
        return;
    }
    const int all = hands_up(app.tools->presenter);
    const bool live = class_is_asked();
    if (const std::string predicted = slide.of_scene ? "" : class_predicted(app.course_id());
        !predicted.empty()) {
        line("ON THEIR OWN, BEFORE", kCaption);
        gap(2);
        paragraph(predicted, kDim);
        gap(6);
    }
    if (live)
        line(joined("VOTES  ·  ", frame_text("{}", all)), kCaption);
    else
        line(all > 0 ? joined("HANDS UP  ·  ", hands_in_words(all)) : "HANDS UP", kCaption);
    gap(4);
    for (size_t i = 0; i < choices; ++i) draw_vote(app, slide, i, all);
    if (live)
        paragraph("The class votes on its own pages. A raised hand that you count is added.", kDim);
    paragraph(frame_text("Keys 1 to {} or a click count a hand, + another one, − takes it back, "
                         "0 lowers all. The class sees the tally with the answer.",
                         choices),
              kDim);
}

// ---- what the class is not to see

void draw_notes(const Slide& slide) {
    line("NOTES", kCaption);
    gap(4);
    if (slide.notes.empty())
        paragraph("This slide has no notes.", kNoNotes);
    else
        paragraph(slide.notes, kNotes);
    gap(14);
}

// The right choice with its explanation, and which belief leads to each other one.
void draw_answer(const App& app) {
    const Presenter& p = app.tools->presenter;
    const Slide& slide = slide_now(app);
    if (!asks(slide)) return;
    line(p.revealed ? "ANSWER, SHOWN" : "ANSWER, FOR YOU ALONE", kCaption);
    gap(4);
    if (!p.right) return paragraph("The machine is still counting …", kNoNotes);
    const Prediction& question = slide.question;
    paragraph(joined(letter_of(*p.right), ": ", question.choices[*p.right]), kAnswer);
    gap(4);
    if (!question.explain.empty()) paragraph(question.explain, kExplained);
    for (const Prediction::Wrong& wrong : question.wrong) {
        gap(8);
        paragraph(wrong.choice, {14, Ink::text, Font::bold});
        paragraph(wrong.because, {13, Ink::text_dim, Font::text});
    }
    gap(14);
}

std::string_view coming_in_words(const Coming& coming) {
    switch (coming.what) {
        case Coming::What::screen:
            return "The screen again";
        case Coming::What::answer:
            return "The answer";
        case Coming::What::rest:
            return "The rest of this slide";
        case Coming::What::slide:
            return coming.title.empty() ? "Hands up" : coming.title;
        case Coming::What::lesson:
            return joined("The next lesson: ", coming.title);
        case Coming::What::end:
            return "This is the last slide of the last lesson";
    }
    return "";
}

constexpr float kNextHeight = 84;

void draw_next(App& app) {
    const Coming coming = what_comes(app);
    line("NEXT", kCaption);
    gap(3);
    line(coming_in_words(coming), kNext);
    if (!coming.say.empty()) line(coming.say, {13, Ink::text_dim, Font::text});
}

std::string_view time_in_words(const Audience& audience, double now) {
    const std::optional<int> minute = minute_of_day(audience, now);
    return minute ? frame_text("{}:{:02}", *minute / 60, *minute % 60) : std::string_view();
}

}  // namespace

void draw_teacher(App& app, double now) {
    Presenter& p = app.tools->presenter;
    const float wide = ImGui::GetIO().DisplaySize.x / look().density / kTeacherAcross;
    adopt_presented_size(p.scale_before * std::clamp(wide, 1.f, 2.f));
    if (p.at >= p.slides.size()) return;
    draw_presenter_bar(app, now, time_in_words(*p.audience, now));
    ImGui::SetCursorPos(ImVec2(0, px(kPresenterBar)));
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (room.x < px(kNotesBeside)) {
        part("teacher", room, true, [&] {
            draw_mirror(app, room.y * kStackedMirror, now);
            draw_buttons(app);
            if (!p.on || !p.audience) return;
            draw_next(app);
            gap(14);
            draw_notes(slide_now(app));
            draw_answer(app);
            draw_votes(app);
        });
        return;
    }
    const float left = std::floor(room.x * kLeft);
    part("class", ImVec2(left, room.y), false, [&] {
        draw_mirror(app,
                    std::clamp(room.y - px(kBelowMirror), room.y * kLowMirror, room.y * kMirror),
                    now);
        draw_buttons(app);
        if (!p.on || !p.audience) return;
        ImGui::BeginChild("votes", ImVec2(0, 0), false, ImGuiWindowFlags_NoNavInputs);
        draw_votes(app);
        ImGui::EndChild();
    });
    if (!p.on || !p.audience) return;  // a button has ended it
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::ColorConvertU32ToFloat4(color(Ink::panel)));
    const ImVec2 corner = ImGui::GetCursorPos();
    const float right = room.x - left;
    part("notes", ImVec2(right, room.y - px(kNextHeight)), true, [&] {
        draw_notes(slide_now(app));
        draw_answer(app);
    });
    ImGui::SetCursorPos(ImVec2(corner.x, corner.y + room.y - px(kNextHeight)));
    part("next", ImVec2(right, px(kNextHeight)), false, [&] {
        rule();
        gap(8);
        draw_next(app);
    });
    ImGui::PopStyleColor();
}

}  // namespace lanewise::ui
