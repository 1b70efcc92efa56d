// What a class says to the server itself and not to an engine: polls, and what is handed in. Without
// sockets. To the server come frames {type: class, do: …}:
//   hello                                      tells what changes from now on
//   vote     poll, choice                      poll: its number; choice: from 0
//   hand_in  workspace                         the text of a .lanewise file
//   predicted  stage, choice, right            a lesson's question was answered, for the first time
//   assignment                                 the answer has `link`, which opens it
// and of the teacher:
//   ask      question, choices[, stage, explain, right]
//   ask      stage[, which]                    the question that its lesson asks; which: 1, 2, …
//   close, reopen, end
//   board                                      the answer has `board`, as /board.json has it
//   reveal   [right]
// Back comes {class: state, type: class}, always all that the listener may know:
//   title, name, teaches, due ("" where none is)
//   assignment  null, or {title}
//   predictions  of the teacher: [{stage, answered, right, wrong: [{choice, count}]}], the one that most get
//            wrong first; of others null
//   hand_in  {refused: why not, or "", time: null or when, late, earlier}
//   poll     null, or {number, state, question, stage, choices, mine, voters, votes, right, explain}:
//            votes, and voters, are null, and the answer is, until they are revealed, but for the teacher
//   re, said, failed    in an answer: what was asked for, the sentence about it, whether it failed
// "class" is the first key, by which a page tells such frames from an engine's.
#pragma once
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "hub/class_file.h"
#include "hub/hand_in_box.h"
#include "hub/poll.h"
#include "hub/predictions.h"

namespace lanewise {

// Who says it.
struct Speaker {
    std::string name;
    bool teaches = false;  // may ask, and see the votes as they come
    bool votes = true;     // the teacher does not
    bool has_name = true;  // false: a guest, called so only as long as it is connected
};

class ClassDesk {
  public:
    // The question of a stage's lesson, 1 being the first; throws Error(bad_input) where there is none.
    using FindQuestion = std::function<PollQuestion(const std::string& stage, int64_t which)>;
    struct Handout {
        std::string title, link;
    };
    // What the class gets of an assignment's file. Throws Error(bad_input) where it cannot be read.
    using HandOut = std::function<Handout(const std::filesystem::path& assignment)>;
    ClassDesk(const std::filesystem::path& hand_ins, FindQuestion find_question,
              HandOut hand_out = {});

    // Its title, its assignment, and when hand-ins are due. Returns why its assignment is not handed out; "" where
    // it is, or none is named.
    std::string use(const ClassFile& of_class);

    enum class News { none, votes, all };  // votes: the teacher alone is told
    struct Taken {
        nlohmann::json answer;  // a state
        News news = News::none;
        std::string log;  // a line for the server's log; ""
        bool wants_board = false;
    };
    // Never throws: what is wrong is said in the answer.
    Taken take(const nlohmann::json& message, const Speaker& speaker);
    News left(const Speaker& speaker);

    nlohmann::json state_for(const Speaker& speaker) const;
    std::vector<HandedIn> handed_in() const { return box_.all(due_); }
    const std::string& due() const { return due_; }
    std::vector<PredictedStage> predicted() const { return predictions_.all(); }

  private:
    std::string act(const std::string& what, const nlohmann::json& message, const Speaker& speaker,
                    Taken& taken);
    void teach(const std::string& what, const nlohmann::json& message);
    nlohmann::json poll_for(const Speaker& speaker) const;

    HandInBox box_;
    FindQuestion find_question_;
    HandOut hand_out_;
    Handout handout_;  // its link empty: none
    Poll poll_;
    Predictions predictions_;
    std::string title_, due_;
};

// The frame of a state.
std::string class_frame(const nlohmann::json& state);

// The n-th question of a stage's lesson, in the order of its slides, from the content's folder. The
// catalogue is read with the first.
ClassDesk::FindQuestion questions_of(const std::filesystem::path& content);
// Assignments over the content's catalogue.
ClassDesk::HandOut handouts_of(const std::filesystem::path& content);
// As a state has them.
nlohmann::json predictions_json(const std::vector<PredictedStage>& predicted);

}  // namespace lanewise
