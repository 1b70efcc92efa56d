// Predicted against measured: how far the model is off, everywhere and at worst.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/text.h"
#include "lab/chart/chart_parts.h"

namespace lanewise {
namespace {

constexpr double kMost = 0.9;  // of the errors lie within the band

double error_of(const Measurement& m) { return m.predicted_gb_per_s / m.gb_per_s - 1; }

std::string knob_words(const KnobValues& knobs) {
    std::string words;
    for (const auto& [name, value] : knobs) words += fmt::format(" {}={}", name, value);
    return words;
}

PlotSeries points_of(const ChartFacts& facts, const Stage& stage,
                     std::vector<const Measurement*>& all) {
    PlotSeries series;
    series.name = stage.title;
    series.action = "stage:" + stage.id;
    series.strong = stage.id == facts.stage;
    series.ink = series.strong ? Ink::accent : Ink::recorded;
    series.mark = series.strong ? PlotMark::diamond : PlotMark::dot;
    series.joined = series.named = false;
    series.in_legend = series.strong;
    for (const Charted& each : measurements_of(facts, stage)) {
        const Measurement& m = *each.measurement;
        if (m.predicted_gb_per_s <= 0) continue;
        std::string words = fmt::format("{}, {}{}: model {} ({:+.1f} %), measured", stage.title,
                                        shape_words(m.rows, m.cols, m.type), knob_words(m.knobs),
                                        gb_words(m.predicted_gb_per_s), 100 * error_of(m));
        series.points.push_back(point_of(each, m.predicted_gb_per_s, words));
        all.push_back(&m);
    }
    return series;
}

// The shares of `all` in the middle and within the band, both as absolute errors.
std::pair<double, double> errors_of(const std::vector<const Measurement*>& all) {
    std::vector<double> errors;
    for (const Measurement* m : all) errors.push_back(std::abs(error_of(*m)));
    std::sort(errors.begin(), errors.end());
    auto at = [&](double share) {
        auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(errors.size())));
        return errors[std::clamp<size_t>(rank, 1, errors.size()) - 1];
    };
    return {at(0.5), at(kMost)};
}

std::string worst_words(const ChartFacts& facts, const std::vector<const Measurement*>& all) {
    const Measurement& worst =
        **std::max_element(all.begin(), all.end(), [](const Measurement* a, const Measurement* b) {
            return std::abs(error_of(*a)) < std::abs(error_of(*b));
        });
    return fmt::format("The furthest: {}, {}{}, {:+.0f} %.", title_of(facts, worst.stage),
                       shape_words(worst.rows, worst.cols, worst.type), knob_words(worst.knobs),
                       100 * error_of(worst));
}

}  // namespace

PlotFigureInput model_chart(const ChartFacts& facts) {
    PlotFigureInput chart;
    chart.caption = caption_of(facts);
    chart.nothing = "No recorded run of this type carries the model's prediction.";
    std::vector<const Measurement*> all;
    for (const Stage* stage : rungs(facts)) {
        chart.series.push_back(points_of(facts, *stage, all));
        if (chart.series.back().points.empty()) chart.series.pop_back();
    }
    if (all.empty()) return chart;
    std::vector<double> values;
    for (const Measurement* m : all)
        values.insert(values.end(), {m->predicted_gb_per_s, m->gb_per_s});
    PlotAxis axis;
    axis.log = true;
    std::tie(axis.from, axis.to) = axis_range(axis, values);
    chart.x = chart.y = axis;
    chart.x.title = "GB/s that the model predicts";
    chart.x.csv = "predicted_gb_per_s";
    chart.y.title = "GB/s measured";
    chart.y.csv = "gb_per_s";
    auto [middle, most] = errors_of(all);
    // An error of e is predicted = measured · (1 + e).
    double low = axis.from, high = axis.to, up = 1 / (1 - most), down = 1 / (1 + most);
    chart.areas.push_back(
        {{{low, low * down}, {high, high * down}, {high, high * up}, {low, low * up}},
         fmt::format("band: within {:.0f} %", 100 * most)});
    PlotSeries exact;
    exact.name = "exact";
    exact.ink = Ink::model;
    exact.mark = PlotMark::none;
    exact.points = {{low, low, 0, 0, "", ""}, {high, high, 0, 0, "", ""}};
    chart.series.push_back(exact);
    chart.notes = {fmt::format(
        "{} runs at every recorded size and setting: half of the predictions are within {:.1f} % "
        "of the measurement, nine of ten within {:.1f} %. {} Above the line the hardware is faster "
        "than the model, below it slower.",
        with_thousands(all.size()), 100 * middle, 100 * most, worst_words(facts, all))};
    return chart;
}

}  // namespace lanewise
