// The server of the window's class, where its engine is one (--engine ws://…): the presenter's questions go to the
// class's pages, and a workspace is handed in. One for the program, as the engine is; in a browser the page has all
// this (app/web/page/class.js).
#pragma once
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace lanewise::ui {

struct App;

// The engine's command; another one ends the line to the last. wake: as EngineClient's.
void use_class(const std::string& engine_command, std::function<void()> wake);
// Whether there is a class to hand in to.
bool has_class();
// The file, as it was saved. What comes of it is said when the server answers. Throws Error(bad_input) where it cannot
// be read. Until then a mark lies in the state's folder, which the next window finds where this one is killed.
void hand_in(const std::filesystem::path& file);
// Whether the server has still to say that it has what was handed in.
bool is_handing_in();
// Whether the last that was handed in has come.
bool was_handed_in();
// It is waited for no longer, and that is said. An answer that comes after all still is.
void stop_waiting_for_hand_in(App& app, int seconds);
// Says once what a window before left without an answer.
void recall_hand_in(App& app);
// Once for each picture of the window: says what is new to the server, and takes what it says.
void follow_class(App& app);
// A Follower's: a lesson's question was answered for the first time. The class's board counts it.
void tell_class_of_answer(App& app, const std::string& stage, bool right);
// Those that wait, where the page and not this line tells the class; at most 64.
struct ClassAnswer {
    std::string stage, choice;
    bool right = false;
};
std::vector<ClassAnswer> take_class_answers();
// Asks for the class's assignment, which opens when it comes.
void ask_for_class_assignment(App& app);
// Of the teacher's line: what the class predicted of this stage, in a sentence; "" while nothing is known.
std::string class_predicted(const std::string& stage);
// ---- the teacher's board in the window: who is where, what is predicted wrongly, what was handed in
void open_class_board(App& app);
void close_class_board(App& app);
bool class_board_open();
// As the server has it (app/hub/board.h), asked for every two seconds while it is open; null: not yet. `why`:
// why there is none.
const nlohmann::json& class_board(std::string& why);
double class_board_due();  // seconds until it is asked for again; negative: it is not
bool take_board_focus();   // once after it was opened
void draw_class_board(App& app);  // view_class_board.cpp
// Whether the class sees the presented question.
bool class_is_asked();

}  // namespace lanewise::ui
