// What the class predicts: how often each lesson's question was answered right and wrong, and with
// which choice. A student counts once for each stage, with the first answer. It lies in memory, and
// tells how many, never who.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace lanewise {

struct PredictedStage {
    struct Wrong {
        std::string choice;
        int count = 0;
    };
    std::string stage;
    int answered = 0, right = 0;
    std::vector<Wrong> wrong;  // the most frequent first
};

class Predictions {
  public:
    // Beyond these nothing is counted any more: whoever floods the server fills no memory.
    static constexpr size_t kMostStages = 500, kMostChoices = 12, kLongestText = 400;

    // Throws Error(bad_input) where a text is empty or too long.
    void note(const std::string& student, const std::string& stage, const std::string& choice,
              bool right);
    // That with the least share of right answers first.
    std::vector<PredictedStage> all() const;

  private:
    struct Stage {
        std::map<std::string, bool> students;  // whether each was right
        std::map<std::string, int> wrong;      // by choice
    };
    std::map<std::string, Stage> stages_;
};

}  // namespace lanewise
