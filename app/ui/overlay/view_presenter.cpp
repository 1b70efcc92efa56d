// A slide in large type: the words, and the picture beside them. In the presenter's one window with a
// bar that says where in the lesson, and in the class's own window alone.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "course/moments.h"
#include "ui/class/audience.h"
#include "ui/class/class_link.h"
#include "ui/desk/presenter.h"
#include "ui/desk/tools.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"
#include "ui/launch/follow.h"
#include "ui/overlay/presenter_parts.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

namespace lanewise::ui {

void adopt_presented_size(float wanted) {
    wanted = std::clamp(std::floor(wanted * 10 + 0.01f) / 10, kLeastScale, kMostScale);
    if (std::abs(wanted - look().scale) > 0.01f) set_scale(wanted);
}

std::string_view hands_in_words(int all) {
    return all == 1 ? std::string_view("1 hand") : frame_text("{} hands", all);
}

int hands_up_for(const Presenter& p, size_t choice) {
    const std::vector<int>* hands = raised_hands(p);
    return hands && choice < hands->size() ? (*hands)[choice] : 0;
}

int hands_up(const Presenter& p) {
    const std::vector<int>* hands = raised_hands(p);
    return hands ? std::accumulate(hands->begin(), hands->end(), 0) : 0;
}

std::string_view letter_of(size_t index) {
    return frame_text("{}", static_cast<char>('A' + index));
}

void draw_presenter_bar(App& app, double now, std::string_view time) {
    Presenter& p = app.tools->presenter;
    if (p.clock_began < 0) p.clock_began = now;
    const ClockTime since = clock_time(now - p.clock_began);
    float width = ImGui::GetWindowWidth(), height = px(kPresenterBar);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(0, 0), ImVec2(width, height), color(Ink::panel));
    auto slides = static_cast<float>(std::max<size_t>(p.slides.size(), 1));
    float done = static_cast<float>(p.at + 1) / slides;
    list->AddRectFilled(ImVec2(0, height - px(3)), ImVec2(width * done, height),
                        color(Ink::accent));
    TextStyle style{14, Ink::text, Font::text};
    float x = width - px(kPresenterMargin), y = (height - extent_of("X", style).y) / 2;
    auto put = [&](std::string_view words) {
        if (words.empty()) return;
        x -= extent_of(words, style).x;
        draw_text(ImVec2(x, y), words, style, {x, 0, width, height});
        x -= px(24);
    };
    put(time);
    put(since.whole_minutes ? frame_text("{} min", since.minutes)
                            : frame_text("{}:{:02}", since.minutes, since.seconds));
    put(frame_text("{} of {}", p.at + 1, p.slides.size()));
    // The simple count, of a scene without choices: it asks in its words, or the teacher does.
    const bool simple = p.slides[p.at].question.choices.empty() && hands_up(p) > 0;
    if (simple) put(hands_in_words(hands_up(p)));
    std::string_view title = fitted(app.stage().title, style, x + px(8) - px(kPresenterMargin));
    draw_text(ImVec2(px(kPresenterMargin), y), title, style,
              {px(kPresenterMargin), 0, x + px(24), height});
}

// What happens there is said in the machine's own words, by the picture.
void draw_moment(App& app, bool buttons) {
    const std::vector<int> moments = scene_moments(app);
    if (moments.empty()) return;
    const int at = moment_at(moments, app.tools->flow.step);
    gap(8);
    line(frame_text("Step {} of {}", at + 1, moments.size()), {16, Ink::accent, Font::bold});
    gap(6);
    if (!buttons) return;
    if (button("moment before", "Back", {.enabled = at > 0, .tooltip = "Key Left"}))
        step_moment(app, -1);
    ImGui::SameLine();
    bool more = at + 1 < static_cast<int>(moments.size());
    if (button("moment next", "Next step", {.enabled = more, .tooltip = "Key Right"}))
        step_moment(app, 1);
    gap(6);
}

namespace {

constexpr float kPointsAcross = 960;  // however wide the screen is: type is as large everywhere
constexpr float kWordsShare = 0.37f;  // of the width, where a picture stands beside them
constexpr float kTitleShare = 0.39f;  // likewise, of the first scene
constexpr TextStyle kHeadline{28, Ink::text, Font::bold};
constexpr TextStyle kWords{22, Ink::text, Font::text};

// Who looks: in one window both, so that it has the teacher's keys and buttons as well.
enum class For { everybody, class_alone };

// A question's type and room, in points. The smaller one where the larger one would leave the
// answer or what is said with it below the edge.
struct QuestionType {
    float title, question, choice, explain, hint;
    float inside,
        between;  // above and below a choice's words together; from one choice to the next
};
constexpr QuestionType kLarge{28, 24, 22, 19, 16, 20, 8}, kSmall{22, 19, 18, 16, 13, 10, 6};

// One choice. Who is for it, and whether it is right, shows once the answer is asked for: a class
// that sees the tally grow votes with the majority.
void draw_choice(App& app, const Slide& slide, const QuestionType& type, size_t index, int hands,
                 int all) {
    Presenter& p = app.tools->presenter;
    const std::string& choice = slide.question.choices[index];
    const bool right = p.revealed && p.right == index;
    const TextStyle style{type.choice, Ink::text, right ? Font::bold : Font::text};
    const TextStyle tally{type.choice, Ink::text, Font::text};
    // A mark besides the colour.
    std::string_view words = right ? joined(choice, "  ✓") : std::string_view(choice);
    std::string_view count = p.revealed && all > 0 ? frame_text("{} of {}", hands, all) : "";
    ImVec2 at = ImGui::GetCursorScreenPos();
    float indent = px(48), width = available();
    float room = width - indent - px(14);
    if (!count.empty()) room -= extent_of(count, tally).x + px(16);
    float height = px(type.inside) + rows_of_text(at, words, style, room, false);
    Rect box{at.x, at.y, at.x + width, at.y + height};
    std::string_view id = frame_text("hands:{}", index + 1);
    if (ImGui::Button(item_id(id), ImVec2(width, height))) raise_hand(app, index);
    audit().widget(id, box);
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 low(box.x0, box.y0), high(box.x1, box.y1);
    list->AddRectFilled(low, high, color(Ink::panel), px(6));
    float share = p.revealed && all > 0 ? static_cast<float>(hands) / static_cast<float>(all) : 0;
    if (share > 0)
        list->AddRectFilled(low, ImVec2(low.x + width * share, high.y),
                            color(right ? Ink::good : Ink::accent, 0.28f), px(6));
    list->AddRect(low, high, color(right ? Ink::good : Ink::border), px(6), 0,
                  right ? px(3) : px(1));
    float y = at.y + px(type.inside / 2);
    rows_of_text(ImVec2(at.x + px(16), y), letter_of(index),
                 {type.choice, Ink::text_dim, Font::bold}, indent);
    rows_of_text(ImVec2(at.x + indent, y), words, style, room);
    if (!count.empty()) {
        const float wide = std::ceil(extent_of(count, tally).x);
        rows_of_text(ImVec2(box.x1 - px(14) - wide, y), count, tally, wide + 1);
    }
    gap(type.between);
}

TextStyle question_style(const Slide& slide, const QuestionType& type) {
    return {type.question, Ink::text, slide.of_scene ? Font::text : Font::bold};
}

std::string_view keys_hint(size_t choices) {
    return frame_text(
        "Keys 1 to {} or a click count a hand, + another one, − takes it back, "
        "0 lowers all. Space shows the answer.",
        choices);
}

// How high the whole of it is, the answer's words included.
float question_height(const Slide& slide, const QuestionType& type, float width) {
    auto rows = [](std::string_view text, TextStyle style, float room) {
        return text.empty() ? 0 : rows_of_text({0, 0}, text, style, room, false);
    };
    float height = line_height({13, Ink::text_dim, Font::bold}) + px(6 + 8 + 14 + 6);
    height += rows(slide.title, {type.title, Ink::text, Font::bold}, width);
    height += rows(slide.question.question, question_style(slide, type), width);
    for (const std::string& choice : slide.question.choices)
        height += rows(choice, {type.choice, Ink::text, Font::bold}, width - px(48 + 14)) +
                  px(type.inside + type.between);
    return height +
           std::max(rows(slide.question.explain, {type.explain, Ink::text, Font::text}, width),
                    rows(keys_hint(slide.question.choices.size()),
                         {type.hint, Ink::text_dim, Font::text}, width));
}

void draw_question(App& app, const Slide& slide, For whom) {
    Presenter& p = app.tools->presenter;
    const int all = hands_up(p);
    const float room = ImGui::GetWindowHeight() - 2 * px(20);
    const QuestionType& type =
        question_height(slide, kLarge, available()) <= room ? kLarge : kSmall;
    if (class_is_asked())
        line(joined("VOTES  ·  ", frame_text("{}", all)), {13, Ink::text_dim, Font::bold});
    else
        line(all > 0 ? joined("HANDS UP  ·  ", hands_in_words(all)) : "HANDS UP",
             {13, Ink::text_dim, Font::bold});
    gap(6);
    if (!slide.title.empty()) {
        paragraph(slide.title, {type.title, Ink::text, Font::bold});
        gap(8);
    }
    paragraph(slide.question.question, question_style(slide, type));
    gap(14);
    size_t choices = slide.question.choices.size();
    for (size_t i = 0; i < choices; ++i)
        draw_choice(app, slide, type, i, hands_up_for(p, i), all);
    gap(6);
    if (!p.revealed && whom == For::class_alone) return;
    if (!p.revealed)
        paragraph(keys_hint(choices), {type.hint, Ink::text_dim, Font::text});
    else if (p.right)
        paragraph(slide.question.explain, {type.explain, Ink::text, Font::text});
    else
        line("The machine is still counting …", {type.hint, Ink::text_dim, Font::text});
}

// What a class sees while it comes in: where in the course, what it will learn, and the question
// that the lesson answers.
void draw_title(const App& app, const Slide& slide) {
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    const Stage& stage = stages[app.chosen().stage];
    size_t of = 0, number = 0;
    for (const Stage& each : stages) {
        if (each.operation != stage.operation) continue;
        ++of;
        if (each.id == stage.id) number = of;
    }
    line(frame_text("{}, {} of {}", stage.operation, number, of), {13, Ink::text_dim, Font::bold});
    gap(10);
    paragraph(slide.title, {30, Ink::text, Font::bold});
    gap(8);
    paragraph(slide.say, {18, Ink::text, Font::text});
    const std::string& question = app.lesson().predict.question;
    if (question.empty()) return;
    gap(18);
    line("THE QUESTION", {13, Ink::text_dim, Font::bold});
    gap(6);
    paragraph(question, {20, Ink::accent, Font::bold});
}

void draw_slide_words(App& app, const Slide& slide, For whom) {
    if (!slide.title.empty()) paragraph(slide.title, kHeadline);
    gap(10);
    if (!slide.say.empty()) paragraph(slide.say, kWords);
    gap(6);
    draw_moment(app, whom == For::everybody);
    std::string link;
    for (size_t i = 0; i < slide.blocks.size(); ++i) {
        std::string clicked = draw_block(slide.blocks[i], app.derived.answers, static_cast<int>(i));
        if (!clicked.empty()) link = clicked;
    }
    if (!link.empty()) follow_link(app, link);
}

// Scrolls a screen further where next_scene() asks for it.
void scroll(Presenter& p) {
    if (p.scroll_wanted) ImGui::SetScrollY(ImGui::GetScrollY() + 0.8f * ImGui::GetWindowHeight());
    p.more_below = !p.scroll_wanted && ImGui::GetScrollY() + 1 < ImGui::GetScrollMaxY();
    p.scroll_wanted = false;
}

template <class Draw>
void pane(const char* name, float width, Draw draw) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(kPresenterMargin), px(20)));
    ImGui::BeginChild(name, ImVec2(width, 0), false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoNavInputs);
    ImGui::PopStyleVar();
    draw();
    ImGui::EndChild();
}

// A view of any column but the lesson's, which the words are.
void draw_view(App& app) {
    bool right = find_view(app.chosen().view).place == Place::right;
    draw_chosen_view(app, right ? app.chosen().view : app.chosen().tab);
}

void draw_slide(App& app, For whom) {
    Presenter& p = app.tools->presenter;
    const Slide& slide = p.slides[p.at];
    float width = ImGui::GetWindowWidth();
    const std::string_view link = shown_link(p);
    const float share = slide.kind == Slide::Kind::title ? kTitleShare : kWordsShare;
    // A pane for each scene, so that each begins at its top.
    std::string_view name = frame_text("words {} {}", p.of, p.at);
    pane(item_id(name), !link.empty() ? std::floor(width * share) : width, [&] {
        if (slide.kind == Slide::Kind::question)
            draw_question(app, slide, whom);
        else if (slide.kind == Slide::Kind::title)
            draw_title(app, slide);
        else
            draw_slide_words(app, slide, whom);
        scroll(p);
    });
    if (link.empty()) return;
    ImGui::SameLine();
    pane("picture", 0, [&] {
        if (link.starts_with("proof:"))
            draw_presented_proof(app);
        else
            draw_view(app);
    });
}

// Where the teacher points at the small slide. Light within dark, so that it shows on everything.
void draw_pointer_ring(const Audience& audience) {
    constexpr float kRadius = 17, kWide = 4;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImVec2 at(audience.x * screen.x, audience.y * screen.y);
    ImDrawList* list = ImGui::GetForegroundDrawList();
    list->AddCircle(at, px(kRadius), color(Ink::background), 0, px(kWide + 4));
    list->AddCircle(at, px(kRadius), color(Ink::warn), 0, px(kWide));
    const float radius = px(kRadius);
    audit().widget("ring", {at.x - radius, at.y - radius, at.x + radius, at.y + radius});
}

}  // namespace

void fit_audience() {
    adopt_presented_size(ImGui::GetIO().DisplaySize.x / kPointsAcross / look().density);
}

void draw_presenter(App& app, double now) {
    Presenter& p = app.tools->presenter;
    if (p.audience) return draw_teacher(app, now);
    fit_audience();
    if (p.blank || p.at >= p.slides.size()) return;
    draw_presenter_bar(app, now, "");
    ImGui::SetCursorPos(ImVec2(0, px(kPresenterBar)));
    draw_slide(app, For::everybody);
}

void draw_audience(App& app) {
    Presenter& p = app.tools->presenter;
    if (!p.audience || p.blank || p.at >= p.slides.size()) return;
    draw_slide(app, For::class_alone);
    if (ring_shown(*p.audience, app.tools->moving.now)) draw_pointer_ring(*p.audience);
}

}  // namespace lanewise::ui
