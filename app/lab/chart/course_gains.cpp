// What the rungs of a course's core brought, in the recordings.
#include "lab/chart/course_gains.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "lab/analysis/rate.h"
#include "lab/chart/chart_parts.h"

namespace lanewise {
namespace {

std::string size_words(const Operation::Size& size) {
    auto number = [](int64_t side) { return with_thousands(static_cast<uint64_t>(side)); };
    std::string words = number(size.rows) + "\u00a0×\u00a0" + number(size.cols);
    return size.inner == kNoInner ? words : words + "\u00a0×\u00a0" + number(size.inner);
}

std::string times(double factor) { return fmt::format("{:.{}f}", factor, factor < 9.95 ? 1 : 0); }

}  // namespace

SetStage as_the_course_has(const Stage& stage) {
    return {stage.id, stage.types.empty() ? "" : stage.types.front(), default_knobs(stage)};
}

const Measurement* recorded(const Recording& recording, const Stage& stage, const SetStage& at) {
    const Operation::Size& size = operation_of(stage).sizes.mostly_at;
    const Measurement* found =
        recording.find(stage.id, at.knobs, at.type, size.rows, size.cols, 1, size.inner);
    return found && found->correct && rate_of(*found) > 0 ? found : nullptr;
}

double times_as_fast(const Measurement& one, const Measurement& other) {
    const bool against_the_same =
        one.type == other.type && one.yardstick.ratio.median > 0 && other.yardstick.ratio.median > 0;
    return against_the_same ? one.yardstick.ratio.median / other.yardstick.ratio.median
                            : rate_of(one) / rate_of(other);
}

namespace {

// The copy that a course's kernels are measured by is no rung of it.
bool is_yardstick(const Stage& stage) { return stage.reference == operation_of(stage).yardstick; }

void add_rung(CourseGains& gains, const Stage& stage, const Measurement& measured) {
    Rung rung{&stage, &measured};
    const std::vector<Rung>& before = gains.rungs;
    for (size_t i = 0; i < before.size(); ++i)
        if (times_as_fast(*before[i].measured, *before[rung.fastest_before].measured) > 1)
            rung.fastest_before = i;
    if (!before.empty())
        rung.factor = times_as_fast(measured, *before[rung.fastest_before].measured);
    if (rung.factor >= kWorthSaying)
        gains.by_gain.push_back(before.size());
    else if (rung.factor > 1)
        gains.alike.push_back(before.size());
    gains.rungs.push_back(rung);
}

}  // namespace

CourseGains course_gains(const Path& path, const std::vector<Stage>& stages,
                         std::span<const Recording> recordings, const std::string& course) {
    for (const Recording& recording : recordings) {
        CourseGains gains;
        gains.card = recording.card;
        gains.date = recording.date.substr(0, 10);
        for (size_t place : core_of_course(path, stages, course)) {
            const Stage& stage = stages[place];
            const Measurement* found = recorded(recording, stage, as_the_course_has(stage));
            if (!found || is_yardstick(stage)) continue;
            gains.unit = operation_of(stage).unit();
            gains.size = size_words(operation_of(stage).sizes.mostly_at);
            add_rung(gains, stage, *found);
        }
        if (gains.rungs.size() < 2) continue;
        std::stable_sort(gains.by_gain.begin(), gains.by_gain.end(), [&](size_t a, size_t b) {
            return gains.rungs[a].factor > gains.rungs[b].factor;
        });
        return gains;
    }
    return {};
}

std::string not_worth_sentence(const NotWorth& row, const std::vector<Stage>& stages,
                               std::span<const Recording> recordings) {
    const Stage* tried = stage_called(stages, row.tried.stage);
    const Stage* than = stage_called(stages, row.than.stage);
    if (!tried || !than) return {};
    for (const Recording& recording : recordings) {
        const Measurement* with = recorded(recording, *tried, row.tried);
        const Measurement* without = recorded(recording, *than, row.than);
        if (with && without)
            return fmt::format("Recorded on {}: {} {}, against {} without it.", recording.card,
                               in_three_digits(rate_of(*with)), operation_of(*tried).unit(),
                               in_three_digits(rate_of(*without)));
    }
    return {};
}

std::vector<std::string> gain_sentences(const CourseGains& gains) {
    std::vector<std::string> sentences;
    for (size_t i : gains.by_gain)
        sentences.push_back(fmt::format("{}: {} times as fast as “{}”", gains.rungs[i].stage->title,
                                        times(gains.rungs[i].factor),
                                        gains.rungs[gains.rungs[i].fastest_before].stage->title));
    std::string alike;
    for (size_t i : gains.alike) alike += (alike.empty() ? "" : "; ") + gains.rungs[i].stage->title;
    if (!alike.empty())
        sentences.push_back(fmt::format("Less than {} each: {}", percent(kWorthSaying - 1), alike));
    return sentences;
}

LadderFigureInput gains_figure_input(const CourseGains& gains, float width) {
    LadderFigureInput input;
    input.unit = gains.unit;
    input.width = width;
    input.caption = fmt::format(
        "Recorded on {}, {}, {}. The factor before a title compares it with the fastest row above.",
        gains.card, gains.date, gains.size);
    for (const Rung& rung : gains.rungs) {
        LadderBar bar;
        bar.id = rung.stage->id;
        bar.label = rung.factor > 0 ? "× " + times(rung.factor) + "  " + rung.stage->title
                                    : rung.stage->title;
        bar.gb_per_s = bar.low = bar.high = rate_of(*rung.measured);
        bar.source = LadderBar::Source::recorded;
        bar.tooltip = fmt::format("{}: {} {}", rung.stage->title,
                                  in_three_digits(rate_of(*rung.measured)), gains.unit);
        input.bars.push_back(std::move(bar));
    }
    return input;
}

}  // namespace lanewise
