// A question to the class: who has voted for what, and who may know. The rules alone, without sockets.
// Votes lie in memory and go with the question. Nothing tells whose they are.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanewise {

struct PollQuestion {
    std::string question, stage;  // stage: "" where it is of none
    std::vector<std::string> choices;
    std::optional<size_t> right = {};  // its place among the choices, where it is known
    std::string explain = {};          // said with the answer
};

class Poll {
  public:
    static constexpr size_t kMostChoices = 9;  // as many as the presenter has keys
    static constexpr size_t kLongestQuestion = 2000, kLongestChoice = 400;  // bytes

    enum class State { none, open, closed, revealed };

    // Asks, in place of what was asked before. Throws Error(bad_input) where it is no question.
    void ask(PollQuestion question);
    // Counts, or changes, the voter's one vote. Throws Error(bad_input), a sentence for the voter:
    // the question is another by now, is closed, or has no such choice.
    void vote(const std::string& voter, uint64_t number, size_t choice);
    // A voter who had no name of its own is gone, and its vote with it, while votes are taken.
    void leave(const std::string& voter);

    // Each throws Error(bad_input) where there is no question.
    void close();   // no more votes
    void reopen();  // votes are taken and hidden again
    // Votes are shown to all, and the right answer where it is known by now.
    void reveal(std::optional<size_t> right);
    void end();  // there is no question any more

    State state() const { return state_; }
    uint64_t number() const { return number_; }  // of the question; each has another
    const PollQuestion& question() const { return question_; }
    std::vector<int> counts() const;  // by choice
    int voters() const { return static_cast<int>(votes_.size()); }
    std::optional<size_t> vote_of(const std::string& voter) const;

  private:
    void need_question() const;

    State state_ = State::none;
    uint64_t number_ = 0;
    PollQuestion question_;
    std::map<std::string, size_t> votes_;
};

// "open", "closed", "revealed"; "" of none.
const char* name_of(Poll::State state);

}  // namespace lanewise
