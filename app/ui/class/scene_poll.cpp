#include "ui/class/scene_poll.h"

#include <algorithm>

namespace lanewise::ui {

using Json = nlohmann::json;

namespace {

constexpr size_t kMostChoices = 9;  // as the server has it

std::optional<std::pair<std::string, size_t>> asking_scene(const Presenter& p) {
    if (!p.on || p.at >= p.slides.size() || p.slides[p.at].kind != Slide::Kind::question)
        return std::nullopt;
    size_t choices = p.slides[p.at].question.choices.size();
    if (choices < 2 || choices > kMostChoices) return std::nullopt;
    return std::pair(p.of, p.at);
}

// The votes of before leave the hands, and those of now join them.
void join(std::vector<int>& hands, std::vector<int>& counted, const std::vector<int>& votes) {
    hands.resize(std::max(hands.size(), votes.size()));
    counted.resize(hands.size());
    for (size_t i = 0; i < hands.size(); ++i) {
        int now = i < votes.size() ? votes[i] : 0;
        hands[i] = std::max(0, hands[i] + now - counted[i]);
        counted[i] = now;
    }
}

}  // namespace

std::vector<Json> ScenePoll::follow(const Presenter& p) {
    std::vector<Json> words;
    if (!may_ask_) return words;
    auto now = asking_scene(p);
    if (now != scene_) {
        if (now) {
            const Prediction& question = p.slides[p.at].question;
            words.push_back({{"do", "ask"},
                             {"question", question.question},
                             {"stage", p.of},
                             {"choices", question.choices},
                             {"explain", question.explain}});
        } else if (!lost_) {
            words.push_back({{"do", "end"}});
        }
        scene_ = now;
        lost_ = false;
        shown_ = false;
        right_.reset();
        number_.reset();
        voters_ = 0;
    }
    if (lost_) return words;
    // The right answer may be counted only after it was asked for.
    if (now && p.revealed && (!shown_ || right_ != p.right)) {
        Json reveal = {{"do", "reveal"}};
        if (p.right) reveal["right"] = *p.right;
        words.push_back(std::move(reveal));
        right_ = p.right;
    } else if (now && !p.revealed && shown_) {
        words.push_back({{"do", "reopen"}});
    }
    shown_ = now && p.revealed;
    return words;
}

void ScenePoll::heard(Presenter& p, const Json& state) {
    if (!state.value("teaches", false)) {
        may_ask_ = false;
        number_.reset();
        return;
    }
    auto poll = state.find("poll");
    if (!scene_ || poll == state.end() || !poll->is_object()) return;
    uint64_t number = poll->value("number", uint64_t{0});
    const bool is_asked = state.value("re", "") == "ask" && !state.value("failed", true);
    if (is_asked) number_ = number;
    auto votes = poll->find("votes");
    if (number_ != number || votes == poll->end() || !votes->is_array()) return;
    voters_ = poll->value("voters", 0);
    join(p.hands[scene_->first][scene_->second], counted_[*scene_], votes->get<std::vector<int>>());
}

void ScenePoll::lost() {
    number_.reset();
    voters_ = 0;
    lost_ = true;
}

}  // namespace lanewise::ui
