// The presenter's screen: where in the lesson, the words in large type, the picture beside them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/frame_text.h"
#include "ui/presenter.h"
#include "ui/rich_text.h"
#include "ui/shell.h"
#include "ui/tools.h"
#include "ui/views.h"
#include "ui/widgets.h"

namespace lanewise::ui {
namespace {

constexpr float kPointsAcross = 960;  // however wide the screen is: type is as large everywhere
constexpr float kBar = 40, kMargin = 28;
constexpr float kWordsShare = 0.37f;  // of the width, where a picture stands beside them
constexpr TextStyle kHeadline{28, Ink::text, Font::bold};
constexpr TextStyle kWords{22, Ink::text, Font::text};

// Steps, so that a window that is dragged larger does not bake its fonts at every frame.
void adopt_size() {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    float wanted = screen.x / kPointsAcross / look().density;
    wanted = std::clamp(std::floor(wanted * 10) / 10, kLeastScale, kMostScale);
    if (std::abs(wanted - look().scale) > 0.01f) set_scale(wanted);
}

void draw_bar(App& app, double now) {
    Presenter& p = app.tools->presenter;
    if (p.clock_began < 0) p.clock_began = now;
    auto seconds = static_cast<int>(now - p.clock_began);
    float width = ImGui::GetWindowWidth(), height = px(kBar);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(0, 0), ImVec2(width, height), color(Ink::panel));
    auto slides = static_cast<float>(std::max<size_t>(p.slides.size(), 1));
    float done = static_cast<float>(p.at + 1) / slides;
    list->AddRectFilled(ImVec2(0, height - px(3)), ImVec2(width * done, height),
                        color(Ink::accent));
    TextStyle style{14, Ink::text, Font::text};
    float y = (height - extent_of("X", style).y) / 2;
    std::string_view clock = frame_text("{}:{:02}", seconds / 60, seconds % 60);
    std::string_view place = frame_text("{} of {}", p.at + 1, p.slides.size());
    float x = width - px(kMargin) - extent_of(clock, style).x;
    draw_text(ImVec2(x, y), clock, style, {x, 0, width, height});
    x -= extent_of(place, style).x + px(24);
    draw_text(ImVec2(x, y), place, style, {x, 0, width, height});
    std::string_view title = fitted(app.stage().title, style, x - px(kMargin) - px(16));
    draw_text(ImVec2(px(kMargin), y), title, style, {px(kMargin), 0, x, height});
}

// One choice: its digit, the bar of raised hands behind it, and how many.
void draw_choice(App& app, size_t index, int hands, int all) {
    Presenter& p = app.tools->presenter;
    const std::string& choice = app.lesson().predict.choices[index];
    float width = available(), height = px(50);
    ImVec2 at = ImGui::GetCursorScreenPos();
    Rect box{at.x, at.y, at.x + width, at.y + height};
    std::string_view id = frame_text("hands:{}", index + 1);
    if (ImGui::Button(item_id(id), ImVec2(width, height))) raise_hand(app, index);
    audit().widget(id, box);
    bool right = p.revealed && is_answer(app, choice);
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 low(box.x0, box.y0), high(box.x1, box.y1);
    list->AddRectFilled(low, high, color(Ink::panel), px(6));
    float share = all > 0 ? static_cast<float>(hands) / static_cast<float>(all) : 0;
    if (share > 0)
        list->AddRectFilled(low, ImVec2(low.x + width * share, high.y),
                            color(right ? Ink::good : Ink::accent, 0.28f), px(6));
    list->AddRect(low, high, color(right ? Ink::good : Ink::border), px(6), 0,
                  right ? px(3) : px(1));
    float y = at.y + (height - extent_of("X", kWords).y) / 2;
    TextStyle key{14, Ink::text_dim, Font::mono};
    draw_text(ImVec2(at.x + px(14), at.y + (height - extent_of("X", key).y) / 2),
              std::to_string(index + 1), key, box);
    // A mark besides the colour.
    std::string_view words =
        right ? joined(choice, "   ✓ what the machine counts") : std::string_view(choice);
    TextStyle style{22, Ink::text, right ? Font::bold : Font::text};
    std::string_view count = hands > 0 ? frame_text("{} of {}", hands, all) : "";
    float end = box.x1 - px(14) - extent_of(count, kWords).x;
    draw_text(ImVec2(at.x + px(44), y), fitted(words, style, end - at.x - px(52)), style, box);
    if (!count.empty()) draw_text(ImVec2(end, y), count, kWords, box);
    gap(8);
}

void draw_question(App& app) {
    Presenter& p = app.tools->presenter;
    const Prediction& predict = app.lesson().predict;
    line("HANDS UP", {13, Ink::text_dim, Font::bold});
    gap(6);
    paragraph(predict.question, {24, Ink::text, Font::bold});
    gap(14);
    std::vector<int>& hands = p.hands[p.of];
    hands.resize(predict.choices.size());
    int all = std::accumulate(hands.begin(), hands.end(), 0);
    for (size_t i = 0; i < predict.choices.size(); ++i) draw_choice(app, i, hands[i], all);
    gap(6);
    if (!p.revealed)
        paragraph("Keys 1 to 9 or a click count hands, 0 lowers them; Space shows the answer.",
                  {16, Ink::text_dim, Font::text});
    else if (app.prediction_answer.contains(app.course_id()))
        paragraph(predict.explain, {19, Ink::text, Font::text});
    else
        line("The machine is still counting …", {16, Ink::text_dim, Font::text});
}

void draw_words(App& app, const Slide& slide) {
    if (!slide.title.empty()) paragraph(slide.title, kHeadline);
    gap(10);
    if (!slide.say.empty()) paragraph(slide.say, kWords);
    gap(6);
    std::string link;
    for (size_t i = 0; i < slide.blocks.size(); ++i) {
        std::string clicked = draw_block(slide.blocks[i], app.answers, static_cast<int>(i));
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
    bool right = find_view(app.view).place == Place::right;
    draw_chosen_view(app, right ? app.view : app.tab);
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
    bool beside = !slide.show.empty();
    // A pane for each scene, so that each begins at its top.
    std::string_view name = frame_text("words {} {}", p.of, p.at);
    pane(item_id(name), beside ? std::floor(width * kWordsShare) : width, [&] {
        if (slide.kind == Slide::Kind::question)
            draw_question(app);
        else
            draw_words(app, slide);
        scroll(p);
    });
    if (!beside) return;
    ImGui::SameLine();
    pane("picture", 0, [&] { draw_view(app); });
}

}  // namespace lanewise::ui
