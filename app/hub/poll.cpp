#include "hub/poll.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace lanewise {

namespace {

void check_question(const PollQuestion& question) {
    if (question.choices.size() < 2 || question.choices.size() > Poll::kMostChoices)
        reject(fmt::format("a question has 2 to {} choices, not {}", Poll::kMostChoices,
                           question.choices.size()));
    if (question.question.size() > Poll::kLongestQuestion ||
        question.explain.size() > Poll::kLongestQuestion)
        reject("the question is too long for a poll: say it in fewer words");
    for (const std::string& choice : question.choices)
        if (trimmed(choice).empty() || choice.size() > Poll::kLongestChoice)
            reject(fmt::format("a choice has 1 to {} letters", Poll::kLongestChoice));
}

}  // namespace

void Poll::ask(PollQuestion question) {
    check_question(question);
    if (question.right && *question.right >= question.choices.size()) question.right.reset();
    question_ = std::move(question);
    votes_.clear();
    state_ = State::open;
    ++number_;
}

void Poll::vote(const std::string& voter, uint64_t number, size_t choice) {
    if (state_ == State::none || number != number_)
        reject("this question is over; your vote is not counted");
    if (state_ != State::open) reject("no more votes are taken for this question");
    if (choice >= question_.choices.size()) reject("the question has no such choice");
    votes_[voter] = choice;
}

void Poll::leave(const std::string& voter) {
    if (state_ == State::open) votes_.erase(voter);
}

void Poll::need_question() const {
    if (state_ == State::none) reject("no question is asked: ask one first");
}

void Poll::close() {
    need_question();
    if (state_ == State::open) state_ = State::closed;
}

void Poll::reopen() {
    need_question();
    state_ = State::open;
}

void Poll::reveal(std::optional<size_t> right) {
    need_question();
    if (right && *right >= question_.choices.size()) reject("the question has no such choice");
    if (right) question_.right = right;
    state_ = State::revealed;
}

void Poll::end() {
    state_ = State::none;
    question_ = {};
    votes_.clear();
}

std::vector<int> Poll::counts() const {
    std::vector<int> counts(question_.choices.size());
    for (auto& [voter, choice] : votes_) ++counts[choice];
    return counts;
}

std::optional<size_t> Poll::vote_of(const std::string& voter) const {
    auto found = votes_.find(voter);
    return found == votes_.end() ? std::nullopt : std::optional(found->second);
}

const char* name_of(Poll::State state) {
    constexpr const char* kNames[] = {"", "open", "closed", "revealed"};
    return kNames[static_cast<size_t>(state)];
}

}  // namespace lanewise
