// A presented question asked of the class, on whose pages it can be voted for (app/hub/class_desk.h): what is to be
// said to the server as the scenes go by, and how its votes join the raised hands. Without a line; class_link.h has it.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/desk/presenter.h"

namespace lanewise::ui {

class ScenePoll {
  public:
    // What is to be said now, in order; mostly nothing. A question is asked with its scene, shown with the answer,
    // and put away with the next scene.
    std::vector<nlohmann::json> follow(const Presenter& p);
    // The server's state. Votes join the hands of the scene that asks.
    void heard(Presenter& p, const nlohmann::json& state);
    // The connection is lost: the next question is asked again, and of this one nothing more is said.
    void lost();

    bool asks() const { return number_.has_value(); }  // the class sees the question
    int voters() const { return voters_; }
    bool may_ask() const {
        return may_ask_;
    }  // until the server says that the token is no teacher's

  private:
    using Scene = std::pair<std::string, size_t>;  // the stage, and the slide's place
    std::optional<Scene> scene_;                   // which asks
    bool shown_ = false, may_ask_ = true, lost_ = false;
    std::optional<size_t> right_;  // that was told with the answer
    std::optional<uint64_t> number_;
    int voters_ = 0;
    std::map<Scene, std::vector<int>> counted_;  // of the hands there: those that are votes
};

}  // namespace lanewise::ui
