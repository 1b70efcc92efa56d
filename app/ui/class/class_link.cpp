#include "ui/class/class_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "service/class_line.h"
#include "ui/class/scene_poll.h"
#include "ui/desk/share.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kBoardEvery_s = 2;

struct Link {
    std::string address;
    std::function<void()> wake;
    std::unique_ptr<ClassLine> line;  // from the first word on
    ScenePoll poll;
    bool hands_in = false;             // and was not answered yet
    bool has_come = false;             // the last that was handed in
    std::vector<ClassAnswer> answers;  // for the page
    nlohmann::json predictions;        // as the teacher's state has them; null
    struct {
        bool open = false, focus_wanted = false;
        nlohmann::json state;  // the last that came
        std::string problem;
        std::optional<Clock::time_point> asked;
    } board;

    void say(const nlohmann::json& words) {
        if (!line) line = std::make_unique<ClassLine>(address, wake);
        line->say(words);
    }
};

Link& link() {
    static Link the_link;
    return the_link;
}

const std::string kUnanswered = "Your workspace is saved here. The class's server has not said ";

std::filesystem::path mark_file() { return state_folder() / "hand-in.txt"; }

void remove_mark() {
    std::error_code ignored;
    std::filesystem::remove(mark_file(), ignored);
}

// What was not handed in stands until it is read; a toast would be gone.
void say_not_handed_in(App& app, const std::string& why) {
    app.said.toast = {};
    remove_mark();
    app.said.notices.push_back("Your workspace is saved here, and was not handed in: " + why +
                               (why.ends_with('.') ? "" : "."));
}

void take_hand_in(Link& its, App& app, const nlohmann::json& state) {
    its.hands_in = false;
    const std::string said = state.value("said", "");
    its.has_come = !state.value("failed", true);
    if (!its.has_come) return say_not_handed_in(app, said);
    app.said.toast = {said};
    std::erase_if(app.said.notices, [](const std::string& notice) { return notice.starts_with(kUnanswered); });
    remove_mark();
}

void open_class_assignment(App& app, const nlohmann::json& state) {
    try {
        if (state.value("failed", true)) throw Error(Status::bad_input, state.value("said", ""));
        restore(app, parse_link(state.value("link", "")));
        app.said.toast = {};
    } catch (const Error& error) {
        app.said.toast = {error.what()};
    }
}

void take_news(Link& its, App& app) {
    while (auto state = its.line->news()) {
        its.poll.heard(app.tools->presenter, *state);
        its.predictions = state->value("predictions", nlohmann::json());
        if (state->value("re", "") == "assignment") open_class_assignment(app, *state);
        if (state->value("re", "") == "board") {
            its.board.problem = state->value("failed", true) ? state->value("said", "") : "";
            if (state->contains("board")) its.board.state = (*state)["board"];
        }
        if (state->value("re", "") == "hand_in") take_hand_in(its, app, *state);
        ++app.revision;
    }
    std::string why = its.line->ended();
    if (why.empty()) return;
    if (std::exchange(its.hands_in, false))
        say_not_handed_in(app, why);
    else
        app.said.toast = {"The class's server: " + why};
    its.line.reset();
    // Who presents goes on without the class; the next scene that asks tries again.
    its.poll.lost();
}

}  // namespace

void use_class(const std::string& engine_command, std::function<void()> wake) {
    Link& its = link();
    std::string address = class_address(engine_command);
    if (address == its.address) return;
    its = Link();
    its.address = std::move(address);
    its.wake = std::move(wake);
}

bool has_class() { return !link().address.empty(); }

void hand_in(const std::filesystem::path& file) {
    std::string workspace = read_file(file);
    std::error_code ignored;
    try {
        write_file(mark_file(), std::filesystem::absolute(file, ignored).string() + "\n");
    } catch (const Error&) {  // it is handed in all the same
    }
    link().hands_in = true;
    link().has_come = false;
    link().say({{"do", "hand_in"}, {"workspace", std::move(workspace)}});
}

bool is_handing_in() { return link().hands_in; }

bool was_handed_in() { return link().has_come; }

void stop_waiting_for_hand_in(App& app, int seconds) {
    link().hands_in = false;
    app.said.toast = {};
    app.said.notices.push_back(
        kUnanswered +
        fmt::format("in {} seconds that it has it. Hand it in again, or close the window again.", seconds));
}

void recall_hand_in(App& app) {
    std::string file;
    try {
        if (std::error_code ignored; !std::filesystem::exists(mark_file(), ignored)) return;
        file = trimmed(read_file(mark_file()));
    } catch (const Error&) {
        return;
    }
    remove_mark();
    app.said.notices.push_back("The last window ended before the class's server had said that it has " + file +
                               ". Open that file and hand it in again, to be sure.");
}

void follow_class(App& app) {
    Link& its = link();
    if (its.address.empty()) return;
    if (its.board.open && class_board_due() <= 0) {
        its.board.asked = Clock::now();
        its.say({{"do", "board"}});
    }
    for (const nlohmann::json& words : its.poll.follow(app.tools->presenter)) its.say(words);
    if (its.line) take_news(its, app);
}

void tell_class_of_answer(App& app, const std::string& stage, bool right) {
    const auto progress = app.saved.progress.find(stage);
    if (progress == app.saved.progress.end() || progress->second.second) return;
    Link& its = link();
    ClassAnswer answer{stage, progress->second.guess, right};
    if (has_class())
        return its.say(
            {{"do", "predicted"}, {"stage", stage}, {"choice", answer.choice}, {"right", right}});
    constexpr size_t kMost = 64;
    if (its.answers.size() < kMost) its.answers.push_back(std::move(answer));
}

std::vector<ClassAnswer> take_class_answers() { return std::exchange(link().answers, {}); }

void ask_for_class_assignment(App& app) {
    if (!has_class()) return;
    link().say({{"do", "assignment"}});
    app.said.toast = {"Asking your class's server for its assignment …"};
}

std::string class_predicted(const std::string& stage) {
    const nlohmann::json& all = link().predictions;
    if (!all.is_array()) return {};
    for (const nlohmann::json& one : all) {
        if (one.value("stage", "") != stage) continue;
        std::string words = fmt::format("{} of {} predicted this right", one.value("right", 0),
                                        one.value("answered", 0));
        if (const auto& wrong = one.at("wrong"); wrong.is_array() && !wrong.empty())
            words += fmt::format("; most often chosen wrongly: {} ({})",
                                 wrong[0].value("choice", ""), wrong[0].value("count", 0));
        return words + ".";
    }
    return {};
}

void open_class_board(App&) {
    link().board.open = link().board.focus_wanted = true;
    link().board.asked.reset();
}

void close_class_board(App& app) {
    link().board.open = false;
    app.keyboard.focus_wanted = true;
}

bool class_board_open() { return link().board.open; }

const nlohmann::json& class_board(std::string& why) {
    why = has_class() ? link().board.problem : "The engine is no class's: --engine wss://… names one.";
    return link().board.state;
}

double class_board_due() {
    const auto& board = link().board;
    if (!board.open) return -1;
    if (!board.asked) return 0;
    const std::chrono::duration<double> since = Clock::now() - *board.asked;
    return std::max(0.0, kBoardEvery_s - since.count());
}

bool take_board_focus() { return std::exchange(link().board.focus_wanted, false); }

bool class_is_asked() { return link().poll.asks(); }

}  // namespace lanewise::ui
