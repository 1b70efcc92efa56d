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

const Measurement* recorded(const Recording& recording, const Stage& stage, const SetStage& at) {
    const Operation::Size& size = operation_of(stage).mostly_at;
    const Measurement* found =
        recording.find(stage.id, at.knobs, at.type, size.rows, size.cols, 1, size.inner);
    return found && found->correct ? found : nullptr;
}

SetStage as_the_course_has(const Stage& stage) {
    return {stage.id, stage.types.empty() ? "" : stage.types.front(), default_knobs(stage)};
}

const Stage* stage_called(const std::vector<Stage>& stages, const std::string& id) {
    auto found =
        std::find_if(stages.begin(), stages.end(), [&](const Stage& s) { return s.id == id; });
    return found == stages.end() ? nullptr : &*found;
}

std::string size_words(const Operation::Size& size) {
    auto number = [](int64_t side) { return with_thousands(static_cast<uint64_t>(side)); };
    std::string words = number(size.rows) + "\u00a0×\u00a0" + number(size.cols);
    return size.inner == kNoInner ? words : words + "\u00a0×\u00a0" + number(size.inner);
}

std::string times(double factor) { return fmt::format("{:.{}f}", factor, factor < 9.95 ? 1 : 0); }

}  // namespace

double recorded_speed(const Recording& recording, const Stage& stage, const SetStage& at) {
    const Measurement* found = recorded(recording, stage, at);
    return found ? rate_of(*found) : 0;
}

double recorded_speed(const Recording& recording, const Stage& stage) {
    return recorded_speed(recording, stage, as_the_course_has(stage));
}

namespace {

// The copy that a course's kernels are measured by is no rung of it.
bool is_yardstick(const Stage& stage) { return stage.reference == operation_of(stage).yardstick; }

void add_rung(CourseGains& gains, const Stage& stage, double speed) {
    Rung rung{&stage, speed};
    const std::vector<Rung>& before = gains.rungs;
    for (size_t i = 0; i < before.size(); ++i)
        if (before[i].speed > before[rung.fastest_before].speed) rung.fastest_before = i;
    if (!before.empty()) rung.factor = speed / before[rung.fastest_before].speed;
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
            const double speed = recorded_speed(recording, stage);
            if (speed <= 0 || is_yardstick(stage)) continue;
            gains.unit = operation_of(stage).unit();
            gains.size = size_words(operation_of(stage).mostly_at);
            add_rung(gains, stage, speed);
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
        const double with = recorded_speed(recording, *tried, row.tried);
        const double without = recorded_speed(recording, *than, row.than);
        if (with > 0 && without > 0)
            return fmt::format("Recorded on {}: {} {}, against {} without it.", recording.card,
                               in_three_digits(with), operation_of(*tried).unit(),
                               in_three_digits(without));
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
        "Recorded on {}, {}, {}. Before a title: times as fast as the fastest row above it.",
        gains.card, gains.date, gains.size);
    for (const Rung& rung : gains.rungs) {
        LadderBar bar;
        bar.id = rung.stage->id;
        bar.label = rung.factor > 0 ? "× " + times(rung.factor) + "  " + rung.stage->title
                                    : rung.stage->title;
        bar.gb_per_s = bar.low = bar.high = rung.speed;
        bar.source = LadderBar::Source::recorded;
        bar.tooltip =
            fmt::format("{}: {} {}", rung.stage->title, in_three_digits(rung.speed), gains.unit);
        input.bars.push_back(std::move(bar));
    }
    return input;
}

}  // namespace lanewise
