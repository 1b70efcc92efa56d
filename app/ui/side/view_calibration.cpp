// How well the learner's predictions went, by how sure of them the learner was: who is right in
// three of four cases that seem 75 % sure is well calibrated.
#include <fmt/format.h>

#include "ui/kit/widgets.h"
#include "ui/path/calibration.h"
#include "ui/state/views.h"

namespace lanewise::ui {

void draw_calibration(const App& app) {
    ConfidenceScore score = calibration_of(app.saved.progress);
    if (score.all.known == 0) return;
    gap(8);
    paragraph(fmt::format("Your predictions: {} of {} right.", score.all.right, score.all.known),
              kStrong);
    for (const Confidence& each : kConfidences) {
        const ConfidenceScore::Tally& tally = score.by_percent[each.percent];
        if (tally.known > 0)
            paragraph(fmt::format("{} ({} %): {} of {} right", each.word, each.percent, tally.right,
                                  tally.known),
                      kDim);
    }
    if (!score.in_words.empty()) paragraph(score.in_words, kDim);
}

}  // namespace lanewise::ui
