// Predictions scored: how sure the learner was against how often the machine agreed.
#pragma once
#include <map>
#include <string>

#include "ui/state/window_state.h"

namespace lanewise::ui {

struct Confidence {
    int percent;
    const char* word;
};
inline constexpr Confidence kConfidences[] = {{50, "A guess"}, {75, "Likely"}, {95, "Sure"}};

struct ConfidenceScore {
    struct Tally {
        int known = 0, right = 0;
    };
    Tally all;                        // every prediction that was compared
    std::map<int, Tally> by_percent;  // of those, by the confidence said
    double brier = 0;      // mean of (confidence - 1 or 0)²; 0 is perfect, 0.25 is knowing nothing
    std::string in_words;  // what to make of it; empty for fewer than five said with a confidence
};
ConfidenceScore calibration_of(const std::map<std::string, WindowState::Progress>& progress);

}  // namespace lanewise::ui
