#include "ui/path/calibration.h"

#include <fmt/format.h>

namespace lanewise::ui {

static constexpr int kFewestForWords = 5;
static constexpr double kWell = 0.1;  // so far apart confidence and success may be, on average

ConfidenceScore calibration_of(const std::map<std::string, WindowState::Progress>& progress) {
    ConfidenceScore score;
    int said = 0;
    double confidence = 0, right = 0, squares = 0;
    for (const auto& [stage, each] : progress) {
        if (each.guess.empty() || !each.known) continue;
        ++score.all.known;
        score.all.right += each.right;
        if (each.confidence == 0) continue;
        ConfidenceScore::Tally& tally = score.by_percent[each.confidence];
        ++tally.known;
        tally.right += each.right;
        double sure = each.confidence / 100.0, off = sure - each.right;
        ++said;
        confidence += sure;
        right += each.right;
        squares += off * off;
    }
    if (said == 0) return score;
    score.brier = squares / said;
    if (said < kFewestForWords) return score;
    double difference = (confidence - right) / said;
    const char* verdict = difference > kWell    ? "You are surer than you are right."
                          : difference < -kWell ? "You know more than you think."
                                                : "You are well calibrated.";
    score.in_words = fmt::format(
        "{} On average {:.0f} % sure, {:.0f} % right; Brier score {:.2f} (0 is "
        "perfect, 0.25 is tossing a coin).",
        verdict, 100 * confidence / said, 100 * right / said, score.brier);
    return score;
}

}  // namespace lanewise::ui
