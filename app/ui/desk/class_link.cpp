#include "ui/desk/class_link.h"

#include <memory>
#include <utility>

#include "base/files.h"
#include "service/class_line.h"
#include "ui/desk/scene_poll.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {

namespace {

struct Link {
    std::string address;
    std::function<void()> wake;
    std::unique_ptr<ClassLine> line;  // from the first word on
    ScenePoll poll;
    bool hands_in = false;  // and was not answered yet

    void say(const nlohmann::json& words) {
        if (!line) line = std::make_unique<ClassLine>(address, wake);
        line->say(words);
    }
};

Link& link() {
    static Link the_link;
    return the_link;
}

// What was not handed in stands until it is read; a toast would be gone.
void say_not_handed_in(App& app, const std::string& why) {
    app.said.toast = {};
    app.said.notices.push_back("Your workspace is saved here, and was not handed in: " + why +
                               (why.ends_with('.') ? "" : "."));
}

void take_hand_in(Link& its, App& app, const nlohmann::json& state) {
    its.hands_in = false;
    const std::string said = state.value("said", "");
    if (state.value("failed", true))
        say_not_handed_in(app, said);
    else
        app.said.toast = {said};
}

void take_news(Link& its, App& app) {
    while (auto state = its.line->news()) {
        its.poll.heard(app.tools->presenter, *state);
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
    link().hands_in = true;
    link().say({{"do", "hand_in"}, {"workspace", std::move(workspace)}});
}

void follow_class(App& app) {
    Link& its = link();
    if (its.address.empty()) return;
    for (const nlohmann::json& words : its.poll.follow(app.tools->presenter)) its.say(words);
    if (its.line) take_news(its, app);
}

bool class_is_asked() { return link().poll.asks(); }

}  // namespace lanewise::ui
