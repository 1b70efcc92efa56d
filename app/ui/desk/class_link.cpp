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

    void say(const nlohmann::json& words) {
        if (!line) line = std::make_unique<ClassLine>(address, wake);
        line->say(words);
    }
};

Link& link() {
    static Link the_link;
    return the_link;
}

void take_news(Link& its, App& app) {
    while (auto state = its.line->news()) {
        its.poll.heard(app.tools->presenter, *state);
        const std::string re = state->value("re", "");
        if (re == "hand_in") app.said.toast = {state->value("said", "")};
        ++app.revision;
    }
    std::string why = its.line->ended();
    if (why.empty()) return;
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
    link().say({{"do", "hand_in"}, {"workspace", read_file(file)}});
}

void follow_class(App& app) {
    Link& its = link();
    if (its.address.empty()) return;
    for (const nlohmann::json& words : its.poll.follow(app.tools->presenter)) its.say(words);
    if (its.line) take_news(its, app);
}

bool class_is_asked() { return link().poll.asks(); }

}  // namespace lanewise::ui
