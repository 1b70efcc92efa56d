#include "lab/chart/chart_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "course/operation.h"
#include "lab/analysis/rate.h"
#include "lab/product/product.h"

namespace lanewise {

StageTraffic traffic_of(const Analysis& analysis) {
    const Counts& c = analysis.report.totals;
    StageTraffic traffic;
    traffic.sectors = c.global_load.sectors + c.global_store.sectors + c.global_atomic.sectors +
                      c.global_reduction.sectors + c.async_copy.sectors + c.bulk_load.sectors +
                      c.bulk_store.sectors;
    traffic.useful_bytes =
        static_cast<uint64_t>(operation_of(analysis).times_moved() * analysis.rows * analysis.cols *
                              analysis.batch * element_bytes(analysis.type));
    return traffic;
}

static bool knows(const Recording& recording, const std::string& operation) {
    return std::any_of(recording.measurements.begin(), recording.measurements.end(),
                       [&](const Measurement& m) { return m.stage.starts_with(operation + "/"); });
}

std::vector<std::string> recorded_cards(const ChartFacts& facts) {
    std::vector<std::string> cards;
    for (const Recording& recording : facts.recordings)
        if (knows(recording, facts.operation) &&
            std::find(cards.begin(), cards.end(), recording.card) == cards.end())
            cards.push_back(recording.card);
    return cards;
}

const Recording* recording_of(const ChartFacts& facts) {
    for (const Recording& recording : facts.recordings)
        if (knows(recording, facts.operation) &&
            (facts.card.empty() || recording.card == facts.card))
            return &recording;
    return nullptr;
}

const DeviceProfile* profile_of(const ChartFacts& facts, const std::string& card) {
    for (const DeviceProfile& profile : facts.profiles)
        if (profile.name == card) return &profile;
    return nullptr;
}

std::string ladder_of(const Stage& stage) {
    return is_rung(stage) ? stage.operation : operation_of(stage).id;
}

std::vector<const Stage*> rungs(const ChartFacts& facts) {
    std::vector<const Stage*> found;
    for (const Stage& stage : facts.stages)
        if (stage.operation == facts.operation && stage.error.empty() && !is_exercise(stage))
            found.push_back(&stage);
    return found;
}

std::string title_of(const ChartFacts& facts, const std::string& stage) {
    for (const Stage& each : facts.stages)
        if (each.id == stage) return each.title;
    return stage;
}

KnobValues knobs_looked_at(const ChartFacts& facts, const Stage& stage) {
    return stage.id == facts.stage && !facts.knobs.empty() ? facts.knobs : default_knobs(stage);
}

std::string type_looked_at(const ChartFacts& facts, const Stage& stage) {
    const std::vector<std::string>& types = stage.types;
    bool offered = std::find(types.begin(), types.end(), facts.type) != types.end();
    return offered || types.empty() ? facts.type : types.front();
}

bool are_products(const ChartFacts& facts) {
    return std::any_of(facts.stages.begin(), facts.stages.end(), [&](const Stage& stage) {
        return stage.operation == facts.operation && is_product(stage);
    });
}

bool same_shape(const Measurement& a, const Measurement& b) {
    return a.rows == b.rows && a.cols == b.cols && a.inner == b.inner && a.batch == b.batch;
}

static bool same_setting(const Measurement& a, const Measurement& b) {
    return a.stage == b.stage && a.type == b.type && a.knobs == b.knobs && same_shape(a, b);
}

std::vector<Charted> measurements_of(const ChartFacts& facts, const Stage& stage) {
    std::vector<Charted> all;
    std::string type = type_looked_at(facts, stage);
    auto add = [&](const Measurement& m, bool live) {
        if (m.stage != stage.id || m.type != type || !m.correct || m.time_us.median <= 0) return;
        std::erase_if(all,
                      [&](const Charted& other) { return same_setting(*other.measurement, m); });
        all.push_back({&m, live});
    };
    if (const Recording* recording = recording_of(facts))
        for (const Measurement& m : recording->measurements) add(m, false);
    for (const Measurement& m : facts.live) add(m, true);
    return all;
}

Charted measured_at(const ChartFacts& facts, const Stage& stage, const KnobValues& knobs,
                    int64_t rows, int64_t cols) {
    for (const Charted& each : measurements_of(facts, stage)) {
        const Measurement& m = *each.measurement;
        if (m.knobs == knobs && m.rows == rows && m.cols == cols && m.batch == 1) return each;
    }
    return {};
}

uint64_t useful_bytes_of(const Measurement& m) {
    return static_cast<uint64_t>(operation_of(m).times_moved() * m.rows * m.cols * m.batch *
                                 element_bytes(m.type));
}

static std::string number(int64_t value) { return with_thousands(static_cast<uint64_t>(value)); }

std::string shape_words(int64_t rows, int64_t cols, const std::string& type) {
    return fmt::format("{}\u00a0×\u00a0{} {}", number(rows), number(cols), type);
}

std::string shape_words(const Measurement& m) {
    std::string matrices = m.batch == 1 ? "" : number(m.batch) + " matrices of ";
    if (m.inner == kNoInner) return matrices + shape_words(m.rows, m.cols, m.type);
    return fmt::format("{}\u00a0×\u00a0{}\u00a0×\u00a0{} {}", number(m.rows), number(m.cols),
                       number(m.inner), m.type);
}

std::string gb_words(double gb_per_s) {
    if (gb_per_s < 100) return fmt::format("{:.1f} GB/s", gb_per_s);
    return with_thousands(static_cast<uint64_t>(gb_per_s + 0.5)) + " GB/s";
}

std::string source_of(const Charted& charted) {
    const Measurement& m = *charted.measurement;
    const Provenance& p = m.provenance;
    std::string words = fmt::format("{} on {}, {}", charted.live ? "measured" : "recorded", p.card,
                                    p.date.substr(0, 10));
    if (m.time_us.samples > 0) words += fmt::format(", median of {} samples", m.time_us.samples);
    if (!p.driver.empty()) words += ", driver " + p.driver;
    if (!p.compiler.empty()) words += ", " + p.compiler;
    return words;
}

std::string caption_of(const ChartFacts& facts) {
    const Recording* recording = recording_of(facts);
    std::string words;
    if (recording)
        words = fmt::format("Recorded on {}, {}", recording->card, recording->date.substr(0, 10));
    for (const Measurement& m : facts.live)
        if (m.stage.starts_with(facts.operation + "/"))
            return fmt::format("{}{} now on {}", words,
                               words.empty() ? "Measured" : "; filled: measured",
                               m.provenance.card);
    return words;
}

std::string types_in_words(const ChartFacts& facts) {
    std::set<std::string> others;
    for (const Stage* stage : rungs(facts))
        if (!measurements_of(facts, *stage).empty()) others.insert(type_looked_at(facts, *stage));
    others.erase(facts.type);
    if (others.empty()) return "";
    return fmt::format("; {}, or {} where a stage has no {}", facts.type, fmt::join(others, " or "),
                       facts.type);
}

PlotPoint point_of(const Charted& charted, double x, const std::string& words) {
    const Measurement& m = *charted.measurement;
    PlotPoint point;
    point.x = x;
    point.y = m.gb_per_s;
    point.words = words + ": " + gb_words(m.gb_per_s);
    if (m.time_us.p05 > 0 && m.time_us.p95 > 0) {
        point.low = m.gb_per_s * m.time_us.median / m.time_us.p95;
        point.high = m.gb_per_s * m.time_us.median / m.time_us.p05;
        point.words +=
            fmt::format(" (5 to 95 %: {} to {})", gb_words(point.low), gb_words(point.high));
    }
    if (m.yardstick.gb_per_s > 0)
        point.words += fmt::format(", {:.1f} % of the copy", 100 * m.gb_per_s / m.yardstick.gb_per_s);
    point.source = source_of(charted);
    point.filled = charted.live;
    return point;
}

}  // namespace lanewise
