#include "hub/predictions.h"

#include <algorithm>

#include "base/error.h"

namespace lanewise {

void Predictions::note(const std::string& student, const std::string& stage,
                       const std::string& choice, bool right) {
    if (stage.empty() || choice.empty() || stage.size() > kLongestText ||
        choice.size() > kLongestText)
        throw Error(Status::bad_input, "a prediction names its stage and its choice");
    if (stages_.size() >= kMostStages && !stages_.contains(stage)) return;
    Stage& its = stages_[stage];
    if (!its.students.try_emplace(student, right).second || right) return;
    if (its.wrong.size() < kMostChoices || its.wrong.contains(choice)) ++its.wrong[choice];
}

std::vector<PredictedStage> Predictions::all() const {
    std::vector<PredictedStage> all;
    for (const auto& [name, its] : stages_) {
        PredictedStage& stage = all.emplace_back();
        stage.stage = name;
        stage.answered = static_cast<int>(its.students.size());
        for (const auto& [student, right] : its.students) stage.right += right;
        for (const auto& [choice, count] : its.wrong) stage.wrong.push_back({choice, count});
        std::stable_sort(stage.wrong.begin(), stage.wrong.end(),
                         [](const auto& a, const auto& b) { return a.count > b.count; });
    }
    std::stable_sort(all.begin(), all.end(), [](const PredictedStage& a, const PredictedStage& b) {
        return a.right * b.answered < b.right * a.answered;
    });
    return all;
}

}  // namespace lanewise
