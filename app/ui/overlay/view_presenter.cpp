// The presenter's screen: where in the lesson, the words in large type, the picture beside them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "course/moments.h"
#include "ui/desk/follow.h"
#include "ui/desk/presenter.h"
#include "ui/desk/tools.h"
#include "ui/kit/frame_text.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kPointsAcross = 960;  // however wide the screen is: type is as large everywhere
constexpr float kBar = 40, kMargin = 28;
constexpr float kWordsShare = 0.37f;  // of the width, where a picture stands beside them
constexpr float kTitleShare = 0.39f;  // likewise, of the first scene
constexpr TextStyle kHeadline{28, Ink::text, Font::bold};
constexpr TextStyle kWords{22, Ink::text, Font::text};

// A question's type and room, in points. The smaller one where the larger one would leave the
// answer or what is said with it below the edge.
struct QuestionType {
    float title, question, choice, explain, hint;
    float inside,
        between;  // above and below a choice's words together; from one choice to the next
};
constexpr QuestionType kLarge{28, 24, 22, 19, 16, 20, 8}, kSmall{22, 19, 18, 16, 13, 10, 6};

// Steps, so that a window that is dragged larger does not bake its fonts at every frame.
void adopt_size() {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    float wanted = screen.x / kPointsAcross / look().density;
    wanted = std::clamp(std::floor(wanted * 10) / 10, kLeastScale, kMostScale);
    if (std::abs(wanted - look().scale) > 0.01f) set_scale(wanted);
}

std::string_view hands_in_words(int all) {
    return all == 1 ? std::string_view("1 hand") : frame_text("{} hands", all);
}

// The simple count, of a scene without choices: it asks in its words, or the teacher does.
std::string_view hands_up(const Presenter& p) {
    const std::vector<int>* hands = raised_hands(p);
    bool simple = p.slides[p.at].question.choices.empty() && hands && hands->at(0) > 0;
    return simple ? hands_in_words(hands->at(0)) : std::string_view();
}

void draw_bar(App& app, double now) {
    Presenter& p = app.tools->presenter;
    if (p.clock_began < 0) p.clock_began = now;
    const ClockTime time = clock_time(now - p.clock_began);
    float width = ImGui::GetWindowWidth(), height = px(kBar);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(0, 0), ImVec2(width, height), color(Ink::panel));
    auto slides = static_cast<float>(std::max<size_t>(p.slides.size(), 1));
    float done = static_cast<float>(p.at + 1) / slides;
    list->AddRectFilled(ImVec2(0, height - px(3)), ImVec2(width * done, height),
                        color(Ink::accent));
    TextStyle style{14, Ink::text, Font::text};
    float y = (height - extent_of("X", style).y) / 2;
    std::string_view clock = time.whole_minutes
                                 ? frame_text("{} min", time.minutes)
                                 : frame_text("{}:{:02}", time.minutes, time.seconds);
    std::string_view place = frame_text("{} of {}", p.at + 1, p.slides.size());
    float x = width - px(kMargin) - extent_of(clock, style).x;
    draw_text(ImVec2(x, y), clock, style, {x, 0, width, height});
    x -= extent_of(place, style).x + px(24);
    draw_text(ImVec2(x, y), place, style, {x, 0, width, height});
    if (std::string_view hands = hands_up(p); !hands.empty()) {
        x -= extent_of(hands, style).x + px(24);
        draw_text(ImVec2(x, y), hands, style, {x, 0, width, height});
    }
    std::string_view title = fitted(app.stage().title, style, x - px(kMargin) - px(16));
    draw_text(ImVec2(px(kMargin), y), title, style, {px(kMargin), 0, x, height});
}

// Letters, since "who is for 2?" is unclear where 2 is the third choice; the keys are digits.
std::string_view letter_of(size_t index) {
    return frame_text("{}", static_cast<char>('A' + index));
}

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
    if (!count.empty())
        draw_text(ImVec2(box.x1 - px(14) - extent_of(count, tally).x, y), count, tally, box);
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
float height_of(const Slide& slide, const QuestionType& type, float width) {
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

void draw_question(App& app, const Slide& slide) {
    Presenter& p = app.tools->presenter;
    const std::vector<int>* hands = raised_hands(p);
    int all = hands ? std::accumulate(hands->begin(), hands->end(), 0) : 0;
    const float room = ImGui::GetWindowHeight() - 2 * px(20);
    const QuestionType& type = height_of(slide, kLarge, available()) <= room ? kLarge : kSmall;
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
        draw_choice(app, slide, type, i, hands && i < hands->size() ? (*hands)[i] : 0, all);
    gap(6);
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

// Where a scene that moves stands, and what happens there, in the machine's own words.
void draw_moment(App& app) {
    const std::vector<int> moments = scene_moments(app);
    if (moments.empty()) return;
    const int at = moment_at(moments, app.tools->flow.step);
    gap(8);
    line(frame_text("Step {} of {}", at + 1, moments.size()), {16, Ink::accent, Font::bold});
    gap(6);
    if (button("moment before", "Back", {.enabled = at > 0, .tooltip = "Key Left"}))
        step_moment(app, -1);
    ImGui::SameLine();
    bool more = at + 1 < static_cast<int>(moments.size());
    if (button("moment next", "Next step", {.enabled = more, .tooltip = "Key Right"}))
        step_moment(app, 1);
    gap(6);
}

void draw_words(App& app, const Slide& slide) {
    if (!slide.title.empty()) paragraph(slide.title, kHeadline);
    gap(10);
    if (!slide.say.empty()) paragraph(slide.say, kWords);
    gap(6);
    draw_moment(app);
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
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(kMargin), px(20)));
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

}  // namespace

void draw_presenter(App& app, double now) {
    Presenter& p = app.tools->presenter;
    adopt_size();
    if (p.blank || p.at >= p.slides.size()) return;
    draw_bar(app, now);
    ImGui::SetCursorPos(ImVec2(0, px(kBar)));
    const Slide& slide = p.slides[p.at];
    float width = ImGui::GetWindowWidth();
    const std::string_view link = shown_link(p);
    const float share = slide.kind == Slide::Kind::title ? kTitleShare : kWordsShare;
    // A pane for each scene, so that each begins at its top.
    std::string_view name = frame_text("words {} {}", p.of, p.at);
    pane(item_id(name), !link.empty() ? std::floor(width * share) : width, [&] {
        if (slide.kind == Slide::Kind::question)
            draw_question(app, slide);
        else if (slide.kind == Slide::Kind::title)
            draw_title(app, slide);
        else
            draw_words(app, slide);
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

}  // namespace lanewise::ui
