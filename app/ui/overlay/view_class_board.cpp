// The teacher's board in the window: who is where, what the class predicts wrongly, what was handed in.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "ui/class/class_link.h"
#include "ui/desk/overlays.h"
#include "ui/kit/widgets.h"
#include "ui/path/course_list.h"

namespace lanewise::ui {
namespace {

using Json = nlohmann::json;

const Json& list_of(const Json& board, const char* name) {
    static const Json none = Json::array();
    auto found = board.find(name);
    return found != board.end() && found->is_array() ? *found : none;
}

std::string lesson_title(const App& app, const std::string& id) {
    const Stage* stage = stage_called(app.content.catalogue.stages(), id);
    return stage ? stage->title : id;
}

// A row that opens its lesson, where this program has it.
void draw_lesson_row(const App& app, const char* of, const std::string& stage,
                     const std::string& text, std::string& opened) {
    const bool known = stage_called(app.content.catalogue.stages(), stage) != nullptr;
    if (button(fmt::format("{}:{}", of, stage), text,
               {.kind = ButtonKind::row,
                .enabled = known,
                .width = available() / look().pixels_per_point(),
                .tooltip = known ? "Opens it" : ""}))
        opened = stage;
}

void draw_below(const std::string& text, Ink ink = Ink::text_dim) {
    ImGui::Indent(px(8));
    paragraph(text, {12, ink, Font::text});
    ImGui::Unindent(px(8));
    gap(4);
}

// The lessons where somebody is, the fullest first, with the names below.
void draw_places(const App& app, const Json& board, std::string& opened) {
    section("WHO IS WHERE");
    std::map<std::string, std::string> names;
    std::map<std::string, int> counts;
    for (const Json& student : list_of(board, "students")) {
        const std::string stage = student.value("stage", "");
        std::string& text = names[stage];
        text += (text.empty() ? "" : ", ") + student.value("name", "");
        const Json& jobs = list_of(student, "jobs");
        if (!jobs.empty() && jobs[0].is_string()) text += " (" + jobs[0].get<std::string>() + ")";
        ++counts[stage];
    }
    if (names.empty()) return paragraph("No student is connected.", kDim);
    std::vector<std::string> stages;
    for (const auto& [stage, text] : names) stages.push_back(stage);
    std::stable_sort(stages.begin(), stages.end(),
                     [&](const auto& a, const auto& b) { return counts[a] > counts[b]; });
    for (const std::string& stage : stages) {
        if (stage.empty())
            line(fmt::format("No lesson yet: {}", counts[stage]));
        else
            draw_lesson_row(app, "where", stage,
                            fmt::format("{}: {}", lesson_title(app, stage), counts[stage]), opened);
        draw_below(names[stage]);
    }
}

void draw_predictions(const App& app, const Json& board, std::string& opened) {
    section("PREDICTED, EACH STUDENT'S FIRST ANSWER");
    const Json& all = list_of(board, "predictions");
    if (all.empty()) return paragraph("No student has predicted anything yet.", kDim);
    for (const Json& one : all) {
        const std::string stage = one.value("stage", "");
        const int answered = one.value("answered", 0), right = one.value("right", 0);
        draw_lesson_row(
            app, "predicted", stage,
            fmt::format("{}: {} of {} right", lesson_title(app, stage), right, answered), opened);
        std::string wrong;
        for (const Json& choice : list_of(one, "wrong"))
            wrong += fmt::format("{}{} ({})", wrong.empty() ? "Chosen wrongly: " : ", ",
                                 choice.value("choice", ""), choice.value("count", 0));
        const bool worth_a_word = 2 * right < answered;
        draw_below(wrong.empty()  ? "No student was wrong."
                   : worth_a_word ? "Most are wrong. " + wrong
                                  : wrong,
                   worth_a_word ? Ink::warn : Ink::text_dim);
    }
}

void draw_hand_ins(const Json& board) {
    section("HANDED IN");
    const std::string due = board.value("due", "");
    if (due.size() >= 16)
        paragraph(fmt::format("Due {} {} UTC.", due.substr(0, 10), due.substr(11, 5)), kDim);
    const Json& all = list_of(board, "hand_ins");
    if (all.empty()) return paragraph("Nothing yet.", kDim);
    std::string names;
    for (const Json& one : all)
        names += fmt::format("{}{}{}", names.empty() ? "" : ", ", one.value("student", ""),
                             one.value("late", false) ? " (late)" : "");
    paragraph(fmt::format("{}: {}", all.size(), names));
}

}  // namespace

void draw_class_board(App& app) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(px(640), screen.x - px(24));
    const float height = std::min(px(640), screen.y - px(24));
    begin_overlay("Class", width, height, take_board_focus());
    std::string why, opened;
    const Json& board = class_board(why);
    line(board.is_object() ? board.value("title", "") : "Your class", kTitle);
    gap(4);
    ImGui::BeginChild("board", ImVec2(0, ImGui::GetContentRegionAvail().y - px(40)), false,
                      ImGuiWindowFlags_NavFlattened);
    if (!why.empty()) {
        paragraph(why, {13, Ink::warn, Font::text});
    } else if (!board.is_object()) {
        paragraph("Asking the class's server …", kDim);
    } else {
        paragraph(fmt::format("{} of {} connections.", board.value("connections", 0),
                              board.value("most_connections", 0)),
                  kDim);
        draw_places(app, board, opened);
        draw_predictions(app, board, opened);
        draw_hand_ins(board);
    }
    ImGui::EndChild();
    gap(8);
    const bool close = button("board:close", "Close", {.tooltip = "Escape"});
    ImGui::End();
    if (!opened.empty()) choose_stage(app, opened);
    if (close || !opened.empty()) close_class_board(app);
}

}  // namespace lanewise::ui
